import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binsOf } from './histogram-chart.js';

describe('the bins of a histogram', () => {
  it('have a whole number in the middle where each has one of its own', () => {
    expect(binsOf([1, 1, 2, 4])).toEqual([
      { from: 0.5, to: 1.5, count: 2 },
      { from: 1.5, to: 2.5, count: 1 },
      { from: 2.5, to: 3.5, count: 0 },
      { from: 3.5, to: 4.5, count: 1 },
    ]);
  });

  it('have round edges', () => {
    const bins = binsOf(Array.from({ length: 100 }, (_, index) => 0.37 + index * 0.1));
    expect(bins[0]).toMatchObject({ from: 0, to: 2 });
    expect(bins.at(-1)).toMatchObject({ from: 10, to: 12 });
  });

  it('are one for a single value', () => {
    expect(binsOf([7, 7, 7])).toEqual([{ from: 6.5, to: 7.5, count: 3 }]);
    expect(binsOf([0.123])).toHaveLength(1);
    expect(binsOf([0])).toHaveLength(1);
  });

  it('are refused for numbers whose distance is no number', () => {
    expect(() => binsOf([1e308, -1e308])).toThrow('too far apart');
  });

  it('hold every number once and are never too many', () => {
    const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(numbers, (values) => {
        const bins = binsOf(values);
        expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(values.length);
        expect(bins.length).toBeLessThanOrEqual(42);
      }),
      { examples: [[[-5e-324]], [[0, 5e-324]], [[1e9, 1e9 + 1e-7]]] },
    );
  });
});
