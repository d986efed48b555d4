import type { Expression } from '../ports/analysis-plan.js';
import { isNumeric } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { aggregateSql, numberOf } from './plan-compiler.aggregates.js';
import { type Computation, type ExpressionPlace, numeric, operand } from './plan-compiler.computations.js';
import { figureOver, type FigureScope } from './plan-compiler.scope.js';
import { assertKnown, wholeNumber } from '../plan/plan-words.js';

type Kind<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

const MOST_BINS = 1000;

function scopeOf({ scope }: ExpressionPlace): FigureScope {
  if (scope === null) throw new AppError('invalid_input', 'a figure over other rows can not stand here');
  return scope.matching;
}

/** Distances from the mean in standard deviations, or from the lowest value in parts of the range; null where all are the same. */
export function scaled(expression: Kind<'scaled'>, place: ExpressionPlace): Computation {
  assertKnown(expression.method, ['zscore', 'minmax']);
  const of = numeric(expression.of, { ...place, insideFigure: true }, 'scaling');
  const [x, rows] = [operand(of), scopeOf(place)];
  const figure = (aggregate: 'avg' | 'stddev' | 'stddev_pop' | 'min' | 'range'): string =>
    figureOver(aggregateSql(aggregate, { x }, place.writer), rows);
  const spread = expression.population ? 'stddev_pop' : 'stddev';
  const [from, width] = expression.method === 'minmax' ? (['min', 'range'] as const) : (['avg', spread] as const);
  return { sql: `(${x} - ${figure(from)}) / nullif(${figure(width)}, 0)`, type: 'number', single: false };
}

/** The number of the interval, 1 being the lowest. */
export function equalBins(expression: Kind<'equal_bins'>, place: ExpressionPlace): Computation {
  assertKnown(expression.equal, ['width', 'rows']);
  const count = wholeNumber(expression.count, [1, MOST_BINS], 'the number of intervals');
  const x = operand(numeric(expression.of, { ...place, insideFigure: true }, 'intervals'));
  const sql = expression.equal === 'width' ? ofEqualWidth(x, count, place) : ofEqualRows(x, count, place);
  return { sql, type: 'integer', single: true };
}

/** The highest value belongs to the last interval, each other limit to the one above it. */
function ofEqualWidth(x: string, count: number, place: ExpressionPlace): string {
  const rows = scopeOf(place);
  const width = figureOver(aggregateSql('range', { x }, place.writer), rows);
  const from = figureOver(`min(${x})`, rows);
  const number = `1 + floor((${x} - ${from}) / nullif(${width}, 0) * ${count})`;
  return `CASE WHEN ${x} IS NOT NULL THEN least(${count}, coalesce(${number}, 1))::BIGINT END`;
}

/** By the place among the sorted values, of equal values the first: so they fall in one interval, as between quantiles. */
function ofEqualRows(x: string, count: number, place: ExpressionPlace): string {
  if (place.insideFigure) {
    const advice = 'derive them as a column of their own first';
    throw new AppError(
      'invalid_input',
      `intervals of equal rows can not be part of what is scaled or divided; ${advice}`,
    );
  }
  const before = `rank() OVER (ORDER BY ${x} NULLS LAST) - 1`;
  const last = `nullif(count(${x}) OVER () - 1, 0)`;
  return `CASE WHEN ${x} IS NOT NULL THEN greatest(1, ceil((${before}) * ${count} / ${last}))::BIGINT END`;
}

/** The column with something in place of what is missing. */
export function filled(expression: Kind<'filled'>, place: ExpressionPlace): Computation {
  const { columns, writer } = place;
  const { with: filling } = expression;
  const column = columns.named(expression.column);
  if (filling === 'mode') {
    const own = writer.column(column);
    const mode = figureOver(aggregateSql('mode', { x: own }, writer), scopeOf(place));
    return { sql: `coalesce(${own}, ${mode})`, type: column.type, single: true, ranked: column.ranked };
  }
  const { sql: x, type } = numberOf(expression.column, columns, writer, 'filling what is missing with a number');
  if (typeof filling === 'number') {
    const isWhole = type === 'integer' && Number.isSafeInteger(filling);
    return { sql: `coalesce(${x}, ${writer.number(filling)})`, type: isWhole ? 'integer' : 'number', single: true };
  }
  assertKnown(filling, ['mean', 'median']);
  const figure = figureOver(filling === 'mean' ? `avg(${x})` : `median(${x})`, scopeOf(place));
  return { sql: `coalesce(${x}, ${figure})`, type: isNumeric(type) ? 'number' : type, single: true };
}
