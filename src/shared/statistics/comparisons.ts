import { chiSquareUpper, fUpper, normalUpper, tTwoSided } from './distributions.js';

/** What a test says; null where there are too few values, or all of them are the same. */
export interface TestResult {
  readonly statistic: number | null;
  readonly pValue: number | null;
  readonly degrees: number | null;
}

export const NOTHING: TestResult = { statistic: null, pValue: null, degrees: null };

/** A sample; `variance` is that of a sample (n - 1), null below two values. */
export interface Sample {
  readonly n: number;
  readonly mean: number | null;
  readonly variance: number | null;
}

/** The p-value of a correlation, of values or of ranks, over that many pairs: that there is none. */
export function correlationPValue(correlation: number | null, pairs: number): number | null {
  if (correlation === null || pairs < 3) return null;
  const degrees = pairs - 2;
  const unexplained = 1 - Math.min(1, correlation * correlation);
  if (unexplained === 0) return 0;
  return tTwoSided(Math.abs(correlation) * Math.sqrt(degrees / unexplained), degrees);
}

/** Two samples that may vary differently. */
export function welchTest(a: Sample, b: Sample): TestResult {
  if (a.n < 2 || b.n < 2) return NOTHING;
  const [first, second] = [(a.variance ?? 0) / a.n, (b.variance ?? 0) / b.n];
  const degrees = (first + second) ** 2 / (first ** 2 / (a.n - 1) + second ** 2 / (b.n - 1));
  return ofDifference(differenceOf(a, b), Math.sqrt(first + second), degrees);
}

/** Two samples that vary alike. */
export function studentTest(a: Sample, b: Sample): TestResult {
  const degrees = a.n + b.n - 2;
  if (a.n < 1 || b.n < 1 || degrees < 1) return NOTHING;
  const pooled = ((a.n - 1) * (a.variance ?? 0) + (b.n - 1) * (b.variance ?? 0)) / degrees;
  return ofDifference(differenceOf(a, b), Math.sqrt(pooled * (1 / a.n + 1 / b.n)), degrees);
}

/** One sample against a mean; with the differences of pairs against 0 it is the paired test. */
export function oneSampleTest({ n, mean, variance }: Sample, expected: number): TestResult {
  if (n < 2 || mean === null || variance === null) return NOTHING;
  return ofDifference(mean - expected, Math.sqrt(variance / n), n - 1);
}

function differenceOf(a: Sample, b: Sample): number {
  return (a.mean ?? 0) - (b.mean ?? 0);
}

function ofDifference(difference: number, error: number, degrees: number): TestResult {
  if (!(error > 0) || !Number.isFinite(error)) return NOTHING;
  const statistic = difference / error;
  return { statistic, pValue: tTwoSided(statistic, degrees), degrees };
}

/** Ranks are those among all values, equal ones sharing the mean of theirs; `ties` is the sum of t^3 - t over equal values. */
export interface RankedGroups {
  readonly first: { readonly n: number; readonly rankSum: number };
  readonly second: { readonly n: number; readonly rankSum: number };
  readonly ties: number;
}

/** The U of the first group, its p-value by the normal approximation with corrections for ties and for continuity. */
export function mannWhitneyTest({ first, second, ties }: RankedGroups): TestResult {
  const [n, product] = [first.n + second.n, first.n * second.n];
  if (product === 0) return NOTHING;
  const statistic = first.rankSum - (first.n * (first.n + 1)) / 2;
  const deviation = Math.sqrt((product / 12) * (n + 1 - ties / (n * (n - 1))));
  if (!(deviation > 0)) return { ...NOTHING, statistic };
  const upper = Math.max(statistic, product - statistic);
  const tail = normalUpper((upper - product / 2 - 0.5) / deviation);
  return { statistic, pValue: tail === null ? null : Math.min(1, 2 * tail), degrees: null };
}

type Figures<Name extends string> = Readonly<Record<Name, number>>;

/** Whether the means of several groups differ, by the sums of squares between them and within. */
export function analysisOfVariance(found: Figures<'groups' | 'rows' | 'between' | 'within'>): TestResult {
  const { groups, rows, between, within } = found;
  const [above, below] = [groups - 1, rows - groups];
  if (above < 1 || below < 1 || !(within > 0)) return NOTHING;
  const statistic = between / above / (within / below);
  return { statistic, pValue: fUpper(statistic, above, below), degrees: above };
}

/**
 * Whether the ranks of several groups differ, corrected for ties. `spread`: over the groups, their size times the square of the distance of their
 * mean rank from that of all.
 */
export function kruskalWallisTest(found: Figures<'groups' | 'rows' | 'spread' | 'ties'>): TestResult {
  const { groups, rows, spread, ties } = found;
  const correction = 1 - ties / (rows ** 3 - rows);
  if (groups < 2 || rows < 2 || !(correction > 0)) return NOTHING;
  const statistic = ((12 / (rows * (rows + 1))) * spread) / correction;
  return { statistic, pValue: chiSquareUpper(statistic, groups - 1), degrees: groups - 1 };
}

/** Whether two columns of categories depend on each other. `spread`: over the pairs of values, the square of their count by the product of both counts. */
export function chiSquareTest(found: Figures<'rows' | 'firstValues' | 'secondValues' | 'spread'>): TestResult {
  const { rows, firstValues, secondValues, spread } = found;
  const degrees = (firstValues - 1) * (secondValues - 1);
  if (degrees < 1 || rows < 1) return NOTHING;
  const statistic = Math.max(0, rows * (spread - 1));
  return { statistic, pValue: chiSquareUpper(statistic, degrees), degrees };
}
