import { describe, expect, it } from 'vitest';
import { pageFrom } from './page.js';

describe('a page', () => {
  it.each([
    [undefined, undefined, 0, 20],
    ['2', '50', 2, 50],
    [3, 10, 3, 10],
    ['x', 'y', 0, 20],
    ['-1', '0', 0, 1],
    ['1.5', '1.5', 0, 20],
    ['', '', 0, 20],
    [{ $gt: 0 }, ['1'], 0, 20],
    ['1e99', '1000', 1_000_000, 100],
  ])('asked for as %j of %j is page %i of %i', (index, size, expectedIndex, expectedSize) => {
    expect(pageFrom(index, size)).toEqual({ index: expectedIndex, size: expectedSize });
  });
});
