/** Turns texts into vectors: an endpoint's model, or the local embedder. */
export abstract class EmbeddingModel {
  /** Recorded with every vector; vectors of different names are never compared. */
  abstract readonly name: string;
  /** How much a ranking by these vectors counts beside a ranking by words, which counts 1. Below 1 they know spellings, not meanings. */
  abstract readonly weight: number;
  /**
   * One vector of length 1 for each text, in their order and all of the same dimension; also for a text without words. Long texts are
   * read by their beginning. Aborting the signal ends the work and throws its reason.
   *
   * @throws AppError `unavailable` when the endpoint is away, refuses, or returns what is no vector.
   */
  abstract embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

/** The vector brought to length 1; null when it is none, or has no length. */
export function ofLengthOne(vector: Float32Array): Float32Array | null {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const norm = Math.sqrt(sum);
  return Number.isFinite(norm) && norm > 0 ? vector.map((value) => value / norm) : null;
}
