import { readFileSync } from 'node:fs';

const BITS = 20;
/** How many places there are for weights. */
export const WEIGHT_COUNT = 1 << BITS;

/** The place of a feature's weight: a hash of its name. */
export function feature(name: string): number {
  let hash = 2166136261;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 16777619);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 2246822519);
  return (hash ^ (hash >>> 13)) & (WEIGHT_COUNT - 1);
}

/** What was learned: a weight for each feature, and trees that say how sure a reading is (`confidence.ts`). */
export interface Weights {
  readonly ranking: Float32Array;
  readonly confidence: Float32Array;
}

/** Below this a weight is as good as none. */
export const LEAST = 0.02;

/**
 * Packs weights into bytes: how many there are and the largest (4 bytes each), for each the distance to the place before it (7 bits a
 * byte, the last without the high bit) and its size in 8 bits; then those of the confidence as numbers of 4 bytes.
 */
export function packWeights({ ranking, confidence }: Weights): Uint8Array {
  const places = [...ranking.keys()].filter((place) => Math.abs(ranking[place] ?? 0) >= LEAST);
  const largest = places.reduce((size, place) => Math.max(size, Math.abs(ranking[place] ?? 0)), 0);
  const bytes: number[] = [];
  let last = 0;
  for (const place of places) {
    let distance = place - last;
    last = place;
    for (; distance > 127; distance >>>= 7) bytes.push((distance & 127) | 128);
    bytes.push(distance, Math.round(((ranking[place] ?? 0) / largest) * 127) & 255);
  }
  const head = new DataView(new ArrayBuffer(8));
  head.setUint32(0, places.length, true);
  head.setFloat32(4, largest, true);
  const tail = new Uint8Array(Float32Array.from(confidence).buffer);
  return Uint8Array.from([...new Uint8Array(head.buffer), ...bytes, ...tail]);
}

export function unpackWeights(bytes: Uint8Array): Weights {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [count, largest] = [view.getUint32(0, true), view.getFloat32(4, true)];
  const ranking = new Float32Array(WEIGHT_COUNT);
  let at = 8;
  let place = 0;
  for (let index = 0; index < count; index++) {
    let shift = 0;
    let byte = view.getUint8(at++);
    let distance = byte & 127;
    for (; byte > 127; distance |= (byte & 127) << shift) {
      shift += 7;
      byte = view.getUint8(at++);
    }
    place += distance;
    ranking[place] = (view.getInt8(at++) / 127) * largest;
  }
  const confidence = new Float32Array((bytes.byteLength - at) / 4).map((_, index) =>
    view.getFloat32(at + 4 * index, true),
  );
  return { ranking, confidence };
}

let loaded: Weights | null = null;

/** The weights that come with the service; `npm run train:analyst` makes them. */
export function ownWeights(): Weights {
  loaded ??= unpackWeights(readFileSync(new URL('./weights.bin', import.meta.url)));
  return loaded;
}
