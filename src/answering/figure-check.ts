import type { QueryResult, TableProfile } from '../ports/table.js';

/** A rank or a number of things that everybody can count. */
const COUNTABLE = 12;
/** Levels of significance and of confidence, and the factor of the interquartile range: named by custom, and found out by no query. */
const CUSTOMARY = [0.001, 0.01, 0.05, 0.1, 0.9, 0.95, 0.99, 1.5];
/** Results of one figure, two of which may be set against each other. */
const MAX_ALONE = 5;
/** Of more figures in one block so many can be made that nearly any number is among them. */
const MAX_COMBINED = 24;

/** The figures that a run has come to know: those of results, and those that its task and its files name. */
export class KnownFigures {
  private readonly values = new Sizes();
  private readonly following = new Sizes();
  private readonly percents = new Sizes();
  /** Cells of results of one row. */
  private readonly alone: number[] = [];
  private longest = 0;

  /** The cells of a result, the number of its rows, the sums, averages and shares of its columns, and what two of its figures make. */
  addResult(result: QueryResult): void {
    const { columns, rows, rowsScanned, joins = [] } = result;
    const byColumn = columns.map((_, index) => numbersOf(rows.map((row) => row[index])));
    this.addMade(madeOf(pairsIn(result, byColumn)));
    this.percents.add(byColumn.flatMap(sharesOf));
    if (rows.length === 1) this.addAlone(rows[0]?.filter((cell) => typeof cell === 'number') ?? []);
    this.longest = Math.max(this.longest, rows.length);
    this.add(rows.length, rowsScanned, columns.length);
    for (const { of, rows: made, alone } of joins) this.add(of, made, alone);
    for (const cells of byColumn) {
      this.add(...cells);
      const sum = cells.reduce((total, cell) => total + cell, 0);
      if (cells.length > 0) this.add(sum, sum / cells.length);
    }
    this.addTexts(result);
  }

  /** The figures of a text that may be repeated: the prompt, a passage of a file. */
  addText(text: string): void {
    for (const { values } of writtenFigures(text)) this.add(...values);
    for (const [year] of text.matchAll(/\b(?:19|20)\d\d\b/g)) this.add(Number(year));
  }

  add(...values: readonly number[]): void {
    this.values.add(values);
  }

  /** What is known of a table before anything is asked. */
  addProfile({ rowCount, columns, timeRange }: TableProfile): void {
    this.add(rowCount, columns.length);
    for (const { min, max, mean, nulls, distinct } of columns) {
      const ends = [min, max, mean];
      this.add(nulls, distinct, ...ends.filter((value) => typeof value === 'number'));
      for (const text of ends.filter((value) => typeof value === 'string')) this.addText(text);
    }
    if (timeRange !== null) this.addText(`${timeRange.from.slice(0, 4)} ${timeRange.to.slice(0, 4)}`);
  }

  /** Whether it is known as it stands, rounded as it is (a percentage also of a share), or follows from what is known. */
  has(figure: WrittenFigure): boolean {
    const { values, tolerance, isPercent } = figure;
    if (this.stands(figure) || isCustomary(figure)) return true;
    const made = isPercent ? this.percents : this.following;
    // Of what can be read in two ways only the first counts: so much follows from rows that the other would be among it.
    return made.hasNear(Math.abs(values[0] ?? NaN), values.length > 1 ? 0.5 : tolerance);
  }

  /** Whether it is known as it stands. */
  stands({ values, tolerance, isPercent }: WrittenFigure): boolean {
    return values.some((value) => {
      const size = Math.abs(value);
      if (this.values.hasNear(size, tolerance)) return true;
      if (isPercent) return this.values.hasNear(size / 100, tolerance / 100);
      return Number.isInteger(size) && size <= Math.min(COUNTABLE, Math.max(this.longest, 2));
    });
  }

  /** A text of the data may hold a number, as `Product 15` does, and a year its time. */
  private addTexts({ rows }: QueryResult): void {
    for (const row of rows.slice(0, 1000)) {
      for (const cell of row) if (typeof cell === 'string') this.addText(cell);
    }
  }

  private addAlone(cells: readonly number[]): void {
    this.alone.push(...cells.slice(0, Math.max(0, MAX_ALONE - this.alone.length)));
    this.addMade(madeOf(allPairs(this.alone.map(exact))));
  }

  private addMade({ figures, percents }: Made): void {
    this.following.add(figures.map(({ value }) => value));
    this.percents.add(percents.map(({ value }) => value));
  }
}

/**
 * The figures of a text that stand in no result, in its own words. A difference, ratio, percentage or sum of two known figures that
 * stand in the same paragraph is no invention. Pure.
 */
export function unknownFigures(markdown: string, known: KnownFigures): readonly string[] {
  const unknown = markdown.split(/\n{2,}/).flatMap((block) => {
    const figures = writtenFigures(block);
    const strange = figures.filter((figure) => !known.has(figure));
    if (strange.length === 0) return [];
    const found = figures.filter((figure) => known.stands(figure));
    const made = madeOf(allPairs(found.flatMap(sizesOf).slice(0, MAX_COMBINED)));
    return strange.filter((figure) => !isAmong(figure, made)).map(({ text }) => text);
  });
  return [...new Set(unknown)];
}

function isCustomary({ values: [value = NaN], isPercent }: WrittenFigure): boolean {
  return CUSTOMARY.includes(isPercent ? value / 100 : value);
}

/** A figure without its sign, and how far rounding may have moved it. */
interface Size {
  readonly value: number;
  readonly tolerance: number;
}

/** Whole numbers are counts mostly, which nobody rounds. */
function sizesOf({ values, tolerance }: WrittenFigure): readonly Size[] {
  return values.map((value) => ({ value: Math.abs(value), tolerance: tolerance < 0.5 ? tolerance : 0 }));
}

function exact(value: number): Size {
  return { value, tolerance: 0 };
}

type Pair = readonly [Size, Size];

/** What people work out from two figures in their heads. */
interface Made {
  readonly figures: readonly Size[];
  /** Of a hundred. */
  readonly percents: readonly Size[];
}

/** Difference, sum, percentages, and how many times the smaller one the larger one is: a ratio below one is told in percent. */
function madeOf(pairs: readonly Pair[]): Made {
  const figures = pairs.flatMap(([a, b]) => {
    const [small, large] = Math.abs(a.value) < Math.abs(b.value) ? [a, b] : [b, a];
    return [differenceOf(a, b), differenceOf(a, { ...b, value: -b.value }), ...ratioOf(large, small)];
  });
  const percents = pairs.flatMap(([a, b]) => {
    const difference = differenceOf(a, b);
    return [...ratioOf(a, b), ...ratioOf(b, a), ...ratioOf(difference, a), ...ratioOf(difference, b)];
  });
  return {
    figures,
    percents: percents.map(({ value, tolerance }) => ({ value: 100 * value, tolerance: 100 * tolerance })),
  };
}

/** What was rounded shows in what is made of it. */
function isAmong({ values, tolerance, isPercent }: WrittenFigure, { figures, percents }: Made): boolean {
  return (isPercent ? percents : figures).some((made) =>
    values.some((value) => Math.abs(made.value - Math.abs(value)) <= (tolerance + made.tolerance) * 1.02),
  );
}

function differenceOf(a: Size, b: Size): Size {
  return { value: Math.abs(a.value - b.value), tolerance: a.tolerance + b.tolerance };
}

/** None to what may be zero. */
function ratioOf(a: Size, b: Size): readonly Size[] {
  const divisor = Math.abs(b.value);
  if (divisor <= b.tolerance) return [];
  const value = Math.abs(a.value) / divisor;
  return [{ value, tolerance: (a.tolerance + value * b.tolerance) / divisor }];
}

/** Of so few all pairs are taken; of more one that is made up would be among their percentages. */
const FEW = 3;
/** A year by months. */
const SERIES = 13;
const MOST_SHARES = 50;
const MOST_COLUMNS = 4;
const MOST_ROWS = 24;

/** Figures of a result that belong together: neighbours, the ends of a column, or figures of one row. */
function pairsIn({ columns, rows }: QueryResult, byColumn: readonly (readonly number[])[]): readonly Pair[] {
  const isNarrow = columns.length <= MOST_COLUMNS && rows.length <= MOST_ROWS;
  const inRows = isNarrow ? rows.flatMap((row) => allPairs(numbersOf(row))) : [];
  return [...byColumn.flatMap(pairsOf), ...inRows].map(([a, b]) => [exact(a), exact(b)]);
}

function allPairs<T>(values: readonly T[]): readonly (readonly [T, T])[] {
  return values.flatMap((a, index) => values.slice(index + 1).map((b) => [a, b] as const));
}

function pairsOf(numbers: readonly number[]): readonly (readonly [number, number])[] {
  if (numbers.length <= FEW) return allPairs(numbers);
  const ends = [numbers[0] ?? 0, numbers.at(-1) ?? 0] as const;
  const extremes = [numbers.reduce((a, b) => Math.max(a, b)), numbers.reduce((a, b) => Math.min(a, b))] as const;
  const neighbours =
    numbers.length > SERIES ? [] : numbers.slice(1).map((b, index) => [numbers[index] ?? b, b] as const);
  return [ends, extremes, ...neighbours];
}

/** Each figure's share of its column. */
function sharesOf(numbers: readonly number[]): readonly number[] {
  const sum = numbers.reduce((total, each) => total + each, 0);
  if (numbers.length > MOST_SHARES || sum <= 0 || numbers.some((each) => each < 0)) return [];
  return numbers.map((each) => (100 * each) / sum);
}

function numbersOf(cells: readonly unknown[]): readonly number[] {
  return cells.filter((cell) => typeof cell === 'number' && Number.isFinite(cell)).map(Number);
}

/** Numbers without their signs, to be looked for within a distance. */
class Sizes {
  private readonly values: number[] = [];
  private sorted: readonly number[] | null = null;

  add(values: readonly number[]): void {
    for (const value of values) if (Number.isFinite(value)) this.values.push(Math.abs(value));
    this.sorted = null;
  }

  hasNear(size: number, distance: number): boolean {
    this.sorted ??= this.values.toSorted((a, b) => a - b);
    const slack = distance + size * 1e-9;
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] ?? 0) < size - slack) low = middle + 1;
      else high = middle;
    }
    return (this.sorted[low] ?? Infinity) <= size + slack;
  }
}

/** A number as it stands in a text. */
export interface WrittenFigure {
  readonly text: string;
  /** What it may mean: `1.234` is one and a bit, or more than a thousand. */
  readonly values: readonly number[];
  /** Half of its last digit: what rounding may have taken. */
  readonly tolerance: number;
  readonly isPercent: boolean;
}

const NUMBER =
  /(?<![\p{L}\d_.,/-]|\p{L}\d*[-_])[-−–+]?(?:\d{1,3}(?:[,.’'\u00A0\u202F ]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(?:e[+-]?\d+)?(?![\d_]|[.,]\d|-\d)(?:\s?(%|percent\b|per cent\b|k\b|thousand\b|million\b|m\b(?!\/)|billion\b|bn\b))?/giu;
/** Dates and times name a moment, not a figure; so do numbers of lists, headings, sources, weeks and quarters, and what is code. */
const NOT_FIGURES: readonly RegExp[] = [
  /```[\s\S]*?(?:```|$)/g,
  /`[^`\n]*`/g,
  /!\[[^\]\n]{0,300}\]\([^)\n]{0,300}\)/g,
  /\{chart \d+\}/g,
  /\b\d{4}-\d{2}(?:-\d{2})?(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?)?/g,
  /\b\d{1,2}:\d{2}(?::\d{2})?\b/g,
  /\b\d{1,2}(?:st|nd|rd|th)?\.? (?:of )?(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?(?:,? \d{4})?/gi,
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.? (?:\d{1,2}(?:st|nd|rd|th)?(?:, \d{4})?|\d{4})\b/gi,
  /\bQ[1-4](?: \d{4})?\b/gi,
  /^[ \t]*(?:#{1,6} .*?)?\d{1,3}[.)](?=\s)/gm,
  /(?<!\\)\[\d{1,3}(?:, ?\d{1,3}){0,9}\]/g,
  /\b\d+(?:st|nd|rd|th)\b/gi,
];
const FACTORS: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
};

/** The figures that a Markdown text names, dates and numbering left out. Pure. */
export function writtenFigures(markdown: string): readonly WrittenFigure[] {
  const text = NOT_FIGURES.reduce((rest, pattern) => rest.replace(pattern, ' '), markdown);
  return [...text.matchAll(NUMBER)].map(([whole, unit = '']) => figureFrom(whole, unit.toLowerCase()));
}

function figureFrom(whole: string, unit: string): WrittenFigure {
  const digits = whole
    .slice(0, whole.length - unit.length)
    .trim()
    .replace(/^[−–]/, '-')
    .replace(/^\+/, '');
  const factor = FACTORS[unit] ?? 1;
  const readings = readingsOf(digits);
  return {
    text: whole.trim(),
    values: readings.map(({ value }) => value * factor),
    tolerance: Math.max(...readings.map(({ decimals }) => 0.5 * 10 ** -decimals)) * factor,
    isPercent: /^(?:%|per)/.test(unit),
  };
}

/** `1,234.5` and `1.234,5` say what they mean; `1.234` and `1,234` may mean two things. */
function readingsOf(digits: string): readonly { readonly value: number; readonly decimals: number }[] {
  const bare = digits.replace(/(?<=\d)[’'\u00A0\u202F ](?=\d)/g, '');
  const last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  if (last < 0) return [{ value: Number(bare), decimals: 0 }];
  const mark = bare.charAt(last);
  const marks = bare.split(mark).length - 1;
  const whole = Number(bare.replace(/[.,]/g, ''));
  const isBoth = bare.includes('.') && bare.includes(',');
  const after = bare.length - last - 1;
  const fraction = {
    value: Number(`${bare.slice(0, last).replace(/[.,]/g, '')}.${bare.slice(last + 1)}`),
    decimals: /e/i.test(bare) ? 0 : after,
  };
  if (marks > 1) return [{ value: whole, decimals: 0 }];
  if (isBoth || after !== 3) return [fraction];
  return [{ value: whole, decimals: 0 }, fraction];
}
