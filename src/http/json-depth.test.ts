import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasHalfCharacter, isDeeperThan } from './json-depth.js';

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

function has(json: string): boolean {
  return hasHalfCharacter(json, JSON.parse(json));
}

describe('half a character in a JSON text', () => {
  it.each([
    String.raw`"\ud800"`,
    String.raw`"a\uDBFFb"`,
    String.raw`"\udc00\ud800"`,
    String.raw`"\\\ud83d\\ude00"`,
    String.raw`{"a":[1,{"b":"\udfff"}]}`,
    String.raw`{"\ud800":1}`,
  ])('is in %s', (json) => {
    expect(has(json)).toBe(true);
  });

  it.each(['"😀"', String.raw`"\ud83d\ude00"`, String.raw`"\\ud800"`, String.raw`{"\uD83D\uDE00":["\u0000"]}`, 'null'])(
    'is not in %s',
    (json) => {
      expect(has(json)).toBe(false);
    },
  );

  it('is what no encoder takes', () => {
    const text = fc.array(fc.constantFrom('\ud83d', '\ude00', 'a', '\\', 'u')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (one) => {
        expect(has(JSON.stringify({ [one]: 1 }))).toBe(Buffer.from(one).toString() !== one);
        expect(has(JSON.stringify([one]))).toBe(Buffer.from(one).toString() !== one);
      }),
    );
  });
});
