import { describe, expect, it } from 'vitest';
import { chiSquareUpper, fUpper, normalQuantile, normalUpper, tTwoSided } from './distributions.js';
import { normalityTest, shapiroWilkTest } from './normality.js';
import { leastSquares } from './regression.js';

/** Relative, so that the far ends of the distributions count, too. */
function expectNear(found: number | null, expected: number, precision = 1e-6): void {
  expect(found).not.toBeNull();
  expect(Math.abs((found ?? 0) - expected)).toBeLessThanOrEqual(precision * Math.abs(expected));
}

describe('probabilities', () => {
  // Of SciPy 1.17.
  it.each([
    ['t', tTwoSided(2.5, 10), 0.03144684423660882],
    ['t, far out', tTwoSided(40, 200), 2.2487396535202197e-97],
    ['F', fUpper(3.2, 4, 20), 0.034831623728782526],
    ['chi-square', chiSquareUpper(3.84, 1), 0.05004352124870519],
    ['chi-square, far out', chiSquareUpper(200, 3), 4.218541107192018e-43],
    ['chi-square of many degrees', chiSquareUpper(1050, 1000), 0.13247405682147703],
    ['normal, far out', normalUpper(8), 6.22096057427174e-16],
  ])('are as published: %s', (_, found, expected) => {
    expectNear(found, expected, 1e-6);
  });

  it('follow from each other', () => {
    for (const t of [0.1, 1, 2.7, 9]) expectNear(tTwoSided(t, 12), fUpper(t * t, 1, 12) ?? 0, 1e-9);
    for (const z of [0.2, 1.5, 3, 6]) expectNear(chiSquareUpper(z * z, 1), 2 * (normalUpper(z) ?? 0), 1e-9);
    for (const p of [0.001, 0.3, 0.8]) expectNear(normalUpper(-normalQuantile(p)), p, 1e-7);
    // With two degrees of freedom the chi-square is an exponential.
    for (const x of [0.5, 2, 90]) expectNear(chiSquareUpper(x, 2), Math.exp(-x / 2), 1e-9);
  });

  it('stay between 0 and 1, and are none without degrees of freedom', () => {
    expect(tTwoSided(Infinity, 5)).toBe(0);
    expect(tTwoSided(0, 5)).toBe(1);
    for (const none of [tTwoSided(1, 0), tTwoSided(Number.NaN, 3), fUpper(1, 0, 3), chiSquareUpper(-1, 2)])
      expect(none).toBeNull();
    expect(chiSquareUpper(1e300, 2)).toBe(0);
  });
});

describe('Shapiro’s and Wilk’s test', () => {
  it.each<[string, readonly number[], number, number]>([
    ['three values', [1, 2, 4], 0.9642857142857142, 0.6368868450289689],
    ['five values', [1, 2, 4, 8, 9], 0.900963268768698, 0.41523242670712146],
    ['ten values', [-1.6, -1.2, -0.2, -0.1, 0, 0.7, 0.8, 2, 3.4, 3.7], 0.9258060286233032, 0.4079287935393071],
    ['squares', Array.from({ length: 20 }, (_, i) => i * i), 0.8949288620307665, 0.03316539297687834],
    ['5,000 values', Array.from({ length: 5000 }, (_, i) => (i + 1) ** 1.1), 0.9513590396632339, 7.421632125092596e-38],
  ])('gives for %s what Royston’s algorithm gives', (_, values, statistic, pValue) => {
    const found = shapiroWilkTest(values);
    expectNear(found.statistic, statistic, 1e-7);
    expectNear(found.pValue, pValue, 1e-5);
  });

  it('says nothing of too few values, and of one value', () => {
    expect(shapiroWilkTest([]).statistic).toBeNull();
    expect(shapiroWilkTest([1, 2]).pValue).toBeNull();
    expect(shapiroWilkTest([4, 4, 4, 4]).pValue).toBeNull();
  });
});

it('the test of normality says nothing below eight values or without a shape, and nothing against a normal one', () => {
  expect(normalityTest(7, 0.1, 0.2).statistic).toBeNull();
  expect(normalityTest(20, null, null).pValue).toBeNull();
  expect(normalityTest(1000, 0, 0).pValue).toBeGreaterThan(0.9);
});

describe('a regression', () => {
  const line = { names: ['y', 'x'], means: [5, 2] } as const;
  const pair = (yy: number, xy: number, xx: number): number[][] => Object.values({ y: [yy, xy], x: [xy, xx] });

  it('on few rows has coefficients but no errors', () => {
    const found = leastSquares({ ...line, rows: 2, covariances: pair(4, 2, 1) });
    expect(found.slopes[0]).toEqual({ coefficient: 2, error: null, t: null, pValue: null });
    expect(found.intercept.coefficient).toBeCloseTo(1, 12);
  });

  it.each([
    ['too few rows', 1, pair(0, 0, 0), /needs more than 1 rows/],
    ['a constant column', 9, pair(4, 0, 0), /"x" has one value only/],
  ])('refuses %s with a sentence', (_, rows, covariances, sentence) => {
    expect(() => leastSquares({ ...line, rows, covariances })).toThrow(sentence);
  });

  it('of an outcome that is the same everywhere explains nothing', () => {
    const found = leastSquares({ ...line, rows: 9, covariances: pair(0, 0, 1) });
    expect(found).toMatchObject({ rSquared: null, rootMeanSquare: 0 });
    expect(found.slopes[0]?.coefficient).toBe(0);
  });
});
