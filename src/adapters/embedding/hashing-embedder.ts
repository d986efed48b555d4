import { setImmediate as others } from 'node:timers/promises';
import { EmbeddingModel, ofLengthOne } from '../../ports/embedding-model.js';
import { isFunctionWord, LANGUAGES } from '../../shared/words/languages.js';
import { hashOf, isPair, stemOf, wordsOf } from '../../shared/words/words.js';

const DIMENSIONS = 1024;
/** What is read of one text; a passage is far shorter. */
const MAX_TEXT = 20_000;
/** Milliseconds after which others get their turn. */
const TURN_MS = 10;

/**
 * Puts the words, pairs of words and parts of words of a text into the buckets of a vector. It knows spellings and not meanings, so it
 * only helps a ranking by words. The vectors depend on the text alone, and stay the same until the name changes.
 */
export class HashingEmbedder extends EmbeddingModel {
  override readonly name = 'local-hashing-1024-v1';
  /** It tells between passages that words rank nearly alike; measured, more of it does more harm than good. */
  override readonly weight = 0.1;

  override async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    signal.throwIfAborted();
    const vectors: Float32Array[] = [];
    let begin = performance.now();
    for (const text of texts) {
      if (performance.now() - begin >= TURN_MS) {
        await others();
        signal.throwIfAborted();
        begin = performance.now();
      }
      vectors.push(vectorOf(text.slice(0, MAX_TEXT)));
    }
    return vectors;
  }
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const [hash, weight] of featuresOf(text)) {
    const bucket = hash % DIMENSIONS;
    // The sign lets features that share a bucket cancel out rather than add up.
    vector[bucket] = (vector[bucket] ?? 0) + (hash >>> 31 === 0 ? weight : -weight);
  }
  // A text without a word is like all others without one.
  return ofLengthOne(vector) ?? vector.fill(1, 0, 1);
}

const WORD = 1;
const FUNCTION_WORD = 0.1;
const NEIGHBOURS = 0.5;
const PART = 0.25;
const PART_LENGTHS = [3, 4];

/** The features of a text as their hashes, and how much each counts; one that stands there often counts a little more. */
function featuresOf(text: string): ReadonlyMap<number, number> {
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
