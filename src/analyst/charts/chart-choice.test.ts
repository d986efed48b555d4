import { describe, expect, it } from 'vitest';
import type { AnalysisPlan, Dimension } from '../../ports/analysis-plan.js';
import type { QueryResult } from '../../ports/table.js';
import { chartFor } from './chart-choice.js';
import { chartWishOf } from './chart-wish.js';
import { BY_MONTH, BY_YEAR, by, figures, listing, of, result, rowCount, statistic } from '../plans.fixture.js';

const WEEKDAY: Dimension = { kind: 'part', column: 'date', part: 'weekday', label: 'weekday' };
const HOUR: Dimension = { kind: 'part', column: 'date', part: 'hour', label: 'hour' };
const month = (number: number): string => new Date(Date.UTC(2012, number, 1)).toISOString();

function times(count: number, label = 'rows'): QueryResult {
  return result(
    { month: 'time', [label]: 'number' },
    Array.from({ length: count }, (_, index) => [month(index), index + 1]),
  );
}

function groups(count: number, label = 'rows'): QueryResult {
  return result(
    { place: 'text', [label]: 'number' },
    Array.from({ length: count }, (_, index) => [`p${String(index)}`, count - index]),
  );
}

/** Each of some groups with each of some others. */
function crossed(
  first: Dimension,
  second: Dimension,
  [lines, columns]: readonly [number, number],
  label: string,
): QueryResult {
  const type = (one: Dimension): 'time' | 'integer' | 'text' =>
    (({ bucket: 'time', part: 'integer', column: 'text' }) as const)[one.kind];
  const cell = (one: Dimension, index: number): string | number =>
    one.kind === 'bucket' ? month(index) : one.kind === 'part' ? index + 1 : `g${String(index)}`;
  const rows = Array.from({ length: lines * columns }, (_, index) => [
    cell(first, Math.floor(index / columns)),
    cell(second, index % columns),
    index + 1,
  ]);
  return result({ [first.label]: type(first), [second.label]: type(second), [label]: 'number' }, rows);
}

function kind(plan: AnalysisPlan, found: QueryResult, question = ''): string | null {
  return chartFor(plan, found, chartWishOf(question)).chart?.kind ?? null;
}

const byMonth = figures({ measures: [rowCount()], dimensions: [BY_MONTH] });
const byPlace = figures({ measures: [rowCount()], dimensions: [by('place')] });
const series = (one: 'share' | 'growth' | 'cumulative', dimension: Dimension): AnalysisPlan =>
  figures({ measures: [rowCount()], dimensions: [dimension], computed: [{ kind: one, of: 0, label: one }] });

describe('the picture that suits', () => {
  it.each<[string, AnalysisPlan, QueryResult, string | null]>([
    ['time', byMonth, times(5), 'line'],
    ['two moments', byMonth, times(2), 'bar'],
    ['a running total', series('cumulative', BY_MONTH), times(5, 'cumulative'), 'area'],
    ['growth', series('growth', BY_MONTH), times(5, 'growth'), 'bar'],
    ['the best months', { ...byMonth, order: [{ by: 'rows', direction: 'desc' }], limit: 5 }, times(5), 'bar'],
    ['groups', byPlace, groups(5), 'bar'],
    ['one group', byPlace, groups(1), null],
    ['groups that are too many', byPlace, groups(80), null],
    ['groups that are many and ranked', { ...byPlace, order: [{ by: 'rows', direction: 'desc' }] }, groups(80), 'bar'],
    ['shares of a few', series('share', by('place')), groups(5, 'share'), 'pie'],
    ['shares of many', series('share', by('place')), groups(9, 'share'), 'bar'],
    ['the top of each', { ...byPlace, each: ['place'], limit: 2 }, groups(4), null],
    ['one figure', { ...byPlace, summary: { aggregate: 'count', measure: null, label: 'n' } }, groups(3), null],
    ['listed values', figures({ dimensions: [by('place')] }), groups(5), null],
    ['rows', listing({ columns: ['place', 'rows'] }), groups(5), null],
    ['a test', statistic({ method: 'anova', columns: ['a'], by: 'b' }), groups(5), null],
  ])('%s', (_, plan, found, wanted) => {
    expect(kind(plan, found)).toBe(wanted);
  });

  it.each<[string, Dimension, Dimension, [readonly [number, number], 'sum' | 'avg'], string]>([
    ['time and groups', by('place'), BY_MONTH, [[3, 5], 'avg'], 'line'],
    ['few of two groups', by('place'), by('kind'), [[4, 3], 'avg'], 'grouped_bar'],
    ['parts of sums', by('place'), by('kind'), [[3, 5], 'sum'], 'stacked_bar'],
    ['many of two groups', by('place'), by('kind'), [[10, 8], 'avg'], 'heatmap'],
    ['weekdays and hours', WEEKDAY, HOUR, [[7, 24], 'avg'], 'heatmap'],
  ])('%s', (_, first, second, [size, aggregate], wanted) => {
    const plan = figures({ measures: [of(aggregate, 'wind')], dimensions: [first, second] });
    expect(kind(plan, crossed(first, second, size, `${aggregate} wind`))).toBe(wanted);
  });

  it('has time and hours from left to right, and of correlations is a map', () => {
    const plan = figures({ measures: [of('avg', 'wind')], dimensions: [WEEKDAY, HOUR] });
    const { chart } = chartFor(plan, crossed(WEEKDAY, HOUR, [7, 24], 'avg wind'), chartWishOf(''));
    expect(chart).toMatchObject({ x: 'hour', series: 'weekday' });
    const pairs = ['a b', 'a c', 'b c'].map((pair, index) => [...pair.split(' '), index / 5]);
    const found = result({ first: 'text', second: 'text', correlation: 'number' }, pairs);
    expect(kind(statistic({ method: 'correlation_matrix', columns: ['a', 'b', 'c'] }), found)).toBe('heatmap');
  });
});

describe('the picture that is asked for', () => {
  it.each<[string, AnalysisPlan, QueryResult, string | null]>([
    ['rows by place as a pie chart', byPlace, groups(8), 'pie'],
    ['Pie chart of rows by month', byMonth, times(5), 'pie'],
    ['area plot of rows per month', byMonth, times(5), 'area'],
    ['line chart of rows by place', byPlace, groups(5), 'bar'],
    ['rows by place, no chart please', byPlace, groups(5), 'none'],
    ['heatmap of rows by place', byPlace, groups(5), 'bar'],
    ['rows by pie', byPlace, groups(5), 'bar'],
  ])('%s', (question, plan, found, wanted) => {
    expect(kind(plan, found, question)).toBe(wanted === 'none' ? null : wanted);
  });

  it('is drawn of rows too', () => {
    const found = result({ name: 'text', wind: 'number', rain: 'number' }, [
      ['a', 1, 2],
      ['b', 2, 3],
    ]);
    const drawn = (wish: string): object | null =>
      chartFor(listing({ columns: ['name', 'wind', 'rain'] }), found, chartWishOf(wish)).chart;
    expect(drawn('scatter plot of wind and rain')).toMatchObject({ x: 'wind', y: 'rain' });
    expect(drawn('histogram of wind')).toMatchObject({ kind: 'histogram', x: 'wind', y: null });
  });

  it('is a line for each thing whose figure was noted over time, unless it was noted once', () => {
    const plan = listing({ columns: ['at', 'pump', 'heat'] });
    const noted = (pumps: number): QueryResult =>
      result(
        { at: 'time', pump: 'text', heat: 'number' },
        [0, 1, 2, 3, 4, 5].map((at) => [month(Math.floor(at / pumps)), `P${String(at % pumps)}`, 20 + at]),
      );
    const question = 'heat over time for P0 and P1';
    const lines = { kind: 'line', x: 'at', y: 'heat', series: 'pump' };
    expect(chartFor(plan, noted(2), chartWishOf(question)).chart).toMatchObject(lines);
    expect(kind(plan, noted(2), 'line chart of heat')).toBe('line');
    expect(kind(plan, noted(6), question)).toBeNull();
    expect(kind(plan, noted(2), 'heat, without a chart')).toBeNull();
    // A list of the hottest, and the hot ones alone, are no lines unless somebody wants one.
    const ranked = listing({ ...plan, order: [{ by: 'heat', direction: 'desc' }] });
    const hot = listing({ ...plan, filters: [{ kind: 'compare', column: 'heat', operator: '>', value: 21 }] });
    expect([kind(ranked, noted(2), question), kind(hot, noted(2), question)]).toEqual([null, null]);
    expect(kind(ranked, noted(2), 'line chart of heat')).toBe('line');
  });

  it('is no pie of what is below zero', () => {
    const found = result({ year: 'time', rows: 'number' }, Object.entries({ [month(0)]: -1, [month(12)]: 2 }));
    const plan = figures({ measures: [rowCount()], dimensions: [BY_YEAR] });
    const { chart, why } = chartFor(plan, found, chartWishOf('as a pie chart'));
    expect(chart?.kind).toBe('bar');
    expect(why).toBe('A pie can’t show values below zero.');
  });

  it.each<[string, AnalysisPlan, QueryResult, string | null]>([
    ['rows per month, line pls', byMonth, times(5), null],
    ['rows by place', byPlace, groups(5), null],
    ['line chart of rows by place', byPlace, groups(5), 'A line chart needs a time or numbers from left to right.'],
    ['heatmap of rows by place', byPlace, groups(5), 'A heatmap needs two groupings.'],
    ['rows by place as stacked bars', byPlace, groups(5), 'Stacked bars need two groupings.'],
    ['rows by place, pie', byPlace, groups(50), 'There are too many groups for a pie.'],
    ['boxplot of rows by place', byPlace, groups(5), 'I can’t draw a boxplot.'],
    ['rows by place as bar chart', byPlace, groups(1), 'A single row makes no chart.'],
  ])('is drawn, or not with a reason: %s', (question, plan, found, words) => {
    expect(chartFor(plan, found, chartWishOf(question)).why).toBe(words);
  });
});

describe('several values over time', () => {
  it.each<[string, Dimension, 'time' | 'integer', (index: number) => string | number]>([
    ['a bucket', BY_YEAR, 'time', (index) => `${String(2012 + index)}-01-01T00:00:00.000Z`],
    ['a column of years', by('season'), 'integer', (index) => 2012 + index],
  ])('are a line each: %s', (_, time, type, moment) => {
    const rows = [0, 1, 2, 3].flatMap((index) => ['Seattle', 'New York'].map((place) => [place, moment(index), index]));
    const plan = figures({ measures: [of('avg', 'wind')], dimensions: [by('place'), time] });
    const found = result({ place: 'text', [time.label]: type, 'avg wind': 'number' }, rows);
    expect(chartFor(plan, found, chartWishOf('')).chart).toMatchObject({
      kind: 'line',
      x: time.label,
      series: 'place',
    });
  });
});

describe('a kind in the words of an office', () => {
  it.each<[string, ReturnType<typeof chartWishOf>['kind']]>([
    ['sales by region as pie', 'pie'],
    ['sales by region bar pls', 'bar'],
    ['sales per month as line', 'line'],
    ['histogramm of age', 'histogram'],
    ['scatter age vs salary', 'scatter'],
    ['sales by region, donut', 'pie'],
    ['Umsatz je Region als Balkendiagramm', 'bar'],
    ['stacked bar of sales by region and year', 'stacked_bar'],
    ['sales as table', 'none'],
    ['sales by region, just the numbers', 'none'],
    ['output per line', null],
    ['area by country', null],
  ])('%s', (question, kind) => {
    expect(chartWishOf(question).kind).toBe(kind);
  });
});
