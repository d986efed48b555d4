import snowball from 'snowball-stemmers';
import type { Language } from './languages.js';

/** Longer words are cut: nobody types them, and near spellings of them would cost too much to find. */
const MAX_WORD = 40;
/** Scripts that are written without spaces between words; Korean has spaces, but its words carry endings. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々`;
const RUN = new RegExp(String.raw`[${UNSPACED}]+|[\p{L}\p{N}\p{M}]+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
const ASCII_WORD = /^[a-z0-9]+$/;

/**
 * The words of a text in lower case, in their order and as often as they stand there. Runs of a script without spaces come as pairs of
 * neighbouring characters.
 */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const [run] of text.normalize('NFKC').toLowerCase().matchAll(RUN)) {
    if (ASCII_WORD.test(run) || !IS_UNSPACED.test(run)) words.push(run.slice(0, MAX_WORD));
    else pushPairs(run, words);
  }
  return words;
}

function pushPairs(run: string, words: string[]): void {
  const characters = Array.from(run);
  if (characters.length === 1) words.push(run);
  for (let index = 1; index < characters.length; index += 1)
    words.push(characters.slice(index - 1, index + 1).join(''));
}

/** Whether the word is a pair of characters of a script without spaces. */
export function isPair(word: string): boolean {
  return IS_UNSPACED.test(word);
}

type Stem = (word: string) => string;

const STEMS = new Map<Language, Stem>();
/** How many words a language's memory of stems holds before it begins anew. */
const REMEMBERED = 20_000;
const NOT_STEMMED = /\p{N}/u;

/** The word without its ending and accents, by the rules of that language; codes and numbers stay as they are. */
export function stemOf(word: string, language: Language): string {
  const stem = STEMS.get(language) ?? newStem(language);
  STEMS.set(language, stem);
  return stem(word);
}

function newStem(language: Language): Stem {
  const stemmer = snowball.newStemmer(language);
  const known = new Map<string, string>();
  return (word) => {
    const found = known.get(word);
    if (found !== undefined) return found;
    if (known.size >= REMEMBERED) known.clear();
    const stem = NOT_STEMMED.test(word) || isPair(word) ? word : withoutAccents(stemmer.stem(word));
    known.set(word, stem);
    return stem;
  };
}

function withoutAccents(word: string): string {
  if (ASCII_WORD.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .normalize('NFC');
}

/** All stems that the word can have been given in passages of these languages; English is always among them. */
export function stemsOf(word: string, languages: Iterable<Language>): readonly string[] {
  const stems = new Set<string>();
  for (const language of languages) stems.add(stemOf(word, language));
  if (stems.size === 0) stems.add(stemOf(word, 'english'));
  return [...stems];
}
