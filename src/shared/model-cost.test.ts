import { describe, expect, it } from 'vitest';
import { costOf } from './model-cost.js';

const USAGE = { input: 1_000_000, output: 500_000, cached: 400_000 };

describe('the cost of tokens', () => {
  it('is that of what was read, read from a cache, and written', () => {
    const prices = { small: { input: 1, output: 4, cached: 0.5 } };
    expect(costOf(USAGE, 'small', prices)).toBeCloseTo(0.6 + 0.2 + 2);
  });

  it('takes cached input for other input where it has no price of its own', () => {
    expect(costOf(USAGE, 'small', { small: { input: 1, output: 0 } })).toBe(1);
  });

  it('is unknown without a price, and never that of a name that looks alike', () => {
    const prices = { 'gpt-4o': { input: 1, output: 1 } };
    expect(costOf(USAGE, 'gpt-4o-mini', prices)).toBeNull();
    expect(costOf(USAGE, 'constructor', prices)).toBeNull();
    expect(costOf(USAGE, 'any', { ...prices, '*': { input: 0, output: 2 } })).toBe(1);
  });
});
