import { type Dimension, type Measure, TIME_BUCKETS, TIME_PARTS, type TimePart } from '../ports/analysis-plan.js';
import type { ColumnType } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { isPair } from '../plan/plan-inputs.js';
import { aggregateSql, inputOf, numberOf } from './plan-compiler.aggregates.js';
import { shown } from '../plan/plan-columns.js';
import { allOf } from './plan-compiler.filters.js';
import { figureOver, type PlanContext } from './plan-compiler.scope.js';
import type { Selection } from './plan-compiler.selection.js';
import { clause } from './plan-compiler.steps.js';
import { assertKnown } from '../plan/plan-words.js';

export interface Figure {
  readonly expression: string;
  readonly label: string;
  readonly type: ColumnType;
}

export interface Grouping extends Figure {
  /** Its texts, when they have an order of their own. */
  readonly ranked?: readonly string[] | undefined;
  readonly isTime: boolean;
}

const PART_FUNCTIONS: Readonly<Record<TimePart, string>> = { hour: 'hour', weekday: 'isodow', month: 'month' };

/** What the figures are grouped by; a bucket comes out as its start in UTC, a week starting on Monday. */
export function dimensionOf(dimension: Dimension, { columns, writer }: PlanContext): Grouping {
  const { label } = dimension;
  switch (dimension.kind) {
    case 'column': {
      const column = columns.named(dimension.column);
      const { type, ranked } = column;
      return { expression: writer.column(column), label, type, ranked, isTime: type === 'time' };
    }
    case 'bucket': {
      assertKnown(dimension.bucket, TIME_BUCKETS);
      const column = writer.column(columns.typed(dimension.column, 'time', `a ${dimension.bucket} of time`));
      return { expression: `date_trunc('${dimension.bucket}', ${column})`, label, type: 'time', isTime: true };
    }
    case 'part': {
      assertKnown(dimension.part, TIME_PARTS);
      const column = columns.typed(dimension.column, 'time', `the ${dimension.part} of a time`);
      const part = PART_FUNCTIONS[dimension.part];
      return { expression: `${part}(${writer.column(column)})`, label, type: 'integer', isTime: true };
    }
  }
}

/** Makes figures of measures; what some of them need per row is added to the rows on the way. */
export function measuresOf(
  measures: readonly Measure[],
  dimensions: readonly Grouping[],
  selection: Selection,
): readonly Figure[] {
  const { context, steps } = selection;
  const prepared = measures.map((measure) => prepare(measure, dimensions, context));
  let { columns } = context;
  const added = prepared.flatMap(({ windows }, measure) =>
    windows.map(({ name, expression }) => {
      columns = columns.helper(name);
      return { measure, expression, column: columns.derived.at(-1) };
    }),
  );
  const helpers = added.flatMap(({ expression, column }) => (column === undefined ? [] : [{ expression, column }]));
  if (helpers.length > 0) steps.extend('prepared', helpers);
  const rows = { ...context, columns };
  return prepared.map(({ finish }, index) => {
    const own = added.filter(({ measure }) => measure === index).flatMap(({ column }) => column ?? []);
    return finish(
      own.map((column) => context.writer.column(column)),
      { ...selection, context: rows },
    );
  });
}

interface Prepared {
  /** Columns that each row gets before it is grouped. */
  readonly windows: readonly { readonly name: string; readonly expression: string }[];
  readonly finish: (windows: readonly string[], selection: Selection) => Figure;
}

function prepare(measure: Measure, dimensions: readonly Grouping[], context: PlanContext): Prepared {
  const groups = dimensions.map(({ expression }) => expression);
  if (measure.aggregate === 'rank_correlation') return rankCorrelation(measure, groups, context);
  if (measure.aggregate === 'mean_abs_deviation') return meanDeviation(measure, groups, context);
  const filter = filterOf(measure, context);
  return { windows: [], finish: (_, selection) => measureOf(measure, filter, selection) };
}

function filterOf({ filters = [] }: Measure, context: PlanContext): string | null {
  const condition = allOf(filters, context);
  return condition === '' ? null : condition;
}

function measureOf(measure: Measure, filter: string | null, { context, steps }: Selection): Figure {
  const { aggregate, label, parameter } = measure;
  const { columns, writer } = context;
  if (aggregate === 'rank_correlation' || aggregate === 'mean_abs_deviation') throw lacksColumn(label);
  if (aggregate === 'count' && measure.column === null) {
    return { expression: aggregateSql(aggregate, { x: '*', filter }, writer), label, type: 'integer' };
  }
  if (measure.column === null) throw lacksColumn(label);
  const { x, type, column } = inputOf(aggregate, measure.column, columns, writer);
  const y = isPair(aggregate) ? secondOf(measure, context) : undefined;
  const relation = columns.all.includes(column) ? writer.relation : steps.relation;
  const centre = figureOver(`avg(${x})`, { relation, where: [] });
  return { expression: aggregateSql(aggregate, { x, y, parameter, filter, centre }, writer), label, type };
}

function lacksColumn(label: string): AppError {
  return new AppError('invalid_input', `the measure "${shown(label)}" lacks a column`);
}

function secondOf({ second, label, aggregate }: Measure, { columns, writer }: PlanContext): string {
  if (second === undefined) {
    throw new AppError('invalid_input', `the measure "${shown(label)}" lacks its second column`);
  }
  return numberOf(second, columns, writer, aggregate).sql;
}

/** Spearman's: the correlation of ranks within the group, equal values sharing the mean of theirs. */
function rankCorrelation(measure: Measure, groups: readonly string[], context: PlanContext): Prepared {
  if (measure.column === null) throw lacksColumn(measure.label);
  const x = inputOf(measure.aggregate, measure.column, context.columns, context.writer).x;
  const y = secondOf(measure, context);
  const pair = [`${x} IS NOT NULL`, `${y} IS NOT NULL`, filterOf(measure, context)].filter((term) => term !== null);
  const rank = (of: string): string => rankWithin(of, pair.join(' AND '), groups);
  return {
    windows: [
      { name: `rank of ${measure.column}`, expression: rank(x) },
      { name: `rank of ${measure.second ?? ''}`, expression: rank(y) },
    ],
    finish: ([first = '', second = ''], { context: { writer } }) => ({
      expression: aggregateSql('correlation', { x: first, y: second }, writer),
      label: measure.label,
      type: 'number',
    }),
  };
}

/** The place of a value among those of its group for which the condition holds. */
function rankWithin(of: string, condition: string, groups: readonly string[]): string {
  return `CASE WHEN ${condition} THEN ${meanRank(of, [...groups, condition])} END`;
}

/** The place of a value among the sorted ones, equal values sharing the mean of theirs. */
export function meanRank(of: string, partition: readonly string[] = []): string {
  const place = [...clause('PARTITION BY', partition, ', '), `ORDER BY ${of}`].join(' ');
  const equal = `PARTITION BY ${[...partition, of].join(', ')}`;
  return `rank() OVER (${place}) + (count(*) OVER (${equal}) - 1) / 2`;
}

function meanDeviation(measure: Measure, groups: readonly string[], context: PlanContext): Prepared {
  if (measure.column === null) throw lacksColumn(measure.label);
  const { x } = inputOf(measure.aggregate, measure.column, context.columns, context.writer);
  const filter = filterOf(measure, context);
  const over = groups.length === 0 ? '()' : `(PARTITION BY ${groups.join(', ')})`;
  const mean = filter === null ? `avg(${x}) OVER ${over}` : `avg(${x}) FILTER (WHERE ${filter}) OVER ${over}`;
  const distance = `abs(${x} - ${mean})`;
  const expression = filter === null ? distance : `CASE WHEN ${filter} THEN ${distance} END`;
  return {
    windows: [{ name: `deviation of ${measure.column}`, expression }],
    finish: ([deviation = '']) => ({ expression: `avg(${deviation})`, label: measure.label, type: 'number' }),
  };
}
