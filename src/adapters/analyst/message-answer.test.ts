import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { Exchange, ModelRequest } from '../../ports/chat-model.js';
import type { QueryResult } from '../../ports/table.js';
import { BY_MONTH, by, figures, is, of, result, rowCount, statistic } from '../../analyst/plans.fixture.js';
import { ORDERS, WEATHER } from './fixtures/scenes.fixture.js';
import { MAX_PARTS, MessageAnswer, type Turn } from './message-answer.js';
import type { Part } from './message/understanding.js';
import { purposeOf } from './plan-words.js';

const TOOLS = ['analyze', 'make_chart'].map((name) => ({ name, description: '', parameters: {} }));

function asked(question: string, plan: AnalysisPlan, parts: Partial<Part> = {}): Part {
  const understanding = { kind: 'plan', plan, purpose: purposeOf(plan), notes: [], unread: [], confidence: 1 } as const;
  return { question, understanding, format: { decimals: null }, ...parts };
}

function unread(question: string, word: string): Part {
  const understanding = { kind: 'unclear', verdict: 'clarify', reasons: [], unread: [word] } as const;
  return { question, understanding, format: { decimals: null } };
}

function turn(parts: readonly Part[], exchanges: readonly Exchange[] = [], tools = TOOLS, scene = WEATHER): Turn {
  const briefing = { question: '', history: [], table: scene.table, passages: [], now: scene.now };
  const request: ModelRequest = { briefing, exchanges, tools };
  return new MessageAnswer(request, scene.table, parts).turn();
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
const COUNT_BY_PLACE = asked('Rows by location', figures({ measures: [rowCount()], dimensions: [by('location')] }));
const PLACES_FOUND = result({ location: 'text', rows: 'integer' }, [
  ['Seattle', 3],
  ['New York', 2],
]);

describe('several questions in one message', () => {
  it('have their queries run in one round', () => {
    const made = turn([MEAN, unread('and the salary?', 'salary'), MONTHS]);
    expect(made).toMatchObject({ kind: 'queries', calls: [{ id: 'call_analyze' }, { id: 'call_analyze_3' }] });
  });

  it('are answered one by one, and what was not read is named', () => {
    const parts = [MEAN, unread('and the salary?', 'salary'), MONTHS];
    const made = turn(parts, [round({ call_analyze: MEAN_FOUND, call_analyze_3: MONTHS_FOUND }), CHART]);
    expect(made).toMatchObject({ verdict: 'answer' });
    const paragraphs = text(made).split('\n\n');
    expect(paragraphs.slice(0, 6)).toEqual([
      'I could not answer the second of these questions, but the first and third.',
      '**1. What is the average wind?**',
      'The average wind is **4.1**.',
      '**2. And the salary?**',
      'I could not read “salary”, so I would rather not guess.',
      '**3. And per month?**',
    ]);
    expect(text(made).match(/The columns are/g)).toHaveLength(1);
  });

  it('have one picture, for the one that profits most', () => {
    const found = round({ call_analyze: PLACES_FOUND, call_analyze_2: MONTHS_FOUND });
    expect(turn([COUNT_BY_PLACE, MONTHS], [found])).toMatchObject({
      kind: 'chart',
      chart: { kind: 'line', x: 'month', result: 'r2' },
    });
    const pie = { ...COUNT_BY_PLACE, question: 'Rows by location as a pie chart' };
    expect(turn([pie, MONTHS], [found])).toMatchObject({ chart: { kind: 'pie', x: 'location', result: 'r1' } });
  });

  it('do not fail together', () => {
    const made = turn([MEAN, MONTHS], [round({ call_analyze: null, call_analyze_2: MONTHS_FOUND }), CHART]);
    expect(made).toMatchObject({ verdict: 'answer' });
    expect(text(made)).toContain('it could not be worked out: the query took too long.');
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
  const pair = asked('correlation', statistic({ method: 'pearson', columns: ['wind', 'temp_max'] }));
  const pairFound = result({ correlation: 'number', 'p-value': 'number', pairs: 'integer' }, [[0.4, 0.01, 9]]);
  const points = result({ wind: 'number', temp_max: 'number' }, [
    [1, 2],
    [2, 3],
    [3, 1],
  ]);

  it('is asked for before it, so that the answer rests on the figure', () => {
    const made = turn([pair]);
    expect(made).toMatchObject({
      calls: [
        { id: 'call_sample', plan: { kind: 'rows', distinct: true, limit: 1000 } },
        { id: 'call_analyze', plan: { kind: 'statistic' } },
      ],
    });
  });

  it('is drawn', () => {
    const found = round({ call_sample: points, call_analyze: pairFound });
    expect(turn([pair], [found])).toMatchObject({
      chart: { kind: 'scatter', x: 'wind', y: 'temp_max', result: 'r1', title: 'Correlation of wind and temp_max' },
    });
    expect(text(turn([pair], [found, CHART]))).toContain('**0.4**');
  });

  it('is done without where it fails, or is not wanted', () => {
    expect(turn([pair], [round({ call_sample: null, call_analyze: pairFound })])).toMatchObject({ kind: 'words' });
    const plain = { ...pair, question: 'correlation, without a chart' };
    expect(turn([plain])).toMatchObject({ calls: [{ id: 'call_analyze' }] });
  });

  it('is the spread of a column, all rows in intervals', () => {
    const made = turn([asked('distribution of wind', figures({ measures: [of('avg', 'wind')] }))]);
    const [call] = made.kind === 'queries' ? made.calls : [];
    expect(call).toMatchObject({
      id: 'call_sample',
      plan: {
        kind: 'aggregate',
        derived: [
          {
            name: 'range',
            expression: { kind: 'bins', edges: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] },
          },
        ],
        filters: [{ kind: 'null', column: 'wind', negated: true }],
      },
    });
  });

  it('are the bounds of outliers', () => {
    const outlier = {
      kind: 'outlier',
      column: 'wind',
      method: 'iqr',
      threshold: 1.5,
      population: false,
      negated: false,
    } as const;
    const part = asked('outliers', figures({ measures: [rowCount()], filters: [is('weather', 'rain'), outlier] }));
    expect(turn([part])).toMatchObject({
      calls: [{ id: 'call_bounds', plan: { filters: [{ kind: 'in' }] } }, { id: 'call_analyze' }],
    });
    const found = round({
      call_bounds: result({ first: 'number', second: 'number' }, [[2, 4]]),
      call_analyze: result({ rows: 'integer' }, [[7]]),
    });
    expect(text(turn([part], [found, CHART]))).toContain(
      'Values of wind below **-1** or above **7** count as outliers.',
    );
  });
});

describe('an answer that is not certain', () => {
  it('offers questions that are', () => {
    const part = asked('roughly the average wind', figures({ measures: [of('avg', 'wind')] }));
    const read = { ...part.understanding, unread: ['roughly'], confidence: 0.6 } as Part['understanding'];
    const words = text(turn([{ ...part, understanding: read }], [round({ call_analyze: MEAN_FOUND }), CHART]));
    expect(words).toMatch(/I did not read “roughly”\.\n\nI am certain of these questions:\n\n(- .+\n){2}- .+$/);
  });
});

describe('a refusal', () => {
  it('names what is spelled like the words it could not read', () => {
    const words = text(turn([unread('total revenu', 'revenu')], [], TOOLS, ORDERS));
    expect(words).toContain(
      'I could not read “revenu”, so I would rather not guess. Spelled most like it: the column “revenue”.',
    );
    expect(words).toContain('The columns are revenue, ');
  });
});
