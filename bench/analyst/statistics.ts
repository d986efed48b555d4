import { chiSquareTail, fisherTail, normalTails, studentTails } from './distributions.js';

type Sample = readonly number[];
/** Rows of two columns, both present. */
type Pairs = readonly (readonly [string | number, string | number])[];
export type Figures = Readonly<Record<string, number>>;

/** Statistics for gold answers, from their definitions. Rows that lack a value are left out before. */
export const STATISTICS: Readonly<Record<string, (rows: Pairs) => Figures>> = {
  pearson: (rows) => correlation(first(rows), second(rows)),
  spearman: (rows) => correlation(ranks(first(rows)), ranks(second(rows))),
  regression: (rows) => line(first(rows), second(rows)),
  /** The first column is what is measured, the second tells the groups, in the order of the alphabet. */
  welch: (rows) => welch(groupsOf(rows)),
  student: (rows) => student(groupsOf(rows)),
  paired: (rows) =>
    oneSample(
      rows.map(([one, other]) => Number(one) - Number(other)),
      0,
    ),
  /** The second column is the value that the mean is held against. */
  one_sample: (rows) => oneSample(first(rows), second(rows)[0] ?? 0),
  mann_whitney: (rows) => mannWhitney(groupsOf(rows)),
  anova: (rows) => anova(groupsOf(rows)),
  kruskal: (rows) => kruskal(groupsOf(rows)),
  chi_square: (rows) => chiSquare(rows),
};

const first = (rows: Pairs): Sample => rows.map(([one]) => Number(one));
const second = (rows: Pairs): Sample => rows.map(([, other]) => Number(other));
const total = (values: Sample): number => values.reduce((sum, value) => sum + value, 0);
const mean = (values: Sample): number => total(values) / values.length;
const squares = (values: Sample): number => total(values.map((value) => (value - mean(values)) ** 2));
const variance = (values: Sample): number => squares(values) / (values.length - 1);

function groupsOf(rows: Pairs): readonly Sample[] {
  const groups = new Map<string | number, number[]>();
  for (const [value, key] of rows) groups.set(key, [...(groups.get(key) ?? []), Number(value)]);
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, values]) => values);
}

function twoOf(groups: readonly Sample[]): readonly [Sample, Sample] {
  const [one, other, third] = groups;
  if (one === undefined || other === undefined || third !== undefined) throw new Error('there must be two groups');
  return [one, other];
}

/** Ranks from 1; equal values share the mean of theirs. */
export function ranks(values: Sample): Sample {
  const sorted = [...values].sort((one, other) => one - other);
  const places = new Map<number, { sum: number; count: number }>();
  for (const [index, value] of sorted.entries()) {
    const place = places.get(value) ?? { sum: 0, count: 0 };
    places.set(value, { sum: place.sum + index + 1, count: place.count + 1 });
  }
  return values.map((value) => {
    const { sum, count } = places.get(value) ?? { sum: 0, count: 1 };
    return sum / count;
  });
}

function correlation(x: Sample, y: Sample): Figures {
  const r = line(x, y)['r'] ?? 0;
  const t = r * Math.sqrt((x.length - 2) / (1 - r * r));
  return { r, p: studentTails(t, x.length - 2), n: x.length };
}

/** Of the first as it depends on the second. */
function line(y: Sample, x: Sample): Figures {
  const [meanX, meanY] = [mean(x), mean(y)];
  const joint = total(x.map((value, index) => (value - meanX) * ((y[index] ?? 0) - meanY)));
  const slope = joint / squares(x);
  const intercept = meanY - slope * meanX;
  const rest = total(x.map((value, index) => ((y[index] ?? 0) - intercept - slope * value) ** 2));
  const r = joint / Math.sqrt(squares(x) * squares(y));
  return { slope, intercept, r, r2: r * r, rmse: Math.sqrt(rest / x.length), n: x.length };
}

function welch(groups: readonly Sample[]): Figures {
  const [one, other] = twoOf(groups);
  const [a, b] = [variance(one) / one.length, variance(other) / other.length];
  const statistic = (mean(one) - mean(other)) / Math.sqrt(a + b);
  const df = (a + b) ** 2 / (a ** 2 / (one.length - 1) + b ** 2 / (other.length - 1));
  return { statistic, df, p: studentTails(statistic, df), mean1: mean(one), mean2: mean(other) };
}

function student(groups: readonly Sample[]): Figures {
  const [one, other] = twoOf(groups);
  const df = one.length + other.length - 2;
  const pooled = (squares(one) + squares(other)) / df;
  const statistic = (mean(one) - mean(other)) / Math.sqrt(pooled * (1 / one.length + 1 / other.length));
  return { statistic, df, p: studentTails(statistic, df), mean1: mean(one), mean2: mean(other) };
}

function oneSample(values: Sample, against: number): Figures {
  const statistic = (mean(values) - against) / Math.sqrt(variance(values) / values.length);
  return { statistic, df: values.length - 1, p: studentTails(statistic, values.length - 1), mean: mean(values) };
}

function tiesOf(values: Sample): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return total([...counts.values()].map((count) => count ** 3 - count));
}

/** By the normal approximation, with the corrections for ties and for continuity. */
function mannWhitney(groups: readonly Sample[]): Figures {
  const [one, other] = twoOf(groups);
  const all = [...one, ...other];
  const [n1, n2, n] = [one.length, other.length, all.length];
  const u = total(ranks(all).slice(0, n1)) - (n1 * (n1 + 1)) / 2;
  const deviation = Math.sqrt(((n1 * n2) / 12) * (n + 1 - tiesOf(all) / (n * (n - 1))));
  const z = (Math.abs(u - (n1 * n2) / 2) - 0.5) / deviation;
  return { u, p: normalTails(z) };
}

function anova(groups: readonly Sample[]): Figures {
  const all = groups.flat();
  const within = total(groups.map(squares));
  const [between, rest] = [groups.length - 1, all.length - groups.length];
  const statistic = (squares(all) - within) / between / (within / rest);
  return { statistic, p: fisherTail(statistic, between, rest) };
}

function kruskal(groups: readonly Sample[]): Figures {
  const all = groups.flat();
  const n = all.length;
  const ranked = [...ranks(all)];
  const sums = groups.map((group) => total(ranked.splice(0, group.length)) ** 2 / group.length);
  const raw = (12 / (n * (n + 1))) * total(sums) - 3 * (n + 1);
  const statistic = raw / (1 - tiesOf(all) / (n ** 3 - n));
  return { statistic, p: chiSquareTail(statistic, groups.length - 1) };
}

/** Of a table of counts, without a correction for continuity. */
function chiSquare(rows: Pairs): Figures {
  const [lefts, rights] = [new Map<string, number>(), new Map<string, number>()];
  const cells = new Map<string, number>();
  for (const [one, other] of rows) {
    const [left, right] = [String(one), String(other)];
    lefts.set(left, (lefts.get(left) ?? 0) + 1);
    rights.set(right, (rights.get(right) ?? 0) + 1);
    cells.set(`${left}\n${right}`, (cells.get(`${left}\n${right}`) ?? 0) + 1);
  }
  const parts = [...lefts].flatMap(([left, across]) =>
    [...rights].map(([right, down]) => {
      const expected = (across * down) / rows.length;
      return ((cells.get(`${left}\n${right}`) ?? 0) - expected) ** 2 / expected;
    }),
  );
  const df = (lefts.size - 1) * (rights.size - 1);
  return { statistic: total(parts), df, p: chiSquareTail(total(parts), df) };
}
