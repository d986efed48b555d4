import { isRecord } from '../../shared/json.js';

/** A line as it stands on a page. Lengths are in points, along and across the direction of its text. */
export interface PdfLine {
  readonly text: string;
  readonly page: number;
  readonly left: number;
  readonly right: number;
  /** How high its letters stand; larger is further up. */
  readonly height: number;
  /** Of its letters. */
  readonly size: number;
}

/** A piece of a line. */
type Placed = Omit<PdfLine, 'page'> & { readonly isLeftward: boolean };

type OpenLine = { -readonly [K in 'left' | 'right' | 'height' | 'size']: PdfLine[K] } & {
  parts: string[];
  /** Letters of the longest piece, which gives the size. */
  longest: number;
};

/** In letter sizes: how far a piece may stand above or below its line, as raised numbers do. */
const SAME_LINE = 0.45;
/** A gap between words, and one between columns of a table. */
const WORD_GAP = 0.18;
const COLUMN_GAP = 2.5;
const BETWEEN_COLUMNS = ' | ';
/** Dots that lead the eye to a page number, and lines to write on. */
const LEADERS = /(?: ?[.·_…]){5,} ?/g;

/** Puts the pieces of text of one page together to lines, in the order in which the page draws them. */
export class PageLines {
  /** How many there are so far. */
  characters = 0;
  private readonly finished: PdfLine[] = [];
  private line: OpenLine | null = null;
  private isSpaced = false;

  constructor(
    private readonly page: number,
    private readonly mostCharacters: number,
  ) {}

  get isOverfull(): boolean {
    return this.characters > this.mostCharacters;
  }

  add(item: unknown): void {
    const placed = placedFrom(item);
    if (placed === null) return;
    this.characters += placed.text.length;
    if (placed.text.trim() === '') {
      this.isSpaced = true;
      return;
    }
    if (this.line !== null && continues(this.line, placed)) this.extend(this.line, placed);
    else this.begin(placed);
    this.isSpaced = false;
  }

  lines(): readonly PdfLine[] {
    this.end();
    return this.finished;
  }

  private begin(placed: Placed): void {
    this.end();
    const { text, left, right, height, size } = placed;
    this.line = { parts: [text], left, right, height, size, longest: text.length };
  }

  private extend(line: OpenLine, placed: Placed): void {
    const gap = placed.isLeftward ? line.left - placed.right : placed.left - line.right;
    const size = Math.max(line.size, placed.size);
    if (gap > COLUMN_GAP * size) line.parts.push(BETWEEN_COLUMNS);
    else if (this.isSpaced || gap > WORD_GAP * size) line.parts.push(' ');
    line.parts.push(placed.text);
    line.left = Math.min(line.left, placed.left);
    line.right = Math.max(line.right, placed.right);
    if (placed.text.length <= line.longest) return;
    line.longest = placed.text.length;
    line.size = placed.size;
    line.height = placed.height;
  }

  private end(): void {
    if (this.line === null) return;
    const { parts, left, right, height, size } = this.line;
    const text = parts.join('').replace(/\s+/g, ' ').replace(LEADERS, ' … ').trim();
    if (text !== '') this.finished.push({ text, page: this.page, left, right, height, size });
    this.line = null;
  }
}

function continues(line: OpenLine, placed: Placed): boolean {
  const size = Math.max(line.size, placed.size);
  if (Math.abs(placed.height - line.height) > SAME_LINE * size) return false;
  // Far back on the same height is another column, or the same words drawn once more.
  return placed.isLeftward || placed.left > line.right - size;
}

/** An item of text as the library gives it, turned so that its letters stand upright. */
function placedFrom(item: unknown): Placed | null {
  if (!isRecord(item)) return null;
  const { str, transform, width, dir } = item;
  if (typeof str !== 'string' || typeof width !== 'number' || !isMatrix(transform)) return null;
  const [a, b, c, d, x, y] = transform;
  const length = Math.hypot(a, b) || 1;
  const [cos, sin] = [a / length, b / length];
  const left = x * cos + y * sin;
  const size = Math.hypot(c, d) || length;
  return { text: str, left, right: left + width, height: y * cos - x * sin, size, isLeftward: dir === 'rtl' };
}

function isMatrix(value: unknown): value is [number, number, number, number, number, number] {
  return Array.isArray(value) && value.length === 6 && value.every((part) => Number.isFinite(part));
}

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
  const columnRight = (line: PdfLine): number => columns.get(line) ?? line.right;
  return { leading: leadingOf(lines), columnRight, titleSizes: titleSizesOf(lines) };
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
  let column: PdfLine[] = [];
  for (const [at, line] of lines.entries()) {
    column.push(line);
    const next = lines[at + 1];
    if (next?.page === line.page && next.height <= line.height) continue;
    const right = column.reduce((most, each) => Math.max(most, each.right), 0);
    for (const each of column) rights.set(each, right);
    column = [];
  }
  return rights;
}

function titleSizesOf(lines: readonly PdfLine[]): readonly number[] {
  const characters = new Map<number, number>();
  let all = 0;
  for (const { size, text } of lines) {
    all += text.length;
    characters.set(sizeClass(size), (characters.get(sizeClass(size)) ?? 0) + text.length);
  }
  const body = commonest(characters) ?? 0;
  const larger = [...characters.keys()].filter((size) => size >= body * TITLE_RATIO);
  const large = larger.reduce((sum, size) => sum + (characters.get(size) ?? 0), 0);
  return large > all * MOST_TITLES ? [] : larger.sort((one, other) => other - one).slice(0, MOST_LEVELS);
}

function commonest(counts: ReadonlyMap<number, number>): number | null {
  let [best, most]: [number | null, number] = [null, 0];
  for (const [value, count] of counts) if (count > most) [best, most] = [value, count];
  return best;
}
