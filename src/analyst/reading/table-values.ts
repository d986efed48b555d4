import type { ColumnProfile } from '../../ports/table.js';
import { groupsOf, groupsOfWord, partsOfCompound, SMALL, VALUE_WORDS } from './lexicon.js';
import { add, core, fold, nameWords, stem } from './words.js';

/** A value of a column that words of a message may mean. */
export interface ValueMatch {
  readonly column: number;
  readonly value: string | boolean;
}

/** The values of a table's columns of text, by what people may call them. */
export interface Values {
  /** Whole values by their folded text and its stem. */
  readonly values: ReadonlyMap<string, readonly ValueMatch[]>;
  /** Whole values by the cores of their words. */
  readonly valueCores: ReadonlyMap<string, readonly ValueMatch[]>;
  /** Values of several words by each of them. */
  readonly valueParts: ReadonlyMap<string, readonly ValueMatch[]>;
  /** Values by the group of words that they are codes for. */
  readonly valueGroups: ReadonlyMap<number, readonly ValueMatch[]>;
  /** The same of one word of a value of several. */
  readonly valuePartGroups: ReadonlyMap<number, readonly ValueMatch[]>;
  /** Values of two words, or a compound of two, by the groups of both. */
  readonly valuePairs: ReadonlyMap<string, readonly ValueMatch[]>;
  /** Values of a word and a number, as PUMP-01 and L1, by the word's stem, a group of it or its one letter, and the number. */
  readonly valueNumbers: ReadonlyMap<string, readonly ValueMatch[]>;
}

/** Finds the values of the columns. */
export function valuesOf(columns: readonly { readonly index: number; readonly profile: ColumnProfile }[]): Values {
  const found = new ValueIndex();
  for (const { index, profile } of columns) {
    if (profile.type !== 'text') continue;
    for (const { value } of profile.topValues) {
      const text = fold(value).trim();
      if (text !== '') found.note({ column: index, value }, text, profile);
    }
  }
  return found;
}

class ValueIndex implements Values {
  readonly values = new Map<string, ValueMatch[]>();
  readonly valueCores = new Map<string, ValueMatch[]>();
  readonly valueParts = new Map<string, ValueMatch[]>();
  readonly valueGroups = new Map<number, ValueMatch[]>();
  readonly valuePartGroups = new Map<number, ValueMatch[]>();
  readonly valuePairs = new Map<string, ValueMatch[]>();
  readonly valueNumbers = new Map<string, ValueMatch[]>();

  note(match: ValueMatch, text: string, { distinct }: ColumnProfile): void {
    const words = nameWords(String(match.value));
    const wholes = new Set([text, stem(text), text.replace(/[^\p{L}\d]+/gu, ' ').trim()]);
    for (const whole of wholes) add(this.values, whole, match);
    for (const part of partsOf(words)) add(this.valueParts, part, match);
    if (distinct <= MOST_CODES && words.length < MOST_WORDS) add(this.valueCores, coreOf(words), match);
    const [, word = '', number] = NUMBERED.exec(text) ?? [];
    if (word.length === 1) add(this.valueNumbers, `${word}|${Number(number)}`, match);
    else if (word !== '') for (const key of numberedKeys(word, Number(number))) add(this.valueNumbers, key, match);
    // Columns of many values hold names, not codes.
    if (distinct <= MOST_CODES && words.length < MOST_WORDS) this.noteGroups(match, text, words);
  }

  private noteGroups(match: ValueMatch, text: string, words: readonly string[]): void {
    for (const group of groupsOfAll([text, words.join('')])) add(this.valueGroups, group, match);
    // The M of M. Yilmaz is no code.
    const parts = words.length > 1 ? words.filter((word) => word.length > 1) : [];
    for (const group of groupsOfAll(parts)) add(this.valuePartGroups, group, match);
    const pair = words.length === 1 ? partsOfCompound(words[0] ?? '') : words;
    for (const groups of pairsOf(pair)) add(this.valuePairs, groups, match);
  }
}

/** The cores of words as one text. */
export function coreOf(words: readonly string[]): string {
  return words.map(core).join(' ');
}

const MOST_CODES = 80;
const MOST_WORDS = 5;

/** `PUMP-01`, `Pumpe 2`, `L1`. */
const NUMBERED = /^(\p{L}+)[^\p{L}\d]*(\d{1,4})$/u;

/** What a word and a number are found by. */
export function numberedKeys(word: string, number: number): readonly string[] {
  return [`${stem(word)}|${number}`, ...groupsOf(VALUE_WORDS, word).map((group) => `${group}|${number}`)];
}

/** The groups of all of these words. */
export function groupsOfAll(words: readonly string[]): ReadonlySet<number> {
  return new Set(words.flatMap((word) => groupsOf(VALUE_WORDS, word)));
}

/** What two words mean together: the groups of the first with those of the second. */
export function pairsOf(words: readonly string[]): readonly string[] {
  const [first, second, third] = words;
  if (first === undefined || second === undefined || third !== undefined) return [];
  const seconds = groupsOfWord(second);
  return groupsOfWord(first).flatMap((one) => seconds.map((other) => `${one}|${other}`));
}

/** The words by which a value of several words may be called. */
function partsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.length > 1 ? words.filter((word) => word.length > 2 && !SMALL.has(word)) : []);
}
