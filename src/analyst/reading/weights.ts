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

/** How many sums the layer has. */
export const SUMS = 16;

/** What features mean together: sums of them, each of which counts only where it is above 0 (`layer.ts`). */
export interface Layer {
  /** For each feature the number of its row; 0: it has none. */
  readonly index: Int32Array;
  /** A number for each sum, row after row. The row 0 is empty. */
  readonly rows: Float32Array;
  /** Where each sum starts. */
  readonly start: Float32Array;
  /** What each sum is worth in the score. */
  readonly worth: Float32Array;
}

/** What was learned: a weight for each feature, what they mean together, and trees that say how sure a reading is (`confidence.ts`). */
export interface Weights {
  readonly ranking: Float32Array;
  readonly layer: Layer;
  readonly confidence: Float32Array;
}

/** Below this a weight is as good as none. */
export const LEAST = 0.02;

/** The weights in bytes that `bench/reader/packed-weights.ts` has packed, which tells their order. */
export function unpackWeights(bytes: Uint8Array): Weights {
  const reading = new PackedReader(bytes);
  const ranking = new Float32Array(WEIGHT_COUNT);
  const weights = reading.list(1);
  for (const [at, place] of weights.places.entries()) ranking[place] = weights.numbers[at] ?? 0;
  const index = new Int32Array(WEIGHT_COUNT);
  const inLayer = reading.list(SUMS);
  for (const [at, place] of inLayer.places.entries()) index[place] = at + 1;
  const rows = new Float32Array(SUMS + inLayer.numbers.length);
  rows.set(inLayer.numbers, SUMS);
  const layer = { index, rows, start: reading.floats(SUMS), worth: reading.floats(SUMS) };
  return { ranking, layer, confidence: reading.floats() };
}

class PackedReader {
  private readonly view: DataView;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** A list that was packed with so many numbers a place, one place after the other. */
  list(width: number): { readonly places: Int32Array; readonly numbers: Float32Array } {
    const [count, largest] = [this.view.getUint32(this.at, true), this.view.getFloat32(this.at + 4, true)];
    this.at += 8;
    const [places, numbers] = [new Int32Array(count), new Float32Array(count * width)];
    for (let index = 0, place = 0; index < count; index++) {
      places[index] = place += this.distance();
      for (let at = index * width; at < (index + 1) * width; at++)
        numbers[at] = (this.view.getInt8(this.at++) / 127) * largest;
    }
    return { places, numbers };
  }

  private distance(): number {
    let byte = this.view.getUint8(this.at++);
    let distance = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = this.view.getUint8(this.at++);
      distance |= (byte & 127) << shift;
    }
    return distance;
  }

  /** So many numbers of 4 bytes, or all that are left. */
  floats(count = (this.view.byteLength - this.at) / 4): Float32Array {
    return new Float32Array(count).map(() => this.view.getFloat32((this.at += 4) - 4, true));
  }
}

let loaded: Weights | null = null;

/** The weights that come with the service; `npm run train:analyst` makes them. */
export function ownWeights(): Weights {
  loaded ??= unpackWeights(readFileSync(new URL('./weights.bin', import.meta.url)));
  return loaded;
}
