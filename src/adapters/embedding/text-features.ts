import { isFunctionWord, LANGUAGES } from '../../shared/words/languages.js';
import { isPair, stemOf, wordsOf } from '../../shared/words/words.js';

const WORD = 1;
const FUNCTION_WORD = 0.1;
const NEIGHBOURS = 0.5;
const PART = 0.25;
const PART_LENGTHS = [3, 4];

/** The features of a text as their hashes, and how much each counts; one that stands there often counts a little more. */
export function featuresOf(text: string): ReadonlyMap<number, number> {
  const counts = new Map<number, { count: number; readonly weight: number }>();
  const add = (feature: string, weight: number): void => {
    const hash = hashOf(feature);
    const known = counts.get(hash);
    if (known === undefined) counts.set(hash, { count: 1, weight });
    else known.count += 1;
  };
  let last = '';
  for (const word of wordsOf(text)) {
    if (isFunctionWord(word, LANGUAGES)) {
      add(word, FUNCTION_WORD);
      continue;
    }
    const stem = stemOf(word, 'english');
    add(stem, WORD);
    if (last !== '') add(`${last} ${stem}`, NEIGHBOURS);
    if (!isPair(stem)) addParts(stem, add);
    last = stem;
  }
  return new Map([...counts].map(([hash, { count, weight }]) => [hash, weight * (1 + Math.log(count))]));
}

function addParts(stem: string, add: (feature: string, weight: number) => void): void {
  const framed = `<${stem}>`;
  for (const length of PART_LENGTHS) {
    for (let from = 0; from + length <= framed.length; from += 1) add(framed.slice(from, from + length), PART);
  }
}

/** FNV-1a over UTF-16 units, with a finish that spreads the last of them over all bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
