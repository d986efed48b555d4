import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { READING, sourceSum } from '../../bench/reader/corpus.js';
import { packWeights } from '../../bench/reader/packed-weights.js';
import { aScene, numberColumn, textColumn, timeColumn } from '../../src/analyst/profiles.fixture.js';
import { TREE_SIZE } from '../../src/analyst/reading/confidence.js';
import { Reader } from '../../src/analyst/reading/reader.js';
import { type Layer, ownWeights, SUMS, unpackWeights, WEIGHT_COUNT } from '../../src/analyst/reading/weights.js';

/** A layer in which the features at the given places have the given number for all sums. */
function aLayer(given: Readonly<Record<number, number>> = {}): Layer {
  const places = Object.keys(given).map(Number);
  const index = new Int32Array(WEIGHT_COUNT);
  for (const [at, place] of places.entries()) index[place] = at + 1;
  const rows = Float32Array.from([0, ...Object.values(given)].flatMap((number) => Array<number>(SUMS).fill(number)));
  return { index, rows, start: new Float32Array(SUMS).fill(0.25), worth: new Float32Array(SUMS).fill(-1.5) };
}

describe('the weights that come with the service', () => {
  it('were learned from the questions, tables and words that are here', async () => {
    const sum = await readFile(new URL('weights.sum', READING), 'utf8').catch(() => 'none');
    expect(sum.trim(), 'the weights are stale: run `npm run train:analyst`').toBe(await sourceSum());
  });

  it('can be read', () => {
    const { ranking, layer, confidence } = ownWeights();
    expect(ranking).toHaveLength(WEIGHT_COUNT);
    expect(ranking.some((weight) => weight !== 0)).toBe(true);
    expect(ranking.every(Number.isFinite)).toBe(true);
    expect(layer.rows.some((number) => number !== 0)).toBe(true);
    expect([...layer.rows, ...layer.start, ...layer.worth].every(Number.isFinite)).toBe(true);
    expect(confidence.length).toBeGreaterThan(0);
    expect(confidence.length % TREE_SIZE, 'the trees are not whole: run `npm run train:analyst`').toBe(0);
    expect(confidence.every(Number.isFinite)).toBe(true);
  });
});

describe('packed weights', () => {
  it('come out as they went in, to a 127th of the largest', () => {
    const ranking = new Float32Array(WEIGHT_COUNT);
    const given = [0, 1, 127, 128, 129, 20_000, 300_000, WEIGHT_COUNT - 1];
    for (const [index, place] of given.entries()) ranking[place] = (index % 2 === 0 ? 1 : -1) * (0.5 + index / 4);
    const confidence = Float32Array.of(1.5, -0.25, 1e-3);

    const found = unpackWeights(packWeights({ ranking, layer: aLayer({ 5: 1, 300: -0.5, 301: 0.01 }), confidence }));

    const largest = 0.5 + (given.length - 1) / 4;
    for (const [place, weight] of found.ranking.entries()) {
      if (Math.abs(weight - (ranking[place] ?? 0)) > largest / 254 + 1e-6)
        expect.fail(`the weight at ${place} is ${weight}`);
    }
    const rowOf = (place: number): number => found.layer.rows[(found.layer.index[place] ?? 0) * SUMS + 3] ?? NaN;
    expect([5, 300, 301, 302].map(rowOf)).toEqual([1, expect.closeTo(-0.5, 2), 0, 0]);
    expect([...found.layer.start, ...found.layer.worth]).toEqual([...aLayer().start, ...aLayer().worth]);
    expect([...found.confidence]).toEqual([...confidence]);
  });
});

it('a table of 200 columns and 10,000 texts is read', () => {
  const numbers = Array.from({ length: 189 }, (_, index) =>
    numberColumn(`reading ${index}`, { min: 0, max: 100 + index, mean: 41.5 }),
  );
  const texts = Array.from({ length: 10 }, (_, column) => {
    const values = Array.from({ length: 1000 }, (_text, index) => `plant ${column} hall ${index}`);
    return textColumn(`site ${column}`, values);
  });
  const time = timeColumn('time', '2023-01-01T00:00:00.000Z', '2024-06-30T00:00:00.000Z', 9000);
  const { table, now } = aScene({
    ...{ name: 'Plants', rowCount: 500_000, timeField: 'time', metaField: 'site 0', now: '2024-07-01T12:00:00.000Z' },
    columns: [time, ...texts, ...numbers],
  });
  for (const question of ['average reading 17 per site 3', 'max of reading 5 for plant 4 hall 77 in march 2024']) {
    const [reading] = new Reader(table, now, ownWeights()).read(question, null);
    expect(reading?.plans.length).toBeGreaterThan(0);
    expect(reading?.confidence).toBeGreaterThan(0);
  }
});
