import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { Exchange, ModelRequest } from '../ports/chat-model.js';
import type { QueryResult } from '../ports/table.js';
import { BY_MONTH, by, figures, is, listing, of, result, rowCount, statistic } from './plans.fixture.js';
import { chartWishOf } from './charts/chart-wish.js';
import { sampleFor } from './charts/samples.js';
import { MAX_PARTS, MessageAnswer, periodNote, type Turn } from './message-answer.js';
import { purposeOf } from '../plan/wording.js';
import { aScene, numberColumn, timeColumn, WEATHER } from './profiles.fixture.js';
import { factsOf } from './reading/table.js';
import type { Part, Understanding } from './understanding.js';

const TOOLS = ['analyze', 'make_chart'].map((name) => ({ name, description: '', parameters: {} }));

function aPart(question: string, understanding: Understanding): Part {
  return { question, understanding, wish: chartWishOf(question), format: { decimals: null } };
}

function asked(question: string, plan: AnalysisPlan): Part {
  return aPart(question, { kind: 'plan', plan, purpose: purposeOf(plan), unread: [], notes: [], confidence: 0.9 });
}

const NO = { kind: 'unclear', unread: [], isAside: false, offers: ['Average wind', 'Number of rows'] } as const;

function unread(question: string, word: string): Part {
  return aPart(question, { ...NO, verdict: 'clarify', says: `I don’t know “${word}”.` });
}

function turn(parts: readonly Part[], ...exchanges: readonly Exchange[]): Turn {
  return turnIn(WEATHER, parts, ...exchanges);
}

function turnIn({ table, now }: typeof WEATHER, parts: readonly Part[], ...exchanges: readonly Exchange[]): Turn {
  const briefing = { question: '', history: [], table, passages: [], now };
  const request: ModelRequest = { briefing, exchanges, tools: TOOLS };
  return new MessageAnswer(request, { table, told: null }, parts).turn();
}

/** A round in which these calls were made; without a result one came to nothing. */
function round(outcomes: Readonly<Record<string, QueryResult | null>>, tool = 'analyze'): Exchange {
  return {
    text: '',
    calls: Object.keys(outcomes).map((id) => ({ id, name: tool, arguments: '{}' })),
    outcomes: Object.entries(outcomes).map(([callId, found], index) => ({
      ...{ callId, ok: found !== null, result: found },
      content: found === null ? '{"error":"the query took too long."}' : `{"result":"r${String(index + 1)}"}`,
    })),
  };
}

const CHART = round({ chart: null }, 'make_chart');
const text = (made: Turn): string => (made.kind === 'words' ? made.paragraphs.join('\n\n') : made.kind);

const MEAN = asked('What is the average wind?', figures({ measures: [of('avg', 'wind')] }));
const MEAN_FOUND = result({ 'avg wind': 'number' }, [[4.1]]);
const MONTHS = asked('And per month?', figures({ measures: [of('avg', 'wind')], dimensions: [BY_MONTH] }));
const MONTHS_FOUND = result(
  { month: 'time', 'avg wind': 'number' },
  [1, 2, 3, 4].map((month) => [`2012-0${String(month)}-01T00:00:00.000Z`, month]),
);

describe('a ranking', () => {
  const most = { order: [{ by: 'rows', direction: 'desc' as const }], limit: 1 };
  const plan = { ...figures({ measures: [rowCount()], dimensions: [by('location')] }), ...most };
  const places = (...rows: readonly (readonly [string, number])[]): QueryResult =>
    result({ location: 'text', rows: 'integer' }, rows);

  it('says who shares its last place', () => {
    const parts = [asked('Where are most?', plan)];
    expect(turn(parts)).toMatchObject({ calls: [{ id: 'call_ties', plan: { skip: 0, limit: 11 } }, {}] });
    const behind = places(['Oslo', 14], ['Rome', 14], ['Bern', 3]);
    const made = turn(parts, round({ call_ties: behind, call_analyze: places(['Oslo', 14]) }), CHART);
    expect(text(made)).toBe('**Oslo** has the most rows: **14**. **Rome** is tied with it.');
  });

  it('of rows says how many more there are', () => {
    const windiest = listing({ order: [{ by: 'wind', direction: 'desc' }], limit: 2 });
    const rows = (winds: readonly number[]): QueryResult =>
      result(
        { wind: 'number' },
        winds.map((wind) => [wind]),
      );
    const found = round({ call_ties: rows([9, 9, 9, 8]), call_analyze: rows([9, 9]) });
    expect(text(turn([asked('the 2 windiest', windiest)], found, CHART))).toContain(
      'There are **2 more rows** that have the same wind as the last of these.',
    );
  });
});

it('a step of time that conditions cut is told', () => {
  const filters = [{ kind: 'time', column: 'date', from: '2012-01-10', to: '2012-05-01' }] as const;
  const plan = figures({ measures: [of('avg', 'wind')], dimensions: [BY_MONTH], filters });
  const found = round({ call_analyze: MONTHS_FOUND });
  expect(text(turn([asked('wind per month', plan)], found, CHART))).toMatch(/The first month is not whole\.$/);
  const within = { ...plan, filters: [{ ...filters[0], to: '2012-04-20' }] };
  expect(text(turn([asked('wind per month', within)], found, CHART))).toMatch(
    /The first and the last month are not whole\.$/,
  );
  expect(text(turn([MONTHS], found, CHART))).not.toContain('whole');
});

it('a step of time that the rows do not fill is told, where most days have some', () => {
  const until = (distinct: number): typeof WEATHER =>
    aScene({
      columns: [
        timeColumn('date', '2012-01-01T00:00:00.000Z', '2012-04-12T00:00:00.000Z', distinct),
        numberColumn('wind', { min: 0, max: 9, mean: 3 }),
      ],
    });
  const plan = figures({ measures: [of('avg', 'wind')], dimensions: [BY_MONTH] });
  const found = round({ call_analyze: MONTHS_FOUND });
  const said = (distinct: number): string =>
    text(turnIn(until(distinct), [asked('wind per month', plan)], found, CHART));
  expect(said(103)).toMatch(/The last month is not whole\.$/);
  expect(said(4)).not.toContain('whole');
});

it('a spread is told by its extremes and quartiles', () => {
  const parts = [asked('distribution of wind', listing({ columns: ['wind'], limit: null }))];
  expect(turn(parts)).toMatchObject({ calls: [{}, { plan: { method: 'describe', columns: ['wind'] } }] });
});

describe('several questions in one message', () => {
  it('have their queries run in one round, are answered one by one, and what was not read is named', () => {
    const parts = [MEAN, unread('and the salary?', 'salary'), MONTHS];
    expect(turn(parts)).toMatchObject({ kind: 'queries', calls: [{ id: 'call_analyze' }, { id: 'call_analyze_3' }] });
    const made = turn(parts, round({ call_analyze: MEAN_FOUND, call_analyze_3: MONTHS_FOUND }), CHART);
    expect(made).toMatchObject({ verdict: 'answer' });
    expect(text(made).split('\n\n').slice(0, 6)).toEqual([
      'I could not answer the second of these questions, but the first and third.',
      '**1. What is the average wind?**',
      'The average wind is **4.1**.',
      '**2. And the salary?**',
      'I don’t know “salary”.',
      '**3. And per month?**',
    ]);
    expect(text(made).match(/You can ask, for example/g)).toHaveLength(1);
  });

  it('have one picture, for the one that profits most', () => {
    const plan = figures({ measures: [rowCount()], dimensions: [by('location')] });
    const places = result({ location: 'text', rows: 'integer' }, Object.entries({ Seattle: 3, 'New York': 2 }));
    const found = round({ call_analyze: places, call_analyze_2: MONTHS_FOUND });
    const chartFor = (question: string): Turn => turn([asked(question, plan), MONTHS], found);
    const line = { kind: 'line', x: 'month', result: 'r2' };
    expect(chartFor('Rows by location')).toMatchObject({ kind: 'chart', chart: line });
    const pie = { kind: 'pie', x: 'location', result: 'r1' };
    expect(chartFor('Rows by location as a pie chart')).toMatchObject({ chart: pie });
  });

  it('do not fail together', () => {
    const made = turn([MEAN, MONTHS], round({ call_analyze: null, call_analyze_2: MONTHS_FOUND }), CHART);
    expect(made).toMatchObject({ verdict: 'answer' });
    expect(text(made)).toContain('could not calculate it: the query took too long.');
    const none = turn([MEAN, MONTHS], round({ call_analyze: null, call_analyze_2: null }), CHART);
    expect(none).toMatchObject({ verdict: 'cannot' });
    expect(turn([unread('a', 'salary'), unread('b', 'bonus')])).toMatchObject({ verdict: 'clarify' });
  });

  it('beyond six are put off, and named', () => {
    const parts = Array.from({ length: MAX_PARTS + 2 }, (_, index) => ({ ...MEAN, question: `q${String(index + 1)}` }));
    const first = turn(parts);
    expect(first.kind === 'queries' && first.calls).toHaveLength(MAX_PARTS);
    const words = text(turn(parts, round({ call_analyze: MEAN_FOUND }), CHART));
    expect(words).toContain('I answer at most 6 questions at a time. Ask me again: “q7”, “q8”.');
  });

  it('do not write Markdown into their headings', () => {
    const evil = { ...MEAN, question: '![x](http://evil) **' };
    expect(text(turn([evil, MEAN], round({ call_analyze: MEAN_FOUND }), CHART))).not.toContain('![');
  });
});

describe('what goes beyond a figure', () => {
  const PEARSON = statistic({ method: 'pearson', columns: ['wind', 'temp_max'] });
  const pair = asked('correlation', PEARSON);
  const pairFound = result({ correlation: 'number', 'p-value': 'number', pairs: 'integer' }, [[0.4, 0.01, 9]]);

  it('is asked for before it, so that the answer rests on the figure', () => {
    const sample = { id: 'call_sample', plan: { kind: 'rows', distinct: true, limit: 1000 } };
    expect(turn([pair])).toMatchObject({ calls: [sample, { id: 'call_analyze', plan: { kind: 'statistic' } }] });
    const points = result({ wind: 'number', temp_max: 'number' }, [...[2, 3, 1].entries()]);
    const found = round({ call_sample: points, call_analyze: pairFound });
    const axes = { kind: 'scatter', x: 'wind', y: 'temp_max', result: 'r1' };
    expect(turn([pair], found)).toMatchObject({ chart: { ...axes, title: 'Correlation of wind and temp_max' } });
    expect(text(turn([pair], found, CHART))).toContain('**0.4**');
  });

  it('is done without where it fails, or is not wanted', () => {
    expect(turn([pair], round({ call_sample: null, call_analyze: pairFound }))).toMatchObject({ kind: 'words' });
    const plain = asked('correlation, without a chart', PEARSON);
    expect(turn([plain])).toMatchObject({ calls: [{ id: 'call_analyze' }] });
  });

  it('is the spread of a column, all rows in intervals', () => {
    const expression = { kind: 'bins', edges: Array.from({ length: 16 }, (_, at) => at + 1) };
    const filters = [{ kind: 'null', column: 'wind', negated: true }];
    const plan = { kind: 'aggregate', derived: [{ name: 'range', expression }], filters };
    const spread = asked('distribution of wind', figures({ measures: [of('avg', 'wind')] }));
    expect(turn([spread])).toMatchObject({ calls: [{ id: 'call_sample', plan }, { id: 'call_analyze' }] });
  });

  it('is the spread of whole numbers, each by itself where they are few', () => {
    const whole = { ...WEATHER.table.profile.columns.find(({ name }) => name === 'wind')!, type: 'integer' } as const;
    const profile = { ...WEATHER.table.profile, columns: [{ ...whole, min: 1, max: 4 }] };
    const sample = sampleFor(
      figures({ measures: [of('avg', 'wind')] }),
      chartWishOf('histogram of wind'),
      factsOf({ ...WEATHER.table, profile }),
    );
    const expression = { kind: 'bins', edges: [2, 3, 4], labels: ['1', '2', '3', '4'] };
    expect(sample?.plan.derived).toMatchObject([{ expression }]);
  });

  it('are the bounds of outliers', () => {
    const usual = { method: 'iqr', threshold: 1.5, population: false, negated: false } as const;
    const filters = [is('weather', 'rain'), { kind: 'outlier', column: 'wind', ...usual } as const];
    const part = asked('outliers', figures({ measures: [rowCount()], filters }));
    const bounds = { id: 'call_bounds', plan: { filters: [{ kind: 'in' }] } };
    expect(turn([part])).toMatchObject({ calls: [bounds, { id: 'call_analyze' }] });
    const found = round({
      call_bounds: result({ first: 'number', second: 'number' }, [[2, 4]]),
      call_analyze: result({ rows: 'integer' }, [[7]]),
    });
    const words = 'Values of wind below **-1** or above **7** count as outliers.';
    expect(text(turn([part], found, CHART))).toContain(words);
  });
});

it('how figures are wanted holds for the sentence and the table, and not for what is counted', () => {
  const plan = figures({ measures: [of('avg', 'wind'), rowCount()], dimensions: [by('location')] });
  const part: Part = { ...asked('average wind and rows by location', plan), format: { decimals: 2 } };
  const rows = [['New York', 4.961, 1461] as const, ['Seattle', 3.2, 1461] as const];
  const found = result({ location: 'text', 'avg wind': 'number', rows: 'integer' }, rows);
  const words = text(turn([part], round({ call_analyze: found }), CHART));
  expect(words).toContain('**4.96**');
  expect(words).toContain('| Seattle | 3.20 | 1,461 |');
});

it('a question that may be read in several ways names what was not understood, and offers its readings', () => {
  const readings = [MEAN, MONTHS].flatMap(({ understanding: one }) => (one.kind === 'plan' ? [one] : []));
  const choice = { kind: 'choice', readings, unread: ['Boston'], unknown: 'I don’t know “Boston”.' } as const;
  const made = turn([aPart('wind in Boston', choice)]);
  expect(made).toMatchObject({ verdict: 'clarify' });
  expect(text(made)).toBe(
    'I don’t know “Boston”.\n\n' +
      'Did you mean one of these? Answer with its number.\n\n1. Average wind\n2. Average wind by month',
  );
  const one = turn([aPart('wind', { ...choice, readings: readings.slice(0, 1), unknown: null })]);
  expect(text(one)).toBe('Did you mean this?\n\n1. Average wind');
});

it('a refusal says what there is to say, and what can be asked', () => {
  const no = turn([aPart('why?', { ...NO, verdict: 'cannot', says: 'I can’t say why.' })]);
  expect(no).toMatchObject({ verdict: 'cannot' });
  expect(text(no)).toBe('I can’t say why.\n\nYou can ask, for example:\n\n- Average wind\n- Number of rows');
});

it.each([
  ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z', true],
  ['2016-01-01T00:00:00Z', null, true],
  [null, '2012-01-01T00:00:00Z', true],
  ['2015-12-31T00:00:00Z', '2016-01-31T00:00:00Z', false],
  [null, '2012-01-02T00:00:00Z', false],
  [null, null, false],
])('when the rows are is said where none are from %s to %s: %s', (from, to, isSaid) => {
  const note = periodNote(listing({ filters: [{ kind: 'time', column: 'date', from, to }] }), factsOf(WEATHER.table));
  expect(note).toBe(isSaid ? 'The rows are of **2012-01-01** to **2015-12-31**.' : null);
});
