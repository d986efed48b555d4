import type { Expression } from '../ports/analysis-plan.js';
import { DURATION_UNITS, MOMENT_PARTS, type MomentPart, type NumberFunction } from '../ports/plan-expression.js';
import { AppError } from '../shared/app-error.js';
import { binned } from './plan-compiler.bins.js';
import { chosenCase } from './plan-compiler.cases.js';
import { type Computation, type ExpressionPlace, numeric, operand } from './plan-compiler.computations.js';
import { equalBins, filled, scaled } from './plan-compiler.relative.js';
import type { PlanContext } from './plan-compiler.scope.js';
import { assertKnown } from '../plan/plan-words.js';

type Kind<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

/** Each level may write its operands more than once. */
const DEEPEST = 8;

/** @throws AppError `invalid_input` when the expression does not fit the columns. */
export function computationOf(expression: Expression, context: PlanContext): Computation {
  return compile(expression, { ...context, depth: 0, insideFigure: false, compile });
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
  const [left, right] = [expression.left, expression.right].map((side) => numeric(side, place, 'arithmetic'));
  if (!left || !right) throw new AppError('invalid_input', 'arithmetic needs two sides');
  const [before, after] = [left, right].map((side) => wide(side, place));
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

const PART_FUNCTIONS: Readonly<Record<MomentPart, string>> = {
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
