import type { QueryResult } from '../../ports/table.js';
import { writtenFigures, type WrittenFigure } from './written-figures.js';

const MAX_CELLS = 200_000;
/** A rank or a number of things that everybody can count. */
const COUNTABLE = 12;
/** Of more figures in one block so many can be made that nearly any number is among them. */
const MAX_COMBINED = 24;

/** The figures that a run has come to know: those of results, and those that its task and its files name. */
export class KnownFigures {
  private readonly values: number[] = [];
  private sorted: readonly number[] | null = null;
  private longest = 0;

  /** The cells of a result, the number of its rows, and the sums and averages of its columns. */
  addResult({ columns, rows, rowsScanned }: QueryResult): void {
    this.longest = Math.max(this.longest, rows.length);
    this.add(rows.length, rowsScanned, columns.length);
    for (const index of columns.keys()) {
      const cells = rows.map((row) => row[index]).filter((cell) => typeof cell === 'number');
      this.add(...cells.slice(0, MAX_CELLS));
      const sum = cells.reduce((total, cell) => total + cell, 0);
      if (cells.length > 0) this.add(sum, sum / cells.length);
    }
    // A text of the data may hold a number, as `Product 15` does, and a year its time.
    for (const row of rows.slice(0, 1000)) {
      for (const cell of row) if (typeof cell === 'string') this.addText(cell);
    }
  }

  /** The figures of a text that may be repeated: the prompt, a passage of a file. */
  addText(text: string): void {
    for (const { values } of writtenFigures(text)) this.add(...values);
    for (const [year] of text.matchAll(/\b(?:19|20)\d\d\b/g)) this.add(Number(year));
  }

  add(...values: readonly number[]): void {
    for (const value of values) if (Number.isFinite(value)) this.values.push(Math.abs(value));
    this.sorted = null;
  }

  /** Whether it is known as it stands, rounded as it is; a percentage also of a share. */
  has({ values, tolerance, isPercent }: WrittenFigure): boolean {
    return values.some((value) => {
      const size = Math.abs(value);
      if (this.isNear(size, tolerance) || (isPercent && this.isNear(size / 100, tolerance / 100))) return true;
      return !isPercent && Number.isInteger(size) && size <= Math.min(COUNTABLE, Math.max(this.longest, 2));
    });
  }

  private isNear(size: number, tolerance: number): boolean {
    this.sorted ??= this.values.toSorted((a, b) => a - b);
    const slack = tolerance + size * 1e-9;
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] ?? 0) < size - slack) low = middle + 1;
      else high = middle;
    }
    return (this.sorted[low] ?? Infinity) <= size + slack;
  }
}

/**
 * The figures of a text that stand in no result, in its own words. A difference, ratio, percentage or sum of two known figures that
 * stand in the same paragraph is no invention. Pure.
 */
export function unknownFigures(markdown: string, known: KnownFigures): readonly string[] {
  const unknown = markdown.split(/\n{2,}/).flatMap((block) => {
    const figures = writtenFigures(block);
    const found = figures.filter((figure) => known.has(figure));
    const strange = figures.filter((figure) => !known.has(figure));
    if (strange.length === 0) return [];
    const sizes = [...new Set(found.flatMap(({ values }) => values.map(Math.abs)))].slice(0, MAX_COMBINED);
    return strange.filter((figure) => !isMadeOf(figure, sizes)).map(({ text }) => text);
  });
  return [...new Set(unknown)];
}

function isMadeOf(figure: WrittenFigure, sizes: readonly number[]): boolean {
  return sizes.some((a, index) => sizes.some((b, other) => index !== other && isMadeOfTwo(figure, a, b)));
}

function isMadeOfTwo({ values, tolerance, isPercent }: WrittenFigure, a: number, b: number): boolean {
  // What the two were rounded by shows in what is made of them.
  const near = (value: number, size: number): boolean =>
    Math.abs(size - value) <= tolerance * 1.02 + Math.abs(value) * 0.005;
  const made = isPercent
    ? b === 0
      ? []
      : [(100 * a) / b, (100 * Math.abs(a - b)) / b]
    : [Math.abs(a - b), a + b, ...(b === 0 ? [] : [a / b])];
  return values.some((value) => made.some((one) => near(one, Math.abs(value))));
}
