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

interface Placed {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly height: number;
  readonly size: number;
  readonly isLeftward: boolean;
}

interface OpenLine {
  parts: string[];
  left: number;
  right: number;
  height: number;
  size: number;
  /** Letters of the longest piece, which gives the size. */
  longest: number;
}

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

type Matrix = readonly [number, number, number, number, number, number];

function isMatrix(value: unknown): value is Matrix {
  return Array.isArray(value) && value.length === 6 && value.every((part) => Number.isFinite(part));
}
