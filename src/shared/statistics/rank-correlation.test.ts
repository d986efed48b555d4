import { describe, expect, it } from 'vitest';
import { meanRanks, rankCorrelation } from './rank-correlation.js';

const of = (...values: readonly number[]): Float64Array => Float64Array.from(values);

describe('the rank correlation', () => {
  it('gives equal values the mean of their places', () => {
    expect([...meanRanks(of(30, -1, 30, 5, 30, 0, -0))]).toEqual([6, 1, 6, 4, 6, 2.5, 2.5]);
    expect([...meanRanks(of())]).toEqual([]);
  });

  it('is that of the literature, also with ties', () => {
    expect(rankCorrelation(of(1, 2, 3, 4, 5), of(5, 6, 7, 8, 7))).toBeCloseTo(0.8207826816681233, 12);
    expect(rankCorrelation(of(1, 10, 100), of(-1, -2, -3))).toBe(-1);
    expect(rankCorrelation(of(1e-300, 1e300, 5), of(0, 7, 6.5))).toBe(1);
  });

  it('is not there where it can not be told', () => {
    expect(rankCorrelation(of(1, 1), of(1, 2))).toBeNull();
    expect(rankCorrelation(of(1), of(2))).toBeNull();
    expect(rankCorrelation(of(1, NaN), of(1, 2))).toBeNull();
  });
});
