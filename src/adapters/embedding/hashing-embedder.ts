import { setImmediate as others } from 'node:timers/promises';
import { EmbeddingModel } from '../../ports/embedding-model.js';
import { featuresOf } from './text-features.js';

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
  return ofLengthOne(vector);
}

function ofLengthOne(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const norm = Math.sqrt(sum);
  // A text without a word is like all others without one.
  if (norm === 0) return vector.fill(1, 0, 1);
  return vector.map((value) => value / norm);
}
