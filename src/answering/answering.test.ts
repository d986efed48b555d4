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
  foldAnswer,
  outcomesOf,
  says,
  stepsOf,
  type Script,
} from './answering.fixture.js';

const NORTH = says('North.');
const DRAWN_QUERY = calls('run_query', {
  sql: 'SELECT 1',
  chart: { kind: 'bar', x: 'region', y: 'revenue', title: 'R' },
});
/** It has no other end than to be stopped. */
const FOR_EVER: Script = ({ tools }) =>
  tools.length > 0 ? [QUERY, ends('tool_calls')] : [...says('I could not find out.'), ends()];

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
    const steps = await stepsOf(bench(rounds([QUERY], [...says(long), CHART], says('See the chart.'))));

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
    const it = bench(FOR_EVER, new TestRows(() => new AppError('timed_out', 'the query took too long')));
    expect(await answerOf(it)).toMatchObject({ response: 'I could not find out.', dbquery: '', data: null });
    expect(it.rows.ran).toHaveLength(4);
    expect(outcomesOf(it, 4)[0]).toContain('no more attempts');
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

  const SECOND = calls('run_query', { sql: 'SELECT 2', purpose: 'p' }, 'second');
  it.each<[string, readonly ModelDelta[], number, number]>([
    ['12 calls', [QUERY, SECOND], 12, 7],
    ['8 rounds', [QUERY], 7, 8],
  ])('ends a model that calls for ever after %s, the last round without tools', async (_, asked, ran, requests) => {
    const it = bench((request, round) => (request.tools.length > 0 ? [...asked, ends()] : FOR_EVER(request, round)));
    expect((await answerOf(it)).response).toBe('I could not find out.');
    expect(it.rows.ran).toHaveLength(ran);
    const offers = it.model.requests.map(({ tools }) => tools.length > 0);
    expect(offers).toEqual([...Array<boolean>(requests - 1).fill(true), false]);
  });

  it('runs nothing that is called for in a round without tools', async () => {
    const it = bench(() => [QUERY, ends('tool_calls')]);
    await expect(answerOf(it, aQuestion({}, { steps: 1 }))).rejects.toThrow('the model gave no answer');
    expect(it.rows.ran).toEqual([]);
  });

  it('asks a model that falls silent once more, without tools, and one that only thought with them', async () => {
    const silent = bench(rounds([QUERY], [], NORTH));
    expect((await answerOf(silent)).response).toBe('North.');
    expect(silent.model.requests[2]?.tools).toEqual([]);

    const thinking = bench(rounds([], [QUERY], NORTH));
    expect((await answerOf(thinking)).response).toBe('North.');
    const [, second] = thinking.model.requests;
    expect(second).toMatchObject({ exchanges: [{ calls: [], remark: expect.any(String) as string }] });
    expect(second?.tools).not.toEqual([]);
  });

  it('asks a model on that is silent in its last round, once', async () => {
    const speaks = bench(rounds([], NORTH));
    expect((await answerOf(speaks, aQuestion({}, { steps: 1 }))).response).toBe('North.');
    const silent = bench(() => [ends()]);
    await expect(answerOf(silent, aQuestion({ table: null }))).rejects.toThrow('the model gave no answer');
    expect(silent.model.requests).toHaveLength(2);
  });

  it('draws a chart that is asked for along with its query, once', async () => {
    const it = bench(rounds([DRAWN_QUERY], [DRAWN_QUERY], NORTH));
    expect(await answerOf(it)).toMatchObject({ visualization: `${IMAGE_TOKEN}.png`, chart: { mark: 'bar' } });
    expect(outcomesOf(it, 1)[0]).toContain('the chart is drawn');
    expect(outcomesOf(it, 2)[0]).toContain('has its chart already');
  });

  it.each([
    ['along with them', DRAWN_QUERY, 0, 'the chart could not be made: no column x'],
    ['after them', CHART, 1, 'no column x'],
  ])('keeps the figures of a query whose chart, asked for %s, cannot be drawn', async (_, call, place, told) => {
    const charts = new TestCharts(new AppError('invalid_input', 'no column x'));
    const it = bench(rounds(call === CHART ? [QUERY, CHART] : [call], NORTH), new TestRows(), charts);
    const figures = { response: 'North.', dbquery: RESULT.dbquery, visualization: '', chart: null };
    expect(await answerOf(it)).toMatchObject(figures);
    expect(outcomesOf(it, 1)[place]).toContain(told);
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

  it('cuts a model that writes for ever at 20,000 characters', async () => {
    const it = bench(function* () {
      for (;;) yield { kind: 'text', text: 'more and more '.repeat(100) };
    });
    expect((await answerOf(it, aQuestion({ table: null }))).response).toHaveLength(20_000);
  });

  it('says so when the model reached its length limit', async () => {
    const it = bench(() => [...says('North leads and'), ends('length')]);
    expect((await answerOf(it)).response).toBe('North leads and\n\n(The model reached its length limit here.)');
  });
});

async function* hanging(): AsyncGenerator<ModelDelta> {
  yield await Promise.resolve<ModelDelta>({ kind: 'text', text: 'a' });
  await new Promise(() => undefined);
}

describe('Answering that comes to no end of its own', () => {
  it('fails when a round has no end, and with what the model fails with', async () => {
    const broken = bench(() => says('North leads'));
    await expect(answerOf(broken)).rejects.toMatchObject({ kind: 'unavailable', message: 'the model broke off' });
    const away = new AppError('unavailable', 'the model is not available');
    const failing = (...deltas: readonly ModelDelta[]) =>
      bench(function* () {
        yield* deltas;
        throw away;
      });
    await expect(answerOf(failing())).rejects.toBe(away);
    // After the end nothing counts any more.
    await expect(answerOf(failing(ends()))).rejects.toThrow('gave no answer');
  });

  it.each<[string, Script]>([
    ['the model hangs', () => hanging()],
    ['a query hangs', () => [QUERY, ends('tool_calls')]],
  ])('throws the reason of the signal at once when %s', async (_what, script) => {
    const rows = new TestRows();
    rows.query = () => new Promise(() => undefined);
    const stop = new AbortController();
    const reason = new AppError('timed_out', 'chat timed out');
    const folding = foldAnswer(bench(script, rows).answering.answer(aQuestion(), stop.signal));
    setImmediate(() => {
      stop.abort(reason);
    });
    await expect(folding).rejects.toBe(reason);
  });
});
