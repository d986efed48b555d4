import type { PdfLine } from './pdf-lines.js';

/** What is usual in a document, from which its parts stand out. */
export interface PdfMeasures {
  /** From one line of a paragraph to the next, in letter sizes. */
  readonly leading: number;
  /** How far right the lines of each column of each page reach, by line. */
  readonly columnRight: (line: PdfLine) => number;
  /** Sizes of letters that only headings have, the largest first. */
  readonly titleSizes: readonly number[];
}

const USUAL_LEADING = 1.2;
const WIDEST_LEADING = 3;
/** Letters of a heading are larger than the body's by this. */
const TITLE_RATIO = 1.15;
/** When more of the text than this is large, size says nothing. */
const MOST_TITLES = 0.2;
const MOST_LEVELS = 6;

export function pdfMeasures(lines: readonly PdfLine[]): PdfMeasures {
  const columns = columnsOf(lines);
  return {
    leading: leadingOf(lines),
    columnRight: (line) => columns.get(line) ?? line.right,
    titleSizes: titleSizesOf(lines),
  };
}

/** Sizes are told apart by half points. */
export function sizeClass(size: number): number {
  return Math.round(size * 2) / 2;
}

function leadingOf(lines: readonly PdfLine[]): number {
  const counts = new Map<number, number>();
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1];
    if (next?.page !== line.page) continue;
    const step = Math.round(((line.height - next.height) / line.size) * 20) / 20;
    if (step > 0.5 && step < WIDEST_LEADING) counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  return commonest(counts) ?? USUAL_LEADING;
}

/** Lines that follow each other downwards are a column; a line further up begins the next. */
function columnsOf(lines: readonly PdfLine[]): ReadonlyMap<PdfLine, number> {
  const rights = new Map<PdfLine, number>();
  for (let start = 0; start < lines.length;) {
    let end = start + 1;
    while (end < lines.length && isBelow(lines[end - 1], lines[end])) end++;
    const column = lines.slice(start, end);
    const right = column.reduce((most, line) => Math.max(most, line.right), 0);
    for (const line of column) rights.set(line, right);
    start = end;
  }
  return rights;
}

function isBelow(upper: PdfLine | undefined, lower: PdfLine | undefined): boolean {
  return upper !== undefined && lower?.page === upper.page && lower.height <= upper.height;
}

function titleSizesOf(lines: readonly PdfLine[]): readonly number[] {
  const characters = new Map<number, number>();
  let all = 0;
  for (const { size, text } of lines) {
    all += text.length;
    characters.set(sizeClass(size), (characters.get(sizeClass(size)) ?? 0) + text.length);
  }
  const body = commonest(characters) ?? 0;
  const larger = [...characters].filter(([size]) => size >= body * TITLE_RATIO);
  const large = larger.reduce((sum, [, count]) => sum + count, 0);
  if (large > all * MOST_TITLES) return [];
  return larger
    .map(([size]) => size)
    .sort((one, other) => other - one)
    .slice(0, MOST_LEVELS);
}

function commonest(counts: ReadonlyMap<number, number>): number | null {
  let [best, most]: [number | null, number] = [null, 0];
  for (const [value, count] of counts) if (count > most) [best, most] = [value, count];
  return best;
}
