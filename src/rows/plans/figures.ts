import { type PlanColumn, shown } from '../../plan/plan-columns.js';
import { isPair } from '../../plan/plan-methods.js';
import {
  type Computed,
  type Dimension,
  type Measure,
  SERIES_KINDS,
  type SeriesKind,
  TIME_BUCKETS,
  TIME_PARTS,
} from '../../ports/analysis-plan.js';
import { type ColumnType, isNumeric } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { aggregateSql, inputOf, numberOf } from './aggregate-functions.js';
import { allOf } from './conditions.js';
import { PART_FUNCTIONS } from './expressions.js';
import { assertKnown, wholeNumber } from './plan-checks.js';
import { clause, figureOver, orderTerm, type PlanContext, type PlanWriter, sortKey } from './query.js';
import type { Selection } from './selection.js';

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
  const groups = dimensions.map(({ expression }) => expression);
  const helpers: { readonly expression: string; readonly column: PlanColumn }[] = [];
  let { columns } = context;
  const windows = measures.map((measure) =>
    windowsFor(measure, groups, context).flatMap(({ name, expression }) => {
      columns = columns.helper(name);
      const column = columns.derived.at(-1);
      if (column === undefined) return [];
      helpers.push({ expression, column });
      return context.writer.column(column);
    }),
  );
  if (helpers.length > 0) steps.extend('prepared', helpers);
  return measures.map((measure, index) => measureOf(measure, windows[index] ?? [], selection));
}

/** A column that each row gets before it is grouped. */
interface RowWindow {
  readonly name: string;
  readonly expression: string;
}

function windowsFor(measure: Measure, groups: readonly string[], context: PlanContext): readonly RowWindow[] {
  if (measure.aggregate === 'rank_correlation') return ranks(measure, groups, context);
  return measure.aggregate === 'mean_abs_deviation' ? [deviation(measure, groups, context)] : [];
}

function filterOf({ filters = [] }: Measure, context: PlanContext): string | null {
  const condition = allOf(filters, context);
  return condition === '' ? null : condition;
}

function measureOf(measure: Measure, [first = '', second]: readonly string[], { context, steps }: Selection): Figure {
  const { aggregate, label, parameter } = measure;
  const { columns, writer } = context;
  if (aggregate === 'rank_correlation')
    return { expression: aggregateSql('correlation', { x: first, y: second }, writer), label, type: 'number' };
  if (aggregate === 'mean_abs_deviation') return { expression: `avg(${first})`, label, type: 'number' };
  const filter = filterOf(measure, context);
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

/** For Spearman's: the correlation of ranks within the group, equal values sharing the mean of theirs. */
function ranks(measure: Measure, groups: readonly string[], context: PlanContext): readonly RowWindow[] {
  if (measure.column === null) throw lacksColumn(measure.label);
  const x = inputOf(measure.aggregate, measure.column, context.columns, context.writer).x;
  const y = secondOf(measure, context);
  const terms = [`${x} IS NOT NULL`, `${y} IS NOT NULL`, filterOf(measure, context)].filter((term) => term !== null);
  const pair = terms.join(' AND ');
  const rank = (of: string): string => `CASE WHEN ${pair} THEN ${meanRank(of, [...groups, pair])} END`;
  return [
    { name: `rank of ${measure.column}`, expression: rank(x) },
    { name: `rank of ${measure.second ?? ''}`, expression: rank(y) },
  ];
}

/** The place of a value among the sorted ones, equal values sharing the mean of theirs. */
export function meanRank(of: string, partition: readonly string[] = []): string {
  const place = [...clause('PARTITION BY', partition, ', '), `ORDER BY ${of}`].join(' ');
  const equal = `PARTITION BY ${[...partition, of].join(', ')}`;
  return `rank() OVER (${place}) + (count(*) OVER (${equal}) - 1) / 2`;
}

function deviation(measure: Measure, groups: readonly string[], context: PlanContext): RowWindow {
  if (measure.column === null) throw lacksColumn(measure.label);
  const { x } = inputOf(measure.aggregate, measure.column, context.columns, context.writer);
  const filter = filterOf(measure, context);
  const over = groups.length === 0 ? '()' : `(PARTITION BY ${groups.join(', ')})`;
  const mean = filter === null ? `avg(${x}) OVER ${over}` : `avg(${x}) FILTER (WHERE ${filter}) OVER ${over}`;
  const distance = `abs(${x} - ${mean})`;
  const expression = filter === null ? distance : `CASE WHEN ${filter} THEN ${distance} END`;
  return { name: `deviation of ${measure.column}`, expression };
}

interface ComputedPlace {
  readonly measures: readonly Figure[];
  readonly dimensions: readonly Grouping[];
  readonly writer: PlanWriter;
}

/** A figure that runs over the groups. */
type Series = Extract<Computed, { kind: SeriesKind }>;
/** A figure of two figures of the same group. */
type Pair = Exclude<Computed, Series>;

/** A computed figure over the groups, which have their figures under the labels. */
export function computedOf(computed: Computed, place: ComputedPlace): Figure {
  return isSeries(computed) ? seriesOf(computed, place) : pairOf(computed, place);
}

function isSeries(computed: Computed): computed is Series {
  return SERIES_KINDS.some((kind) => kind === computed.kind);
}

/** @throws AppError `invalid_input` when the figure is no number. */
export function assertNumber({ type, label }: Pick<Figure, 'type' | 'label'>): void {
  if (isNumeric(type)) return;
  throw new AppError('invalid_input', `"${shown(label)}" is no number and can't be compared with one`);
}

function measureAt(index: number, { measures }: ComputedPlace): Figure {
  const figure = measures[index];
  if (!figure) throw new AppError('invalid_input', `the plan computes with measure ${index}, which it lacks`);
  assertNumber(figure);
  return figure;
}

const WHOLE: ReadonlySet<Pair['kind']> = new Set<Pair['kind']>(['difference', 'sum', 'product']);
const PAIRS: Readonly<Record<Pair['kind'], (left: string, right: string) => string>> = {
  ratio: (left, right) => `${left} / nullif(${right}, 0)`,
  percent: (left, right) => `100 * ${left} / nullif(${right}, 0)`,
  difference: (left, right) => `${left} - ${right}`,
  sum: (left, right) => `${left} + ${right}`,
  product: (left, right) => `${left} * ${right}`,
  percent_change: (left, right) => `100 * (${left} - ${right}) / nullif(${right}, 0)`,
};

function pairOf(computed: Pair, place: ComputedPlace): Figure {
  assertKnown(computed.kind, Object.keys(PAIRS));
  const sides = [measureAt(computed.left, place), measureAt(computed.right, place)];
  const [left = '', right = ''] = sides.map(({ label }) => wide(label, place));
  const isWhole = WHOLE.has(computed.kind) && sides.every(({ type }) => type === 'integer');
  const type = isWhole ? 'integer' : 'number';
  return { expression: PAIRS[computed.kind](left, right), label: computed.label, type };
}

function wide(label: string, { writer }: ComputedPlace): string {
  return writer.guarded ? `${writer.label(label)}::DOUBLE` : writer.label(label);
}

function seriesOf(computed: Series, place: ComputedPlace): Figure {
  const { label, type } = measureAt(computed.of, place);
  const expression = SERIES[computed.kind](wide(label, place), windowsOf(computed, place));
  return { expression, label: computed.label, type: seriesType(computed.kind, type) };
}

function seriesType(kind: SeriesKind, type: ColumnType): ColumnType {
  if (kind === 'rank') return 'integer';
  return kind === 'cumulative' || kind === 'change' ? type : 'number';
}

interface Windows {
  /** All groups of the series. */
  readonly all: string;
  /** In the order of the dimensions. */
  readonly ordered: () => string;
  /** This one and those before it. */
  readonly running: () => string;
  readonly moving: () => string;
  readonly highest: (figure: string) => string;
}

const SERIES: Readonly<Record<SeriesKind, (figure: string, windows: Windows) => string>> = {
  share: (figure, { all }) => `${figure} / nullif(sum(${figure}) OVER ${all}, 0)`,
  cumulative: (figure, { running }) => `sum(${figure}) OVER ${running()}`,
  cumulative_share: (figure, { running, all }) =>
    `sum(${figure}) OVER ${running()} / nullif(sum(${figure}) OVER ${all}, 0)`,
  change: (figure, { ordered }) => `${figure} - lag(${figure}) OVER ${ordered()}`,
  growth: (figure, { ordered }) =>
    `(${figure} - lag(${figure}) OVER ${ordered()}) / nullif(lag(${figure}) OVER ${ordered()}, 0)`,
  moving_average: (figure, { moving }) => `avg(${figure}) OVER ${moving()}`,
  rank: (figure, { highest }) => `CASE WHEN ${figure} IS NOT NULL THEN rank() OVER ${highest(figure)} END`,
};

const DEFAULT_WINDOW = 3;
const LONGEST_WINDOW = 10_000;

function windowsOf({ window }: Series, { dimensions, writer }: ComputedPlace): Windows {
  const size = wholeNumber(window ?? DEFAULT_WINDOW, [1, LONGEST_WINDOW], 'the window of a moving average');
  const along = axesOf(dimensions);
  const within = dimensions.filter((dimension) => !along.includes(dimension)).map(({ label }) => writer.label(label));
  const partition = within.length === 0 ? [] : [`PARTITION BY ${within.join(', ')}`];
  let known: readonly string[] | null = null;
  // Written where it is wanted alone: an order of texts binds them, and what is bound has to be named in the query.
  const terms = (): readonly string[] => along.map((dimension) => orderTerm(sortKey(dimension, writer), 'asc'));
  const sorted = (): readonly string[] => (known ??= clause('ORDER BY', terms(), ', '));
  const frame = (before: string): string =>
    `(${[...partition, ...sorted(), `ROWS BETWEEN ${before} PRECEDING AND CURRENT ROW`].join(' ')})`;
  return {
    all: `(${partition.join(' ')})`,
    ordered: () => `(${[...partition, ...sorted()].join(' ')})`,
    running: () => frame('UNBOUNDED'),
    moving: () => frame(String(size - 1)),
    highest: (figure) => `(${[...partition, `ORDER BY ${figure} DESC NULLS LAST`].join(' ')})`,
  };
}

/** The dimensions that a series runs along: those of time, else those that are numbers (a year), else all. */
function axesOf(dimensions: readonly Grouping[]): readonly Grouping[] {
  if (dimensions.length < 2) return dimensions;
  const times = dimensions.filter(({ isTime }) => isTime);
  if (times.length > 0) return times;
  const numbers = dimensions.filter(({ type }) => isNumeric(type));
  return numbers.length > 0 ? numbers : dimensions;
}
