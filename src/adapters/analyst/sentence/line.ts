import { joinedAt } from '../numbers.js';
import { keyOf, type Piece } from '../pieces.js';
import type { TableFacts } from '../table-facts.js';

const GRAMMAR = new Set<string>();

/** Every word of every phrase that sentences are read by; they are spelled rightly. */
export function grammarWords(): ReadonlySet<string> {
  return GRAMMAR;
}

/** Phrases by their first word, the longest first. */
export type PhraseSet = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Phrases are separated by `|`. */
export function phraseSet(list: string): PhraseSet {
  for (const word of list.split(/[| ]+/)) GRAMMAR.add(word);
  return loosePhrases(list);
}

/** Phrases whose words mean nothing by themselves: they may be verbs or nouns of any table. */
export function loosePhrases(list: string): PhraseSet {
  const phrases = new Map<string, string[][]>();
  for (const phrase of list.split('|')) {
    const words = phrase.trim().split(' ');
    const [first = ''] = words;
    phrases.set(first, [...(phrases.get(first) ?? []), words]);
  }
  for (const entries of phrases.values()) entries.sort((a, b) => b.length - a.length);
  return phrases;
}

/** A figure as it stands in a question. */
export interface NumberMention {
  readonly value: number;
  readonly unit: string | null;
  readonly text: string;
  readonly next: number;
}

/** The words of a question, to be looked at from any place. */
export class Line {
  private readonly known = new Map<unknown, Map<number, unknown>>();

  constructor(
    readonly tokens: readonly Piece[],
    readonly facts: TableFacts,
    readonly now: Date,
  ) {}

  /** What a pure reader finds at a place, worked out once: many rules look at the same words. */
  once<T>(reader: (line: Line, at: number) => T, at: number): T {
    const places = this.known.get(reader) ?? new Map<number, unknown>();
    this.known.set(reader, places);
    if (!places.has(at)) places.set(at, reader(this, at));
    return places.get(at) as T;
  }

  get end(): number {
    return this.tokens.length;
  }

  /** The word or number here; a comma is `,`, and what is no word is empty. */
  key(at: number): string {
    const piece = this.tokens[at];
    return piece?.kind === 'join' ? ',' : (keyOf(piece) ?? '');
  }

  is(at: number, ...words: readonly string[]): boolean {
    return words.includes(this.key(at));
  }

  isWord(at: number): boolean {
    return this.tokens[at]?.kind === 'word';
  }

  /** Words from here to there as they were written. */
  text(from: number, to: number): string {
    return this.tokens
      .slice(from, to)
      .map(({ text }) => text)
      .join(' ');
  }

  /** Words from here to there as they are known: small, without accents. */
  keys(from: number, to: number): string {
    return Array.from({ length: to - from }, (_, index) => this.key(from + index)).join(' ');
  }

  /** Whether one of the words stands from here on and before there. */
  has(from: number, to: number, ...words: readonly string[]): boolean {
    for (let at = from; at < to; at += 1) if (this.is(at, ...words)) return true;
    return false;
  }

  /** The place after the longest of the phrases that begins here. */
  phrase(at: number, phrases: PhraseSet): number | null {
    const found = phrases
      .get(this.key(at))
      ?.find((words) => words.every((word, index) => this.key(at + index) === word));
    return found === undefined ? null : at + found.length;
  }

  /** The place after any of these words that stand here in a row. */
  skip(at: number, words: ReadonlySet<string>): number {
    let place = at;
    while (words.has(this.key(place))) place += 1;
    return place;
  }

  number(at: number): NumberMention | null {
    const joined = joinedAt(this.tokens, at);
    if (joined === null)
      return ONE.has(this.key(at)) ? { value: 1, unit: null, text: this.key(at), next: at + 1 } : null;
    const { value, unit, text } = joined.piece;
    return { value, unit, text, next: at + joined.extra + 1 };
  }
}

const ONE = new Set(['one']);
