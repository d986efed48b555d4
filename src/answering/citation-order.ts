/** How a model names passages that it uses: `[2]`, or `[1, 3]`. */
const CITATION = /\[(\d{1,3}(?:\s?,\s?\d{1,3}){0,9})\]/g;
/** The beginning of one whose end has not come yet. */
const BEGUN = /\[[\d\s,]{0,50}$/;

/**
 * Numbers the passages of an answer in the order in which it names them: what a model calls `[4]` and names first is `[1]` for its
 * reader, and the first of the answer's sources. Works on a stream: `push` returns what is decided so far.
 */
export class CitationOrder {
  private readonly named: number[] = [];
  private held = '';

  constructor(private readonly passages: number) {}

  /** The passages that were named, as the model counts them from 1, in their order. */
  get order(): readonly number[] {
    return this.named;
  }

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
    const known = this.named.indexOf(number);
    return known >= 0 ? known + 1 : this.named.push(number);
  }
}
