import type { Expression } from '../../ports/analysis-plan.js';
import { DURATION_UNITS, MOMENT_PARTS, type MomentPart, type NumberFunction } from '../../ports/plan-expression.js';
import { type ColumnType, isNumeric } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { intervalNames } from '../../plan/wording.js';
import { aggregateSql, numberOf } from './aggregate-functions.js';
import { allOf } from './conditions.js';
import { assertKnown, wholeNumber } from './plan-checks.js';
import { figureOver, type PlanContext } from './query.js';

type Kind<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

/** Each level may write its operands more than once. */
const DEEPEST = 8;

/** @throws AppError `invalid_input` when the expression does not fit the columns. */
export function computationOf(expression: Expression, context: PlanContext): Computation {
  return compile(expression, { ...context, depth: 0, insideFigure: false });
}

function compile(expression: Expression, place: ExpressionPlace): Computation {
  if (place.depth > DEEPEST) throw new AppError('invalid_input', 'an expression of the plan is nested too deeply');
  const below = { ...place, depth: place.depth + 1 };
  switch (expression.kind) {
    case 'column':
      return ofColumn(expression, below);
    case 'number':
      return ofNumber(expression, below);
    case 'arithmetic':
      return arithmetic(expression, below);
    case 'function':
      return ofFunction(expression, below);
    case 'length':
      return lengthOf(expression, below);
    case 'part':
      return partOf(expression, below);
    case 'duration':
      return duration(expression, below);
    case 'scaled':
      return scaled(expression, below);
    case 'bins':
      return binned(expression, below);
    case 'equal_bins':
      return equalBins(expression, below);
    case 'case':
      return chosenCase(expression, below);
    case 'filled':
      return filled(expression, below);
  }
}

function ofColumn({ column: name }: Kind<'column'>, { columns, writer }: ExpressionPlace): Computation {
  const column = columns.named(name);
  return { sql: writer.column(column), type: column.type, single: true, ranked: column.ranked };
}

function ofNumber({ value }: Kind<'number'>, { writer }: ExpressionPlace): Computation {
  return { sql: writer.number(value), type: Number.isSafeInteger(value) ? 'integer' : 'number', single: value >= 0 };
}

const OPERATORS: readonly string[] = ['+', '-', '*', '/'];

function arithmetic(expression: Kind<'arithmetic'>, place: ExpressionPlace): Computation {
  const { operator } = expression;
  assertKnown(operator, OPERATORS);
  const [left, right] = [numeric(expression.left, place, 'arithmetic'), numeric(expression.right, place, 'arithmetic')];
  const [before, after] = [wide(left, place), wide(right, place)];
  if (operator === '/') return { sql: `${before} / nullif(${right.sql}, 0)`, type: 'number', single: false };
  const isWhole = left.type === 'integer' && right.type === 'integer';
  return { sql: `${before} ${operator} ${after}`, type: isWhole ? 'integer' : 'number', single: false };
}

/** Whole numbers can overflow, others become infinite. */
function wide(side: Computation, { writer }: ExpressionPlace): string {
  return writer.guarded && side.type === 'integer' ? `${operand(side)}::DOUBLE` : operand(side);
}

const FUNCTIONS: Readonly<Record<NumberFunction, (x: string) => string>> = {
  abs: (x) => `abs(${x})`,
  log: (x) => `CASE WHEN ${x} > 0 THEN ln(${x}) END`,
  log2: (x) => `CASE WHEN ${x} > 0 THEN log2(${x}) END`,
  log10: (x) => `CASE WHEN ${x} > 0 THEN log10(${x}) END`,
  log1p: (x) => `CASE WHEN ${x} > -1 THEN ln(1 + ${x}) END`,
  // Above it there is no such number.
  exp: (x) => `CASE WHEN ${x} < 709.78 THEN exp(${x}) END`,
  sqrt: (x) => `CASE WHEN ${x} >= 0 THEN sqrt(${x}) END`,
  square: (x) => `power(${x}, 2)`,
  round: (x) => `round(${x})`,
  floor: (x) => `floor(${x})`,
  ceil: (x) => `ceil(${x})`,
};

const WHOLE: ReadonlySet<NumberFunction> = new Set<NumberFunction>(['round', 'floor', 'ceil']);
const AS_WHOLE_AS_BEFORE: ReadonlySet<NumberFunction> = new Set<NumberFunction>(['abs', 'square']);

function ofFunction(expression: Kind<'function'>, place: ExpressionPlace): Computation {
  const name = expression.function;
  assertKnown(name, Object.keys(FUNCTIONS));
  const of = numeric(expression.of, place, name);
  const x = place.writer.guarded ? wide(of, place) : operand(of);
  const isWhole = WHOLE.has(name) || (AS_WHOLE_AS_BEFORE.has(name) && of.type === 'integer');
  return { sql: FUNCTIONS[name](x), type: isWhole ? 'integer' : 'number', single: true };
}

function lengthOf({ column: name, unit }: Kind<'length'>, { columns, writer }: ExpressionPlace): Computation {
  assertKnown(unit, ['characters', 'words']);
  const column = writer.column(columns.typed(name, 'text', `the number of ${unit}`));
  const sql = unit === 'characters' ? `length(${column})` : `len(regexp_extract_all(${column}, '\\S+'))`;
  return { sql, type: 'integer', single: true };
}

export const PART_FUNCTIONS: Readonly<Record<MomentPart, string>> = {
  year: 'year',
  quarter: 'quarter',
  month: 'month',
  week: 'week',
  day: 'day',
  weekday: 'isodow',
  hour: 'hour',
  minute: 'minute',
};

function partOf({ column: name, part }: Kind<'part'>, { columns, writer }: ExpressionPlace): Computation {
  assertKnown(part, MOMENT_PARTS);
  const column = columns.typed(name, 'time', `the ${part} of a time`);
  return { sql: `${PART_FUNCTIONS[part]}(${writer.column(column)})`, type: 'integer', single: true };
}

const MICROSECONDS = { seconds: 1_000_000, minutes: 60_000_000, hours: 3_600_000_000, days: 86_400_000_000 } as const;

function duration({ from, to, unit }: Kind<'duration'>, { columns, writer }: ExpressionPlace): Computation {
  assertKnown(unit, DURATION_UNITS);
  const [begin, end] = [from, to].map((name) => writer.column(columns.typed(name, 'time', 'a duration')));
  const sql = writer.guarded
    ? `(epoch(${end}) - epoch(${begin})) / ${MICROSECONDS[unit] / 1_000_000}`
    : `date_diff('microseconds', ${begin}, ${end}) / ${MICROSECONDS[unit]}`;
  return { sql, type: 'number', single: false };
}

interface Computation {
  readonly sql: string;
  readonly type: ColumnType;
  /** It is one word or one call, so that it needs no brackets beside an operator. */
  readonly single: boolean;
  /** Its texts, when they have an order of their own. */
  readonly ranked?: readonly string[] | undefined;
}

interface ExpressionPlace extends PlanContext {
  readonly depth: number;
  /** It is what a figure or a window is over, where no window of SQL can be. */
  readonly insideFigure: boolean;
}

/** The number that an expression gives; what is true or false is 1 or 0. */
function numeric(expression: Expression, place: ExpressionPlace, purpose: string): Computation {
  if (expression.kind === 'column') {
    const { sql, type } = numberOf(expression.column, place.columns, place.writer, purpose);
    return { sql, type, single: true };
  }
  const computation = compile(expression, place);
  if (isNumeric(computation.type)) return computation;
  throw new AppError('invalid_input', `${purpose} needs numbers, and there is ${computation.type}`);
}

function operand({ sql, single }: Computation): string {
  return single ? sql : `(${sql})`;
}

/** The interval that a number falls in, as a text. */
function binned(expression: Kind<'bins'>, place: ExpressionPlace): Computation {
  const { edges, closed } = expression;
  const names = binNames(expression);
  const x = operand(numeric(expression.of, place, 'intervals'));
  const below = closed === 'left' ? '<' : '<=';
  const cases = [...edges, null].map((edge, index) => {
    const name = names[index] ?? null;
    const condition = edge === null ? `${x} IS NOT NULL` : `${x} ${below} ${place.writer.number(edge)}`;
    return `WHEN ${condition} THEN ${name === null ? 'NULL' : place.writer.text(name)}`;
  });
  const ranked = [...new Set(names.filter((name) => name !== null))];
  return { sql: `CASE ${cases.join(' ')} END`, type: 'text', single: true, ranked };
}

/**
 * One for below the first edge, one for each interval, one for above the last; null: in none.
 *
 * @throws AppError `invalid_input` when edges and labels do not fit together.
 */
function binNames({ edges, labels, closed }: Kind<'bins'>): readonly (string | null)[] {
  assertKnown(closed, ['left', 'right']);
  assertEdges(edges);
  if (labels === null) return intervalNames(edges, closed);
  if (labels.length === edges.length + 1) return labels;
  if (labels.length === edges.length - 1 && labels.length > 0) return [null, ...labels, null];
  const wanted = `${edges.length + 1}, or ${edges.length - 1} when values outside of the limits fall in none`;
  throw new AppError('invalid_input', `${edges.length} limits need ${wanted} labels; there are ${labels.length}`);
}

const MOST_EDGES = 1000;

function assertEdges(edges: readonly number[]): void {
  if (edges.length === 0 || edges.length > MOST_EDGES) {
    throw new AppError('invalid_input', `intervals need 1 to ${MOST_EDGES} limits`);
  }
  if (edges.some((edge, index) => index > 0 && !(edge > (edges[index - 1] ?? edge)))) {
    throw new AppError('invalid_input', 'the limits of intervals must ascend');
  }
}

type Value = string | number | boolean;

/** The value of the first case that holds. */
function chosenCase({ cases, otherwise }: Kind<'case'>, place: ExpressionPlace): Computation {
  if (cases.length === 0) throw new AppError('invalid_input', 'a derived column has no cases');
  const values = [...cases.map(({ value }) => value), ...(otherwise === null ? [] : [otherwise])];
  const type = typeOf(values);
  const ranked = type === 'text' ? [...new Set(values.map(String))] : undefined;
  const terms = cases.map(({ filters, value }) => {
    const condition = allOf(filters, place);
    return `WHEN ${condition === '' ? 'true' : condition} THEN ${written(value, type, place)}`;
  });
  const rest = otherwise === null ? '' : ` ELSE ${written(otherwise, type, place)}`;
  return { sql: `CASE ${terms.join(' ')}${rest} END`, type, single: true, ranked };
}

/** Values of several types are texts. */
function typeOf(values: readonly Value[]): ColumnType {
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  if (values.some((value) => typeof value !== 'number')) return 'text';
  return values.every(Number.isSafeInteger) ? 'integer' : 'number';
}

function written(value: Value, type: ColumnType, { writer }: ExpressionPlace): string {
  if (type === 'boolean') return writer.boolean(value === true);
  return type === 'text' ? writer.text(String(value)) : writer.number(Number(value));
}

const MOST_BINS = 1000;

/** Distances from the mean in standard deviations, or from the lowest value in parts of the range; null where all are the same. */
function scaled(expression: Kind<'scaled'>, place: ExpressionPlace): Computation {
  assertKnown(expression.method, ['zscore', 'minmax']);
  const of = numeric(expression.of, { ...place, insideFigure: true }, 'scaling');
  const [x, rows] = [operand(of), place.scope.matching];
  const figure = (aggregate: 'avg' | 'stddev' | 'stddev_pop' | 'min' | 'range'): string =>
    figureOver(aggregateSql(aggregate, { x }, place.writer), rows);
  const spread = expression.population ? 'stddev_pop' : 'stddev';
  const [from, width] = expression.method === 'minmax' ? (['min', 'range'] as const) : (['avg', spread] as const);
  return { sql: `(${x} - ${figure(from)}) / nullif(${figure(width)}, 0)`, type: 'number', single: false };
}

/** The number of the interval, 1 being the lowest. */
function equalBins(expression: Kind<'equal_bins'>, place: ExpressionPlace): Computation {
  assertKnown(expression.equal, ['width', 'rows']);
  const count = wholeNumber(expression.count, [1, MOST_BINS], 'the number of intervals');
  const x = operand(numeric(expression.of, { ...place, insideFigure: true }, 'intervals'));
  const sql = expression.equal === 'width' ? ofEqualWidth(x, count, place) : ofEqualRows(x, count, place);
  return { sql, type: 'integer', single: true };
}

/** The highest value belongs to the last interval, each other limit to the one above it. */
function ofEqualWidth(x: string, count: number, place: ExpressionPlace): string {
  const rows = place.scope.matching;
  const width = figureOver(aggregateSql('range', { x }, place.writer), rows);
  const from = figureOver(`min(${x})`, rows);
  const number = `1 + floor((${x} - ${from}) / nullif(${width}, 0) * ${count})`;
  return `CASE WHEN ${x} IS NOT NULL THEN least(${count}, coalesce(${number}, 1))::BIGINT END`;
}

/** By the place among the sorted values, of equal values the first: so they fall in one interval, as between quantiles. */
function ofEqualRows(x: string, count: number, place: ExpressionPlace): string {
  if (place.insideFigure) {
    const problem = 'intervals of equal rows can not be part of what is scaled or divided';
    throw new AppError('invalid_input', `${problem}; derive them as a column of their own first`);
  }
  const before = `rank() OVER (ORDER BY ${x} NULLS LAST) - 1`;
  const last = `nullif(count(${x}) OVER () - 1, 0)`;
  return `CASE WHEN ${x} IS NOT NULL THEN greatest(1, ceil((${before}) * ${count} / ${last}))::BIGINT END`;
}

/** The column with something in place of what is missing. */
function filled(expression: Kind<'filled'>, place: ExpressionPlace): Computation {
  const { columns, writer } = place;
  const { with: filling } = expression;
  const column = columns.named(expression.column);
  if (filling === 'mode') {
    const own = writer.column(column);
    const mode = figureOver(aggregateSql('mode', { x: own }, writer), place.scope.matching);
    return { sql: `coalesce(${own}, ${mode})`, type: column.type, single: true, ranked: column.ranked };
  }
  const { sql: x, type } = numberOf(expression.column, columns, writer, 'filling what is missing with a number');
  if (typeof filling === 'number') {
    const isWhole = type === 'integer' && Number.isSafeInteger(filling);
    return { sql: `coalesce(${x}, ${writer.number(filling)})`, type: isWhole ? 'integer' : 'number', single: true };
  }
  assertKnown(filling, ['mean', 'median']);
  const figure = figureOver(filling === 'mean' ? `avg(${x})` : `median(${x})`, place.scope.matching);
  return { sql: `coalesce(${x}, ${figure})`, type: isNumeric(type) ? 'number' : type, single: true };
}
