import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ToolCall, ToolOutcome } from '../ports/chat-model.js';
import { aTextColumn } from '../ports/plans.fixture.js';
import type { ColumnProfile, QueryResult } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import type { AnswerStep } from './answer-step.js';
import {
  PATIENT,
  PROFILE,
  RESULT,
  TEST_IDS,
  TestCharts,
  TestImages,
  TestRows,
  aQuestion,
} from './answering.fixture.js';
import { ChartImages } from './chart-images.js';
import type { Question } from './question.js';
import { MAX_CONTENT, problemContent, resultContent, Toolbox } from './toolbox.js';

/** Rows whose queries end when the test says so. */
class SlowRows extends TestRows {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, (outcome: QueryResult | Error) => void>();

  override query(_table: unknown, statement: string): Promise<QueryResult> {
    this.begun.push(statement);
    return new Promise((resolve, reject) => {
      this.ends.set(statement, (outcome) => {
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      });
    });
  }

  end(statement: string, outcome: QueryResult | Error = { ...RESULT, dbquery: statement }): void {
    this.ends.get(statement)?.(outcome);
  }
}

function toolboxOf(rows: TestRows, question: Question = aQuestion()): Toolbox {
  const images = new ChartImages(new TestImages().store, TEST_IDS, new TestCharts());
  return new Toolbox(question, { rows, images }, PATIENT);
}

function queryOf(sql: string): ToolCall {
  return { id: sql, name: 'run_query', arguments: JSON.stringify({ sql }) };
}

async function ran(toolbox: Toolbox, ...calls: readonly ToolCall[]) {
  const steps: AnswerStep[] = [];
  const running = toolbox.run(calls, false);
  for (;;) {
    const { done, value } = await running.next();
    if (done === true) return { steps, outcomes: value };
    steps.push(value);
  }
}

function contentsOf({ outcomes }: { readonly outcomes: readonly ToolOutcome[] }): readonly string[] {
  return outcomes.map(({ content }) => content);
}

/** So long that whoever waits for another no longer does. */
async function longTime(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1000);
}

describe('the calls of one round', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  it('run one after the other as long as each is done at once', async () => {
    const rows = new SlowRows();
    const round = ran(toolboxOf(rows), queryOf('a'), queryOf('b'));
    await vi.advanceTimersByTimeAsync(0);
    expect(rows.begun).toEqual(['a']);

    rows.end('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(rows.begun).toEqual(['a', 'b']);
    rows.end('b');
    await round;
  });

  it('run side by side, three at once, and come to outcomes in their order', async () => {
    const rows = new SlowRows();
    const round = ran(toolboxOf(rows), ...['a', 'b', 'c', 'd'].map(queryOf));
    await longTime();
    expect(rows.begun).toEqual(['a', 'b', 'c']);

    rows.end('b');
    rows.end('a');
    await longTime();
    expect(rows.begun).toEqual(['a', 'b', 'c', 'd']);
    rows.end('d');
    rows.end('c');

    const { outcomes, steps } = await round;
    expect(outcomes.map(({ callId }) => callId)).toEqual(['a', 'b', 'c', 'd']);
    expect(outcomes.map(({ content }) => (JSON.parse(content) as { result: string }).result)).toEqual([
      ...['r1', 'r2', 'r3', 'r4'],
    ]);
    expect(steps.flatMap((step) => (step.kind === 'query' ? [step.dbquery] : []))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('draw when the queries of their round are done, whatever their order', async () => {
    const chart = { kind: 'bar', x: 'region', y: 'revenue', title: 'Revenue' };
    const drawing = { id: 'chart', name: 'make_chart', arguments: JSON.stringify(chart) };
    const { outcomes, steps } = await ran(toolboxOf(new TestRows()), drawing, queryOf('a'));
    expect(outcomes).toMatchObject(['chart', 'a'].map((callId) => ({ callId, ok: true })));
    expect(steps.map(({ kind }) => kind)).toEqual(['status', 'query', 'status', 'visualization']);
  });

  it('are run as far as calls are left', async () => {
    const rows = new TestRows();
    const toolbox = toolboxOf(rows, aQuestion({}, { toolCalls: 2 }));
    const contents = contentsOf(await ran(toolbox, ...['a', 'b', 'c'].map(queryOf)));
    expect(rows.ran).toEqual(['a', 'b']);
    expect(contents[2]).toContain('no tool calls are left');
    expect(toolbox.spent).toBe(true);
  });

  it('may bring the engine down together once, but not in two rounds', async () => {
    const away = new AppError('unavailable', 'the row store is away');
    const toolbox = toolboxOf(new TestRows(() => away));
    const told = Array(2).fill('{"error":"the row store is away"}');
    expect(contentsOf(await ran(toolbox, queryOf('a'), queryOf('b')))).toEqual(told);
    await expect(ran(toolbox, queryOf('c'))).rejects.toBe(away);
  });

  it('leave nothing unheard when one of them ends the answer', async () => {
    const rows = new SlowRows();
    const round = ran(toolboxOf(rows), queryOf('a'), queryOf('b'));
    await longTime();
    rows.end('b', new Error('later'));
    rows.end('a', new Error('first'));
    await expect(round).rejects.toThrow('first');
  });
});

function tableOf(...columns: readonly ColumnProfile[]): Question {
  return aQuestion({ table: { name: 'Sales', context: '', profile: { ...PROFILE, columns } } });
}

describe('what a model is told of its calls', () => {
  it('names the nearest columns of a plan that failed, and the spellings where nothing was found', async () => {
    class EmptyRows extends TestRows {
      override analyze(_table: unknown, { kind }: { readonly kind: string }): Promise<QueryResult> {
        if (kind === 'statistic') return Promise.reject(new AppError('invalid_input', 'there is no column "regoin"'));
        return Promise.resolve({ ...RESULT, rows: [] });
      }
    }
    const toolbox = toolboxOf(new EmptyRows(), tableOf(aTextColumn('region', 'North', 'South')));
    const analyze = (given: object) => ({ id: 'x', name: 'analyze', arguments: JSON.stringify(given) });

    const nroth = { filters: [{ column: 'region', operator: '=', value: 'Nroth' }] };
    const calls = [analyze({ statistic: 'describe', columns: ['regoin'] }), analyze(nroth)];
    const [failed, empty] = contentsOf(await ran(toolbox, ...calls));

    expect(failed).toContain('nearest to \\"regoin\\": \\"region\\"');
    expect(empty).toContain('\\"region\\" has no \\"Nroth\\"; it has \\"North\\"');
  });

  it('describes columns of a wide table by their names and by words of them', async () => {
    const many = Array.from({ length: 500 }, (_, at) => aTextColumn(`measurement_${at}`, 'x'));
    const wide = toolboxOf(new TestRows(), tableOf(...many, aTextColumn('unit price', 'dear')));
    const describing = { id: 'x', name: 'describe', arguments: '{"columns":["measurement_7","prices"]}' };

    const narrow = toolboxOf(new TestRows(), tableOf(aTextColumn('region')));
    const offers = [wide, narrow].map(({ offered }) => offered.some(({ name }) => name === 'describe'));
    expect(offers).toEqual([true, false]);
    expect(JSON.parse(contentsOf(await ran(wide, describing))[0] ?? '')).toEqual({
      columns: ['- "measurement_7": text, 1 distinct, values "x"', '- "unit price": text, 1 distinct, values "dear"'],
    });
    const unknown = { ...describing, arguments: '{"columns":["zebra"]}' };
    expect(contentsOf(await ran(wide, unknown))[0]).toContain('there is no such column');
  });
});

function aResult(parts: Partial<QueryResult>): QueryResult {
  return { columns: [], rows: [], truncated: false, dbquery: 'SELECT 1', rowsScanned: 10, ...parts };
}

describe('resultContent', () => {
  it.each([
    [
      'many rows',
      aResult({ columns: [{ name: 'n', type: 'integer' }], rows: [...Array(1000).keys()].map((n) => [n]) }),
    ],
    ['long cells', aResult({ columns: [{ name: 'n', type: 'text' }], rows: [['"\n'.repeat(90_000)], ['b']] })],
    [
      'many columns',
      aResult({
        columns: Array.from({ length: 900 }, (_, n) => ({ name: `column ${n}`, type: 'text' as const })),
        rows: Array.from({ length: 50 }, () => Array.from({ length: 900 }, () => 'x'.repeat(100))),
      }),
    ],
  ])('cuts %s to the length, stays JSON and says so', (_what, result) => {
    const content = resultContent('r1', result);
    expect(content.length).toBeLessThanOrEqual(MAX_CONTENT);
    expect(content).toMatch(/only|…/);
    expect(JSON.parse(content)).toMatchObject({ row_count: result.rows.length });
  });

  it('says when the query itself was cut', () => {
    expect(resultContent('r1', aResult({ truncated: true }))).toContain('more rows than are kept');
  });
});

describe('problemContent', () => {
  it('is short JSON', () => {
    expect(JSON.parse(problemContent(`no "x"${'!'.repeat(5000)}`))).toEqual({ error: `no "x"${'!'.repeat(994)}` });
  });
});
