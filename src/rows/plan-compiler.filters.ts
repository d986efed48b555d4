import type { Filter } from '../ports/analysis-plan.js';
import type { PlanColumn } from '../plan/plan-columns.js';
import { assertAlternatives, assertValues, booleanFrom, comparedColumns, numberFrom } from '../plan/plan-conditions.js';
import { comparedWithFigure, outlying } from './plan-compiler.comparisons.js';
import type { PlanContext } from './plan-compiler.scope.js';
import { instantFrom } from '../plan/instants.js';
import { assertKnown } from '../plan/plan-words.js';
import { operatorFrom } from './plan-compiler.words.js';

type FilterOf<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;

const PLACES = { anywhere: 'contains', start: 'starts_with', end: 'ends_with' } as const;

/** The terms of WHERE, all of which must hold. A row without a value in the column fits no condition but `null`. */
export function conditionsOf(filters: readonly Filter[], context: PlanContext): readonly string[] {
  return filters.flatMap((filter) => conditionOf(filter, context));
}

/** One condition out of several. */
export function allOf(filters: readonly Filter[], context: PlanContext): string {
  return conditionsOf(filters, context).join(' AND ');
}

function conditionOf(filter: Filter, context: PlanContext): readonly string[] {
  const { columns, writer } = context;
  switch (filter.kind) {
    case 'in':
      return [membership(filter, context)];
    case 'compare':
    case 'between':
      return [ofNumber(filter, context)];
    case 'time':
      return timeRange(filter, context);
    case 'contains':
      return [containment(filter, context)];
    case 'null': {
      const column = writer.column(columns.named(filter.column));
      return [filter.negated ? `${column} IS NOT NULL` : `${column} IS NULL`];
    }
    case 'columns':
      return [betweenColumns(filter, context)];
    case 'against':
      return [comparedWithFigure(filter, context)];
    case 'outlier':
      return [outlying(filter, context)];
    case 'any':
      return [anyOf(filter, context)];
  }
}

function ofNumber(filter: FilterOf<'compare' | 'between'>, { columns, writer }: PlanContext): string {
  if (filter.kind === 'compare') {
    const column = columns.typed(filter.column, 'numeric', 'a comparison with a number');
    return `${writer.column(column)} ${operatorFrom(filter.operator)} ${writer.number(filter.value)}`;
  }
  const column = columns.typed(filter.column, 'numeric', 'a range of numbers');
  return `${writer.column(column)} BETWEEN ${writer.number(filter.low)} AND ${writer.number(filter.high)}`;
}

function anyOf(filter: FilterOf<'any'>, context: PlanContext): string {
  assertAlternatives(filter);
  const terms = filter.of.map((all) => (all.length === 1 ? allOf(all, context) : `(${allOf(all, context)})`));
  return `(${terms.join(' OR ')})`;
}

function membership(filter: FilterOf<'in'>, { columns, writer }: PlanContext): string {
  assertValues(filter);
  const column = columns.named(filter.column);
  const values = filter.values.map((value) => valueOf(column, value, writer)).join(', ');
  const subject = column.type === 'text' ? `lower(${writer.column(column)})` : writer.column(column);
  return `${subject} ${filter.negated ? 'NOT IN' : 'IN'} (${values})`;
}

function valueOf(column: PlanColumn, value: string | number | boolean, writer: PlanContext['writer']): string {
  switch (column.type) {
    case 'text':
      return `lower(${writer.text(String(value))})`;
    case 'number':
    case 'integer':
      return writer.number(numberFrom(column, value));
    case 'boolean':
      return writer.boolean(booleanFrom(column, value));
    case 'time':
      return writer.time(instantFrom(String(value)));
  }
}

function timeRange(filter: FilterOf<'time'>, { columns, writer }: PlanContext): readonly string[] {
  const column = columns.typed(filter.column, 'time', 'a range of time');
  if (filter.from === null && filter.to === null) return [`${writer.column(column)} IS NOT NULL`];
  const bounds: readonly (readonly [string, string | null])[] = [
    ['>=', filter.from],
    ['<', filter.to],
  ];
  return bounds.flatMap(([operator, bound]) =>
    bound === null ? [] : [`${writer.column(column)} ${operator} ${writer.time(instantFrom(bound))}`],
  );
}

/** Functions of SQL, because LIKE would give `%` and `_` a meaning. */
function containment(filter: FilterOf<'contains'>, { columns, writer }: PlanContext): string {
  const column = columns.typed(filter.column, 'text', 'a search in text');
  const place = filter.at ?? 'anywhere';
  assertKnown(place, Object.keys(PLACES));
  const found = `${PLACES[place]}(lower(${writer.column(column)}), lower(${writer.text(filter.text)}))`;
  return filter.negated ? `NOT ${found}` : found;
}

function betweenColumns(filter: FilterOf<'columns'>, { columns, writer }: PlanContext): string {
  const { left, right, operator, kind } = comparedColumns(filter, columns);
  const side = (column: PlanColumn): string =>
    kind === 'text' ? `lower(${writer.column(column)})` : writer.column(column);
  return `${side(left)} ${operatorFrom(operator)} ${side(right)}`;
}
