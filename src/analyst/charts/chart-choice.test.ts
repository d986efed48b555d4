import { describe, expect, it } from 'vitest';
import type { AnalysisPlan, Dimension } from '../../ports/analysis-plan.js';
import type { Cell, QueryResult } from '../../ports/table.js';
import { chartFor } from './chart-choice.js';
import { chartWishOf } from './chart-wish.js';
import { BY_MONTH, by, figures, listing, of, result, rowCount, statistic } from '../plans.fixture.js';

const WEEKDAY: Dimension = { kind: 'part', column: 'date', part: 'weekday', label: 'weekday' };
const HOUR: Dimension = { kind: 'part', column: 'date', part: 'hour', label: 'hour' };
const month = (number: number): string => new Date(Date.UTC(2012, number, 1)).toISOString();
const upTo = (count: number): readonly number[] => [...Array(count).keys()];

function times(count: number, label = 'rows'): QueryResult {
  return result(
    { month: 'time', [label]: 'number' },
    upTo(count).map((index) => [month(index), index + 1]),
  );
}

function groups(count: number, label = 'rows'): QueryResult {
  return result(
    { place: 'text', [label]: 'number' },
    upTo(count).map((index) => [`p${String(index)}`, count - index]),
  );
}

/** Each of some groups with each of some others. */
function crossed(first: Dimension, second: Dimension, lines: number, columns: number, label: string): QueryResult {
  const typeOf = ({ kind }: Dimension) => ({ bucket: 'time', part: 'integer', column: 'text' } as const)[kind];
  const cell = ({ kind }: Dimension, at: number): Cell =>
    kind === 'bucket' ? month(at) : kind === 'part' ? at + 1 : `g${String(at)}`;
  const rows = upTo(lines * columns).map((at) => [
    ...[cell(first, Math.floor(at / columns)), cell(second, at % columns), at + 1],
  ]);
  return result({ [first.label]: typeOf(first), [second.label]: typeOf(second), [label]: 'number' }, rows);
}

function drawn(plan: AnalysisPlan, found: QueryResult, question = ''): ReturnType<typeof chartFor>['chart'] {
  return chartFor(plan, found, chartWishOf(question)).chart;
}

const byMonth = figures({ measures: [rowCount()], dimensions: [BY_MONTH] });
const byPlace = figures({ measures: [rowCount()], dimensions: [by('place')] });
const ranked = { ...byPlace, order: [{ by: 'rows', direction: 'desc' as const }] };
const series = (one: 'share' | 'growth' | 'cumulative', dimension: Dimension): AnalysisPlan =>
  figures({ measures: [rowCount()], dimensions: [dimension], computed: [{ kind: one, of: 0, label: one }] });

describe('the picture that suits', () => {
  it.each<[string, AnalysisPlan, QueryResult, string | null]>([
    ['time', byMonth, times(5), 'line'],
    ['two moments', byMonth, times(2), 'bar'],
    ['a running total', series('cumulative', BY_MONTH), times(5, 'cumulative'), 'area'],
    ['growth', series('growth', BY_MONTH), times(5, 'growth'), 'bar'],
    ['the best months', { ...byMonth, order: ranked.order, limit: 5 }, times(5), 'bar'],
    ['groups', byPlace, groups(5), 'bar'],
    ['one group', byPlace, groups(1), null],
    ['groups that are too many', byPlace, groups(80), null],
    ['groups that are many and ranked', ranked, groups(80), 'bar'],
    ['shares of a few', series('share', by('place')), groups(5, 'share'), 'pie'],
    ['shares of many', series('share', by('place')), groups(9, 'share'), 'bar'],
    ['the top of each', { ...byPlace, each: ['place'], limit: 2 }, groups(4), null],
    ['one figure', { ...byPlace, summary: { aggregate: 'count', measure: null, label: 'n' } }, groups(3), null],
    ['listed values', figures({ dimensions: [by('place')] }), groups(5), null],
    ['rows', listing({ columns: ['place', 'rows'] }), groups(5), null],
    ['a test', statistic({ method: 'anova', columns: ['a'], by: 'b' }), groups(5), null],
  ])('%s', (_, plan, found, wanted) => {
    expect(drawn(plan, found)?.kind ?? null).toBe(wanted);
  });

  it.each<[string, readonly [Dimension, Dimension], readonly [number, number], 'sum' | 'avg', object]>([
    ['time and groups', [by('place'), BY_MONTH], [3, 5], 'avg', { kind: 'line', x: 'month', series: 'place' }],
    ['few of two groups', [by('place'), by('kind')], [4, 3], 'avg', { kind: 'grouped_bar' }],
    ['parts of sums', [by('place'), by('kind')], [3, 5], 'sum', { kind: 'stacked_bar' }],
    ['many of two groups', [by('place'), by('kind')], [10, 8], 'avg', { kind: 'heatmap' }],
    ['weekdays and hours', [WEEKDAY, HOUR], [7, 24], 'avg', { kind: 'heatmap', x: 'hour', series: 'weekday' }],
  ])('%s', (_, [first, second], [lines, columns], aggregate, chart) => {
    const plan = figures({ measures: [of(aggregate, 'wind')], dimensions: [first, second] });
    expect(drawn(plan, crossed(first, second, lines, columns, `${aggregate} wind`))).toMatchObject(chart);
  });

  it('a column of years and groups', () => {
    const plan = figures({ measures: [of('avg', 'wind')], dimensions: [by('place'), by('season')] });
    const rows = upTo(8).map((at) => [`p${String(at % 2)}`, 2012 + Math.floor(at / 2), at]);
    const found = result({ place: 'text', season: 'integer', 'avg wind': 'number' }, rows);
    expect(drawn(plan, found)).toMatchObject({ kind: 'line', x: 'season', series: 'place' });
  });

  it('several figures, of which the title names the one that is drawn', () => {
    const plan = figures({ measures: [rowCount(), of('sum', 'wind')], dimensions: [BY_MONTH] });
    expect(drawn(plan, times(5))?.title).toBe('Number of rows by month');
  });

  it('correlations', () => {
    const pairs = ['a b', 'a c', 'b c'].map((pair, index) => [...pair.split(' '), index / 5]);
    const found = result({ first: 'text', second: 'text', correlation: 'number' }, pairs);
    expect(drawn(statistic({ method: 'correlation_matrix', columns: ['a', 'b', 'c'] }), found)?.kind).toBe('heatmap');
  });
});

describe('the picture that is asked for', () => {
  const adding = 'figures that add up, such as totals.';
  const meanWind = figures({ measures: [of('avg', 'wind')], dimensions: [by('place')] });
  const noLine = 'A line chart needs a time or numbers from left to right.';
  const negative = result({ month: 'time', rows: 'number' }, Object.entries({ [month(0)]: -1, [month(12)]: 2 }));
  it.each<[string, AnalysisPlan, QueryResult, string | null, string | null]>([
    ['rows by pie', byPlace, groups(5), 'bar', null],
    ['rows per month, line pls', byMonth, times(5), 'line', null],
    ['rows by place as a pie chart', byPlace, groups(8), 'pie', null],
    ['Pie chart of rows by month', byMonth, times(5), 'pie', null],
    ['area plot of rows per month', byMonth, times(5), 'area', null],
    ['rows by place, no chart please', byPlace, groups(5), null, null],
    ['line chart of rows by place', byPlace, groups(5), 'bar', noLine],
    ['heatmap of rows by place', byPlace, groups(5), 'bar', 'A heatmap needs two groupings.'],
    ['rows by place as stacked bars', byPlace, groups(5), 'bar', 'Stacked bars need two groupings.'],
    ['mean wind by place as a pie', meanWind, groups(5, 'avg wind'), 'bar', `A pie needs ${adding}`],
    ['rows as a pie', listing({ columns: ['place', 'rows'] }), groups(50), null, 'There are too many rows for a pie.'],
    ['rows by place, pie', ranked, groups(50), 'bar', 'There are too many groups for a pie.'],
    ['rows by month as a pie chart', byMonth, negative, 'bar', 'A pie can’t show values below zero.'],
    ['boxplot of rows by place', byPlace, groups(5), 'bar', 'I can’t draw a boxplot.'],
    ['rows by place as bar chart', byPlace, groups(1), null, 'A single row makes no chart.'],
  ])('is drawn, or not with a reason: %s', (question, plan, found, kind, why) => {
    const made = chartFor(plan, found, chartWishOf(question));
    expect([made.chart?.kind ?? null, made.why]).toEqual([kind, why]);
  });

  it('puts nothing on each other that does not add up', () => {
    const found = crossed(BY_MONTH, by('place'), 5, 3, 'avg wind');
    const plan = figures({ measures: [of('avg', 'wind')], dimensions: [BY_MONTH, by('place')] });
    expect(chartFor(plan, found, chartWishOf('as stacked bars'))).toMatchObject({
      chart: { kind: 'line' },
      why: `Stacked bars need ${adding}`,
    });
    expect(drawn(plan, found, 'as an area chart')?.kind).toBe('line');
  });

  it('is drawn of rows too', () => {
    const found = result(
      { name: 'text', wind: 'number', rain: 'number' },
      ['a', 'b'].map((name, at) => [name, at, at]),
    );
    const plan = listing({ columns: ['name', 'wind', 'rain'] });
    expect(drawn(plan, found, 'scatter plot of wind and rain')).toMatchObject({ x: 'wind', y: 'rain' });
    expect(drawn(plan, found, 'histogram of wind')).toMatchObject({ kind: 'histogram', x: 'wind', y: null });
  });

  it('is a line for each thing whose figure was noted over time, unless it was noted once', () => {
    const plan = listing({ columns: ['at', 'pump', 'heat'] });
    const noted = (pumps: number): QueryResult =>
      result(
        { at: 'time', pump: 'text', heat: 'number' },
        upTo(6).map((at) => [month(Math.floor(at / pumps)), `P${String(at % pumps)}`, 20 + at]),
      );
    const question = 'heat over time for P0 and P1';
    const lines = { kind: 'line', x: 'at', y: 'heat', series: 'pump' };
    for (const wish of [question, 'line chart of heat']) expect(drawn(plan, noted(2), wish)).toMatchObject(lines);
    expect(drawn(plan, noted(6), question)).toBeNull();
    expect(drawn(plan, noted(2), 'heat, without a chart')).toBeNull();
    // A list of the hottest, and the hot ones alone, are no lines unless somebody wants one.
    const hottest = listing({ ...plan, order: [{ by: 'heat', direction: 'desc' }] });
    const hot = listing({ ...plan, filters: [{ kind: 'compare', column: 'heat', operator: '>', value: 21 }] });
    for (const one of [hottest, hot]) expect(drawn(one, noted(2), question)).toBeNull();
    expect(drawn(hottest, noted(2), 'line chart of heat')).toMatchObject(lines);
  });

  it.each([
    ['sales by region as pie', 'pie'],
    ['histogramm of age', 'histogram'],
    ['Umsatz je Region als Balkendiagramm', 'bar'],
    ['stacked bar of sales by region and year', 'stacked_bar'],
    ['sales as table', 'none'],
    ['sales by region, just the numbers', 'none'],
    ['output per line', null],
    ['area by country', null],
  ])('is named in the words of an office: %s', (question, kind) => {
    expect(chartWishOf(question).kind).toBe(kind);
  });
});
