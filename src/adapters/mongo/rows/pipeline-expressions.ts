import type { Expression } from '../../../ports/analysis-plan.js';
import { DURATION_UNITS, MOMENT_PARTS, type MomentPart, type NumberFunction } from '../../../ports/plan-expression.js';
import { isNumeric } from '../../../ports/table.js';
import { AppError } from '../../../shared/app-error.js';
import { finite } from '../../../plan/plan-values.js';
import { assertKnown } from '../../../plan/plan-words.js';
import { binned, chosenCase } from './pipeline-choices.js';
import type { Computation, ExpressionPlace } from './pipeline-computations.js';
import { equalBins, filled, scaled } from './pipeline-relative.js';
import { numberTerm, type PipelineContext } from './pipeline-scope.js';
import { bound, isPresent, quotient, type Term, when } from './pipeline-terms.js';

type Kind<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

/** Each level may write its operands more than once. */
const DEEPEST = 8;

/** @throws AppError `invalid_input` when the expression does not fit the columns. */
export function computationOf(expression: Expression, context: PipelineContext): Computation {
  return compile(expression, { ...context, depth: 0, insideFigure: false, numeric });
}

/** The number that an expression gives; what is true or false is 1 or 0. */
function numeric(expression: Expression, place: ExpressionPlace, purpose: string): Computation {
  if (expression.kind === 'column') return numberTerm(expression.column, place, purpose);
  const computation = compile(expression, place);
  if (isNumeric(computation.type)) return computation;
  throw new AppError('invalid_input', `${purpose} needs numbers, and there is ${computation.type}`);
}

function compile(expression: Expression, place: ExpressionPlace): Computation {
  if (place.depth > DEEPEST) throw new AppError('invalid_input', 'an expression of the plan is nested too deeply');
  const below = { ...place, depth: place.depth + 1 };
  switch (expression.kind) {
    case 'column':
      return ofColumn(expression, below);
    case 'number':
      return ofNumber(expression);
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
  return { term: { $ifNull: [writer.column(column), null] }, type: column.type, ranked: column.ranked };
}

function ofNumber({ value }: Kind<'number'>): Computation {
  return { term: finite(value), type: Number.isSafeInteger(value) ? 'integer' : 'number' };
}

const OPERATORS: Readonly<Record<string, string>> = { '+': '$add', '-': '$subtract', '*': '$multiply', '/': '$divide' };

function arithmetic(expression: Kind<'arithmetic'>, place: ExpressionPlace): Computation {
  const { operator } = expression;
  assertKnown(operator, Object.keys(OPERATORS));
  const left = place.numeric(expression.left, place, 'arithmetic');
  const right = place.numeric(expression.right, place, 'arithmetic');
  if (operator === '/') return { term: quotient(left.term, right.term), type: 'number' };
  const isWhole = left.type === 'integer' && right.type === 'integer';
  return { term: { [OPERATORS[operator] ?? '']: [left.term, right.term] }, type: isWhole ? 'integer' : 'number' };
}

/** The server refuses a query with a root or logarithm of such a number in it, also where no row comes to it. */
const LEAST = 5e-324;

const FUNCTIONS: Readonly<Record<NumberFunction, (x: Term) => Term>> = {
  abs: (x) => ({ $abs: x }),
  log: (x) => when({ $gt: [x, 0] }, { $ln: { $max: [x, LEAST] } }),
  log2: (x) => when({ $gt: [x, 0] }, { $log: [{ $max: [x, LEAST] }, 2] }),
  log10: (x) => when({ $gt: [x, 0] }, { $log10: { $max: [x, LEAST] } }),
  log1p: (x) => when({ $gt: [x, -1] }, { $ln: { $max: [{ $add: [1, x] }, LEAST] } }),
  // Above it there is no such number.
  exp: (x) => when({ $and: [isPresent(x), { $lt: [x, 709.78] }] }, { $exp: x }),
  sqrt: (x) => when({ $gte: [x, 0] }, { $sqrt: { $max: [x, 0] } }),
  square: (x) => ({ $multiply: [x, x] }),
  round: (x) => rounded(x),
  floor: (x) => ({ $floor: x }),
  ceil: (x) => ({ $ceil: x }),
};

/** Halves away from zero; `$round` takes them to the next even number. */
function rounded(x: Term): Term {
  const isHalf = { $gte: [{ $abs: { $subtract: [x, { $trunc: x }] } }, 0.5] };
  return { $add: [{ $trunc: x }, when(isHalf, when({ $lt: [x, 0] }, -1, 1), 0)] };
}

const WHOLE: ReadonlySet<NumberFunction> = new Set<NumberFunction>(['round', 'floor', 'ceil']);
const AS_WHOLE_AS_BEFORE: ReadonlySet<NumberFunction> = new Set<NumberFunction>(['abs', 'square']);

function ofFunction(expression: Kind<'function'>, place: ExpressionPlace): Computation {
  const name = expression.function;
  assertKnown(name, Object.keys(FUNCTIONS));
  const of = place.numeric(expression.of, place, name);
  const isWhole = WHOLE.has(name) || (AS_WHOLE_AS_BEFORE.has(name) && of.type === 'integer');
  return { term: bound(of.term, FUNCTIONS[name]), type: isWhole ? 'integer' : 'number' };
}

function lengthOf({ column: name, unit }: Kind<'length'>, { columns, writer }: ExpressionPlace): Computation {
  assertKnown(unit, ['characters', 'words']);
  const text = writer.column(columns.typed(name, 'text', `the number of ${unit}`));
  const words = { $size: { $regexFindAll: { input: text, regex: '[^\\t\\n\\f\\r ]+' } } };
  return { term: when(isPresent(text), unit === 'characters' ? { $strLenCP: text } : words), type: 'integer' };
}

const PARTS: Readonly<Record<MomentPart, (time: Term) => Term>> = {
  year: (time) => ({ $year: time }),
  quarter: (time) => ({ $ceil: { $divide: [{ $month: time }, 3] } }),
  month: (time) => ({ $month: time }),
  week: (time) => ({ $isoWeek: time }),
  day: (time) => ({ $dayOfMonth: time }),
  weekday: (time) => ({ $isoDayOfWeek: time }),
  hour: (time) => ({ $hour: time }),
  minute: (time) => ({ $minute: time }),
};

function partOf({ column: name, part }: Kind<'part'>, { columns, writer }: ExpressionPlace): Computation {
  assertKnown(part, MOMENT_PARTS);
  const column = columns.typed(name, 'time', `the ${part} of a time`);
  return { term: PARTS[part](writer.column(column)), type: 'integer' };
}

const MILLISECONDS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;

function duration({ from, to, unit }: Kind<'duration'>, { columns, writer }: ExpressionPlace): Computation {
  assertKnown(unit, DURATION_UNITS);
  const [begin, end] = [from, to].map((name) => writer.column(columns.typed(name, 'time', 'a duration')));
  return { term: { $divide: [{ $subtract: [end, begin] }, MILLISECONDS[unit]] }, type: 'number' };
}
