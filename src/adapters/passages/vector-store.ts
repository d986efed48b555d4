/** A mebibyte at 1,024 dimensions. Blocks spare the copying and the peak of one buffer that grows. */
const BLOCK = 256;
/** A vector this far from length 1 is none. */
const TOLERANCE = 0.01;

/** Vectors of one dimension, packed; each has a slot that is used again when it is let go. */
export class VectorStore {
  private readonly blocks: Float32Array[] = [];
  private readonly free: number[] = [];
  private used = 0;
  private dimension = 0;

  /** The slot of the vector; null when it isn't one of length 1, or not of the dimension of those that are here. */
  add(vector: Float32Array): number | null {
    if (this.used === this.free.length) this.clear(vector.length);
    if (!this.fits(vector)) return null;
    const slot = this.free.pop() ?? this.used++;
    const block = (this.blocks[Math.floor(slot / BLOCK)] ??= new Float32Array(BLOCK * this.dimension));
    block.set(vector, (slot % BLOCK) * this.dimension);
    return slot;
  }

  remove(slot: number): void {
    this.free.push(slot);
  }

  /** Whether vectors here can be compared with it. */
  fits(vector: Float32Array): boolean {
    return (
      vector.length === this.dimension && vector.length > 0 && Math.abs(product(vector, vector, 0) - 1) < TOLERANCE
    );
  }

  /** The cosine of the angle to a vector that fits. */
  cosine(slot: number, vector: Float32Array): number {
    const block = this.blocks[Math.floor(slot / BLOCK)];
    return block === undefined ? 0 : product(vector, block, (slot % BLOCK) * this.dimension);
  }

  private clear(dimension: number): void {
    this.blocks.length = 0;
    this.free.length = 0;
    this.used = 0;
    this.dimension = dimension;
  }
}

function product(vector: Float32Array, others: Float32Array, from: number): number {
  let sum = 0;
  for (let index = 0; index < vector.length; index += 1) sum += (vector[index] ?? 0) * (others[from + index] ?? 0);
  return sum;
}
