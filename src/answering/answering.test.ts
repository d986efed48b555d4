import { describe, expect, it } from 'vitest';
import type { ModelDelta } from '../ports/chat-model.js';
import { AppError } from '../shared/app-error.js';
import {
  CHART,
  COMPANY,
  IMAGE_TOKEN,
  PROFILE,
  QUERY,
  RESULT,
  TestCharts,
  TestRows,
  aQuestion,
  answerOf,
  bench,
  calls,
  ends,
  outcomesOf,
  says,
  stepsOf,
  type Script,
} from './answering.fixture.js';
const NORTH = says('North.');
const DRAWN_QUERY = calls('run_query', {
  sql: 'SELECT 1',
  chart: { kind: 'bar', x: 'region', y: 'revenue', title: 'Revenue' },
});

/** What the model says in each round. */
function rounds(...said: readonly (readonly ModelDelta[])[]): Script {
  return (_request, round) => {
    const deltas = said[round - 1] ?? [];
    return [...deltas, ends(deltas.some(({ kind }) => kind === 'call') ? 'tool_calls' : 'stop')];
  };
}

describe('Answering', () => {
  it('runs the query, draws the chart and writes the answer, and tells each step', async () => {
    const it = bench(rounds([...says('Let me look.'), QUERY, CHART], says('North ', 'leads.')));

    const steps = await stepsOf(it);

    const kinds = steps.map(({ kind }) => kind);
    expect(kinds.filter((kind, index) => kind !== 'text' || kinds[index - 1] !== 'text')).toEqual([
      ...['status', 'status', 'query', 'status', 'visualization', 'text', 'done'],
    ]);
    expect(steps.at(-1)).toMatchObject({
      plan: null,
      answer: {
        response: 'North leads.',
        query: 'revenue by region',
        dbquery: RESULT.dbquery,
        visualization: `${IMAGE_TOKEN}.png`,
        chart: { mark: 'bar', rows: 150 },
        data: { columns: ['region', 'revenue'], rows: RESULT.rows.slice(0, 100) },
        kind: 'answer',
        evidence: { rowsScanned: 5000, rowsReturned: 150, timeRange: PROFILE.timeRange, filters: [], queries: 1 },
        model: 'scripted',
        error: null,
      },
    });
    expect([...it.images.kept.values()]).toEqual([{ companyId: COMPANY, area: 'charts', name: `${IMAGE_TOKEN}.png` }]);
  });

  it('gives a plan with the answer that rests on it', async () => {
    const plan = { kind: 'rows', columns: ['region'], filters: [], order: [], limit: 5 };
    const it = bench(rounds([calls('analyze', { plan, purpose: 'rows' })], says('Five.')));
    expect((await stepsOf(it)).at(-1)).toMatchObject({ kind: 'done', plan });
  });

  it('makes the answer up of its text steps exactly, without what was said before a call', async () => {
    const look = [...says('Let me look.'), QUERY];
    const it = bench(rounds(look, look, says('  North [leads](http://e.co', '/x).', '\n\nDone ', '<b>now</b>')));

    const steps = await stepsOf(it);

    const text = steps.map((step) => (step.kind === 'text' ? step.text : '')).join('');
    expect(text).toBe('North leads.\n\nDone now');
    expect(steps.at(-1)).toMatchObject({ answer: { response: text } });
  });

  it('streams a long answer that follows a query before its round is over, and keeps what it has sent', async () => {
    const long = 'The revenue of the north is the highest of all. '.repeat(5);
    const it = bench(rounds([QUERY], [...says(long), CHART], says('See the chart.')));

    const steps = await stepsOf(it);

    const kinds = steps.map(({ kind }) => kind);
    expect(kinds.indexOf('text')).toBeLessThan(kinds.indexOf('visualization'));
    expect(steps.at(-1)).toMatchObject({ answer: { response: `${long}\n\nSee the chart.` } });
  });

  it('lets a model mend a query that failed', async () => {
    const rows = new TestRows((sql) => (sql === 'bad' ? new AppError('invalid_input', 'no column x') : null));
    const it = bench(rounds([calls('run_query', { sql: 'bad', purpose: 'p' })], [QUERY], says('Done.')), rows);

    expect(await answerOf(it)).toMatchObject({ response: 'Done.', evidence: { queries: 1 } });
    expect(outcomesOf(it, 1)).toEqual(['{"error":"no column x"}']);
    expect(rows.limits[0]).toEqual({ maxRows: 1000, timeoutMs: 1000 });
  });

  it('stops mending after three repairs and asks for words', async () => {
    const it = bench(
      ({ tools }) => (tools.length > 0 ? [QUERY, ends('tool_calls')] : [...says('I could not find out.'), ends()]),
      new TestRows(() => new AppError('timed_out', 'the query took too long')),
    );
    expect(await answerOf(it)).toMatchObject({ response: 'I could not find out.', dbquery: '', data: null });
    expect(it.rows.ran).toHaveLength(4);
    expect(outcomesOf(it, 4)[0]).toContain('no more attempts');
  });

  it('gives up when the row store is away twice', async () => {
    const away = new AppError('unavailable', 'the row store is away');
    const it = bench(() => [QUERY, ends('tool_calls')], new TestRows(() => away));
    await expect(answerOf(it)).rejects.toBe(away);
    expect(it.rows.ran).toHaveLength(2);
  });

  it.each([
    ['arguments that are no whole JSON', calls('run_query', '{"sql":"DELETE'), 'tool_calls', 'not complete JSON'],
    ['whole arguments of a message that was cut', QUERY, 'length', 'cut at its length limit'],
    ['an unknown tool', calls('drop', {}), 'tool_calls', 'no such tool'],
    ['unknown arguments', calls('run_query', { sql: 'x', purpose: 'y', table: 'z' }), 'tool_calls', 'do not fit'],
    ['a chart without a query', CHART, 'tool_calls', 'run a query first'],
  ] as const)('never runs %s, and says why', async (_what, call, reason, told) => {
    const it = bench((_request, round) => (round === 1 ? [call, ends(reason)] : [...says('Sorry.'), ends()]));
    expect((await answerOf(it)).response).toBe('Sorry.');
    expect(it.rows.ran).toEqual([]);
    expect(it.images.kept.size).toBe(0);
    expect(outcomesOf(it, 1)[0]).toContain(told);
  });

  it('ends a model that calls for ever: 12 calls, and the last round has no tools', async () => {
    const it = bench(({ tools }) =>
      tools.length > 0
        ? [QUERY, calls('run_query', { sql: 'SELECT 2', purpose: 'p' }, 'second'), ends('tool_calls')]
        : [...says('Enough.'), ends()],
    );
    expect((await answerOf(it)).response).toBe('Enough.');
    expect(it.rows.ran).toHaveLength(12);
    expect(it.model.requests.map(({ tools }) => tools.length > 0)).toEqual([...Array<boolean>(6).fill(true), false]);
  });

  it('has 8 rounds at most, the last without tools', async () => {
    const it = bench(({ tools }) => (tools.length > 0 ? [QUERY, ends('tool_calls')] : [...says('Enough.'), ends()]));
    await answerOf(it);
    expect(it.model.requests).toHaveLength(8);
    expect(it.rows.ran).toHaveLength(7);
  });

  it('runs nothing that is called for in a round without tools', async () => {
    const it = bench(() => [QUERY, ends('tool_calls')]);
    await expect(answerOf(it, aQuestion({}, { steps: 1 }))).rejects.toThrow('the model gave no answer');
    expect(it.rows.ran).toEqual([]);
  });

  it('asks a model that falls silent once more, without tools', async () => {
    const it = bench(rounds([QUERY], [], NORTH));
    expect((await answerOf(it)).response).toBe('North.');
    expect(it.model.requests[2]?.tools).toEqual([]);
  });

  it('asks a model on that only thought, with its tools', async () => {
    const it = bench(rounds([], [QUERY], NORTH));
    expect((await answerOf(it)).response).toBe('North.');
    expect(it.model.requests[1]).toMatchObject({ exchanges: [{ calls: [], remark: expect.any(String) as string }] });
    expect(it.model.requests[1]?.tools).not.toEqual([]);
  });

  it('asks a model on that is silent in its last round, once', async () => {
    const speaks = bench(rounds([], NORTH));
    expect((await answerOf(speaks, aQuestion({}, { steps: 1 }))).response).toBe('North.');
    const silent = bench(() => [ends()]);
    await expect(answerOf(silent, aQuestion({ table: null }))).rejects.toThrow('the model gave no answer');
    expect(silent.model.requests).toHaveLength(2);
  });

  it('draws a chart that is asked for along with its query', async () => {
    const it = bench(rounds([DRAWN_QUERY], [DRAWN_QUERY], NORTH));
    expect(await answerOf(it)).toMatchObject({ visualization: `${IMAGE_TOKEN}.png`, chart: { mark: 'bar' } });
    expect(outcomesOf(it, 1)[0]).toContain('the chart is drawn');
    expect(outcomesOf(it, 2)[0]).toContain('has its chart already');
  });

  it('keeps the figures of a query whose chart cannot be drawn', async () => {
    const charts = new TestCharts(new AppError('invalid_input', 'no column x'));
    const it = bench(rounds([DRAWN_QUERY], NORTH), new TestRows(), charts);

    expect(await answerOf(it)).toMatchObject({ dbquery: RESULT.dbquery, visualization: '' });
    expect(outcomesOf(it, 1)[0]).toContain('the chart could not be made: no column x');
  });

  it('offers no tools without a table, refuses their calls, and names the passages', async () => {
    const passages = ['a', 'b'].map((quote) => ({ fileId: quote, filename: `${quote}.pdf`, page: 1, quote }));
    const it = bench(rounds([QUERY], says('It says b [2].')));

    const answer = await answerOf(it, aQuestion({ table: null, passages }));

    expect(it.model.requests[0]?.tools).toEqual([]);
    expect(outcomesOf(it, 1)[0]).toContain('no table');
    expect(it.rows.ran).toEqual([]);
    expect(answer).toMatchObject({ sources: [passages[1]], dbquery: '', evidence: { rowsScanned: 0 } });
  });

  it('does without a chart that cannot be drawn', async () => {
    const charts = new TestCharts(new AppError('unavailable', 'no charts now'));
    const it = bench(rounds([QUERY, CHART], NORTH), new TestRows(), charts);
    expect(await answerOf(it)).toMatchObject({ response: 'North.', visualization: '', chart: null });
    expect(outcomesOf(it, 1)[1]).toContain('no charts now');
  });

  it('cuts a model that writes for ever at 20,000 characters', async () => {
    const it = bench(function* () {
      for (;;) yield { kind: 'text', text: 'more and more '.repeat(100) };
    });
    const { response } = await answerOf(it, aQuestion({ table: null }));
    expect(response).toHaveLength(20_000);
  });

  it('says so when the model reached its length limit', async () => {
    const it = bench(() => [...says('North leads and'), ends('length')]);
    expect((await answerOf(it)).response).toBe('North leads and\n\n(The model reached its length limit here.)');
  });
});
