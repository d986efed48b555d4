import { MarkdownCleaner } from './markdown-cleaner.js';

export const MAX_ANSWER = 20_000;

/** The words of one answer as they are written: cleaned, and cut at 20,000 characters. What is returned is what may go out. */
export class AnswerText {
  private readonly cleaner = new MarkdownCleaner();
  response = '';
  full = false;
  private beginsPart = true;
  private readonly citations: CitationOrder;

  /** `passages`: how many there are that it may name. */
  constructor(passages = 0) {
    this.citations = new CitationOrder(passages);
  }

  /** The passages that it names, as its writer counts them, in their order: the first is what the text calls `[1]`. */
  get cited(): readonly number[] {
    return this.citations.order;
  }

  write(text: string): string {
    const begun = this.beginsPart ? text.trimStart() : text;
    if (begun === '' || this.full) return '';
    const separator = this.beginsPart && this.response !== '' ? '\n\n' : '';
    this.beginsPart = false;
    return this.keep(this.citations.push(this.cleaner.push(separator + begun)));
  }

  /** Whatever was held back comes out, and what is written next begins a paragraph of its own. */
  endPart(): string {
    this.beginsPart = true;
    return this.keep(this.citations.push(this.cleaner.end()) + this.citations.end());
  }

  private keep(cleaned: string): string {
    if (this.full) return '';
    const room = MAX_ANSWER - 1 - this.response.length;
    this.full = cleaned.length > room;
    // Half a character (one of a surrogate pair) must not be left at the end.
    const piece = this.full ? `${cleaned.slice(0, room).replace(/[\uD800-\uDBFF]$/, '')}…` : cleaned;
    this.response += piece;
    return piece;
  }
}

/** How a model names passages that it uses: `[2]`, or `[1, 3]`. */
const CITATION = /\[(\d{1,3}(?:\s?,\s?\d{1,3}){0,9})\]/g;
/** The beginning of one whose end has not come yet. */
const BEGUN = /\[[\d\s,]{0,50}$/;

/**
 * Numbers the passages of an answer in the order in which it names them: what a model calls `[4]` and names first is `[1]` for its
 * reader, and the first of the answer's sources. Works on a stream: `push` returns what is decided so far.
 */
export class CitationOrder {
  /** The passages that were named, as the model counts them from 1, in their order. */
  readonly order: number[] = [];
  private held = '';

  constructor(private readonly passages: number) {}

  push(text: string): string {
    if (this.passages === 0) return text;
    const whole = this.held + text;
    this.held = BEGUN.exec(whole)?.[0] ?? '';
    return this.renumbered(whole.slice(0, whole.length - this.held.length));
  }

  /** What was held back. More may follow. */
  end(): string {
    const { held } = this;
    this.held = '';
    return held;
  }

  private renumbered(text: string): string {
    return text.replace(CITATION, (whole, list: string) => {
      const numbers = list.split(',').map(Number);
      // A number that no passage has is no citation.
      if (numbers.some((number) => number < 1 || number > this.passages)) return whole;
      return `[${numbers.map((number) => this.placeOf(number)).join(', ')}]`;
    });
  }

  private placeOf(number: number): number {
    const known = this.order.indexOf(number);
    return known >= 0 ? known + 1 : this.order.push(number);
  }
}
