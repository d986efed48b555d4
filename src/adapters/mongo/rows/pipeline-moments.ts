import type { Accumulators } from './pipeline-accumulators.js';
import { exact, inexact, type Term, when } from './pipeline-terms.js';

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
