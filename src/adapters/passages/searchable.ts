import { isFunctionWord, languageOf, type Language } from '../../shared/words/languages.js';
import { stemOf, wordsOf } from '../../shared/words/words.js';

export interface Searchable {
  readonly language: Language;
  /** Stems, without function words. */
  readonly heading: readonly string[];
  readonly text: readonly string[];
}

/** The stems by which a passage is found, by the rules of the language that it seems to be in. */
export function searchableOf(heading: string, text: string): Searchable {
  const words = wordsOf(text);
  const language = languageOf(words);
  const stems = (all: readonly string[]): readonly string[] =>
    all.filter((word) => !isFunctionWord(word, [language])).map((word) => stemOf(word, language));
  return { language, heading: stems(wordsOf(heading)), text: stems(words) };
}
