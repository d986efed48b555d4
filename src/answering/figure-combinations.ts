import type { QueryResult } from '../ports/table.js';

/** Figures that follow from rows, as sizes without a sign. */
export interface Combined {
  readonly figures: readonly number[];
  /** Of a hundred. */
  readonly percents: readonly number[];
}

/** Of so few all pairs are taken; of more one that is made up would be among their percentages. */
const FEW = 3;
/** A year by months. */
const SERIES = 13;
const MOST_SHARES = 50;
const MOST_COLUMNS = 4;
const MOST_ROWS = 24;

/**
 * What people work out from a result in their heads: the difference, ratio, sum and percentage of two of its figures that belong
 * together, which are neighbours, the ends of a column, or figures of one row; and each figure's share of its column. Pure.
 */
export function combinedFrom({ columns, rows }: QueryResult): Combined {
  const byColumn = columns.map((_, index) => numbersOf(rows.map((row) => row[index])));
  const isNarrow = columns.length <= MOST_COLUMNS && rows.length <= MOST_ROWS;
  const pairs = [...byColumn.flatMap(pairsOf), ...(isNarrow ? rows.flatMap((row) => allPairs(numbersOf(row))) : [])];
  const made = combinedOf(pairs);
  return { figures: made.figures, percents: [...made.percents, ...byColumn.flatMap(sharesOf)] };
}

/** Of figures that stand alone in their results, all pairs. */
export function combinedOf(pairs: readonly Pair[]): Combined {
  return {
    figures: pairs.flatMap(([a, b]) => [Math.abs(a - b), Math.abs(a + b), ...timesOf(a, b)]),
    percents: pairs.flatMap(([a, b]) =>
      [a, a - b, b, b - a].flatMap((part, index) => percent(part, index < 2 ? b : a)),
    ),
  };
}

type Pair = readonly [number, number];

export function allPairs(numbers: readonly number[]): readonly Pair[] {
  return numbers.flatMap((a, index) => numbers.slice(index + 1).map((b) => [a, b] as const));
}

function pairsOf(numbers: readonly number[]): readonly Pair[] {
  if (numbers.length <= FEW) return allPairs(numbers);
  const ends: Pair = [numbers[0] ?? 0, numbers.at(-1) ?? 0];
  const extremes: Pair = [numbers.reduce((a, b) => Math.max(a, b)), numbers.reduce((a, b) => Math.min(a, b))];
  const neighbours =
    numbers.length > SERIES ? [] : numbers.slice(1).map((b, index) => [numbers[index] ?? b, b] as const);
  return [ends, extremes, ...neighbours];
}

function sharesOf(numbers: readonly number[]): readonly number[] {
  const sum = numbers.reduce((total, each) => total + each, 0);
  if (numbers.length > MOST_SHARES || sum <= 0 || numbers.some((each) => each < 0)) return [];
  return numbers.map((each) => (100 * each) / sum);
}

function over(a: number, b: number): readonly number[] {
  return b === 0 ? [] : [Math.abs(a / b)];
}

/** How many times the smaller one the larger one is; a ratio below one is told in percent. */
function timesOf(a: number, b: number): readonly number[] {
  return Math.abs(a) >= Math.abs(b) ? over(a, b) : over(b, a);
}

function percent(part: number, whole: number): readonly number[] {
  return over(100 * part, whole);
}

function numbersOf(cells: readonly unknown[]): readonly number[] {
  return cells.filter((cell) => typeof cell === 'number' && Number.isFinite(cell)).map(Number);
}
