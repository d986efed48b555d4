import { describe, expect, it } from 'vitest';
import type { StatisticPlan } from '../../ports/analysis-plan.js';
import type { Cell, ColumnType, QueryResult } from '../../ports/table.js';
import { is, result, statistic } from '../../analyst/plans.fixture.js';
import { WEATHER } from './fixtures/scenes.fixture.js';
import { headlineOf } from './headline.js';
import { factsOf } from './table-facts.js';
import type { Told } from './telling/telling.js';

function headline(plan: StatisticPlan, found: QueryResult, how: Partial<Told> = {}): string {
  return headlineOf({ plan, result: found, facts: factsOf(WEATHER.table), format: { decimals: null }, ...how });
}

const numbers = (names: readonly string[]): Record<string, ColumnType> =>
  Object.fromEntries(names.map((name) => [name, 'number']));

function test(cells: Readonly<Record<string, Cell>>): QueryResult {
  return result(numbers(Object.keys(cells)), [Object.values(cells)]);
}

describe('correlations', () => {
  const plan = statistic({ method: 'pearson', columns: ['wind', 'temp_max'] });
  const verdict = { by: 'p-value', about: 'correlation', level: 0.05 } as const;
  const found = (correlation: number | null, probability: number | null): QueryResult =>
    test({ correlation, 'p-value': probability, pairs: 2922 });

  it.each([
    [0.8312, 'a very strong positive correlation'],
    [-0.61, 'a strong negative correlation'],
    [0.42, 'a moderate positive correlation'],
    [-0.16, 'a weak negative correlation'],
    [0.02, 'practically no correlation'],
  ])('%d is %s', (correlation, words) => {
    expect(headline(plan, found(correlation, 0.3))).toContain(words);
  });

  it('come with their p-value and number of pairs', () => {
    expect(headline(plan, found(-0.1649, 1e-19), { verdict })).toBe(
      'The correlation of wind and temp_max is **-0.1649**, a weak negative correlation (p **< 0.001**, 2,922 pairs). ' +
        'The correlation is significant at the level of 0.05.',
    );
    expect(headline({ ...plan, method: 'spearman' }, found(0.01, 0.213_456), { verdict })).toBe(
      'The rank correlation of wind and temp_max is **0.01**, practically no correlation (p = **0.2135**, 2,922 pairs). ' +
        'The correlation is not significant at the level of 0.05.',
    );
  });

  it('are written as they are wanted', () => {
    const focus = { on: 'column', term: 'p-value' } as const;
    expect(headline(plan, found(-0.1649, 0.000_04), { focus, format: { decimals: 4 } })).toBe(
      'The p-value of the correlation of wind and temp_max is **0.0000** (correlation -0.1649, pairs 2,922).',
    );
    expect(headline(plan, found(0.5, 0.01), { verdict, format: { decimals: 2, yesOrNo: true } })).toMatch(
      /^\*\*Yes\.\*\* The correlation of wind and temp_max is \*\*0\.50\*\*/,
    );
  });

  it('are not there where values are too few', () => {
    expect(headline(plan, found(null, null), { verdict })).toBe(
      'There are too few values for the correlation of wind and temp_max.',
    );
    expect(headline(plan, result(numbers(['correlation']), []))).toContain('too few values');
  });

  it('of many columns name the strongest', () => {
    const matrix = statistic({ method: 'correlation_matrix', columns: ['wind', 'temp_max', 'temp_min'] });
    const pairs = result({ first: 'text', second: 'text', correlation: 'number', 'p-value': 'number' }, [
      ['temp_max', 'temp_min', 0.88, 0],
      ['wind', 'temp_max', -0.16, 0.2],
      ['wind', 'temp_min', -0.07, 0.4],
    ]);
    expect(headline(matrix, pairs)).toBe(
      'The strongest correlation, of 3 pairs of columns, is that of **temp_max** and **temp_min**: **0.88**, a very strong positive correlation (p **< 0.001**).',
    );
  });
});

describe('regressions', () => {
  const plan = statistic({ method: 'regression', columns: ['temp_max', 'temp_min'], at: [10] });
  const found = result(
    { term: 'text', coefficient: 'number', 'standard error': 'number', t: 'number', 'p-value': 'number' },
    [
      ['intercept', 8.1234, 0.1, 80, 0],
      ['temp_min', -1.025, 0.01, 102, 0],
      ['r-squared', 0.776_512, null, null, null],
      ['root mean squared error', 3.9, null, null, null],
      ['prediction', 18.37, null, null, null],
    ],
  );

  it('are an equation, with what it explains and predicts', () => {
    expect(headline(plan, found)).toBe(
      'For a temp_min of 10 the predicted temp_max is **18.37**. ' +
        'The line is **temp_max = 8.123 − 1.025 × temp_min**, which explains 77.65 % of the variation (r² = **0.7765**).',
    );
  });

  it('are not rounded away where only the prediction is', () => {
    const words = headline(plan, found, { format: { decimals: 0 } });
    expect(words).toContain('the predicted temp_max is **18**.');
    expect(words).toContain('temp_max = 8.123 − 1.025 × temp_min');
  });

  it.each([
    [{ on: 'row', term: 'r-squared' }, 'The r-squared is **0.7765**.'],
    [{ on: 'row', term: 'temp_min' }, 'The slope of temp_min is **-1.025**.'],
    [{ on: 'row', term: 'prediction' }, 'For a temp_min of 10 the predicted temp_max is **18.37**.'],
    [{ on: 'column', term: 'standard error' }, 'The standard error of temp_min is **0.01**.'],
    [{ on: 'column', term: 'p-value' }, 'The p-value of temp_min is **< 0.001**.'],
  ] as const)('begin with %j', (focus, words) => {
    expect(headline(plan, found, { focus }).startsWith(words)).toBe(true);
  });

  it('are judged by the p-value of the first column', () => {
    const verdict = { by: 'p-value', about: 'regression', level: 0.05 } as const;
    expect(headline(plan, found, { verdict })).toContain('The dependence is significant at the level of 0.05.');
  });

  it('need different values', () => {
    expect(headline(plan, result({ term: 'text', coefficient: 'number' }, [['intercept', null]]))).toBe(
      'There are too few different values to set temp_max against temp_min.',
    );
  });
});

describe('tests', () => {
  it('tell their figure, their p-value and what they compare', () => {
    const plan = statistic({
      method: 'welch_t_test',
      columns: ['wind'],
      by: 'location',
      filters: [is('weather', 'rain')],
    });
    const found = test({
      statistic: -2.3149,
      'p-value': 0.0213,
      'degrees of freedom': 120.4567,
      'mean of Seattle': 3.2,
      'mean of New York': 4.9,
    });
    const verdict = { by: 'p-value', about: 'difference', level: 0.01 } as const;
    expect(headline(plan, found, { verdict })).toBe(
      'By Welch’s t-test of wind by location where weather is rain, t = **-2.315** and p = **0.0213** (120.46 degrees of freedom); ' +
        'the mean is **3.2** for Seattle and **4.9** for New York. The difference is not significant at the level of 0.01.',
    );
  });

  it.each([
    [
      'anova',
      ['wind'],
      'weather',
      { statistic: 12.5, 'p-value': 0.002, groups: 5, rows: 2922 },
      'F = **12.5** and p = **0.002** (2,922 rows in 5 groups).',
    ],
    [
      'chi_square',
      ['location', 'weather'],
      null,
      { statistic: 8.25, 'p-value': 0.04, 'degrees of freedom': 4, rows: 100 },
      'χ² = **8.25** and p = **0.04** (4 degrees of freedom, 100 rows).',
    ],
    [
      'mann_whitney',
      ['wind'],
      'location',
      { statistic: 1200, 'p-value': 0.5, 'degrees of freedom': null },
      'U = **1,200** and p = **0.5**.',
    ],
    [
      'one_sample_t_test',
      ['wind'],
      null,
      { statistic: 2, 'p-value': 0.05, 'degrees of freedom': 9 },
      'the t-test of wind',
    ],
  ] as const)('of %s', (method, columns, groups, cells, words) => {
    expect(headline(statistic({ method, columns, by: groups }), test(cells))).toContain(words);
  });

  it('for normality doubt it by a small p-value', () => {
    const plan = statistic({ method: 'shapiro_wilk', columns: ['wind'] });
    const verdict = { by: 'p-value', about: 'normality', level: 0.05 } as const;
    const format = { decimals: null, yesOrNo: true };
    const found = (probability: number): QueryResult => test({ statistic: 0.93, 'p-value': probability, rows: 80 });
    expect(headline(plan, found(0.001), { verdict, format })).toMatch(/^\*\*No\.\*\* .*not normally distributed/);
    expect(headline(plan, found(0.2), { verdict, format })).toMatch(
      /^\*\*Yes\.\*\* .*can be taken as normally distributed/,
    );
    expect(headline(plan, test({ statistic: null, 'p-value': null, rows: 2 }), { verdict, format })).toBe(
      'There are too few values for the Shapiro-Wilk test of wind.',
    );
  });
});

describe('descriptions', () => {
  const names = ['rows', 'missing', 'mean', 'standard deviation', 'lowest', '25 %', 'median', '75 %', 'highest'];

  it('of one column are a sentence', () => {
    const found = result({ column: 'text', ...numbers(names) }, [
      ['wind', 2922, 3, 4.101, 1.88, 0.4, 2.7, 3.8, 5.1, 16.2],
    ]);
    expect(headline(statistic({ method: 'describe', columns: ['wind'] }), found)).toBe(
      'Of **wind** there are **2,922 values**, **3** missing: mean **4.101**, median **3.8**, standard deviation **1.88**, lowest **0.4** and highest **16.2**.',
    );
  });

  it('of several are a table', () => {
    const row = [1, 0, 1, null, 1, 1, 1, 1, 1];
    const found = result({ column: 'text', ...numbers(names) }, [
      ['wind', ...row],
      ['temp_max', ...row],
    ]);
    expect(headline(statistic({ method: 'describe', columns: ['wind', 'temp_max'] }), found)).toBe(
      'These are the figures of **2 columns**.',
    );
  });
});
