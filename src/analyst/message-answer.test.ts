import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { Exchange, ModelRequest } from '../ports/chat-model.js';
import type { QueryResult } from '../ports/table.js';
import { BY_MONTH, by, figures, is, of, result, rowCount, statistic } from './plans.fixture.js';
import { chartWishOf } from './charts/chart-wish.js';
import { MAX_PARTS, MessageAnswer, type Turn } from './message-answer.js';
import { purposeOf } from '../plan/wording.js';
import { WEATHER } from './profiles.fixture.js';
import type { Part, Understanding } from './understanding.js';

const TOOLS = ['analyze', 'make_chart'].map((name) => ({ name, description: '', parameters: {} }));

function aPart(question: string, understanding: Understanding): Part {
  return { question, understanding, wish: chartWishOf(question), format: { decimals: null } };
}

function asked(question: string, plan: AnalysisPlan): Part {
  return aPart(question, { kind: 'plan', plan, purpose: purposeOf(plan), unread: [], notes: [], confidence: 0.9 });
}

function unread(question: string, word: string): Part {
  return aPart(question, { kind: 'unclear', verdict: 'clarify', unread: [word], says: null });
}

function turn(parts: readonly Part[], exchanges: readonly Exchange[] = [], tools = TOOLS): Turn {
  const { table, now } = WEATHER;
  const briefing = { question: '', history: [], table, passages: [], now };
  const request: ModelRequest = { briefing, exchanges, tools };
  return new MessageAnswer(request, { table, told: null }, parts).turn();
}

/** A round in which these calls were made; without a result one came to nothing. */
function round(outcomes: Readonly<Record<string, QueryResult | null>>, tool = 'analyze'): Exchange {
  return {
    text: '',
    calls: Object.keys(outcomes).map((id) => ({ id, name: tool, arguments: '{}' })),
    outcomes: Object.entries(outcomes).map(([callId, found], index) => ({
      callId,
      ok: found !== null,
      content: found === null ? '{"error":"the query took too long."}' : `{"result":"r${String(index + 1)}"}`,
      result: found,
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
const ROWS_BY_PLACE = figures({ measures: [rowCount()], dimensions: [by('location')] });
const COUNT_BY_PLACE = asked('Rows by location', ROWS_BY_PLACE);
const PLACES_FOUND = result({ location: 'text', rows: 'integer' }, Object.entries({ Seattle: 3, 'New York': 2 }));

describe('several questions in one message', () => {
  it('have their queries run in one round, are answered one by one, and what was not read is named', () => {
    const parts = [MEAN, unread('and the salary?', 'salary'), MONTHS];
    expect(turn(parts)).toMatchObject({ kind: 'queries', calls: [{ id: 'call_analyze' }, { id: 'call_analyze_3' }] });
    const made = turn(parts, [round({ call_analyze: MEAN_FOUND, call_analyze_3: MONTHS_FOUND }), CHART]);
    expect(made).toMatchObject({ verdict: 'answer' });
    const paragraphs = text(made).split('\n\n');
    expect(paragraphs.slice(0, 6)).toEqual([
      'I could not answer the second of these questions, but the first and third.',
      '**1. What is the average wind?**',
      'The average wind is **4.1**.',
      '**2. And the salary?**',
      'I don’t know what “salary” means in this table.',
      '**3. And per month?**',
    ]);
    expect(text(made).match(/You can ask, for example/g)).toHaveLength(1);
  });

  it('have one picture, for the one that profits most', () => {
    const found = round({ call_analyze: PLACES_FOUND, call_analyze_2: MONTHS_FOUND });
    expect(turn([COUNT_BY_PLACE, MONTHS], [found])).toMatchObject({
      kind: 'chart',
      chart: { kind: 'line', x: 'month', result: 'r2' },
    });
    const pie = asked('Rows by location as a pie chart', ROWS_BY_PLACE);
    expect(turn([pie, MONTHS], [found])).toMatchObject({ chart: { kind: 'pie', x: 'location', result: 'r1' } });
  });

  it('do not fail together', () => {
    const made = turn([MEAN, MONTHS], [round({ call_analyze: null, call_analyze_2: MONTHS_FOUND }), CHART]);
    expect(made).toMatchObject({ verdict: 'answer' });
    expect(text(made)).toContain('could not calculate it: the query took too long.');
    const none = turn([MEAN, MONTHS], [round({ call_analyze: null, call_analyze_2: null }), CHART]);
    expect(none).toMatchObject({ verdict: 'cannot' });
    expect(turn([unread('a', 'salary'), unread('b', 'bonus')])).toMatchObject({ verdict: 'clarify' });
  });

  it('beyond six are put off, and named', () => {
    const parts = Array.from({ length: MAX_PARTS + 2 }, (_, index) => ({ ...MEAN, question: `q${String(index + 1)}` }));
    const first = turn(parts);
    expect(first.kind === 'queries' && first.calls).toHaveLength(MAX_PARTS);
    const made = turn(parts, [round({ call_analyze: MEAN_FOUND }), CHART]);
    expect(text(made)).toContain('I answer at most 6 questions at a time. Ask me again: “q7”, “q8”.');
  });

  it('do not write Markdown into their headings', () => {
    const evil = { ...MEAN, question: '![x](http://evil) **' };
    expect(text(turn([evil, MEAN], [round({ call_analyze: MEAN_FOUND }), CHART]))).not.toContain('![');
  });
});

describe('what goes beyond a figure', () => {
  const PEARSON = statistic({ method: 'pearson', columns: ['wind', 'temp_max'] });
  const pair = asked('correlation', PEARSON);
  const pairFound = result({ correlation: 'number', 'p-value': 'number', pairs: 'integer' }, [[0.4, 0.01, 9]]);
  const points = result({ wind: 'number', temp_max: 'number' }, [...[2, 3, 1].entries()]);

  it('is asked for before it, so that the answer rests on the figure', () => {
    const sample = { id: 'call_sample', plan: { kind: 'rows', distinct: true, limit: 1000 } };
    const calls = [sample, { id: 'call_analyze', plan: { kind: 'statistic' } }];
    expect(turn([pair])).toMatchObject({ calls });
    const found = round({ call_sample: points, call_analyze: pairFound });
    const chart = {
      kind: 'scatter',
      x: 'wind',
      y: 'temp_max',
      result: 'r1',
      title: 'Correlation of wind and temp_max',
    };
    expect(turn([pair], [found])).toMatchObject({ chart });
    expect(text(turn([pair], [found, CHART]))).toContain('**0.4**');
  });

  it('is done without where it fails, or is not wanted', () => {
    expect(turn([pair], [round({ call_sample: null, call_analyze: pairFound })])).toMatchObject({ kind: 'words' });
    const plain = asked('correlation, without a chart', PEARSON);
    expect(turn([plain])).toMatchObject({ calls: [{ id: 'call_analyze' }] });
  });

  it('is the spread of a column, all rows in intervals', () => {
    const made = turn([asked('distribution of wind', figures({ measures: [of('avg', 'wind')] }))]);
    const [call] = made.kind === 'queries' ? made.calls : [];
    const expression = { kind: 'bins', edges: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] };
    const filters = [{ kind: 'null', column: 'wind', negated: true }];
    const plan = { kind: 'aggregate', derived: [{ name: 'range', expression }], filters };
    expect(call).toMatchObject({ id: 'call_sample', plan });
  });

  it('are the bounds of outliers', () => {
    const usual = { method: 'iqr', threshold: 1.5, population: false, negated: false } as const;
    const outlier = { kind: 'outlier', column: 'wind', ...usual } as const;
    const part = asked('outliers', figures({ measures: [rowCount()], filters: [is('weather', 'rain'), outlier] }));
    expect(turn([part])).toMatchObject({
      calls: [{ id: 'call_bounds', plan: { filters: [{ kind: 'in' }] } }, { id: 'call_analyze' }],
    });
    const found = round({
      call_bounds: result({ first: 'number', second: 'number' }, [[2, 4]]),
      call_analyze: result({ rows: 'integer' }, [[7]]),
    });
    const words = 'Values of wind below **-1** or above **7** count as outliers.';
    expect(text(turn([part], [found, CHART]))).toContain(words);
  });
});

describe('how figures are wanted', () => {
  it('holds for the sentence and the table, and not for what is counted', () => {
    const plan = figures({ measures: [of('avg', 'wind'), rowCount()], dimensions: [by('location')] });
    const part: Part = { ...asked('average wind and rows by location', plan), format: { decimals: 2 } };
    const found = result({ location: 'text', 'avg wind': 'number', rows: 'integer' }, [
      ['New York', 4.961, 1461],
      ['Seattle', 3.2, 1461],
    ]);
    const words = text(turn([part], [round({ call_analyze: found }), CHART]));
    expect(words).toContain('**4.96**');
    expect(words).toContain('| Seattle | 3.20 | 1,461 |');
  });
});

describe('a question that may be read in several ways', () => {
  const readings = [MEAN, MONTHS].flatMap(({ understanding: one }) =>
    one.kind === 'plan' ? [{ plan: one.plan, purpose: one.purpose }] : [],
  );

  it('names what was not understood, and offers its readings by number, if they are several', () => {
    const made = turn([aPart('wind in Boston', { kind: 'choice', readings, unread: ['Boston'] })]);
    expect(made).toMatchObject({ verdict: 'clarify' });
    expect(text(made)).toBe(
      'I don’t know what “Boston” means in this table.\n\n' +
        'Did you mean one of these? Answer with its number.\n\n1. Average wind\n2. Average wind by month',
    );
    const one = turn([aPart('wind', { kind: 'choice', readings: readings.slice(0, 1), unread: [] })]);
    expect(text(one)).toBe('Did you mean this?\n\n1. Average wind');
  });
});

describe('a refusal', () => {
  it('names what is spelled like the words it could not read, and offers questions', () => {
    expect(text(turn([unread('total precipitatoin', 'precipitatoin')]))).toMatch(
      /^I don’t know what “precipitatoin” means in this table\. Did you mean “precipitation”\?\n\nYou can ask, for example:\n\n(- .+\n?){3}$/,
    );
  });

  it('says what there is to say', () => {
    const no = aPart('why?', { kind: 'unclear', verdict: 'cannot', unread: [], says: 'I can’t say why.' });
    const made = turn([no]);
    expect(made).toMatchObject({ verdict: 'cannot' });
    expect(text(made)).toMatch(/^I can’t say why\.\n\nYou can ask, for example:/);
  });
});
