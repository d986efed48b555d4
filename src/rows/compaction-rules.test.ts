import { describe, expect, it } from 'vitest';
import { compactionFor, type RowCounts } from './duckdb-row-engine.js';

const AFTER = 50_000;
const counts = (changes: Partial<RowCounts>): RowCounts => ({
  ...{ base: 0, later: 0, expired: 0, batches: 0, unfiled: 0, letters: 0 },
  ...changes,
});

describe('a new base is made', () => {
  it.each([
    [0, 49_999, null],
    [0, 50_000, 'base'],
    [10_000_000, 499_999, null],
    [10_000_000, 500_000, 'base'],
    [60_000_000, 999_999, null],
    [60_000_000, 1_000_000, 'base'],
  ])('beside %i rows when the later ones are %i: %s', (base, later, wanted) => {
    expect(compactionFor(counts({ base, later }), AFTER)).toBe(wanted);
  });

  it('never before the number that was set, however large', () => {
    expect(compactionFor(counts({ later: 1_500_000 }), 2_000_000)).toBeNull();
    expect(compactionFor(counts({ later: 2_000_000 }), 2_000_000)).toBe('base');
  });

  it.each([
    [90, 10, 10, null],
    [90, 10, 11, 'base'],
    [50_000_000, 0, 999_999, null],
    [50_000_000, 0, 1_000_000, 'base'],
    [0, 1, 1, 'base'],
    [0, 0, 0, null],
  ])('of %i and %i later rows when %i have expired: %s', (base, later, expired, wanted) => {
    expect(compactionFor(counts({ base, later, expired }), AFTER)).toBe(wanted);
  });
});

describe('batches are put into a file', () => {
  it.each([
    [{ batches: 199, unfiled: 49_999, letters: 7_999_999 }, null],
    [{ batches: 200 }, 'part'],
    [{ unfiled: 50_000 }, 'part'],
    [{ letters: 8_000_000 }, 'part'],
  ] as const)('beside a large base when they are %j: %s', (waiting, wanted) => {
    expect(compactionFor(counts({ base: 10_000_000, ...waiting }), AFTER)).toBe(wanted);
  });

  it('with all others, when the base is small', () => {
    expect(compactionFor(counts({ base: 200_000, batches: 200 }), AFTER)).toBe('base');
    expect(compactionFor(counts({ base: 200_001, batches: 200 }), AFTER)).toBe('part');
  });
});
