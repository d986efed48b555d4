import type { JsonPrimitive } from '../json.js';
import { AppError } from '../app-error.js';
import {
  analysisOfVariance,
  chiSquareTest,
  correlationPValue,
  kruskalWallisTest,
  mannWhitneyTest,
  oneSampleTest,
  type Sample,
  studentTest,
  type TestResult,
  welchTest,
} from './comparisons.js';
import { jarqueBeraTest, normalityTest, shapiroWilkTest } from './normality.js';
import { countAt, figureAt, type RawRows } from './raw.js';
import { leastSquares, type Regression, type Term } from './regression.js';

/** A statistic as it was asked for; `StatisticPlan` of the ports is one. */
export interface StatisticRequest {
  readonly method: string;
  readonly columns: readonly string[];
  readonly by: string | null;
  readonly at?: readonly number[] | undefined;
  readonly value?: number | undefined;
}

export interface StatisticTable {
  readonly columns: readonly { readonly name: string; readonly type: 'number' | 'integer' | 'text' }[];
  readonly rows: readonly (readonly JsonPrimitive[])[];
}

type Row = readonly JsonPrimitive[];
type Finish = (request: StatisticRequest, raw: RawRows) => StatisticTable;

const FINISHES: ReadonlyMap<string, Finish> = new Map<string, Finish>([
  ['pearson', correlation],
  ['spearman', correlation],
  ['correlation_matrix', correlationMatrix],
  ['regression', regression],
  ['welch_t_test', (request, raw) => meansOfGroups(request, raw, welchTest)],
  ['student_t_test', (request, raw) => meansOfGroups(request, raw, studentTest)],
  ['mann_whitney', mannWhitney],
  ['paired_t_test', paired],
  ['one_sample_t_test', oneSample],
  ['anova', (_, [row]) => ofGroups(analysisOfVariance(countsIn(row, 'groups', 'rows', 'between', 'within')), row)],
  ['kruskal_wallis', (_, [row]) => ofGroups(kruskalWallisTest(countsIn(row, 'groups', 'rows', 'spread', 'ties')), row)],
  ['chi_square', chiSquare],
  ['shapiro_wilk', shapiroWilk],
  ['normality', (_, raw) => byShape(raw, normalityTest)],
  ['jarque_bera', (_, raw) => byShape(raw, jarqueBeraTest)],
  ['describe', describe],
]);

/**
 * Works out the answer of a statistic from what a row engine found out. What can't be told of the rows is null.
 *
 * @param raw as `RawRows` says for the method
 * @throws AppError `invalid_input` when the rows are not what the method needs.
 */
export function finishStatistic(request: StatisticRequest, raw: RawRows): StatisticTable {
  const finish = FINISHES.get(request.method);
  if (!finish) throw new AppError('invalid_input', 'there is no such statistic');
  return finish(request, raw);
}

function table(names: readonly string[], rows: readonly Row[]): StatisticTable {
  const integers = ['pairs', 'rows', 'groups', 'missing'];
  const texts = ['first', 'second', 'term', 'column'];
  const typeOf = (name: string): 'integer' | 'text' | 'number' =>
    integers.includes(name) ? 'integer' : texts.includes(name) ? 'text' : 'number';
  return { columns: names.map((name) => ({ name, type: typeOf(name) })), rows };
}

function correlation(_: StatisticRequest, [row]: RawRows): StatisticTable {
  return table(['correlation', 'p-value', 'pairs'], [correlated(row, 0)]);
}

function correlated(row: Row | undefined, index: number): Row {
  const [found, pairs] = [figureAt(row, index), countAt(row, index + 1)];
  return [found, correlationPValue(found, pairs), pairs];
}

function correlationMatrix({ columns }: StatisticRequest, [row]: RawRows): StatisticTable {
  const pairs = columns.flatMap((first, index) => columns.slice(index + 1).map((second) => [first, second] as const));
  const rows = pairs.map((pair, index) => [...pair, ...correlated(row, 2 * index)]);
  const strength = (cells: Row): number => Math.abs(figureAt(cells, 2) ?? -1) + (figureAt(cells, 2) === null ? -2 : 0);
  const sorted = rows.toSorted((one, other) => strength(other) - strength(one));
  return table(['first', 'second', 'correlation', 'p-value', 'pairs'], sorted);
}

function regression({ columns, at }: StatisticRequest, [row]: RawRows): StatisticTable {
  const size = columns.length;
  const covariances = columns.map((_, i) => columns.map((__, j) => countAt(row, placeOf(i, j, size))));
  const means = columns.map((_, index) => countAt(row, 1 + index));
  const found = leastSquares({ rows: countAt(row, 0), names: columns, means, covariances });
  const rows = [
    termRow('intercept', found.intercept),
    ...found.slopes.map((term, index) => termRow(columns[index + 1] ?? '', term)),
    ['r-squared', found.rSquared, null, null, null],
    ['root mean squared error', found.rootMeanSquare, null, null, null],
    ...(at === undefined ? [] : [['prediction', predicted(found, at), null, null, null]]),
  ];
  return table(['term', 'coefficient', 'standard error', 't', 'p-value'], rows);
}

/** Of two columns' covariance, after the count and the means. */
function placeOf(i: number, j: number, size: number): number {
  const [low, high] = [Math.min(i, j), Math.max(i, j)];
  return 1 + size + low * size - (low * (low - 1)) / 2 + (high - low);
}

function termRow(name: string, { coefficient, error, t, pValue }: Term): Row {
  return [name, coefficient, error, t, pValue];
}

function predicted({ intercept, slopes }: Regression, at: readonly number[]): number {
  return slopes.reduce((sum, { coefficient }, index) => sum + coefficient * (at[index] ?? 0), intercept.coefficient);
}

function comparison(
  { statistic, pValue, degrees }: TestResult,
  names: readonly [string, string],
  means: readonly [number | null, number | null],
): StatisticTable {
  const labels = names.map((name) => `mean of ${name}`);
  const different = labels[0] === labels[1] ? [`${labels[0] ?? ''} (1)`, `${labels[1] ?? ''} (2)`] : labels;
  return table(['statistic', 'p-value', 'degrees of freedom', ...different], [[statistic, pValue, degrees, ...means]]);
}

function sampleIn(row: Row | undefined, index: number): Sample {
  return { n: countAt(row, index), mean: figureAt(row, index + 1), variance: figureAt(row, index + 2) };
}

/** @throws AppError `invalid_input` unless there are exactly two. */
function twoGroups({ by }: StatisticRequest, raw: RawRows): readonly [Row, Row] {
  const [first, second, ...more] = raw;
  if (first && second && more.length === 0) return [first, second];
  const there = raw.length > 2 ? 'more than two' : ['none', 'one'][raw.length];
  const problem = `a comparison of two groups needs exactly two values in "${by ?? ''}"; there are ${there ?? 'others'}`;
  throw new AppError('invalid_input', problem.replace('are one', 'is one'));
}

function namesOf(groups: readonly [Row, Row]): readonly [string, string] {
  return [String(groups[0][0]), String(groups[1][0])];
}

function meansOfGroups(
  request: StatisticRequest,
  raw: RawRows,
  test: (a: Sample, b: Sample) => TestResult,
): StatisticTable {
  const groups = twoGroups(request, raw);
  const [a, b] = [sampleIn(groups[0], 1), sampleIn(groups[1], 1)];
  return comparison(test(a, b), namesOf(groups), [a.mean, b.mean]);
}

function mannWhitney(request: StatisticRequest, raw: RawRows): StatisticTable {
  const groups = twoGroups(request, raw);
  const ranked = (row: Row): { n: number; rankSum: number } => ({ n: countAt(row, 1), rankSum: countAt(row, 3) });
  const [first, second] = [ranked(groups[0]), ranked(groups[1])];
  const result = mannWhitneyTest({ first, second, ties: countAt(groups[0], 4) });
  return comparison(result, namesOf(groups), [figureAt(groups[0], 2), figureAt(groups[1], 2)]);
}

function paired({ columns: [first = '', second = ''] }: StatisticRequest, [row]: RawRows): StatisticTable {
  const differences = { n: countAt(row, 0), mean: figureAt(row, 3), variance: figureAt(row, 4) };
  return comparison(oneSampleTest(differences, 0), [first, second], [figureAt(row, 1), figureAt(row, 2)]);
}

function oneSample({ columns: [column = ''], value = 0 }: StatisticRequest, [row]: RawRows): StatisticTable {
  const sample = sampleIn(row, 0);
  const { statistic, pValue, degrees } = oneSampleTest(sample, value);
  const names = ['statistic', 'p-value', 'degrees of freedom', `mean of ${column}`];
  return table(names, [[statistic, pValue, degrees, sample.mean]]);
}

/** The cells of a row by their names. */
function countsIn<N extends string>(row: Row | undefined, ...names: readonly N[]): Readonly<Record<N, number>> {
  return Object.fromEntries(names.map((name, index) => [name, countAt(row, index)])) as Record<N, number>;
}

function ofGroups({ statistic, pValue }: TestResult, row: Row | undefined): StatisticTable {
  return table(['statistic', 'p-value', 'groups', 'rows'], [[statistic, pValue, countAt(row, 0), countAt(row, 1)]]);
}

function chiSquare(_: StatisticRequest, [row]: RawRows): StatisticTable {
  const counts = countsIn(row, 'rows', 'firstValues', 'secondValues', 'spread');
  const { statistic, pValue, degrees } = chiSquareTest(counts);
  return table(['statistic', 'p-value', 'degrees of freedom', 'rows'], [[statistic, pValue, degrees, counts.rows]]);
}

function shapiroWilk(_: StatisticRequest, raw: RawRows): StatisticTable {
  const values = raw.map((row) => figureAt(row, 0)).filter((value) => value !== null);
  const { statistic, pValue } = shapiroWilkTest(values);
  return table(['statistic', 'p-value', 'rows'], [[statistic, pValue, values.length]]);
}

function byShape([row]: RawRows, test: typeof normalityTest): StatisticTable {
  const rows = countAt(row, 0);
  const { statistic, pValue } = test(rows, figureAt(row, 1), figureAt(row, 2));
  return table(['statistic', 'p-value', 'rows'], [[statistic, pValue, rows]]);
}

function describe({ columns }: StatisticRequest, raw: RawRows): StatisticTable {
  const figures = ['mean', 'standard deviation', 'lowest', '25 %', 'median', '75 %', 'highest'];
  const rows = columns.map((column, index) => {
    const row = raw[index];
    return [column, countAt(row, 0), countAt(row, 1), ...figures.map((_, figure) => figureAt(row, figure + 2))];
  });
  return table(['column', 'rows', 'missing', ...figures], rows);
}
