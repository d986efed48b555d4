import type { Hyphenation } from './hyphenation.js';
import type { PdfLine } from './pdf-lines.js';
import { sizeClass, type PdfMeasures } from './pdf-measures.js';

/** A larger step than usual between lines parts paragraphs. */
const LARGER_STEP = 1.3;
/** In letter sizes: how far the first line of a paragraph is drawn in. */
const DRAWN_IN = 0.8;
/** In letter sizes: how wide a letter is, usually. */
const LETTER_WIDTH = 0.5;
const LIST_ITEM = /^(?:[•◦▪‣·●○■□–—-]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s/u;
const SENTENCE_END = /[.!?:…。！？]["'”’»)\]]*$/u;
const TABLE_ROW = ' | ';

/** Lines that belong together. */
export class PdfParagraph {
  private readonly lines: [PdfLine, ...PdfLine[]];

  constructor(
    first: PdfLine,
    private readonly measures: PdfMeasures,
  ) {
    this.lines = [first];
  }

  get page(): number {
    return this.lines[0].page;
  }

  get size(): number {
    return sizeClass(this.lines[0].size);
  }

  add(line: PdfLine): void {
    this.lines.push(line);
  }

  takes(line: PdfLine): boolean {
    const last = this.last;
    if (line.page !== last.page || sizeClass(line.size) !== this.size) return false;
    if (isRow(last) !== isRow(line)) return false;
    if (isRow(line)) return this.isBelow(line);
    if (LIST_ITEM.test(line.text)) return false;
    return this.isBelow(line) ? !this.endsBefore(line) : this.goesOnInNextColumn(line);
  }

  /** Lines that fill their column are one; a line that ends early is meant to end there. */
  text(hyphenation: Hyphenation): string {
    const texts = this.lines.map((line) => line.text);
    return hyphenation.join(texts, (at) => this.staysLine(this.lines[at - 1], this.lines[at]));
  }

  private staysLine(before: PdfLine | undefined, line: PdfLine | undefined): boolean {
    return before !== undefined && line !== undefined && (isRow(before) || this.isEarlyEnd(before, line));
  }

  private get last(): PdfLine {
    return this.lines.at(-1) ?? this.lines[0];
  }

  private isBelow(line: PdfLine): boolean {
    const step = (this.last.height - line.height) / this.last.size;
    return step >= 0 && step <= this.measures.leading * LARGER_STEP;
  }

  private goesOnInNextColumn(line: PdfLine): boolean {
    return line.height > this.last.height && !SENTENCE_END.test(this.last.text) && /^\p{Ll}/u.test(line.text);
  }

  private isDrawnIn(line: PdfLine): boolean {
    return line.left > this.last.left + DRAWN_IN * line.size && !LIST_ITEM.test(this.last.text);
  }

  /** A sentence ends, and either its line does so early or the next begins drawn in. */
  private endsBefore(next: PdfLine): boolean {
    if (!SENTENCE_END.test(this.last.text)) return false;
    return this.isEarlyEnd(this.last, next) || this.isDrawnIn(next);
  }

  /** Whether the next line's first word would have had room on this line. */
  private isEarlyEnd(line: PdfLine, next: PdfLine): boolean {
    const word = next.text.split(' ', 1)[0] ?? '';
    const needed = (word.length + 1) * LETTER_WIDTH * line.size * 1.2;
    return line.right + needed < this.measures.columnRight(line);
  }
}

function isRow(line: PdfLine): boolean {
  return line.text.includes(TABLE_ROW);
}
