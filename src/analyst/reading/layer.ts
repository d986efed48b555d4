import type { Candidate } from './candidates.js';
import { WEIGHED } from './confidence.js';
import type { Features } from './question.js';
import { type Layer, SUMS } from './weights.js';
import { keptIn } from './words.js';

/** What features say to each of the sums, added up. */
function sumOf(features: Features, { index, rows }: Layer): Float64Array {
  const sums = new Float64Array(SUMS);
  for (const feature of features) {
    const row = (index[feature] ?? 0) * SUMS;
    if (row === 0) continue;
    for (let place = 0; place < SUMS; place++) sums[place] = (sums[place] ?? 0) + (rows[row + place] ?? 0);
  }
  return sums;
}

/** What the sums of a reading are worth: those above 0 count. */
export function worthOf(sums: Float64Array, worth: Float32Array): number {
  let total = 0;
  for (let place = 0; place < SUMS; place++) total += (worth[place] ?? 0) * Math.max(0, sums[place] ?? 0);
  return total;
}

/** The likeliest readings, weighed by what their features mean together, best first. */
export function weighedTogether(candidates: readonly Candidate[], layer: Layer): readonly Candidate[] {
  const known = new Map<Features, Float64Array>();
  return candidates
    .slice(0, WEIGHED)
    .map((candidate) => {
      const sums = new Float64Array(layer.start);
      for (const list of candidate.features) {
        const added = keptIn(known, list, () => sumOf(list, layer));
        for (let place = 0; place < SUMS; place++) sums[place] = (sums[place] ?? 0) + (added[place] ?? 0);
      }
      return { ...candidate, score: candidate.score + worthOf(sums, layer.worth) };
    })
    .sort((a, b) => b.score - a.score);
}
