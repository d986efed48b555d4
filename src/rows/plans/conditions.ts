import { instantFrom } from '../../plan/instants.js';
import { type PlanColumn, shown } from '../../plan/plan-columns.js';
import { isPair } from '../../plan/plan-methods.js';
import { type Aggregate, type Filter, OUTLIER_METHODS } from '../../ports/analysis-plan.js';
import { type ColumnType, isNumeric } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { aggregateSql, type FormulaAggregate, inputOf, numberOf } from './aggregate-functions.js';
import { assertFinite, assertKnown } from './plan-checks.js';
import { figureOver, type FigureScope, operatorFrom, type PlanContext } from './query.js';

type Value = string | number | boolean;
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
  if (filter.of.length === 0 || filter.of.some((all) => all.length === 0)) {
    throw new AppError('invalid_input', 'a list of alternative conditions is empty');
  }
  if (filter.of.some((all) => all.some(({ kind }: Filter) => kind === 'any'))) {
    throw new AppError('invalid_input', 'alternative conditions can not have alternatives of their own');
  }
  const terms = filter.of.map((all) => (all.length === 1 ? allOf(all, context) : `(${allOf(all, context)})`));
  return `(${terms.join(' OR ')})`;
}

function membership(filter: FilterOf<'in'>, { columns, writer }: PlanContext): string {
  if (filter.values.length === 0) {
    throw new AppError('invalid_input', `the condition on "${shown(filter.column)}" has no values`);
  }
  const column = columns.named(filter.column);
  const values = filter.values.map((value) => valueOf(column, value, writer)).join(', ');
  const subject = column.type === 'text' ? `lower(${writer.column(column)})` : writer.column(column);
  return `${subject} ${filter.negated ? 'NOT IN' : 'IN'} (${values})`;
}

function valueOf(column: PlanColumn, value: Value, writer: PlanContext['writer']): string {
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

/** @throws AppError `invalid_input` when a column of numbers can't hold it. */
function numberFrom(column: PlanColumn, value: Value): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && !Number.isNaN(number)) return number;
  throw new AppError('invalid_input', `"${shown(column.name)}" is a column of numbers and can't be "${cut(value)}"`);
}

/** @throws AppError `invalid_input` when it is neither true nor false. */
function booleanFrom(column: PlanColumn, value: Value): boolean {
  const text = String(value).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw new AppError('invalid_input', `"${shown(column.name)}" is true or false and can't be "${cut(value)}"`);
}

function cut(value: Value): string {
  return shown(String(value));
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
  const [left, right] = [columns.named(filter.left), columns.named(filter.right)];
  const operator = operatorFrom(filter.operator);
  const kind = kindOf(left.type);
  if (kind !== kindOf(right.type)) {
    const types = `"${shown(left.name)}" is of type ${left.type}, "${shown(right.name)}" of type ${right.type}`;
    throw new AppError('invalid_input', `two columns of different types can't be compared: ${types}`);
  }
  if (kind !== 'number' && kind !== 'time' && !['=', '<>'].includes(operator)) {
    throw new AppError('invalid_input', `"${shown(left.name)}" can be equal to another column or not, no more`);
  }
  const side = (column: PlanColumn): string =>
    kind === 'text' ? `lower(${writer.column(column)})` : writer.column(column);
  return `${side(left)} ${operator} ${side(right)}`;
}

function kindOf(type: ColumnType): ColumnType {
  return isNumeric(type) ? 'number' : type;
}

/** A column against a figure over rows. */
function comparedWithFigure(filter: FilterOf<'against'>, context: PlanContext): string {
  const { columns, writer } = context;
  const column = columns.named(filter.column);
  if (!isNumeric(column.type) && column.type !== 'time') {
    const problem = `a comparison with a figure needs numbers or times; "${shown(column.name)}" is of type ${column.type}`;
    throw new AppError('invalid_input', problem);
  }
  assertKnown(filter.reach, ['matching', 'all']);
  const figure = figureOf(filter, context);
  if (figure.isTime !== (column.type === 'time')) {
    throw new AppError('invalid_input', `"${shown(column.name)}" can't be compared with this ${filter.aggregate}`);
  }
  const times = factorOf(filter.factor, figure.isTime);
  const other = times === 1 ? figure.sql : `${writer.number(times)} * (${figure.sql})::DOUBLE`;
  return `${writer.column(column)} ${operatorFrom(filter.operator)} ${other}`;
}

/**
 * How many times a figure is meant that a column is set against.
 *
 * @throws AppError `invalid_input` when it is not above 0, or the figure is a time.
 */
function factorOf(factor: number | undefined, isTime: boolean): number {
  if (factor === undefined) return 1;
  if (isTime) throw new AppError('invalid_input', 'a time has no multiple to compare with');
  assertFinite(factor);
  if (factor <= 0) throw new AppError('invalid_input', 'the factor of a comparison must be above 0');
  return factor;
}

function figureOf(
  filter: FilterOf<'against'>,
  context: PlanContext,
): { readonly sql: string; readonly isTime: boolean } {
  const { columns, writer } = context;
  const { aggregate, parameter } = filter;
  const { x, type } = inputOf(aggregate, filter.of ?? filter.column, columns, writer);
  const scope = scopeOf(filter, context);
  const isTime = type === 'time';
  if (aggregate === 'mean_abs_deviation') {
    return { sql: figureOver(`avg(abs(${x} - ${figureOver(`avg(${x})`, scope)}))`, scope), isTime };
  }
  const centre = figureOver(`avg(${x})`, scope);
  return { sql: figureOver(aggregateSql(single(aggregate), { x, parameter, centre }, writer), scope), isTime };
}

function single(aggregate: Aggregate): FormulaAggregate {
  if (isPair(aggregate) || aggregate === 'rank_correlation' || aggregate === 'mean_abs_deviation') {
    throw new AppError('invalid_input', `a value can't be compared with a ${aggregate.replace('_', ' ')}`);
  }
  return aggregate;
}

function scopeOf({ reach, column, of = column, among }: FilterOf<'against'>, context: PlanContext): FigureScope {
  const { scope } = context;
  const named = among === undefined ? [] : [among];
  const rows = reach === 'all' ? scope.all([of, ...named.map((one) => one.column)]) : scope.matching;
  const conditions = named.map(({ column: owner, value }) =>
    membership({ kind: 'in', column: owner, values: [value], negated: false }, context),
  );
  return { ...rows, where: [...rows.where, ...conditions] };
}

/** Values far from the rest. */
function outlying(filter: FilterOf<'outlier'>, context: PlanContext): string {
  assertKnown(filter.method, OUTLIER_METHODS);
  if (!(filter.threshold >= 0)) {
    throw new AppError('invalid_input', 'the threshold of outliers must be a number from 0 on');
  }
  const { columns, writer } = context;
  const { sql: x } = numberOf(filter.column, columns, writer, 'a search for outliers');
  const rest = context.scope.matching;
  const { negated, threshold } = filter;
  if (filter.method === 'iqr') {
    const [first, third] = [`quantile_cont(${x}, 0.25)`, `quantile_cont(${x}, 0.75)`];
    const low = figureOver(`${first} - ${writer.number(threshold)} * (${third} - ${first})`, rest);
    const high = figureOver(`${third} + ${writer.number(threshold)} * (${third} - ${first})`, rest);
    return `${x} ${negated ? 'BETWEEN' : 'NOT BETWEEN'} ${low} AND ${high}`;
  }
  const deviation = aggregateSql(filter.population ? 'stddev_pop' : 'stddev', { x }, writer);
  // Without a division: where all values are the same, none is far from the rest.
  const far = `${writer.number(threshold)} * ${figureOver(`coalesce(${deviation}, 0)`, rest)}`;
  return `abs(${x} - ${figureOver(`avg(${x})`, rest)}) ${negated ? '<=' : '>'} ${far}`;
}
