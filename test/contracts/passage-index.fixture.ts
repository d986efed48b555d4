import type { IndexedPassage, PassageQuery } from '../../src/ports/passage-index.js';

let count = 0;

export function aPassage(text: string, parts: Partial<IndexedPassage> = {}): IndexedPassage {
  count += 1;
  return { id: `passage${count}`, group: 'file', heading: null, vector: null, text, ...parts };
}

export function aQuery(text: string, parts: Partial<PassageQuery> = {}): PassageQuery {
  return { text, vector: null, vectorWeight: 1, limit: 6, ...parts };
}

/** A vector of length 1 in three dimensions. */
export function direction(x: number, y: number, z = 0): Float32Array {
  const norm = Math.sqrt(x * x + y * y + z * z);
  return Float32Array.of(x / norm, y / norm, z / norm);
}

/** Passages that have nothing to do with pumps, no two alike. */
export function aside(number: number): readonly IndexedPassage[] {
  return Array.from({ length: number }, (_, index) => {
    const words = Array.from({ length: 12 }, (_word, place) => `w${(index * 7 + place * 13) % 997}x`);
    return aPassage(`Remark ${index}: ${words.join(' ')}`, { vector: direction(0, Math.sin(index), 1) });
  });
}
