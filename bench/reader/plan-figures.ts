/** Figures of plans, worked out in memory for `plan-evaluator.ts`. */
import { groupedBy } from '../../src/analyst/reading/words.js';
import type { Computed, Dimension } from '../../src/ports/analysis-plan.js';
import type { RawCell } from './cells.js';

/** What is not worked out in memory. */
export class Unknown extends Error {}

interface Order {
  readonly cells: readonly RawCell[];
  readonly direction: 'asc' | 'desc';
}

export function inOrder(places: readonly number[], order: readonly Order[]): readonly number[] {
  return order.length === 0
    ? places
    : [...places].sort((a, b) => {
        for (const { cells, direction } of order) {
          const difference = sign(cells[a] ?? null, cells[b] ?? null, direction);
          if (difference !== 0) return difference;
        }
        return 0;
      });
}

/** What is missing comes last. */
function sign(a: RawCell, b: RawCell, direction: 'asc' | 'desc'): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const order = a < b ? -1 : a > b ? 1 : 0;
  return direction === 'asc' ? order : -order;
}

export function figureOf(aggregate: string, cells: readonly RawCell[], parameter: number | undefined): RawCell {
  const known = cells.filter((cell) => cell !== null);
  if (aggregate === 'count') return known.length;
  if (aggregate === 'mode') return commonest(known);
  if (aggregate === 'missing') return cells.length - known.length;
  if (aggregate === 'count_distinct') return new Set(known).size;
  if (known.length === 0) return null;
  if ((aggregate === 'min' || aggregate === 'max') && typeof known[0] !== 'boolean')
    return known.reduce((a, b) => ((aggregate === 'min' ? b < a : b > a) ? b : a));
  const numbers = known.map((cell) => (typeof cell === 'boolean' ? Number(cell) : cell));
  if (numbers.some((cell) => typeof cell !== 'number') || aggregate === 'min' || aggregate === 'max')
    throw new Unknown(aggregate);
  return ofNumbers(aggregate, numbers as number[], parameter);
}

function ofNumbers(aggregate: string, numbers: readonly number[], parameter: number | undefined): number | null {
  const count = numbers.length;
  const sum = numbers.reduce((a, b) => a + b, 0);
  const quantile = (share: number): number => {
    const sorted = Float64Array.from(numbers).sort();
    const place = share * (count - 1);
    const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
    return low + (high - low) * (place - Math.floor(place));
  };
  const spread = (): number => numbers.reduce((a, b) => a + (b - sum / count) ** 2, 0);
  switch (aggregate) {
    case 'sum':
      return sum;
    case 'avg':
      return sum / count;
    case 'median':
      return quantile(0.5);
    case 'percentile':
      return quantile(parameter ?? 0.5);
    case 'iqr':
      return quantile(0.75) - quantile(0.25);
    case 'range':
      return quantile(1) - quantile(0);
    case 'variance':
      return count < 2 ? null : spread() / (count - 1);
    case 'stddev':
      return count < 2 ? null : Math.sqrt(spread() / (count - 1));
    default:
      throw new Unknown(aggregate);
  }
}

/** Of those that come equally often the smallest. */
function commonest(cells: readonly RawCell[]): RawCell {
  const counts = new Map<RawCell, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const found = [...counts].flatMap(([cell, count]) => (count === most ? [cell] : []));
  return found.sort((a, b) => sign(a, b, 'asc'))[0] ?? null;
}

export function ofPairs(
  aggregate: string,
  rows: readonly number[],
  first: readonly RawCell[],
  second: readonly RawCell[],
): number | null {
  const paired = rows.filter((row) => first[row] != null && second[row] != null);
  let [ys, xs] = [first, second].map((cells) => paired.map((row) => Number(cells[row]))) as [number[], number[]];
  if ([...ys, ...xs].some(Number.isNaN)) throw new Unknown(aggregate);
  if (aggregate === 'rank_correlation') [ys, xs] = [ranksOf(ys), ranksOf(xs)];
  const count = paired.length;
  const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / count;
  const [y, x] = [mean(ys), mean(xs)];
  const products = (a: readonly number[], b: readonly number[], [meanA, meanB]: readonly [number, number]): number =>
    a.reduce((sum, one, index) => sum + (one - meanA) * (b[index]! - meanB), 0);
  const [xy, xx, yy] = [products(xs, ys, [x, y]), products(xs, xs, [x, x]), products(ys, ys, [y, y])];
  const found = {
    correlation: xy / Math.sqrt(xx * yy),
    rank_correlation: xy / Math.sqrt(xx * yy),
    covariance: xy / (count - 1),
    slope: xy / xx,
    intercept: y - (xy / xx) * x,
    r_squared: yy === 0 && xx > 0 ? 1 : (xy * xy) / (xx * yy),
  }[aggregate];
  if (found === undefined) throw new Unknown(aggregate);
  return Number.isFinite(found) ? found : null;
}

/** The places of numbers, equal ones sharing the mean of theirs. */
function ranksOf(numbers: readonly number[]): number[] {
  const sorted = Float64Array.from(numbers).sort();
  return numbers.map((number) => (sorted.indexOf(number) + sorted.lastIndexOf(number)) / 2 + 1);
}

export function computedOf(
  computed: Computed,
  measures: readonly (readonly RawCell[])[],
  labels: readonly (readonly RawCell[])[],
  dimensions: readonly Dimension[],
): readonly RawCell[] {
  if (!('of' in computed)) return pairOf(computed, measures);
  const values = (measures[computed.of] ?? []).map((value) => (typeof value === 'number' ? value : null));
  const found: RawCell[] = values.map(() => null);
  for (const places of seriesIn(labels, dimensions, values.length)) {
    const series = seriesOf(
      computed,
      places.map((place) => values[place] ?? null),
    );
    for (const [at, place] of places.entries()) found[place] = series[at] ?? null;
  }
  return found;
}

function pairOf(
  computed: Extract<Computed, { readonly left: number }>,
  measures: readonly (readonly RawCell[])[],
): readonly RawCell[] {
  const [left, right] = [measures[computed.left] ?? [], measures[computed.right] ?? []];
  return left.map((a, index) => {
    const b = right[index];
    if (typeof a !== 'number' || typeof b !== 'number') return null;
    const of = {
      ratio: a / b,
      percent: (100 * a) / b,
      difference: a - b,
      sum: a + b,
      product: a * b,
      percent_change: (100 * (a - b)) / b,
    }[computed.kind];
    return Number.isFinite(of) ? of : null;
  });
}

/** The places of each series in its order: along all dimensions, or of several along those of time or else of numbers. */
function seriesIn(
  labels: readonly (readonly RawCell[])[],
  dimensions: readonly Dimension[],
  size: number,
): readonly (readonly number[])[] {
  const times = labels.filter((_, index) => dimensions[index]?.kind === 'bucket');
  if (dimensions.length > 1 && times.length === 0) throw new Unknown('series');
  const along = dimensions.length < 2 ? labels : times;
  const within = labels.filter((cells) => !along.includes(cells));
  const sorted = inOrder(
    Array.from({ length: size }, (_, place) => place),
    along.map((cells) => ({ cells, direction: 'asc' })),
  );
  return [...groupedBy(sorted, (place) => JSON.stringify(within.map((cells) => cells[place] ?? null))).values()];
}

function seriesOf(
  { kind, window = 3 }: Extract<Computed, { readonly of: number }>,
  values: readonly (number | null)[],
): readonly (number | null)[] {
  const sumOf = (numbers: readonly (number | null)[]): number | null => {
    const known = numbers.filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
  };
  const total = sumOf(values);
  return values.map((value, index) => {
    const before = values[index - 1] ?? null;
    const change = value === null || before === null ? null : value - before;
    switch (kind) {
      case 'share':
        return quotient(value, total);
      case 'cumulative':
        return sumOf(values.slice(0, index + 1));
      case 'cumulative_share':
        return quotient(sumOf(values.slice(0, index + 1)), total);
      case 'change':
        return change;
      case 'growth':
        return quotient(change, before);
      case 'moving_average': {
        const known = values.slice(Math.max(0, index + 1 - window), index + 1).filter((one) => one !== null);
        return quotient(sumOf(known), known.length);
      }
      case 'rank':
        return value === null ? null : 1 + values.filter((other) => other !== null && other > value).length;
    }
  });
}

function quotient(a: number | null, b: number | null): number | null {
  return a === null || b === null || b === 0 ? null : a / b;
}
