import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasHalfCharacter } from './json-depth.js';

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
