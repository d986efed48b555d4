import { describe, expect, it } from 'vitest';
import type { AnalysisPlan, Filter, Measure } from '../../ports/analysis-plan.js';
import type { Cell, QueryResult } from '../../ports/table.js';
import { BY_MONTH, BY_YEAR, by, figures, is, listing, of, result, rowCount, statistic } from '../plans.fixture.js';
import { WEATHER } from '../profiles.fixture.js';
import { factsOf } from '../reading/table.js';
import { answerWords, headlineOf } from './answer-words.js';
import type { Told } from './telling.js';

function headline(plan: AnalysisPlan, found: QueryResult, how: Partial<Told> = {}): string {
  return headlineOf({ plan, result: found, facts: factsOf(WEATHER.table), ...how });
}

const RAIN = is('weather', 'rain');
const MEAN_WIND = of('avg', 'wind', { label: 'w' });

/** What is said of one figure that a query gave. */
function single(measure: Measure, cell: Cell, filters: readonly Filter[] = [], how?: Partial<Told>): string {
  const type = typeof cell === 'string' ? 'text' : Number.isInteger(cell) ? 'integer' : 'number';
  return headline(figures({ measures: [measure], filters }), result({ [measure.label]: type }, [[cell]]), how);
}

describe('single figures', () => {
  it.each<[Measure, Cell, string]>([
    [of('percentile', 'wind', { parameter: 0.9 }), 6.712_34, 'The 90th percentile of wind is **6.712**.'],
    [of('mode', 'weather'), 'sun', 'The most frequent weather is **sun**.'],
    [of('missing', 'wind'), 3, 'There are **3 rows** without wind.'],
    [of('missing', 'wind'), 1, 'There is **1 row** without wind.'],
    [of('kurtosis', 'wind'), null, 'There are too few different values for the excess kurtosis of wind.'],
    [of('max', 'wind'), null, 'There is no value for the highest wind.'],
    [of('slope', 'wind', { second: 'temp_max' }), -0.04, 'The slope of wind on temp_max is **-0.04**.'],
    [rowCount({ filters: [RAIN] }), 1087, 'There are **1,087 rows** where weather is rain.'],
    [of('sum', 'wind', { filters: [RAIN] }), 1_234_567.8, 'The total wind is **1,234,567.8** where weather is rain.'],
  ])('%j of %j', (measure, cell, words) => {
    expect(single(measure, cell)).toBe(words);
  });

  it('say the values where outliers begin', () => {
    const usual = { method: 'iqr', threshold: 1.5, population: false, negated: false } as const;
    const bounds = { column: 'wind', low: -1.05, high: 8.55 };
    expect(single(rowCount(), 62, [{ kind: 'outlier', column: 'wind', ...usual }], { bounds })).toBe(
      'There are **62 rows** where wind is an outlier (further than 1.5 times the interquartile range from the quartiles). ' +
        'Values of wind below **-1.05** or above **8.55** count as outliers.',
    );
  });
});

describe('several figures', () => {
  const measures = [
    of('avg', 'wind', { label: 'a', filters: [is('location', 'Seattle')] }),
    of('avg', 'wind', { label: 'b', filters: [is('location', 'New York')] }),
  ];

  it.each([
    ['side by side', null, 0, '.'],
    ['with their difference', 'difference', -1.7, ': a difference of **-1.7**.'],
    ['with their change', 'percent_change', -34.693_877, ': **34.69 %** less.'],
  ] as const)('of one kind are set %s', (_, kind, d, end) => {
    const computed = kind === null ? [] : [{ kind, left: 0, right: 1, label: 'd' } as const];
    const found = result({ a: 'number', b: 'number', d: 'number' }, [[3.2, 4.9, d]]);
    expect(headline(figures({ measures, computed }), found)).toBe(
      `The average wind is **3.2** where location is Seattle and **4.9** where location is New York${end}`,
    );
  });

  it.each<['percent' | 'ratio', number | null, readonly Filter[], string]>([
    ['percent', 38.3838, [], 'In **38.38 %** of the rows, weather is rain (**342** of **891**).'],
    [
      ...(['percent', null, []] as const),
      'The percentage of rows where weather is rain can’t be calculated: a value is missing, or the divisor is zero.',
    ],
    [
      ...(['ratio', 0.383_838, [is('location', 'Seattle')]] as const),
      'In **38.38 %** of the rows where location is Seattle, weather is rain (**342** of **891**).',
    ],
  ])('of which one is a part of the other are a share: %s %s', (kind, share, filters, words) => {
    const shares = [rowCount({ label: 'r', filters: [RAIN] }), rowCount()];
    const plan = figures({ measures: shares, computed: [{ kind, left: 0, right: 1, label: 's' }], filters });
    const found = result({ r: 'integer', rows: 'integer', s: 'number' }, [[342, share === null ? 0 : 891, share]]);
    expect(headline(plan, found)).toBe(words);
  });

  it('over all groups are one', () => {
    const summary = { aggregate: 'avg', measure: 0, label: 's' } as const;
    const monthly = figures({ measures: [rowCount()], dimensions: [BY_MONTH], summary });
    const words = 'The average of number of rows by month is **60.88**.';
    expect(headline(monthly, result({ s: 'number' }, [[60.875]]))).toBe(words);
    const counted = figures({
      ...{ dimensions: [by('location')], measures: [of('sum', 'wind')] },
      having: [{ measure: 0, operator: '>', value: 100 }],
      summary: { aggregate: 'count', measure: null, label: 's' },
    });
    expect(headline(counted, result({ s: 'integer' }, [[1]]))).toBe(
      'There is **1 different location value** with a total wind above 100.',
    );
  });
});

const BY_PLACE = figures({ measures: [MEAN_WIND], dimensions: [by('location')] });
const places = (...rows: readonly (readonly [string | null, number | null])[]): QueryResult =>
  result({ location: 'text', w: 'number' }, rows);
const two = (first: number | null, second: number | null): QueryResult =>
  places(['Seattle', first], ['New York', second]);
const yearOf = (index: number): string => `201${index}-01-01T00:00:00.000Z`;

it('values that are missing are told with the columns that were looked at', () => {
  const measures = ['wind', 'weather', 'location', 'temp_max', 'temp_min'].map((name) => of('missing', name));
  const found = result(Object.fromEntries(measures.map(({ label }) => [label, 'integer'])), [[3, 0, 0, 0, 1]]);
  expect(headline(figures({ measures }), found)).toBe(
    '**4** values are missing, in **2** of the 5 columns looked at. Most are missing in **wind** (**3**).',
  );
});

describe('groups', () => {
  const highest = '**New York** has the highest average wind (**5**), **Seattle** the lowest';
  const top = { ...BY_PLACE, order: [{ by: 'w', direction: 'desc' as const }], limit: 2 };
  const rows = figures({ measures: [rowCount()], dimensions: [by('location')] });

  it.each<[string, AnalysisPlan, QueryResult, string]>([
    ['of two are compared', BY_PLACE, two(3, 5), `${highest} (**3**). The difference is **2** (66.67 % more).`],
    ['of two are no percentage below zero', BY_PLACE, two(-3, 5), `${highest} (**-3**). The difference is **8**.`],
    ['that are alike have no highest one', BY_PLACE, two(3, 3), 'The average wind is the same for both: **3**.'],
    ['without values are no figures', BY_PLACE, two(null, null), 'There is no value for the average wind.'],
    ['are none without rows', BY_PLACE, places(), 'There are **no rows**.'],
    [
      'with a number of rows have most or fewest',
      rows,
      result({ location: 'text', rows: 'integer' }, Object.entries({ Seattle: 1200, 'New York': 300, Boston: 300 })),
      '**Seattle** has the most rows (**1,200**), **New York** and **Boston** the fewest (**300** each).',
    ],
    [
      'have an extreme that is said once',
      { ...BY_PLACE, measures: [of('max', 'wind', { label: 'w' })] },
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
      result({ year: 'time', w: 'number' }, Object.entries({ [yearOf(2)]: 3, [yearOf(3)]: 5, [yearOf(4)]: 4 })),
      '**2013** has the highest average wind (**5**), **2012** the lowest (**3**). It went from **3** (2012) to **4** (2014).',
    ],
    [
      'of two times say how much it changed',
      figures({ measures: [MEAN_WIND], dimensions: [BY_YEAR] }),
      result({ year: 'time', w: 'number' }, Object.entries({ [yearOf(2)]: 4, [yearOf(3)]: 3 })),
      '**2012** has the highest average wind (**4**), **2013** the lowest (**3**). It went from **4** (2012) to **3** (2013), **1** less (25 %).',
    ],
    [
      'of a week begin a sentence like others',
      figures({
        measures: [MEAN_WIND],
        dimensions: [{ kind: 'bucket', column: 'date', bucket: 'week', label: 'week' }],
      }),
      result({ week: 'time', w: 'number' }, [
        ['2026-07-27T00:00:00.000Z', null],
        ['2026-08-03T00:00:00.000Z', 4],
      ]),
      'The **week of 2026-08-03** has the highest average wind (**4**).',
    ],
    [
      'that a condition names are named once',
      { ...rows, filters: [is('location', 'Seattle')] },
      result({ location: 'text', rows: 'integer' }, [['Seattle', 76]]),
      'The number of rows where location is Seattle is **76**.',
    ],
    [
      'reach a running total each',
      figures({
        ...{ measures: [of('sum', 'wind')], dimensions: [by('location'), BY_YEAR] },
        computed: [{ kind: 'cumulative', of: 0, label: 'c' }],
      }),
      result({ location: 'text', year: 'time', 'sum wind': 'number', c: 'number' }, [
        ['Boston', yearOf(2), 1, 1],
        ['Boston', yearOf(3), 1, 2],
        ['Seattle', yearOf(2), 5, 5],
        ['Seattle', yearOf(3), 4, 9],
      ]),
      'The running total of total wind reaches **2** for **Boston** and **9** for **Seattle** at the end.',
    ],
    [
      ...(['at the top may share their place', top, two(5, 5)] as const),
      '**Seattle** and **New York** have the highest average wind: **5** each.',
    ],
    ['may have no name', { ...top, limit: 1 }, places([null, 5]), '**(none)** has the highest average wind: **5**.'],
    [
      'have shares in percent',
      { ...rows, computed: [{ kind: 'share', of: 0, label: 's' }] },
      result({ location: 'text', rows: 'integer', s: 'number' }, [
        ['Seattle', 1, 0.25],
        ['New York', 3, 0.75],
      ]),
      '**New York** has the largest share of the rows (**75 %**), **Seattle** the smallest (**25 %**).',
    ],
    [
      'share the smallest share',
      { ...rows, computed: [{ kind: 'share', of: 0, label: 's' }] },
      result({ location: 'text', rows: 'integer', s: 'number' }, [
        ['Seattle', 4, 1],
        ['New York', 0, 0],
        ['Boston', 0, 0],
      ]),
      '**Seattle** has the largest share of the rows (**100 %**), **New York** and **Boston** the smallest (**0 %** each).',
    ],
    [
      'have percentages of their own',
      {
        ...rows,
        measures: [rowCount({ label: 'r', filters: [RAIN] }), rowCount()],
        computed: [{ kind: 'percent', left: 0, right: 1, label: 'p' }],
        filters: [is('location', 'Seattle', 'New York')],
      },
      result({ location: 'text', r: 'integer', rows: 'integer', p: 'number' }, [
        ['Seattle', 1, 2, 50],
        ['New York', 1, 4, 25],
      ]),
      '**Seattle** has the highest percentage of rows where weather is rain (all where location is Seattle or New York) (**50 %**), **New York** the lowest (**25 %**).',
    ],
  ])('%s', (_, plan, found, words) => {
    expect(headline(plan, found)).toBe(words);
  });

  it.each([
    [[100, 120], 'In **2011** the total wind rises by **20 %**, from **100** (2010) to **120**.'],
    [[100, 120, 90], 'The total wind rises most in **2011** (**+20 %**) and falls most in **2012** (**-25 %**).'],
    [[100], 'There is no value for the growth of total wind: there is nothing before it to compare with.'],
  ])('grow from one to the next: %j', (sums, words) => {
    const computed = [{ kind: 'growth', of: 0, label: 'g' }] as const;
    const plan = figures({ measures: [of('sum', 'wind')], dimensions: [BY_YEAR], computed });
    const found = sums.map((sum, at) => [yearOf(at), sum, at === 0 ? null : sum / (sums[at - 1] ?? 0) - 1]);
    expect(headline(plan, result({ year: 'time', 'sum wind': 'number', g: 'number' }, found))).toBe(words);
  });

  it('that fit a condition are named with their figures', () => {
    const plan = { ...BY_PLACE, having: [{ measure: 0, operator: '>=' as const, value: 2.5 }] };
    const limit = 'an average wind of at least 2.5';
    expect(headline(plan, two(5, 3))).toBe(
      `**2** location values have ${limit}: **Seattle** (**5**) and **New York** (**3**).`,
    );
    expect(headline({ ...plan, filters: [RAIN] }, places(['Seattle', 5]))).toBe(
      `**1** location value has ${limit} where weather is rain: **Seattle** (**5**).`,
    );
    expect(headline(plan, places())).toBe(`There are **no rows** with ${limit}.`);
  });

  it('that are listed come as a sentence when they are few', () => {
    const listed = (values: readonly string[]): string =>
      headline(
        figures({ dimensions: [by('weather')] }),
        result(
          { weather: 'text' },
          values.map((value) => [value]),
        ),
      );
    expect(listed(['sun', 'rain', 'fog'])).toBe('There are **3 different values** of weather: sun, rain and fog.');
    const many = Array.from({ length: 40 }, (_, index) => `w${String(index)}`);
    expect(listed(many)).toBe('There are **40 different values** of weather.');
  });
});

describe('statistics', () => {
  const numbers = (cells: Readonly<Record<string, number | null>>): QueryResult =>
    result(Object.fromEntries(Object.keys(cells).map((name) => [name, 'number' as const])), [Object.values(cells)]);

  it.each([
    [
      ...[-0.1649, 1e-19, 2922],
      'The correlation of wind and temp_max is **-0.1649**: weak and negative (p **< 0.001**, 2,922 pairs). ' +
        'The correlation is significant at the level of 0.05.',
    ],
    [
      ...[0.01, 0.213_456, 20],
      'The correlation of wind and temp_max is **0.01**: practically none (p = **0.2135**, 20 pairs). ' +
        'The correlation is not significant at the level of 0.05.',
    ],
    [null, null, 1, 'There are too few values for the correlation of wind and temp_max.'],
  ] as const)(
    'say how strong a correlation of %d is, and whether it is significant',
    (correlation, p, pairs, words) => {
      const plan = statistic({ method: 'pearson', columns: ['wind', 'temp_max'] });
      expect(headline(plan, numbers({ correlation, 'p-value': p, pairs }))).toBe(words);
    },
  );

  it('of a test begin with what it compares', () => {
    const plan = statistic({ method: 'welch_t_test', columns: ['wind'], by: 'location', filters: [RAIN] });
    const found = { statistic: -2.3149, 'p-value': 0.0213, 'degrees of freedom': 120.4567 };
    expect(headline(plan, numbers({ ...found, 'mean of Seattle': 3.2, 'mean of New York': 4.9 }))).toBe(
      'The mean is **3.2** for Seattle and **4.9** for New York. Welch’s t-test of wind by location where weather is rain: ' +
        't = **-2.315** (p = **0.0213**, 120.46 degrees of freedom). The difference is significant at the level of 0.05.',
    );
  });

  it('doubt a normal distribution by a small p-value', () => {
    const told = [0.01, 0.4].map((p) =>
      headline(
        statistic({ method: 'shapiro_wilk', columns: ['wind'] }),
        numbers({ statistic: 0.98, 'p-value': p, rows: 50 }),
      ),
    );
    expect(told[0]).toContain('The values are not normally distributed');
    expect(told[1]).toContain('The values can be taken as normally distributed');
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

function told(plan: AnalysisPlan, found: QueryResult, ...notes: readonly string[]): string {
  return answerWords({ purpose: 'wind', notes }, { plan, result: found, facts: factsOf(WEATHER.table) }).join('\n\n');
}

it('a series of rows that were cut has no end', () => {
  const plan = figures({
    ...{ measures: [of('sum', 'wind')], dimensions: [BY_YEAR] },
    computed: [{ kind: 'cumulative', of: 0, label: 'c' }],
  });
  const columns = { year: 'time', 'sum wind': 'number', c: 'number' } as const;
  const rows = [
    [yearOf(2), 1, 1],
    [yearOf(3), 1, 2],
  ];
  expect(told(plan, result(columns, rows, true))).toContain('reaches **2** as far as the rows go (**2013**)');
});

describe('a table', () => {
  it('has as many rows as a year has months, and says of how many', () => {
    const months = (count: number, truncated = false): string => {
      const rows = Array.from({ length: count }, (_, index) => [new Date(Date.UTC(2012, index)).toISOString(), index]);
      const plan = figures({ measures: [MEAN_WIND], dimensions: [BY_MONTH] });
      return told(plan, result({ month: 'time', w: 'number' }, rows, truncated));
    };
    expect(months(34).match(/^\| \w+ \d{4} \|/gm)).toHaveLength(12);
    expect(months(34)).toContain('Showing 12 of 34 rows.');
    expect(months(34, true)).toContain('Showing 12 of more than 34 rows.');
    expect(months(4)).not.toContain('Showing');
  });

  it('tells midnight with its hour where other rows have one', () => {
    const at = (...times: readonly string[]): string =>
      told(
        listing({ columns: ['date'] }),
        result(
          { date: 'time', wind: 'number' },
          times.map((time) => [`2024-03-0${time}:00.000Z`, 1]),
        ),
      );
    expect(at('1T00:00', '1T00:15')).toContain('| 2024-03-01 00:00 | 1 |');
    expect(at('1T00:00', '2T00:00')).toContain('| 2024-03-01 | 1 |');
  });

  it('never lets cells write Markdown', () => {
    const found = places(['![x](http://evil) | <b>`a`</b>', 3], ['[click](http://evil)\n# head', 1]);
    const words = told(BY_PLACE, found, 'I took *all* rows.');
    expect(words).toContain(String.raw`| !\[x\](http://evil) \| \<b\>\`a\`\</b\> | 3 |`);
    expect(words).toContain(String.raw`| \[click\](http://evil) # head | 1 |`);
    expect(words).toContain('I read this as “wind”:\n\n- I took \\*all\\* rows.');
  });
});
