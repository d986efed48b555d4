import type { QueryResult, TableProfile } from '../ports/table.js';
import { allPairs, combinedFrom, combinedOf, type Combined } from './figure-combinations.js';
import { Sizes } from './sizes.js';
import { writtenFigures, type WrittenFigure } from './written-figures.js';

const MAX_CELLS = 200_000;
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

  /** The cells of a result, the number of its rows, the sums and averages of its columns, and what two of its figures make. */
  addResult(result: QueryResult): void {
    const { columns, rows, rowsScanned } = result;
    this.addCombined(combinedFrom(result));
    if (rows.length === 1) this.addAlone(rows[0]?.filter((cell) => typeof cell === 'number') ?? []);
    this.longest = Math.max(this.longest, rows.length);
    this.add(rows.length, rowsScanned, columns.length);
    for (const index of columns.keys()) {
      const cells = rows.map((row) => row[index]).filter((cell) => typeof cell === 'number');
      this.add(...cells.slice(0, MAX_CELLS));
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
    this.addCombined(combinedOf(allPairs(this.alone)));
  }

  private addCombined({ figures, percents }: Combined): void {
    this.following.add(figures);
    this.percents.add(percents);
  }
}

/**
 * The figures of a text that stand in no result, in its own words. A difference, ratio, percentage or sum of two known figures that
 * stand in the same paragraph is no invention. Pure.
 */
export function unknownFigures(markdown: string, known: KnownFigures): readonly string[] {
  const unknown = markdown.split(/\n{2,}/).flatMap((block) => {
    const figures = writtenFigures(block);
    const found = figures.filter((figure) => known.stands(figure));
    const strange = figures.filter((figure) => !known.has(figure));
    if (strange.length === 0) return [];
    const sizes = found.flatMap(sizesOf).slice(0, MAX_COMBINED);
    return strange.filter((figure) => !isMadeOf(figure, sizes)).map(({ text }) => text);
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

function isMadeOf(figure: WrittenFigure, sizes: readonly Size[]): boolean {
  return sizes.some((a, index) => sizes.some((b, other) => index !== other && isMadeOfTwo(figure, a, b)));
}

/** What the two were rounded by shows in what is made of them. */
function isMadeOfTwo({ values, tolerance, isPercent }: WrittenFigure, a: Size, b: Size): boolean {
  const near = (made: Size): boolean =>
    values.some((value) => Math.abs(made.value - Math.abs(value)) <= (tolerance + made.tolerance) * 1.02);
  return (isPercent ? percentsOf(a, b) : combinationsOf(a, b)).some(near);
}

function percentsOf(a: Size, b: Size): readonly Size[] {
  return [ratioOf(a, b), ratioOf(differenceOf(a, b), b)].flatMap((ratio) =>
    ratio === null ? [] : [{ value: 100 * ratio.value, tolerance: 100 * ratio.tolerance }],
  );
}

/** A ratio below one is told in percent, or the other way round. */
function combinationsOf(a: Size, b: Size): readonly Size[] {
  const ratio = ratioOf(a, b);
  const sum = { value: a.value + b.value, tolerance: a.tolerance + b.tolerance };
  return [differenceOf(a, b), sum, ...(ratio === null || ratio.value < 1 ? [] : [ratio])];
}

function differenceOf(a: Size, b: Size): Size {
  return { value: Math.abs(a.value - b.value), tolerance: a.tolerance + b.tolerance };
}

function ratioOf(a: Size, b: Size): Size | null {
  if (b.value <= b.tolerance) return null;
  const value = a.value / b.value;
  return { value, tolerance: (a.tolerance + value * b.tolerance) / b.value };
}
