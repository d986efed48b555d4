import { isFunctionWord, languageOf, type Language } from '../../shared/words/languages.js';
import { relatedTo } from './related-words.js';
import { isPair, stemOf, stemsOf, wordsOf } from '../../shared/words/words.js';
import type { AskedWord } from './word-index.js';

/** What is read of a question: its beginning and its end, where the question itself usually is. */
const MAX_HEAD = 3000;
const MAX_TAIL = 1000;
const MAX_WORDS = 32;
/** Of a question with more words none needs others of the same meaning. */
const MAX_RELATED = 12;
const MAX_RESPELLED = 20;
/** Pairs with these hold Chinese and Japanese sentences together. */
const FUNCTION_PAIR = /\p{Script=Hiragana}|[的了吗呢吧是在和么哪]|[什怎]/u;

/** They say nothing after "how": how long, how many. */
const AFTER_HOW = /\bhow (?:many|much|long|often|soon|quickly|fast|far|old|big|large|high|deep)\b/giu;

/**
 * The words of a question that say what it is about. Nobody can tell the language of three words, so each comes with its stems by the
 * rules of every language that is on the shelf.
 */
export function askedWords(question: string, languages: readonly Language[]): readonly AskedWord[] {
  const read = readPart(question);
  const words = [...new Set(wordsOf(read.replace(AFTER_HOW, ' ')))];
  const own = languageOf(wordsOf(read));
  const known = new Set([...languages, own]);
  const telling = words.filter((word) => !(isPair(word) ? FUNCTION_PAIR.test(word) : isFunctionWord(word, [own])));
  const asked = new Map<string, AskedWord>();
  for (const word of telling) {
    if (asked.size >= MAX_WORDS) break;
    const stems = stemsOf(word, known);
    const related = asked.size < MAX_RELATED ? relatedTo(stemOf(word, 'english')) : [];
    asked.set(stems.join(' '), { stems, related, respelled: () => respelled(word, known) });
  }
  return [...asked.values()];
}

/** The stems of what was meant if two neighbouring letters were typed in the wrong order. */
function respelled(word: string, languages: Iterable<Language>): readonly string[] {
  if (word.length > MAX_RESPELLED) return [];
  const others = Array.from({ length: Math.max(0, word.length - 1) }, (_, place) => {
    return word.slice(0, place) + word.charAt(place + 1) + word.charAt(place) + word.slice(place + 2);
  });
  return others.filter((other) => other !== word).flatMap((other) => stemsOf(other, languages));
}

function readPart(question: string): string {
  if (question.length <= MAX_HEAD + MAX_TAIL) return question;
  return `${question.slice(0, MAX_HEAD)} ${question.slice(-MAX_TAIL)}`;
}
