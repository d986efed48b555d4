import { CitationOrder } from './citation-order.js';
import { MarkdownCleaner } from './markdown-cleaner.js';

export const MAX_ANSWER = 20_000;
/** What is beyond the end of a full answer is not even looked at. */
const PORTION = 2000;

/** The words of one answer as they are written: cleaned, and cut at 20,000 characters. What is returned is what may go out. */
export class AnswerText {
  private readonly cleaner = new MarkdownCleaner();
  private text = '';
  private isFull = false;
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

  get response(): string {
    return this.text;
  }

  get full(): boolean {
    return this.isFull;
  }

  write(text: string): string {
    const begun = this.beginsPart ? text.trimStart() : text;
    if (begun === '' || this.full) return '';
    const separator = this.beginsPart && this.text !== '' ? '\n\n' : '';
    this.beginsPart = false;
    const whole = separator + begun;
    let piece = '';
    for (let from = 0; from < whole.length; from += PORTION) {
      piece += this.portion(whole.slice(from, from + PORTION));
    }
    return piece;
  }

  private portion(text: string): string {
    return this.isFull ? '' : this.keep(this.citations.push(this.cleaner.push(text)));
  }

  /** Whatever was held back comes out, and what is written next begins a paragraph of its own. */
  endPart(): string {
    this.beginsPart = true;
    return this.keep(this.citations.push(this.cleaner.end()) + this.citations.end());
  }

  private keep(cleaned: string): string {
    if (this.full) return '';
    const room = MAX_ANSWER - 1 - this.text.length;
    this.isFull = cleaned.length > room;
    // Half a character (one of a surrogate pair) must not be left at the end.
    const piece = this.isFull ? `${cleaned.slice(0, room).replace(/[\uD800-\uDBFF]$/, '')}…` : cleaned;
    this.text += piece;
    return piece;
  }
}
