import { describe, expect, it } from 'vitest';
import type { AnalysisPlan, Filter } from '../../ports/analysis-plan.js';
import type { QueryResult } from '../../ports/table.js';
import { BY_MONTH, BY_YEAR, by, figures, is, of, result, rowCount, statistic } from '../plans.fixture.js';
import { WEATHER } from '../profiles.fixture.js';
import { factsOf } from '../reading/table.js';
import { answerWords, headlineOf } from './answer-words.js';
import type { Told } from './telling.js';

function headline(plan: AnalysisPlan, found: QueryResult, how: Partial<Told> = {}): string {
  return headlineOf({ plan, result: found, facts: factsOf(WEATHER.table), ...how });
}

const RAIN = is('weather', 'rain');
const MEAN_WIND = of('avg', 'wind', { label: 'w' });
const two = (first: number | null, second: number | null): QueryResult =>
  result({ location: 'text', w: 'number' }, Object.entries({ Seattle: first, 'New York': second }));

describe('single figures', () => {
  const single = (
    measure: Parameters<typeof figures>[0],
    cell: number | string | null,
    how?: Partial<Told>,
  ): string => {
    const label = measure.measures?.[0]?.label ?? '';
    const type = typeof cell === 'string' ? 'text' : Number.isInteger(cell) ? 'integer' : 'number';
    return headline(figures(measure), result({ [label]: type }, [[cell]]), how);
  };

  it.each([
    [of('median', 'wind'), 3.8, 'The median wind is **3.8**.'],
    [of('percentile', 'wind', { parameter: 0.9 }), 6.712_34, 'The 90th percentile of wind is **6.712**.'],
    [of('percentile', 'wind', { parameter: 0.25 }), 2.4, 'The first quartile of wind is **2.4**.'],
    [of('variance_pop', 'wind'), 3.5372, 'The population variance of wind is **3.537**.'],
    [of('mode', 'weather'), 'sun', 'The most frequent weather is **sun**.'],
    [of('missing', 'wind'), 3, 'There are **3 rows** without wind.'],
    [of('missing', 'wind'), 1, 'There is **1 row** without wind.'],
    [of('kurtosis', 'wind'), null, 'There are too few different values for the excess kurtosis of wind.'],
    [of('max', 'wind'), null, 'There is no value for the highest wind.'],
    [of('slope', 'wind', { second: 'temp_max' }), -0.04, 'The slope of wind on temp_max is **-0.04**.'],
    [rowCount({ filters: [RAIN] }), 1087, 'There are **1,087 rows** where weather is rain.'],
    [of('sum', 'wind', { filters: [RAIN] }), 1_234_567.8, 'The total wind is **1,234,568** where weather is rain.'],
  ])('%j of %j', (measure, cell, words) => {
    expect(single({ measures: [measure] }, cell)).toBe(words);
  });

  it('say the days where outliers begin', () => {
    const usual = { method: 'iqr', threshold: 1.5, population: false, negated: false } as const;
    const outlier = { kind: 'outlier', column: 'wind', ...usual } as const;
    const bounds = { column: 'wind', low: -1.05, high: 8.55 };
    expect(single({ measures: [rowCount()], filters: [outlier] }, 62, { bounds })).toBe(
      'There are **62 rows** where wind is an outlier (further than 1.5 times the interquartile range from the quartiles). ' +
        'Values of wind below **-1.05** or above **8.55** count as outliers.',
    );
  });
});

const BY_PLACE = figures({ measures: [MEAN_WIND], dimensions: [by('location')] });

describe('several figures', () => {
  const measures = [
    of('avg', 'wind', { label: 'a', filters: [is('location', 'Seattle')] }),
    of('avg', 'wind', { label: 'b', filters: [is('location', 'New York')] }),
  ];
  const setAside = 'The average wind is **3.2** where location is Seattle and **4.9** where location is New York';
  const pairOf = (kind: 'difference' | 'percent_change'): AnalysisPlan =>
    figures({ measures, computed: [{ kind, left: 0, right: 1, label: 'd' }] });
  const found = (d: number): QueryResult => result({ a: 'number', b: 'number', d: 'number' }, [[3.2, 4.9, d]]);

  it.each([
    ['side by side', figures({ measures }), result({ a: 'number', b: 'number' }, [[3.2, 4.9]]), '.'],
    ['with their difference', pairOf('difference'), found(-1.7), ': a difference of **-1.7**.'],
    ['with their change', pairOf('percent_change'), found(-34.693_877), ': **34.69 %** less.'],
  ])('of one kind are set %s', (_, plan, rows, end) => {
    expect(headline(plan, rows)).toBe(setAside + end);
  });

  it('of which one is a part of the other are a share', () => {
    const share = (kind: 'percent' | 'ratio', cell: number | null, filters: readonly Filter[] = []): string =>
      headline(
        figures({
          measures: [rowCount({ label: 'r', filters: [RAIN] }), rowCount()],
          computed: [{ kind, left: 0, right: 1, label: 's' }],
          filters,
        }),
        result({ r: 'integer', rows: 'integer', s: 'number' }, [[342, cell === null ? 0 : 891, cell]]),
      );
    expect(share('percent', 38.3838)).toBe('In **38.38 %** of the rows, weather is rain (**342** of **891**).');
    expect(share('percent', null)).toContain('can’t be calculated');
    expect(share('ratio', 0.383_838, [is('location', 'Seattle')])).toBe(
      'In **38.38 %** of the rows where location is Seattle, weather is rain (**342** of **891**).',
    );
  });

  it('over all groups are one', () => {
    const average = { aggregate: 'avg', measure: 0, label: 's' } as const;
    const summed = figures({ measures: [rowCount()], dimensions: [BY_MONTH], summary: average });
    const words = 'The average of number of rows by month is **60.88**.';
    expect(headline(summed, result({ s: 'number' }, [[60.875]]))).toBe(words);
    const counted = figures({
      dimensions: [by('location')],
      measures: [of('sum', 'wind')],
      having: [{ measure: 0, operator: '>', value: 100 }],
      summary: { aggregate: 'count', measure: null, label: 's' },
    });
    expect(headline(counted, result({ s: 'integer' }, [[1]]))).toBe(
      'There is **1 different location value** with a total wind above 100.',
    );
  });
});

describe('groups', () => {
  const highest = '**New York** has the highest average wind (**5**), **Seattle** the lowest';
  const top = { ...BY_PLACE, order: [{ by: 'w', direction: 'desc' as const }], limit: 2 };
  const best = (...rows: readonly (readonly (string | number | null)[])[]): QueryResult =>
    result({ location: 'text', w: 'number' }, rows);

  it.each<[string, AnalysisPlan, QueryResult, string]>([
    ['of two are compared', BY_PLACE, two(3, 5), `${highest} (**3**). The difference is **2** (66.67 % more).`],
    ['of two are no percentage below zero', BY_PLACE, two(-3, 5), `${highest} (**-3**). The difference is **8**.`],
    ['that are alike have no highest one', BY_PLACE, two(3, 3), 'The average wind is the same for all 2: **3**.'],
    ['without values are no figures', BY_PLACE, two(null, null), 'There is no value for the average wind.'],
    ['are none without rows', BY_PLACE, best(), 'There are **no rows**.'],
    [
      'with a number of rows have most or fewest',
      figures({ measures: [rowCount()], dimensions: [by('location')] }),
      result({ location: 'text', rows: 'integer' }, Object.entries({ Seattle: 1200, 'New York': 300, Boston: 300 })),
      '**Seattle** has the most rows (**1,200**), **New York** and **Boston** the fewest (**300** each).',
    ],
    [
      'have an extreme that is said once',
      figures({ measures: [of('max', 'wind', { label: 'w' })], dimensions: [by('location')] }),
      two(9, 16),
      'The highest wind is **16** for **New York** and **9** for **Seattle**. The difference is **7** (77.78 % more).',
    ],
    [
      'that are the best of each are in the table, with the best of all',
      { ...top, dimensions: [by('weather'), by('location')], each: ['weather'], limit: 1 },
      result({ weather: 'text', location: 'text', w: 'number' }, [
        ['rain', 'Seattle', 4],
        ['sun', 'New York', 3],
      ]),
      'The table shows the top by average wind for each weather. Overall **rain, Seattle** has the highest average wind: **4**.',
    ],
    [
      'in time say from what to what it went',
      figures({ measures: [MEAN_WIND], dimensions: [BY_YEAR] }),
      result(
        { year: 'time', w: 'number' },
        [3, 5, 4].map((wind, index) => [`201${2 + index}-01-01T00:00:00.000Z`, wind]),
      ),
      '**2013** has the highest average wind (**5**), **2012** the lowest (**3**). It went from **3** (2012) to **4** (2014).',
    ],
    [
      'at the top may share their place',
      top,
      two(5, 5),
      '**Seattle** and **New York** have the highest average wind: **5** each.',
    ],
    ['may have no name', { ...top, limit: 1 }, best([null, 5]), '**(none)** has the highest average wind: **5**.'],
    [
      'have shares in percent',
      figures({
        measures: [rowCount()],
        dimensions: [by('location')],
        computed: [{ kind: 'share', of: 0, label: 's' }],
      }),
      result({ location: 'text', rows: 'integer', s: 'number' }, [
        ['Seattle', 1, 0.25],
        ['New York', 3, 0.75],
      ]),
      '**New York** has the largest share of the rows (**75 %**), **Seattle** the smallest (**25 %**).',
    ],
  ])('%s', (_, plan, rows, words) => {
    expect(headline(plan, rows)).toBe(words);
  });

  it('grow from one to the next', () => {
    const plan = figures({
      measures: [of('sum', 'wind')],
      dimensions: [BY_YEAR],
      computed: [{ kind: 'growth', of: 0, label: 'g' }],
    });
    const years = (...rows: readonly (readonly [number, number | null])[]): QueryResult =>
      result(
        { year: 'time', 'sum wind': 'number', g: 'number' },
        rows.map(([sum, growth], index) => [`201${String(index)}-01-01T00:00:00.000Z`, sum, growth]),
      );
    expect(headline(plan, years([100, null], [120, 0.2]))).toBe(
      'In **2011** the total wind rises by **20 %**, from **100** (2010) to **120**.',
    );
    expect(headline(plan, years([100, null], [120, 0.2], [90, -0.25]))).toBe(
      'The total wind rises most in **2011** (**+20 %**) and falls most in **2012** (**-25 %**).',
    );
    expect(headline(plan, years([100, null]))).toBe(
      'There is no value for the growth of total wind: there is nothing before it to compare with.',
    );
  });

  it('that fit a condition are named with their figures', () => {
    const plan = { ...BY_PLACE, having: [{ measure: 0, operator: '>=' as const, value: 2.5 }] };
    expect(headline(plan, two(5, 3))).toBe(
      '**2** location values have an average wind of at least 2.5: **Seattle** (**5**) and **New York** (**3**).',
    );
    expect(headline({ ...plan, filters: [RAIN] }, best(['Seattle', 5]))).toBe(
      '**1** location value has an average wind of at least 2.5 where weather is rain: **Seattle** (**5**).',
    );
    expect(headline(plan, best())).toBe('There are **no rows** with an average wind of at least 2.5.');
  });

  it('that are listed come as a sentence when they are few', () => {
    const listed = (...values: readonly string[]): string =>
      headline(
        figures({ dimensions: [by('weather')] }),
        result(
          { weather: 'text' },
          values.map((value) => [value]),
        ),
      );
    expect(listed('sun', 'rain', 'fog')).toBe('There are **3 different values** of weather: sun, rain and fog.');
    const many = Array.from({ length: 40 }, (_, index) => `w${String(index)}`);
    expect(listed(...many)).toBe('There are **40 different values** of weather.');
  });
});

describe('statistics', () => {
  const numbers = (cells: Readonly<Record<string, number | null>>): QueryResult =>
    result(Object.fromEntries(Object.keys(cells).map((name) => [name, 'number' as const])), [Object.values(cells)]);

  it('say how strong a correlation is, and whether it is significant', () => {
    const plan = statistic({ method: 'pearson', columns: ['wind', 'temp_max'] });
    expect(headline(plan, numbers({ correlation: -0.1649, 'p-value': 1e-19, pairs: 2922 }))).toBe(
      'The correlation of wind and temp_max is **-0.1649**: weak and negative (p **< 0.001**, 2,922 pairs). ' +
        'The correlation is significant at the level of 0.05.',
    );
    expect(headline(plan, numbers({ correlation: 0.01, 'p-value': 0.213_456, pairs: 20 }))).toContain(
      'practically none (p = **0.2135**, 20 pairs). The correlation is not significant',
    );
    expect(headline(plan, numbers({ correlation: null, 'p-value': null, pairs: 1 }))).toBe(
      'There are too few values for the correlation of wind and temp_max.',
    );
  });

  it('of a test begin with what it compares', () => {
    const plan = statistic({ method: 'welch_t_test', columns: ['wind'], by: 'location', filters: [RAIN] });
    const found = { statistic: -2.3149, 'p-value': 0.0213, 'degrees of freedom': 120.4567 };
    expect(headline(plan, numbers({ ...found, 'mean of Seattle': 3.2, 'mean of New York': 4.9 }))).toBe(
      'The mean is **3.2** for Seattle and **4.9** for New York. Welch’s t-test of wind by location where weather is rain: ' +
        't = **-2.315** (p = **0.0213**, 120.46 degrees of freedom). The difference is significant at the level of 0.05.',
    );
  });

  it('doubt a normal distribution by a small p-value', () => {
    const plan = statistic({ method: 'shapiro_wilk', columns: ['wind'] });
    const found = (p: number): QueryResult => numbers({ statistic: 0.98, 'p-value': p, rows: 50 });
    expect(headline(plan, found(0.01))).toContain('The values are not normally distributed');
    expect(headline(plan, found(0.4))).toContain('The values can be taken as normally distributed');
  });

  it('of a regression are an equation, what it explains and predicts', () => {
    const plan = statistic({ method: 'regression', columns: ['temp_max', 'temp_min'], at: [10] });
    const found = result({ term: 'text', coefficient: 'number', 'p-value': 'number' }, [
      ['intercept', 8.1234, 0],
      ['temp_min', -1.025, 0],
      ['r-squared', 0.776_512, null],
      ['prediction', 18.37, null],
    ]);
    expect(headline(plan, found)).toBe(
      'For a temp_min of 10 the predicted temp_max is **18.37**. The line is **temp_max = 8.123 − 1.025 × temp_min**. ' +
        'It explains 77.65 % of the variation (r² = **0.7765**). The dependence is significant at the level of 0.05.',
    );
  });
});

describe('a table', () => {
  const plan = figures({ measures: [MEAN_WIND], dimensions: [BY_MONTH] });
  const months = (count: number, truncated = false): QueryResult => {
    const time = (index: number): string => new Date(Date.UTC(2012, index)).toISOString();
    const rows = Array.from({ length: count }, (_, index) => [time(index), index / 7]);
    return result({ month: 'time', w: 'number' }, rows, truncated);
  };
  const words = (found: QueryResult): string =>
    answerWords({ purpose: 'wind', notes: [] }, { plan, result: found, facts: factsOf(WEATHER.table) }).join('\n\n');

  it('has ten rows, and says of how many', () => {
    expect(words(months(34)).match(/^\| \w+ \d{4} \|/gm)).toHaveLength(10);
    expect(words(months(34))).toContain('Showing 10 of 34 rows.');
    expect(words(months(34, true))).toContain('Showing 10 of more than 34 rows.');
    expect(words(months(4))).not.toContain('Showing');
  });

  it('never lets cells write Markdown', () => {
    const found = result({ location: 'text', w: 'number' }, [
      ['![x](http://evil) | <b>`a`</b>', 3],
      ['[click](http://evil)\n# head', 1],
    ]);
    const told = answerWords(
      { purpose: 'wind', notes: ['I took *all* rows.'] },
      { plan: BY_PLACE, result: found, facts: factsOf(WEATHER.table) },
    ).join('\n\n');
    expect(told).toContain(String.raw`| !\[x\](http://evil) \| \<b\>\`a\`\</b\> | 3 |`);
    expect(told).toContain(String.raw`| \[click\](http://evil) # head | 1 |`);
    expect(told).toContain('I read this as “wind”:\n\n- I took \\*all\\* rows.');
  });
});
