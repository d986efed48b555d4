import { describe, expect, it } from 'vitest';
import type { Datasource } from '../datasource.types.js';
import { isOutgrown, joinAssets } from './insert-ledger.js';

const grown = (rowCount: number, docCount: number): boolean =>
  isOutgrown({ docCount, profile: { rowCount } } as Datasource);

describe('a profile is outgrown', () => {
  it.each([
    [100, 109, false],
    [100, 110, true],
    [100, 91, false],
    [100, 90, true],
    [3, 3, false],
    [3, 4, true],
    [0, 1, true],
  ])('by a tenth: of %i rows when there are %i, %s', (rowCount, docCount, outgrown) => {
    expect(grown(rowCount, docCount)).toBe(outgrown);
  });
});

describe('assets', () => {
  it('are sorted as the row store sorts, each once', () => {
    const added = new Set(['💥', '\uFFFD', 'a', 'b', 'ä']);
    expect(joinAssets(['Z', 'a'], added)).toEqual(['Z', 'a', 'b', 'ä', '\uFFFD', '💥']);
  });

  it('are the first 1,000', () => {
    const known = Array.from({ length: 1000 }, (_, n) => `d${String(n + 1).padStart(4, '0')}`);
    expect(joinAssets(known, new Set(['zz']))).toEqual(known);
    expect(joinAssets(known, new Set(['d0000']))).toEqual(['d0000', ...known.slice(0, -1)]);
  });
});
