import { describe, expect, it } from 'vitest';
import type { Candidate } from './candidates.js';
import { WEIGHED } from './confidence.js';
import { weighedTogether } from './layer.js';
import { type Layer, SUMS, WEIGHT_COUNT } from './weights.js';

/** A layer in which the first sum gets what is given for each feature, starts at -1, and is worth 10. */
function aLayer(given: Readonly<Record<number, number>>): Layer {
  const places = Object.keys(given).map(Number);
  const [index, start, worth] = [new Int32Array(WEIGHT_COUNT), new Float32Array(SUMS), new Float32Array(SUMS)];
  const rows = new Float32Array((places.length + 1) * SUMS);
  for (const [at, place] of places.entries()) {
    index[place] = at + 1;
    rows[(at + 1) * SUMS] = given[place] ?? 0;
  }
  start[0] = -1;
  worth[0] = 10;
  return { index, rows, start, worth };
}

function aCandidate(asked: string, score: number, features: readonly number[]): Candidate {
  return { asked, score, features: [features, []] } as unknown as Candidate;
}

describe('the layer', () => {
  it('adds what features are worth together and nothing of each alone', () => {
    const candidates = [
      aCandidate('one', 5, [7]),
      aCandidate('other', 4, [8, 99]),
      aCandidate('both', 1, [7, 8]),
      aCandidate('none', 0, [99]),
    ];

    const found = weighedTogether(candidates, aLayer({ 7: 0.9, 8: 0.9 }));

    expect(found.map(({ asked, score }) => [asked, Math.round(score)])).toEqual([
      ['both', 9],
      ['one', 5],
      ['other', 4],
      ['none', 0],
    ]);
  });

  it('weighs the likeliest alone', () => {
    const candidates = Array.from({ length: WEIGHED + 5 }, (_, index) => aCandidate(String(index), -index, []));
    expect(weighedTogether(candidates, aLayer({}))).toHaveLength(WEIGHED);
  });
});
