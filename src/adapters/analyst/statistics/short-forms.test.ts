import { describe, expect, it } from 'vitest';
import { isShortFor, isSpokenAs } from './short-forms.js';

describe('short forms in names of columns', () => {
  it.each([
    ['amt', 'amount'],
    ['dep', 'departure'],
    ['ht', 'height'],
    ['cnt', 'count'],
    ['c', 'carbon'],
  ])('takes %s for %s', (part, said) => {
    expect(isShortFor(part, said)).toBe(true);
  });

  it.each([
    ['amt', 'amt'],
    ['amt', 'tame'],
    ['mat', 'amount'],
    ['3', '30'],
  ])('does not take %s for %s', (part, said) => {
    expect(isShortFor(part, said)).toBe(false);
  });

  it.each([
    ['sampled', 'sampling', true],
    ['pax', 'passengers', true],
    ['rest', 'resting', true],
    ['cost', 'fee', false],
  ])('%s and %s are one word in two forms: %s', (part, said, isSame) => {
    expect(isSpokenAs(part, said)).toBe(isSame);
  });
});
