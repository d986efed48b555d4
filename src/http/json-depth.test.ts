import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDeeperThan } from './json-depth.js';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('the depth of a JSON text', () => {
  it.each([
    ['{"[[[":"[[["}', 1],
    ['{}', 1],
    [String.raw`{"a":"\"[[[\\"}`, 1],
    ['[[1],[2,[3]]]', 3],
    ['{"a":[{"b":1}]}', 3],
  ])('of %s is %d', (json, depth) => {
    expect(isDeeperThan(json, depth)).toBe(false);
    expect(isDeeperThan(json, depth - 1)).toBe(true);
  });

  it('is that of its value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const depth = depthOf(value);
        expect(isDeeperThan(JSON.stringify(value), depth)).toBe(false);
        if (depth > 0) expect(isDeeperThan(JSON.stringify(value), depth - 1)).toBe(true);
      }),
    );
  });

  it('is told of a text that is never closed, at once', () => {
    expect(isDeeperThan('['.repeat(1_000_000), 64)).toBe(true);
    expect(isDeeperThan(`"${'[\\"'.repeat(1_000_000)}`, 64)).toBe(false);
  });
});
