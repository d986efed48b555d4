import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasHalfCharacter, isDeeperThan } from './json-depth.js';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('the depth of a JSON text', () => {
  it('is that of its value, whatever stands in its texts', () => {
    const brackets = fc.array(fc.constantFrom('[', '{', ']', '"', '\\')).map((parts) => parts.join(''));
    const hostile = fc.dictionary(brackets, fc.oneof(brackets, fc.array(fc.array(brackets))));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), hostile), (value) => {
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

const has = (json: string): boolean => hasHalfCharacter(json, JSON.parse(json));

describe('half a character in a JSON text', () => {
  it.each([
    [String.raw`{"a":[1,{"b":"\uDFFF"}]}`, true],
    [String.raw`"\\\ud83d\\ude00"`, true],
    [String.raw`"\\ud800"`, false],
    [String.raw`{"\uD83D\uDE00":["\u0000"]}`, false],
    ['null', false],
  ])('is in %s: %s', (json, broken) => {
    expect(has(json)).toBe(broken);
  });

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
