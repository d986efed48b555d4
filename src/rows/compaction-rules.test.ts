import { describe, expect, it } from 'vitest';
import { isWorthIt, wantsCompaction } from './compaction-rules.js';

const AFTER = 50_000;

describe('later rows are merged', () => {
  it.each([
    [0, 49_999, false],
    [0, 50_000, true],
    [1_000_000, 50_000, true],
    [10_000_000, 499_999, false],
    [10_000_000, 500_000, true],
    [60_000_000, 999_999, false],
    [60_000_000, 1_000_000, true],
  ])('beside %i rows when they are %i: %s', (base, later, wanted) => {
    expect(wantsCompaction({ base, later }, AFTER)).toBe(wanted);
  });

  it('never before the number that was set, however large', () => {
    expect(wantsCompaction({ base: 0, later: 1_500_000 }, 2_000_000)).toBe(false);
    expect(wantsCompaction({ base: 0, later: 2_000_000 }, 2_000_000)).toBe(true);
  });
});

describe('expired rows are left out', () => {
  it.each([
    [100, 0, 10, false],
    [100, 0, 11, true],
    [90, 10, 10, false],
    [90, 10, 11, true],
    [50_000_000, 0, 999_999, false],
    [50_000_000, 0, 1_000_000, true],
    [5, 0, 5, true],
    [0, 1, 1, true],
    [0, 0, 0, false],
  ])('of %i and %i later ones when %i have expired: %s', (base, later, expired, worth) => {
    expect(isWorthIt({ base, later, expired }, AFTER)).toBe(worth);
  });
});
