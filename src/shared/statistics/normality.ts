import { NOTHING, type TestResult } from './comparisons.js';
import { chiSquareUpper, normalQuantile, normalUpper } from './distributions.js';

const FEWEST_FOR_NORMALITY = 8;

/** D'Agostino's and Pearson's test, from the skewness and the excess kurtosis of a population. */
export function normalityTest(n: number, skewness: number | null, kurtosis: number | null): TestResult {
  if (n < FEWEST_FOR_NORMALITY || skewness === null || kurtosis === null) return NOTHING;
  const statistic = skewnessScore(n, skewness) ** 2 + kurtosisScore(n, kurtosis) ** 2;
  if (!Number.isFinite(statistic)) return NOTHING;
  return { statistic, pValue: chiSquareUpper(statistic, 2), degrees: null };
}

/** Jarque's and Bera's test, from the skewness and the excess kurtosis of a population; its p-value holds for many values. */
export function jarqueBeraTest(n: number, skewness: number | null, kurtosis: number | null): TestResult {
  if (n < 2 || skewness === null || kurtosis === null) return NOTHING;
  const statistic = (n / 6) * (skewness ** 2 + kurtosis ** 2 / 4);
  return { statistic, pValue: chiSquareUpper(statistic, 2), degrees: null };
}

/** D'Agostino (1970): the skewness as a standard normal value. */
function skewnessScore(n: number, skewness: number): number {
  const y = skewness * Math.sqrt(((n + 1) * (n + 3)) / (6 * (n - 2)));
  const beta = (3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3)) / ((n - 2) * (n + 5) * (n + 7) * (n + 9));
  const spread = Math.sqrt(2 * (beta - 1)) - 1;
  const alpha = Math.sqrt(2 / (spread - 1));
  return Math.asinh(y / alpha) / Math.sqrt(0.5 * Math.log(spread));
}

/** Anscombe and Glynn (1983): the kurtosis as a standard normal value. */
function kurtosisScore(n: number, kurtosis: number): number {
  const expected = (3 * (n - 1)) / (n + 1);
  const variance = (24 * n * (n - 2) * (n - 3)) / ((n + 1) ** 2 * (n + 3) * (n + 5));
  const x = (kurtosis + 3 - expected) / Math.sqrt(variance);
  const root = Math.sqrt((6 * (n + 3) * (n + 5)) / (n * (n - 2) * (n - 3)));
  const beta = ((6 * (n * n - 5 * n + 2)) / ((n + 7) * (n + 9))) * root;
  const a = 6 + (8 / beta) * (2 / beta + Math.sqrt(1 + 4 / beta ** 2));
  const ratio = (1 - 2 / a) / (1 + x * Math.sqrt(2 / (a - 4)));
  return (1 - 2 / (9 * a) - Math.cbrt(ratio)) / Math.sqrt(2 / (9 * a));
}

const FEWEST_FOR_SHAPIRO = 3;

/** Shapiro's and Wilk's test of sorted values, 3 to 5,000, after Royston (1995), algorithm AS R94. */
export function shapiroWilkTest(sorted: readonly number[]): TestResult {
  const n = sorted.length;
  const range = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
  if (n < FEWEST_FOR_SHAPIRO || !(range > 0) || !Number.isFinite(range)) return NOTHING;
  const unlike = 1 - likeness(sorted.map((value) => value / range));
  return { statistic: 1 - unlike, pValue: shapiroPValue(n, Math.max(0, unlike)), degrees: null };
}

/** W: how closely the values follow what a normal sample of their number would be. */
function likeness(values: readonly number[]): number {
  const n = values.length;
  const weights = shapiroWeights(n);
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const weighted = weights.reduce(
    (sum, weight, index) => sum + weight * ((values[n - 1 - index] ?? 0) - (values[index] ?? 0)),
    0,
  );
  const size = 2 * weights.reduce((sum, weight) => sum + weight ** 2, 0);
  return Math.min(1, weighted ** 2 / (squares * size));
}

const OUTERMOST = [0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056];
const SECOND = [0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633];

/** Of the outermost pair of values, the next, and so on. */
function shapiroWeights(n: number): readonly number[] {
  if (n === 3) return [Math.SQRT1_2];
  const half = Math.floor(n / 2);
  const scores = Array.from({ length: half }, (_, index) => -normalQuantile((index + 1 - 0.375) / (n + 0.25)));
  const squares = 2 * scores.reduce((sum, score) => sum + score ** 2, 0);
  const [m1 = 0, m2 = 0] = scores;
  const root = 1 / Math.sqrt(n);
  const first = polynomial(OUTERMOST, root) + m1 / Math.sqrt(squares);
  if (n <= 5) {
    const factor = Math.sqrt((squares - 2 * m1 ** 2) / (1 - 2 * first ** 2));
    return [first, ...scores.slice(1).map((score) => score / factor)];
  }
  const second = polynomial(SECOND, root) + m2 / Math.sqrt(squares);
  const left = 1 - 2 * first ** 2 - 2 * second ** 2;
  const factor = Math.sqrt((squares - 2 * m1 ** 2 - 2 * m2 ** 2) / left);
  return [first, second, ...scores.slice(2).map((score) => score / factor)];
}

const SMALL_MEAN = [0.544, -0.39978, 0.025054, -6.714e-4];
const SMALL_DEVIATION = [1.3822, -0.77857, 0.062767, -0.0020322];
const LARGE_MEAN = [-1.5861, -0.31082, -0.083751, 0.0038915];
const LARGE_DEVIATION = [-0.4803, -0.082676, 0.0030302];
const LIMIT = [-2.273, 0.459];
const LARGEST_SMALL = 11;

/** @param unlike 1 - W */
function shapiroPValue(n: number, unlike: number): number | null {
  if (n === 3) return Math.max(0, (6 / Math.PI) * (Math.asin(Math.sqrt(1 - unlike)) - Math.PI / 3));
  if (unlike === 0) return 1;
  const y = Math.log(unlike);
  if (n > LARGEST_SMALL) {
    const size = Math.log(n);
    return normalUpper((y - polynomial(LARGE_MEAN, size)) / Math.exp(polynomial(LARGE_DEVIATION, size)));
  }
  const limit = polynomial(LIMIT, n);
  if (y >= limit) return 0;
  const score = -Math.log(limit - y);
  return normalUpper((score - polynomial(SMALL_MEAN, n)) / Math.exp(polynomial(SMALL_DEVIATION, n)));
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}
