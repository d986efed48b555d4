import { unknownFigures, type KnownFigures } from './figure-check.js';

/** Where a sentence or a line ends. */
const ENDS = /[.!?:;]["”’')*_\]]*\s|\n/g;
/** A sentence longer than this passes word by word as long as it has no figure. */
const LONG = 300;

/**
 * Lets a text pass as far as its figures are known: sentence by sentence, so that a reader sees it grow, and what is written anew does
 * not begin in the middle of one. From the first paragraph with a figure that nothing explains it keeps all that follows.
 */
export class FigureGate {
  /** The paragraph that is being written, or all that is kept. */
  private paragraph = '';
  private passed = 0;
  private isShut = false;

  constructor(private readonly known: KnownFigures) {}

  /** What may pass now. */
  push(text: string): string {
    this.paragraph += text;
    return this.isShut ? '' : this.wholeParagraphs() + this.wholeSentences();
  }

  /** Looks again at what is kept, since more is known now. */
  reopen(): string {
    this.isShut = false;
    return this.push('');
  }

  /** What is kept passes if all of its figures are known; there is no more to come. */
  end(): string {
    return this.unknown.length > 0 ? '' : this.open();
  }

  /** The figures that keep it shut. */
  get unknown(): readonly string[] {
    return unknownFigures(this.paragraph, this.known);
  }

  get kept(): string {
    return this.paragraph.slice(this.passed);
  }

  /** Everything passes, known or not. */
  open(): string {
    const { kept } = this;
    this.clear();
    return kept;
  }

  /** What was kept is gone. */
  clear(): void {
    this.paragraph = '';
    this.passed = 0;
    this.isShut = false;
  }

  private wholeParagraphs(): string {
    let passing = '';
    for (let end = this.paragraph.indexOf('\n\n'); end >= 0; end = this.paragraph.indexOf('\n\n')) {
      const whole = this.paragraph.slice(0, end + 2);
      this.isShut = unknownFigures(whole, this.known).length > 0;
      if (this.isShut) break;
      passing += whole.slice(this.passed);
      this.paragraph = this.paragraph.slice(whole.length);
      this.passed = 0;
    }
    return passing;
  }

  private wholeSentences(): string {
    if (this.isShut) return '';
    const end = this.certainEnd();
    if (end <= this.passed || unknownFigures(this.paragraph.slice(0, end), this.known).length > 0) return '';
    const passing = this.paragraph.slice(this.passed, end);
    this.passed = end;
    return passing;
  }

  private certainEnd(): number {
    const last = [...this.paragraph.matchAll(ENDS)].at(-1);
    const end = last === undefined ? 0 : last.index + last[0].length;
    const begun = this.paragraph.slice(Math.max(end, this.passed));
    return begun.length > LONG && !/\d/.test(begun) ? this.paragraph.length : end;
  }
}
