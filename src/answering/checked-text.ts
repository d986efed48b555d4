import type { Briefing } from '../ports/chat-model.js';
import type { QueryResult } from '../ports/table.js';
import { firstFew } from '../shared/number-words.js';
import { MAX_ANSWER, type AnswerText } from './answer-text.js';
import { KnownFigures, unknownFigures } from './figure-check.js';

const MAX_NAMED = 10;
const MAX_SHOWN_END = 200;

/**
 * The words of an answer with their figures checked while they are written: what goes out is known, the rest waits for the end. Then it
 * is written anew once, and marked if that did not help. Words of a writer who states nothing but figures are not checked.
 */
export class CheckedText {
  private readonly known: KnownFigures;
  private readonly gate: FigureGate;
  private takenBack: string | null = null;
  /** Figures that stand in the answer and in nothing that it rests on. */
  unverified: readonly string[] = [];

  /** `isChecked` is asked again with every piece: another may write the rest. */
  constructor(
    private readonly answer: AnswerText,
    briefing: Briefing,
    private readonly isChecked: () => boolean,
  ) {
    this.known = knownFrom(briefing);
    this.gate = new FigureGate(this.known);
  }

  get full(): boolean {
    return this.answer.full || this.answer.response.length + this.gate.kept.length > MAX_ANSWER;
  }

  get response(): string {
    return this.answer.response;
  }

  get cited(): readonly number[] {
    return this.answer.cited;
  }

  /** There are words after the first so many characters, though they may not be out yet. */
  hasWords(after = 0): boolean {
    return this.answer.response.length > after || this.gate.kept.trim() !== '';
  }

  write(text: string): string {
    if (this.isChecked()) return this.answer.write(this.gate.push(text));
    this.gate.clear();
    return this.answer.write(text);
  }

  /** Its figures may be named from now on; returns what may go out for that. */
  learn(result: QueryResult): string {
    this.known.addResult(result);
    return this.gate.kept === '' ? '' : this.answer.write(this.gate.reopen());
  }

  /** The text of a round is whole; what is kept stays so. */
  endPart(): string {
    const passing = this.answer.write(this.gate.end());
    if (this.gate.kept !== '') this.gate.push('\n\n');
    return passing + this.answer.endPart();
  }

  /** Whether words are kept back that may still be written anew. */
  get wantsRepair(): boolean {
    return this.takenBack === null && this.gate.unknown.length > 0;
  }

  /** Takes back what is kept, and says what whoever wrote it is to do. */
  takeBack(): string {
    const figures = this.gate.unknown;
    this.takenBack = this.gate.open();
    return repairWords(figures, this.answer.response);
  }

  /** The end: what is still kept goes out, and what could not be verified is named. `isRepaired`: other words came for what was taken back. */
  settle(isRepaired: boolean): string {
    if (!isRepaired && this.takenBack !== null) this.gate.push(this.takenBack);
    this.unverified = this.gate.unknown;
    const passing = this.answer.write(this.gate.open().trimEnd()) + this.answer.endPart();
    if (this.unverified.length === 0 || this.full) return passing;
    return passing + this.answer.write(markOf(this.unverified)) + this.answer.endPart();
  }
}

/** What may be named without a query. */
function knownFrom(briefing: Briefing): KnownFigures {
  const { question, history, table, others = [], passages, now, instructions = '' } = briefing;
  const known = new KnownFigures();
  known.addText(question);
  known.addText(instructions);
  for (const turn of history) known.addText(`${turn.question}\n\n${turn.answer}`);
  for (const { quote } of passages) known.addText(quote);
  for (const { name, context, semantics, profile } of table === null ? [] : [table, ...others]) {
    known.addProfile(profile);
    known.addText(`${name}\n\n${context}\n\n${JSON.stringify(semantics ?? '')}`);
  }
  known.add(now.getUTCFullYear());
  return known;
}

function repairWords(figures: readonly string[], shown: string): string {
  const begin =
    shown === ''
      ? 'Nothing of your answer has been shown yet: write it again, whole.'
      : `The answer up to “…${shown.slice(-MAX_SHOWN_END)}” has been shown and stays: write only what follows it.`;
  return `These figures of your text stand in no result and no passage, and do not follow from them: ${firstFew(figures, MAX_NAMED)}. Find them out with a tool if you can, else leave them out. ${begin} Don't mention this remark.`;
}

function markOf(figures: readonly string[]): string {
  return `_These figures could not be verified: ${firstFew(figures, MAX_NAMED)}._`;
}

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

  /** The figures that keep it shut, and words back. */
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
