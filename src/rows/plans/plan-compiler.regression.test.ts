import { describe, expect, it } from 'vitest';
import { expectRow, statistic, tableOf } from './plan-compiler.statistic.fixture.js';

/** NIST, Statistical Reference Datasets: Norris, y and x. */
const NORRIS = `0.1 0.2 338.8 337.4 118.1 118.2 888.0 884.6 9.2 10.1 228.1 226.5 668.5 666.3 998.5 996.3 449.1 448.6 778.9 777.0
  559.2 558.2 0.3 0.4 0.1 0.6 778.1 775.5 668.8 666.9 339.3 338.0 448.9 447.5 10.8 11.6 557.7 556.0 228.3 228.1 998.0 995.8 888.8 887.6
  119.6 120.2 0.3 0.3 0.6 0.3 557.6 556.8 339.3 339.1 888.0 887.2 998.5 999.0 778.9 779.0 10.2 11.1 117.6 118.3 228.9 229.2 668.4 669.1
  449.2 448.9 0.2 0.5`;

/** NIST, Statistical Reference Datasets: Longley, y and x1 to x6. */
const LONGLEY = `60323 83 234289 2356 1590 107608 1947 61122 88.5 259426 2325 1456 108632 1948 60171 88.2 258054 3682 1616 109773 1949
  61187 89.5 284599 3351 1650 110929 1950 63221 96.2 328975 2099 3099 112075 1951 63639 98.1 346999 1932 3594 113270 1952
  64989 99 365385 1870 3547 115094 1953 63761 100 363112 3578 3350 116219 1954 66019 101.2 397469 2904 3048 117388 1955
  67857 104.6 419180 2822 2857 118734 1956 68169 108.4 442769 2936 2798 120445 1957 66513 110.8 444546 4681 2637 121950 1958
  68655 112.6 482704 3813 2552 123366 1959 69564 114.2 502601 3931 2514 125368 1960 69331 115.7 518173 4806 2572 127852 1961
  70551 116.9 554894 4007 2827 130081 1962`;

function rowsIn(text: string, size: number): readonly (readonly number[])[] {
  const numbers = text.trim().split(/\s+/).map(Number);
  return Array.from({ length: numbers.length / size }, (_, row) => numbers.slice(row * size, (row + 1) * size));
}

describe('regressions', () => {
  it('give NIST’s certified values for Norris', async () => {
    const table = await tableOf(['y', 'x'], rowsIn(NORRIS, 2));
    const found = await table.rows(statistic({ method: 'regression', columns: ['y', 'x'], at: [100] }));
    expect(found.map(([term]) => term)).toEqual([
      ...['intercept', 'x', 'r-squared', 'root mean squared error', 'prediction'],
    ]);
    expectRow(found[0]?.slice(1, 3), [-0.262323073774029, 0.232818234301152], 8);
    expectRow(found[1]?.slice(1, 3), [1.00211681802045, 0.429796848199937e-3], 8);
    expectRow(found[2], ['r-squared', 0.999993745883712, null, null, null], 9);
    // The certified residual deviation is over 34 degrees of freedom, ours over the 36 rows.
    expectRow(found[3]?.slice(1, 2), [0.884796396144373 * Math.sqrt(34 / 36)], 8);
    expectRow(found[4]?.slice(1, 2), [-0.262323073774029 + 100 * 1.00211681802045], 8);
  });

  it('give NIST’s certified values for Longley, whose columns nearly follow from each other', async () => {
    const columns = ['y', 'x1', 'x2', 'x3', 'x4', 'x5', 'x6'];
    const found = await (await tableOf(columns, rowsIn(LONGLEY, 7))).rows(statistic({ method: 'regression', columns }));
    const certified = [
      [-3482258.63459582, 890420.383607373],
      [15.0618722713733, 84.9149257747669],
      [-0.035819179292591, 0.0334910077722432],
      [-2.02022980381683, 0.488399681651699],
      [-1.03322686717359, 0.214274163161675],
      [-0.0511041056535807, 0.22607320006937],
      [1829.15146461355, 455.478499142212],
    ];
    certified.forEach((values, index) => {
      expectRow(found[index]?.slice(1, 3), values, 7);
    });
    expectRow(found[7]?.slice(1, 2), [0.995479004577296], 9);
  });

  it('refuse columns of which one follows from another', async () => {
    const table = await tableOf(
      ['y', 'a', 'b'],
      [
        [1, 1, 3],
        [2, 2, 5],
        [4, 3, 7],
        [4, 9, 19],
      ],
    );
    await expect(table.rows(statistic({ method: 'regression', columns: ['y', 'a', 'b'] }))).rejects.toMatchObject({
      kind: 'invalid_input',
      message: '"b" follows from the columns before it, so leave one of them out',
    });
  });
});
