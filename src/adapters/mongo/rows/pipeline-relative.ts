import type { Expression } from '../../../ports/analysis-plan.js';
import { isNumeric } from '../../../ports/table.js';
import { AppError } from '../../../shared/app-error.js';
import { finite } from '../../../plan/plan-values.js';
import { assertKnown, wholeNumber } from '../../../plan/plan-words.js';
import type { Computation, ExpressionPlace } from './pipeline-computations.js';
import { figureTerm, type FormulaAggregate } from './pipeline-formulas.js';
import { numberTerm } from './pipeline-scope.js';
import { bound, isPresent, quotient, type Term, when } from './pipeline-terms.js';

type Kind<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

const MOST_BINS = 1000;

function figureOf(aggregate: FormulaAggregate, x: Term, { steps, scope }: ExpressionPlace): Term {
  return steps.figure(scope.matching, (accumulators, filter) => figureTerm(aggregate, { x, filter }, accumulators));
}

/** What figures are of; where it follows from figures itself, it becomes a column first, and the figures are over rows that have it. */
function settledInput(x: Term, place: ExpressionPlace): { readonly x: Term; readonly place: ExpressionPlace } {
  const { steps, writer, scope } = place;
  if (!steps.hasFigures(x)) return { x, place };
  const field = writer.fresh('inner');
  steps.extend({ [field]: x });
  const matching = { stages: steps.relation, where: scope.matching.where };
  return { x: `$${field}`, place: { ...place, scope: { ...scope, matching } } };
}

/** Distances from the mean in standard deviations, or from the lowest value in parts of the range; null where all are the same. */
export function scaled(expression: Kind<'scaled'>, place: ExpressionPlace): Computation {
  assertKnown(expression.method, ['zscore', 'minmax']);
  const { term } = place.numeric(expression.of, { ...place, insideFigure: true }, 'scaling');
  const spread = expression.population ? 'stddev_pop' : 'stddev';
  const [from, width] = expression.method === 'minmax' ? (['min', 'range'] as const) : (['avg', spread] as const);
  const { x, place: inner } = settledInput(term, place);
  const distance = { $subtract: [x, figureOf(from, x, inner)] };
  return { term: quotient(distance, figureOf(width, x, inner)), type: 'number' };
}

/** The number of the interval, 1 being the lowest. */
export function equalBins(expression: Kind<'equal_bins'>, place: ExpressionPlace): Computation {
  assertKnown(expression.equal, ['width', 'rows']);
  const count = wholeNumber(expression.count, [1, MOST_BINS], 'the number of intervals');
  const { term: x } = place.numeric(expression.of, { ...place, insideFigure: true }, 'intervals');
  const term = expression.equal === 'width' ? ofEqualWidth(x, count, place) : ofEqualRows(x, count, place);
  return { term, type: 'integer' };
}

/** The highest value belongs to the last interval, each other limit to the one above it. */
function ofEqualWidth(given: Term, count: number, outer: ExpressionPlace): Term {
  const { x: of, place } = settledInput(given, outer);
  const [width, from] = [figureOf('range', of, place), figureOf('min', of, place)];
  return bound(of, (x) => {
    const part = { $multiply: [quotient({ $subtract: [x, from] }, width), count] };
    const number = { $ifNull: [{ $add: [1, { $floor: part }] }, 1] };
    return when(isPresent(x), { $min: [count, number] });
  });
}

/** By the place among the sorted values, of equal values the first: so they fall in one interval, as between quantiles. */
function ofEqualRows(of: Term, count: number, { insideFigure, steps, writer }: ExpressionPlace): Term {
  if (insideFigure) {
    const advice = 'derive them as a column of their own first';
    throw new AppError(
      'invalid_input',
      `intervals of equal rows can not be part of what is scaled or divided; ${advice}`,
    );
  }
  const [x, rank, size] = [writer.fresh('sorted'), writer.fresh('rank'), writer.fresh('size')];
  const key = `$${x}`;
  const all = { documents: ['unbounded', 'unbounded'] };
  const output = { [rank]: { $rank: {} }, [size]: { $sum: 1, window: all } };
  steps.add(
    { $set: { [x]: { $ifNull: [of, null] } } },
    { $setWindowFields: { partitionBy: isPresent(key), sortBy: { [x]: 1 }, output } },
  );
  const before = { $multiply: [{ $subtract: [`$${rank}`, 1] }, count] };
  const place = quotient(before, { $subtract: [`$${size}`, 1] });
  return when(isPresent(key), { $max: [1, { $ceil: place }] });
}

/** The column with something in place of what is missing. */
export function filled(expression: Kind<'filled'>, place: ExpressionPlace): Computation {
  const { columns, writer } = place;
  const { with: filling } = expression;
  const column = columns.named(expression.column);
  if (filling === 'mode') {
    const own = writer.column(column);
    return { term: { $ifNull: [own, figureOf('mode', own, place)] }, type: column.type, ranked: column.ranked };
  }
  const { term: x, type } = numberTerm(expression.column, place, 'filling what is missing with a number');
  if (typeof filling === 'number') {
    const isWhole = type === 'integer' && Number.isSafeInteger(filling);
    return { term: { $ifNull: [x, finite(filling)] }, type: isWhole ? 'integer' : 'number' };
  }
  assertKnown(filling, ['mean', 'median']);
  const figure = figureOf(filling === 'mean' ? 'avg' : 'median', x, place);
  return { term: { $ifNull: [x, figure] }, type: isNumeric(type) ? 'number' : type };
}
