import { distance } from 'fastest-levenshtein';
import { FILLER_WORDS } from './fillers.js';
import { isRelated, likeness } from './sentence/column-words.js';
import { grammarWords } from './sentence/line.js';
import { PHRASE_WORDS } from './phrases.js';
import type { Piece } from './pieces.js';
import { SUPERLATIVE_WORDS } from './superlatives.js';
import { SYNONYM_WORDS, VALUE_ALIASES } from './synonyms.js';
import type { TableFacts } from './table-facts.js';
import { nounsBehind, stem } from './text.js';
import { VERB_HINTS } from './verbs.js';
import { TIME_WORDS } from './time-words.js';

const MIN_LENGTH = 5;
const LONG = 8;
const MIN_PART = 3;
/** A message of nothing but unknown words is not read letter by letter. */
const MAX_CORRECTIONS = 12;

/** Words that are right as they are, though a table has one that looks like them. */
const REAL_WORDS =
  'weather whether there where these those which while about after before percent percentage county forecast predict ' +
  'correlation median males sales house horse phone price prize place plane trial trail month mouth later letter water ' +
  'played plays player performed visited hosted started stayed worked called moved turned opened closed earned paid spent ' +
  'women woman staff spring summer winter autumn sunny cloudy early first third fourth fifth worth short shore chart share shape';

interface Vocabulary {
  /** Words of the columns' names, from which verbs may be made: `directed` of director. */
  readonly names: readonly string[];
  /** Stems of what the table and its rows are called, which may be two words in one. */
  readonly nouns: readonly string[];
  readonly stems: ReadonlySet<string>;
  /** By first letter: people seldom get that one wrong, and it keeps strangers apart. */
  readonly byLetter: ReadonlyMap<string, readonly string[]>;
}

const GRAMMAR_WORDS: readonly string[] = [
  ...PHRASE_WORDS,
  ...SUPERLATIVE_WORDS,
  ...TIME_WORDS,
  ...FILLER_WORDS,
  ...SYNONYM_WORDS,
  ...VALUE_ALIASES.keys(),
];
const FILLERS: ReadonlySet<string> = new Set(FILLER_WORDS);
const cache = new WeakMap<TableFacts, Vocabulary>();

export interface Spelled {
  readonly pieces: readonly Piece[];
  readonly notes: readonly string[];
}

/** Puts typing errors right: one letter from five letters on, two from eight, and only where one known word is meant. */
export function correctSpelling(pieces: readonly Piece[], facts: TableFacts): Spelled {
  const vocabulary = vocabularyOf(facts);
  const notes: string[] = [];
  let tried = 0;
  const corrected = pieces.map((piece, at) => {
    if (piece.kind !== 'word' || isKnown(piece.key, vocabulary) || tried >= MAX_CORRECTIONS) return piece;
    if (isVerb(pieces, at) && isStart(piece.key, vocabulary)) return piece;
    tried += 1;
    const meant = nearest(piece.key, vocabulary) ?? singular(piece.key, vocabulary);
    if (meant === null) return piece;
    notes.push(`I read “${piece.text}” as “${meant}”.`);
    return { ...piece, key: meant, guessed: true };
  });
  return { pieces: corrected, notes };
}

/** After `does` a verb follows, which is no mistyped noun: how many people does the shop employ. */
function isVerb(pieces: readonly Piece[], at: number): boolean {
  return pieces.slice(0, at).some((piece) => piece.kind === 'word' && /^(do|does|did|to)$/.test(piece.key));
}

/** Whether a known word goes on from this one. */
function isStart(key: string, { stems }: Vocabulary): boolean {
  return [...stems].some((word) => word.startsWith(key) && word.length - key.length <= 2);
}

function isKnown(key: string, { stems, nouns, names }: Vocabulary): boolean {
  if (key.length < MIN_LENGTH) return true;
  if (/(ed|ing)$/.test(key) && names.some((name) => isRelated(key, name))) return true;
  if (nouns.some((noun) => isPartOf(noun, stem(key)))) return true;
  if (names.some((name) => name.length > 3 && key.startsWith(name) && likeness(name, key) === 2)) return true;
  return stems.has(stem(key)) || VERB_HINTS.has(key) || nounsBehind(key).some((noun) => stems.has(noun));
}

/** One of two words that a name was made of; a letter more or less is an error. */
function isPartOf(noun: string, said: string): boolean {
  const isWhole = noun.length - said.length === 0 || noun.length - said.length >= MIN_PART;
  return isWhole && (noun.endsWith(said) || noun.startsWith(said));
}

function nearest(key: string, { byLetter, names, nouns }: Vocabulary): string | null {
  const allowed = key.length >= LONG ? 2 : 1;
  const near = (byLetter.get(key.charAt(0)) ?? [])
    .filter((word) => Math.abs(word.length - key.length) <= allowed)
    .map((word) => ({ word, away: isSwapped(key, word) ? 1 : distance(key, word) }))
    .filter(({ word, away }) => away <= allowed && !losesWord(key, word));
  const least = Math.min(...near.map(({ away }) => away));
  const [best, ...others] = near
    .filter(({ away }) => away === least)
    .map(({ word }) => word)
    .sort((a, b) => b.length - a.length);
  if (best === undefined) return null;
  if (others.every((other) => areForms(best, other))) return best;
  const [own, ...more] = [best, ...others].filter((word) => isOwn(word, names, nouns));
  return own === undefined || more.some((other) => !areForms(own, other)) ? null : own;
}

/** An appeal is no mistyped “appear”: only another form of a word that says nothing, or swapped letters, may become one. */
function losesWord(key: string, word: string): boolean {
  return FILLERS.has(word) && !isSwapped(key, word) && baseOf(key) !== baseOf(word);
}

function baseOf(verb: string): string {
  return verb.replace(/(?:ing|ed|es|s|e|d)$/u, '');
}

/** A word of the table's own goes before one of the language. */
function isOwn(word: string, names: readonly string[], nouns: readonly string[]): boolean {
  return names.some((name) => stem(name) === stem(word)) || nouns.includes(stem(word));
}

/** Two forms of one word, of which one may be its stem already. */
function areForms(one: string, other: string): boolean {
  return stem(one) === stem(other) || stem(one) === other;
}

/** A mistyped plural of a word that is known in the singular. */
function singular(key: string, vocabulary: Vocabulary): string | null {
  return key.endsWith('s') && key.length > MIN_LENGTH ? nearest(key.slice(0, -1), vocabulary) : null;
}

/** Two letters side by side that changed places are one mistake. */
function isSwapped(typed: string, word: string): boolean {
  if (typed.length !== word.length) return false;
  let at = 0;
  while (at < typed.length && typed.charAt(at) === word.charAt(at)) at += 1;
  return (
    at < typed.length &&
    typed.charAt(at) === word.charAt(at + 1) &&
    typed.charAt(at + 1) === word.charAt(at) &&
    typed.slice(at + 2) === word.slice(at + 2)
  );
}

function vocabularyOf(facts: TableFacts): Vocabulary {
  const known = cache.get(facts);
  if (known !== undefined) return known;
  const own = [...facts.columns.flatMap(({ words }) => words), ...facts.values.words];
  const nouns = [...facts.rowNouns, ...facts.nameStems];
  const targets = [...new Set([...own, ...nouns, ...GRAMMAR_WORDS])].filter((word) => word.length >= MIN_LENGTH - 1);
  const vocabulary = {
    names: [...new Set(facts.columns.flatMap(({ words }) => words))],
    nouns,
    stems: new Set([...[...own, ...grammarWords(), ...GRAMMAR_WORDS, ...REAL_WORDS.split(' ')].map(stem), ...nouns]),
    byLetter: grouped(targets),
  };
  cache.set(facts, vocabulary);
  return vocabulary;
}

function grouped(words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const word of words) {
    const letter = word.charAt(0);
    const group = groups.get(letter);
    if (group === undefined) groups.set(letter, [word]);
    else group.push(word);
  }
  return groups;
}
