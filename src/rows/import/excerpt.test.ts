import { describe, expect, it } from 'vitest';
import { excerptOf } from './rejects.js';

describe('an excerpt', () => {
  it.each([
    ['abc', 5, 'abc'],
    ['abcdef', 3, 'abc'],
    ['aé€', 3, 'aé€'],
    ['€€€€', 3, '€€€'],
    ['a😀b', 2, 'a'],
    ['a😀b', 3, 'a😀'],
    ['', 3, ''],
  ])('of %j in %i units is %j', (text, units, expected) => {
    expect(excerptOf(Buffer.from(text), units)).toBe(expected);
  });
});
