import type { Accumulators } from './pipeline-accumulators.js';
import { exact, inexact, quotient, type Term, when } from './pipeline-terms.js';

/** The sums of the powers of a column, with digits enough to take the mean off afterwards. */
export interface Powers {
  readonly n: Term;
  readonly sums: readonly [Term, Term, Term, Term];
  /** Not all values are the same. */
  readonly isVaried: Term;
}

export function powers(x: Term, accumulators: Accumulators): Powers {
  const one = accumulators.each('exact', exact(x));
  const sum = (power: number): Term =>
    accumulators.take('powers', { $sum: power === 1 ? one : { $multiply: Array.from({ length: power }, () => one) } });
  const n = accumulators.take('count', { $sum: when({ $gt: [x, null] }, 1, 0) });
  return { n, sums: [sum(1), sum(2), sum(3), sum(4)], isVaried: varied(x, accumulators) };
}

function varied(x: Term, accumulators: Accumulators): Term {
  return { $lt: [accumulators.take('lowest', { $min: x }), accumulators.take('highest', { $max: x })] };
}

export type Shape = 'skewness' | 'skewness_pop' | 'kurtosis' | 'kurtosis_pop';

/** Null for a column of one value, of which a shape can't be told. */
export function shape(kind: Shape, { n, sums, isVaried }: Powers): Term {
  const vars = central(n, sums);
  const [square, cube, fourth] = ['$$moments.square', '$$moments.cube', '$$moments.fourth'].map(inexact);
  const isSkewness = kind === 'skewness' || kind === 'skewness_pop';
  const raw: Term = isSkewness
    ? { $divide: [cube, { $pow: [square, 1.5] }] }
    : { $divide: [fourth, { $pow: [square, 2] }] };
  const defined = { $and: [isVaried, { $gt: [n, FEWEST[kind]] }, { $gt: ['$$moments.square', 0] }] };
  const moments = { $let: { vars: { moments: vars }, in: when(defined, corrected(kind, raw, n)) } };
  return when({ $gt: [n, 0] }, moments);
}

const FEWEST: Readonly<Record<Shape, number>> = { skewness: 2, skewness_pop: 2, kurtosis: 3, kurtosis_pop: 1 };

function corrected(kind: Shape, raw: Term, n: Term): Term {
  const [less1, less2, less3] = [1, 2, 3].map((less) => ({ $subtract: [n, less] }));
  if (kind === 'skewness') {
    return { $multiply: [raw, { $divide: [{ $sqrt: { $multiply: [n, less1] } }, less2] }] };
  }
  if (kind === 'skewness_pop') return raw;
  if (kind === 'kurtosis_pop') return { $subtract: [raw, 3] };
  const scale = { $divide: [less1, { $multiply: [less2, less3] }] };
  const inner = { $subtract: [{ $multiply: [{ $add: [n, 1] }, raw] }, { $multiply: [3, less1] }] };
  return { $multiply: [scale, inner] };
}

/** Means of powers of the distances from the mean, out of means of powers of the values. */
function central(n: Term, [first, second, third, fourth]: Powers['sums']): Term {
  const vars = {
    m1: { $divide: [first, n] },
    m2: { $divide: [second, n] },
    m3: { $divide: [third, n] },
    m4: { $divide: [fourth, n] },
  };
  const times = (...factors: readonly Term[]): Term => ({ $multiply: factors });
  const plus = (...terms: readonly Term[]): Term => ({ $add: terms });
  const [m1, m2, m3, m4] = ['$$m1', '$$m2', '$$m3', '$$m4'];
  const of = {
    square: plus(m2, times(-1, m1, m1)),
    cube: plus(m3, times(-3, m1, m2), times(2, m1, m1, m1)),
    fourth: plus(m4, times(-4, m1, m3), times(6, m1, m1, m2), times(-3, m1, m1, m1, m1)),
  };
  return { $let: { vars, in: of } };
}

/** Two columns, over the rows that have both. */
export interface PairOperands {
  readonly x: Term;
  readonly y: Term;
  readonly condition: Term;
  readonly accumulators: Accumulators;
}

interface PairSums {
  readonly n: Term;
  /** All of a population, exact. */
  readonly covariance: Term;
  readonly varianceOfX: Term;
  readonly varianceOfY: Term;
  readonly meanOfX: Term;
  readonly meanOfY: Term;
  readonly isXVaried: Term;
  readonly isYVaried: Term;
}

function pairSums({ x, y, condition, accumulators }: PairOperands): PairSums {
  const [onlyX, onlyY] = [x, y].map((one) => when(condition, one, '$$REMOVE'));
  const sum = (term: Term): Term => accumulators.take('sum', { $sum: term });
  // Where one is missing, so is the other, and their product.
  const of = (one: Term): string => accumulators.each('exact', when(condition, exact(one)));
  const [ex, ey] = [of(x), of(y)];
  const n = accumulators.count(condition);
  const [sumX, sumY] = [sum(ex), sum(ey)];
  const mean = (of: Term): Term => ({ $divide: [of, n] });
  const product = (one: readonly [Term, Term], other: readonly [Term, Term]): Term => ({
    $subtract: [mean(sum({ $multiply: [one[0], other[0]] })), { $multiply: [mean(one[1]), mean(other[1])] }],
  });
  const [first, second] = [[ex, sumX] as const, [ey, sumY] as const];
  return {
    n,
    covariance: product(first, second),
    varianceOfX: product(first, first),
    varianceOfY: product(second, second),
    meanOfX: mean(sumX),
    meanOfY: mean(sumY),
    isXVaried: varied(onlyX, accumulators),
    isYVaried: varied(onlyY, accumulators),
  };
}

export function correlation(pair: PairOperands): Term {
  const { covariance: shared, varianceOfX, varianceOfY, isXVaried, isYVaried } = pairSums(pair);
  return when({ $and: [isXVaried, isYVaried] }, correlated(shared, varianceOfX, varianceOfY));
}

/** Rounding may leave less than nothing of a variance. */
function correlated(shared: Term, ofX: Term, ofY: Term): Term {
  const spread = { $sqrt: { $max: [0, { $multiply: [ofX, ofY] }] } };
  return inexact(quotient(shared, spread));
}

export function covariance(pair: PairOperands): Term {
  const { n, covariance: shared } = pairSums(pair);
  const sample = { $divide: [{ $multiply: [shared, n] }, { $subtract: [n, 1] }] };
  return when({ $gt: [n, 1] }, inexact(sample));
}

export function populationCovariance(pair: PairOperands): Term {
  const { n, covariance: shared } = pairSums(pair);
  return when({ $gt: [n, 0] }, inexact(shared));
}

/** How the first column depends on the second. */
export function fit(kind: 'slope' | 'intercept' | 'r_squared', pair: PairOperands): Term {
  const sums = pairSums(pair);
  const { covariance: shared, varianceOfX, varianceOfY, meanOfX, meanOfY } = sums;
  const slope = quotient(shared, varianceOfY);
  const intercept = { $subtract: [meanOfX, { $multiply: [slope, meanOfY] }] };
  const square = { $pow: [correlated(shared, varianceOfX, varianceOfY), 2] };
  const found = { slope, intercept, r_squared: when(sums.isXVaried, square, 1) };
  return when(sums.isYVaried, inexact(found[kind]));
}
