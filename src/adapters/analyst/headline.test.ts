import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { QueryResult } from '../../ports/table.js';
import { BY_MONTH, BY_YEAR, by, figures, is, listing, of, result, rowCount } from '../../analyst/plans.fixture.js';
import { WEATHER } from './fixtures/scenes.fixture.js';
import { headlineOf } from './headline.js';
import { factsOf } from './table-facts.js';
import type { Told } from './telling/telling.js';

function headline(plan: AnalysisPlan, found: QueryResult, how: Partial<Told> = {}): string {
  return headlineOf({ plan, result: found, facts: factsOf(WEATHER.table), format: { decimals: null }, ...how });
}

const RAIN = is('weather', 'rain');
const MEAN_WIND = of('avg', 'wind', { label: 'w' });
const two = (first: number | null, second: number | null): QueryResult =>
  result({ location: 'text', w: 'number' }, [
    ['Seattle', first],
    ['New York', second],
  ]);

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
    [
      of('correlation', 'wind', { second: 'temp_max' }),
      -0.1649,
      'The correlation of wind and temp_max is **-0.1649**.',
    ],
    [of('slope', 'wind', { second: 'temp_max' }), -0.04, 'The slope of wind on temp_max is **-0.04**.'],
    [rowCount({ filters: [RAIN] }), 1087, 'There are **1,087 rows** where weather is rain.'],
    [of('sum', 'wind', { filters: [RAIN] }), 1_234_567.8, 'The total wind is **1,234,568** where weather is rain.'],
  ])('%j of %j', (measure, cell, words) => {
    expect(single({ measures: [measure] }, cell)).toBe(words);
  });

  it('keep the decimals that were asked for, halves away from zero', () => {
    const mean = { measures: [MEAN_WIND] };
    expect(single(mean, 12.3, { format: { decimals: 2 } })).toBe('The average wind is **12.30**.');
    expect(single(mean, 1.005, { format: { decimals: 2 } })).toBe('The average wind is **1.01**.');
    expect(single(mean, -2.5, { format: { decimals: 0 } })).toBe('The average wind is **-3**.');
    expect(single({ measures: [rowCount()] }, 5, { format: { decimals: 2 } })).toBe('There are **5 rows**.');
    expect(single(mean, 12_345.6, { format: { decimals: null, significant: 3 } })).toBe(
      'The average wind is **12,300**.',
    );
  });

  it('say the days where outliers begin', () => {
    const outlier = {
      kind: 'outlier',
      column: 'wind',
      method: 'iqr',
      threshold: 1.5,
      population: false,
      negated: false,
    } as const;
    const bounds = { column: 'wind', low: -1.05, high: 8.55 };
    expect(single({ measures: [rowCount()], filters: [outlier] }, 62, { bounds })).toBe(
      'There are **62 rows** where wind is an outlier (further than 1.5 times the interquartile range from the quartiles). ' +
        'Values of wind below **-1.05** or above **8.55** count as outliers.',
    );
  });

  it('judge the size of a skewness', () => {
    const verdict = { by: 'size', about: 'normality', limit: 0.5 } as const;
    const skewness = { measures: [of('skewness', 'wind')] };
    expect(single(skewness, 0.21, { verdict })).toContain('The distribution is close to normal');
    expect(single(skewness, -1.4, { verdict })).toContain('skewed to the left');
    expect(single(skewness, 0.9, { verdict, format: { decimals: null, yesOrNo: true } })).toMatch(/^\*\*No\.\*\* /);
  });

  it('begin with yes or no where that is asked', () => {
    const format = { decimals: null, yesOrNo: true };
    expect(single({ measures: [rowCount()], filters: [RAIN] }, 3, { format })).toBe(
      '**Yes.** There are **3 rows** where weather is rain.',
    );
    expect(single({ measures: [rowCount()], filters: [RAIN] }, 0, { format })).toMatch(
      /^\*\*No\.\*\* There are \*\*0 rows/,
    );
    expect(headline(listing({ filters: [RAIN] }), result({ wind: 'number' }, []), { format })).toMatch(/^\*\*No\.\*\*/);
  });
});

describe('several figures', () => {
  it('of one kind are set side by side', () => {
    const measures = [
      of('avg', 'wind', { label: 'a', filters: [is('location', 'Seattle')] }),
      of('avg', 'wind', { label: 'b', filters: [is('location', 'New York')] }),
    ];
    const found = result({ a: 'number', b: 'number' }, [[3.2, 4.9]]);
    expect(headline(figures({ measures }), found)).toBe(
      'The average wind is **3.2** where location is Seattle and **4.9** where location is New York.',
    );
    const difference = figures({ measures, computed: [{ kind: 'difference', left: 0, right: 1, label: 'd' }] });
    expect(headline(difference, result({ a: 'number', b: 'number', d: 'number' }, [[3.2, 4.9, -1.7]]))).toBe(
      'The average wind where location is Seattle is **3.2**, the average wind where location is New York **4.9**: a difference of **-1.7**.',
    );
    const change = figures({ measures, computed: [{ kind: 'percent_change', left: 0, right: 1, label: 'd' }] });
    expect(headline(change, result({ a: 'number', b: 'number', d: 'number' }, [[3.2, 4.9, -34.693_877]]))).toBe(
      'The average wind where location is Seattle is **3.2**, against **4.9** for the average wind where location is New York: a change of **-34.69 %** (less).',
    );
  });

  it('of which one is a part of the other are a share', () => {
    const measures = [rowCount({ label: 'r', filters: [RAIN] }), rowCount()];
    const found = (cell: number | null): QueryResult =>
      result({ r: 'integer', rows: 'integer', s: 'number' }, [[342, cell === null ? 0 : 891, cell]]);
    const percent = figures({ measures, computed: [{ kind: 'percent', left: 0, right: 1, label: 's' }] });
    expect(headline(percent, found(38.3838))).toBe(
      '**38.38 %** of the rows are those where weather is rain (**342** of **891**).',
    );
    expect(headline(percent, found(null))).toContain('can’t be worked out');
    const ratio = figures({
      measures,
      computed: [{ kind: 'ratio', left: 0, right: 1, label: 's' }],
      filters: [is('location', 'Seattle')],
    });
    expect(headline(ratio, found(0.383_838))).toBe(
      'The share of the rows where location is Seattle that are those where weather is rain is **0.3838** (**342** of **891**).',
    );
    expect(headline(ratio, found(0.383_838), { format: { decimals: 1, shares: 'percent' } })).toBe(
      '**38.4 %** of the rows where location is Seattle are those where weather is rain (**342** of **891**).',
    );
  });

  it('name the column that has the highest or lowest of them', () => {
    const measures = ['wind', 'precipitation', 'temp_max'].map((column) => of('missing', column));
    const found = (...cells: readonly number[]): QueryResult =>
      result({ 'missing wind': 'integer', 'missing precipitation': 'integer', 'missing temp_max': 'integer' }, [cells]);
    const focus = { on: 'highest', term: null } as const;
    expect(headline(figures({ measures }), found(3, 177, 0), { focus })).toBe(
      '**precipitation** has the most missing values: **177**.',
    );
    expect(headline(figures({ measures }), found(3, 3, 0), { focus })).toBe(
      '**wind** and **precipitation** have the most missing values: **3** each.',
    );
    expect(headline(figures({ measures }), found(0, 0, 0), { focus })).toBe('**No column** has missing values.');
    const spread = ['wind', 'temp_max'].map((column) => of('stddev', column));
    const lowest = result({ 'stddev wind': 'number', 'stddev temp_max': 'number' }, [[1.88, 9.2]]);
    expect(headline(figures({ measures: spread }), lowest, { focus: { on: 'lowest', term: null } })).toBe(
      '**wind** has the lowest standard deviation: **1.88**.',
    );
  });

  it('over all groups are one', () => {
    const summed = figures({
      measures: [rowCount()],
      dimensions: [BY_MONTH],
      summary: { aggregate: 'avg', measure: 0, label: 's' },
    });
    expect(headline(summed, result({ s: 'number' }, [[60.875]]))).toBe(
      'The average of number of rows by month is **60.88**.',
    );
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
  const byPlace = figures({ measures: [MEAN_WIND], dimensions: [by('location')] });

  it('of two are compared', () => {
    expect(headline(byPlace, two(3, 5))).toBe(
      'The average wind is highest for **New York** (**5**) and lowest for **Seattle** (**3**). That is **2** more (66.67 %).',
    );
    expect(headline(byPlace, two(-3, 5))).toBe(
      'The average wind is highest for **New York** (**5**) and lowest for **Seattle** (**-3**). That is **8** more.',
    );
  });

  it('that are alike have no highest one', () => {
    expect(headline(byPlace, two(3, 3))).toBe('The average wind is the same for all 2: **3**.');
  });

  it('without values are no figures', () => {
    expect(headline(byPlace, two(null, null))).toBe('There is no value for the average wind.');
    expect(headline(byPlace, result({ location: 'text', w: 'number' }, []))).toBe('**Nothing** fits: there is no row.');
  });

  it('in time say from what to what it went', () => {
    const plan = figures({ measures: [MEAN_WIND], dimensions: [BY_YEAR] });
    const found = result({ year: 'time', w: 'number' }, [
      ['2012-01-01T00:00:00.000Z', 3],
      ['2013-01-01T00:00:00.000Z', 5],
      ['2014-01-01T00:00:00.000Z', 4],
    ]);
    expect(headline(plan, found)).toBe(
      'The average wind is highest for **2013** (**5**) and lowest for **2012** (**3**). It went from **3** (2012) to **4** (2014).',
    );
  });

  it('at the top may share their place', () => {
    const plan = { ...byPlace, order: [{ by: 'w', direction: 'desc' as const }], limit: 2 };
    expect(headline(plan, two(5, 5))).toBe(
      'Of the 2 with the highest average wind, **Seattle** and **New York** come first with **5** each.',
    );
    expect(headline({ ...plan, limit: 1 }, result({ location: 'text', w: 'number' }, [[null, 5]]))).toBe(
      '**(none)** has the highest average wind: **5**.',
    );
  });

  it('have shares in percent', () => {
    const plan = figures({
      measures: [rowCount()],
      dimensions: [by('location')],
      computed: [{ kind: 'share', of: 0, label: 's' }],
    });
    const found = result({ location: 'text', rows: 'integer', s: 'number' }, [
      ['Seattle', 1, 0.25],
      ['New York', 3, 0.75],
    ]);
    expect(headline(plan, found)).toBe(
      '**New York** has the largest share of the rows (**75 %**), **Seattle** the smallest (**25 %**).',
    );
    expect(headline(plan, found, { format: { decimals: 1 } })).toContain('(**75.0 %**)');
    expect(headline(plan, found, { format: { decimals: null, shares: 'fraction' } })).toContain('(**0.75**)');
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
    const plan = figures({
      measures: [MEAN_WIND],
      dimensions: [by('location')],
      having: [{ measure: 0, operator: '>=', value: 2.5 }],
    });
    expect(headline(plan, two(5, 3))).toBe(
      '**2** location values have an average wind of at least 2.5: **Seattle** (**5**) and **New York** (**3**).',
    );
    const one = result({ location: 'text', w: 'number' }, [['Seattle', 5]]);
    expect(headline({ ...plan, filters: [RAIN] }, one)).toBe(
      '**1** location value has an average wind of at least 2.5 where weather is rain: **Seattle** (**5**).',
    );
    expect(headline(plan, result({ location: 'text', w: 'number' }, []))).toBe(
      '**Nothing** fits: there is no row with an average wind of at least 2.5.',
    );
  });

  it('that are listed come as a sentence when they are few', () => {
    const plan = figures({ dimensions: [by('weather')] });
    expect(headline(plan, result({ weather: 'text' }, [['sun'], ['rain'], ['fog']]))).toBe(
      'There are **3 different values** of weather: sun, rain and fog.',
    );
    const many = result(
      { weather: 'text' },
      Array.from({ length: 40 }, (_, index) => [`w${String(index)}`]),
    );
    expect(headline(plan, many)).toBe('There are **40 different values** of weather.');
  });
});
