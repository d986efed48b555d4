import type { ModelDelta } from '../../ports/chat-model.js';

/** As many words that stand side by side in the rules are no coincidence. */
const MOST_WORDS = 10;
/** Text is held back from here on, until it is told whether it goes on like the rules. */
const HELD_FROM = 4;
const NO_PART_OF_A_WORD = /[^\p{L}\p{N}]+/gu;

/**
 * Keeps what a model was told as its rules out of what it writes, however it was talked into repeating them: word for word, in any
 * case and with any punctuation. It works on a stream; text that is not like the rules passes at once.
 */
export class PromptGuard {
  private readonly words: readonly string[];
  private readonly places = new Map<string, number[]>();
  /** Where in the rules the last words stand, and how many of them go on from each other. */
  private ends: readonly number[] = [];
  private run = 0;
  private word = '';
  private held = '';

  constructor(rules: string) {
    this.words = rules
      .split(/\s+/)
      .map(plain)
      .filter((word) => word !== '');
    for (const [place, word] of this.words.entries()) this.places.set(word, [...(this.places.get(word) ?? []), place]);
  }

  /** The deltas as they may go out. Their text can be empty. */
  *passed(deltas: Iterable<ModelDelta>): Generator<ModelDelta> {
    for (const delta of deltas) yield delta.kind === 'text' ? { ...delta, text: this.push(delta.text) } : delta;
  }

  /** What was held back, when nothing follows. */
  *rest(): Generator<ModelDelta> {
    const text = this.end();
    if (text !== '') yield { kind: 'text', text };
  }

  push(text: string): string {
    let told = '';
    for (const character of text) {
      if (/\s/.test(character)) told += this.endWord();
      else this.word += character;
      if (this.run >= HELD_FROM) this.hold(character);
      else told += character;
    }
    return told;
  }

  /** What was held back. Nothing follows. */
  end(): string {
    const told = this.endWord();
    const rest = this.run >= MOST_WORDS ? '…' : this.held;
    this.held = '';
    this.run = 0;
    return told + rest;
  }

  private hold(character: string): void {
    // What will not go out need not be kept.
    if (this.run < MOST_WORDS) this.held += character;
  }

  /** What goes out because a word has ended. */
  private endWord(): string {
    const raw = this.word;
    const word = plain(raw);
    this.word = '';
    if (word === '') return '';
    const next = this.ends.map((place) => place + 1).filter((place) => this.words[place] === word);
    if (next.length > 0) {
      this.ends = next;
      this.run += 1;
      return '';
    }
    const told = this.run >= MOST_WORDS ? `… ${raw}` : this.held;
    this.held = '';
    this.ends = this.places.get(word) ?? [];
    this.run = this.ends.length > 0 ? 1 : 0;
    return told;
  }
}

function plain(word: string): string {
  return word.toLowerCase().replace(NO_PART_OF_A_WORD, '');
}
