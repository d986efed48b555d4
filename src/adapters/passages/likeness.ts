const BINS = 32;
/** Share of common samples from which texts say the same in nearly the same words. */
const NEARLY = 0.9;

/** A small trace of a passage's words by which near copies are known. */
export interface Likeness {
  /** One sample a bin; 0: none. */
  readonly samples: string;
}

/** The least hash of the words in each of 32 bins: what two texts have in common of them estimates what they have in common. */
export function likenessOf(words: readonly string[]): Likeness {
  const least = new Uint32Array(BINS).fill(0xffffffff);
  for (const word of words) {
    const hash = hashOf(word);
    const bin = hash % BINS;
    least[bin] = Math.min(least[bin] ?? 0, hash);
  }
  const samples = String.fromCharCode(...least.map((hash) => (hash === 0xffffffff ? 0 : 1 + (hash >>> 17))));
  return { samples };
}

/** Whether two passages are copies, or so near that a reader of one learns little from the other. */
export function areAlike(a: Likeness, b: Likeness): boolean {
  let filled = 0;
  let common = 0;
  for (let bin = 0; bin < BINS; bin += 1) {
    const sample = a.samples.charCodeAt(bin);
    const other = b.samples.charCodeAt(bin);
    if (sample === 0 && other === 0) continue;
    filled += 1;
    if (sample === other) common += 1;
  }
  return common >= filled * NEARLY;
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
