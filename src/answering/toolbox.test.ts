import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ToolCall, ToolOutcome } from '../ports/chat-model.js';
import { aTextColumn, result } from '../ports/plans.fixture.js';
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
  private readonly ends = new Map<string, (failure: Error | null) => void>();

  override query(_table: unknown, statement: string): Promise<QueryResult> {
    this.begun.push(statement);
    return new Promise((resolve, reject) => {
      this.ends.set(statement, (failure) => {
        if (failure === null) resolve({ ...RESULT, dbquery: statement });
        else reject(failure);
      });
    });
  }

  end(statement: string, failure: Error | null = null): void {
    this.ends.get(statement)?.(failure);
  }
}

function toolboxOf(rows: TestRows, question: Question = aQuestion()): Toolbox {
  const images = new ChartImages(new TestImages().store, TEST_IDS, new TestCharts());
  return new Toolbox(question, { rows, images }, PATIENT);
}

function queries(...statements: readonly string[]): readonly ToolCall[] {
  return statements.map((sql) => ({ id: sql, name: 'run_query', arguments: JSON.stringify({ sql }) }));
}

async function ran(toolbox: Toolbox, calls: readonly ToolCall[]) {
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

describe('the calls of one round', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  /** So long that whoever waits for another no longer does. */
  const longTime = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1000);

  it('run one after the other as long as each is done at once', async () => {
    const rows = new SlowRows();
    const round = ran(toolboxOf(rows), queries('a', 'b'));
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
    const round = ran(toolboxOf(rows), queries('a', 'b', 'c', 'd'));
    await longTime();
    expect(rows.begun).toEqual(['a', 'b', 'c']);

    for (const statement of ['b', 'a']) rows.end(statement);
    await longTime();
    expect(rows.begun).toEqual(['a', 'b', 'c', 'd']);
    for (const statement of ['d', 'c']) rows.end(statement);

    const { outcomes, steps } = await round;
    const told = outcomes.map(({ callId, content }) => [callId, (JSON.parse(content) as { result: string }).result]);
    expect(told).toEqual(Object.entries({ a: 'r1', b: 'r2', c: 'r3', d: 'r4' }));
    expect(steps.flatMap((step) => (step.kind === 'query' ? [step.dbquery] : []))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('draw when the queries of their round are done, whatever their order', async () => {
    const chart = { kind: 'bar', x: 'region', y: 'revenue', title: 'Revenue' };
    const drawing = { id: 'chart', name: 'make_chart', arguments: JSON.stringify(chart) };
    const { outcomes, steps } = await ran(toolboxOf(new TestRows()), [drawing, ...queries('a')]);
    expect(outcomes).toMatchObject(['chart', 'a'].map((callId) => ({ callId, ok: true })));
    expect(steps.map(({ kind }) => kind)).toEqual(['status', 'query', 'status', 'visualization']);
  });

  it('are run as far as calls are left', async () => {
    const rows = new TestRows();
    const toolbox = toolboxOf(rows, aQuestion({}, { toolCalls: 2 }));
    const contents = contentsOf(await ran(toolbox, queries('a', 'b', 'c')));
    expect(rows.ran).toEqual(['a', 'b']);
    expect(contents[2]).toContain('no tool calls are left');
    expect(toolbox.spent).toBe(true);
  });

  it('may bring the engine down together once, but not in two rounds', async () => {
    const away = new AppError('unavailable', 'the row store is away');
    const toolbox = toolboxOf(new TestRows(() => away));
    const told = Array(2).fill('{"error":"the row store is away"}');
    expect(contentsOf(await ran(toolbox, queries('a', 'b')))).toEqual(told);
    await expect(ran(toolbox, queries('c'))).rejects.toBe(away);
  });

  it('leave nothing unheard when one of them ends the answer', async () => {
    const rows = new SlowRows();
    const round = ran(toolboxOf(rows), queries('a', 'b'));
    await longTime();
    rows.end('b', new Error('later'));
    rows.end('a', new Error('first'));
    await expect(round).rejects.toThrow('first');
  });
});

describe('what a model is told of its calls', () => {
  const tableOf = (...columns: readonly ColumnProfile[]): Question =>
    aQuestion({ table: { name: 'Sales', context: '', profile: { ...PROFILE, columns } } });
  const call = (name: string, given: object): ToolCall => ({ id: 'x', name, arguments: JSON.stringify(given) });

  it('names the nearest columns of a plan that failed, and the spellings where nothing was found', async () => {
    class EmptyRows extends TestRows {
      override analyze(_table: unknown, { kind }: { readonly kind: string }): Promise<QueryResult> {
        if (kind === 'statistic') return Promise.reject(new AppError('invalid_input', 'there is no column "regoin"'));
        return Promise.resolve({ ...RESULT, rows: [] });
      }
    }
    const toolbox = toolboxOf(new EmptyRows(), tableOf(aTextColumn('region', 'North', 'South')));
    const misnamed = call('analyze', { statistic: 'describe', columns: ['regoin'] });
    const misspelt = call('analyze', { filters: [{ column: 'region', operator: '=', value: 'Nroth' }] });
    const [failed, empty] = contentsOf(await ran(toolbox, [misnamed, misspelt]));

    expect(failed).toContain('nearest to \\"regoin\\": \\"region\\"');
    expect(empty).toContain('\\"region\\" has no \\"Nroth\\"; it has \\"North\\"');
  });

  it('describes columns of a wide table by their names and by words of them', async () => {
    const many = Array.from({ length: 500 }, (_, at) => aTextColumn(`measurement_${at}`, 'x'));
    const wide = toolboxOf(new TestRows(), tableOf(...many, aTextColumn('unit price', 'dear')));
    const narrow = toolboxOf(new TestRows(), tableOf(aTextColumn('region')));
    const offers = [wide, narrow].map(({ offered }) => offered.some(({ name }) => name === 'describe'));
    expect(offers).toEqual([true, false]);

    const describing = ['measurement_7,prices', 'zebra'].map((columns) =>
      call('describe', { columns: columns.split(',') }),
    );
    const [known = '', unknown] = contentsOf(await ran(wide, describing));
    expect(JSON.parse(known)).toEqual({
      columns: ['- "measurement_7": text, 1 distinct, values "x"', '- "unit price": text, 1 distinct, values "dear"'],
    });
    expect(unknown).toContain('there is no such column');
  });

  const names = Array.from({ length: 900 }, (_, n) => `column ${n}`);
  it.each([
    [
      'many rows',
      result(
        { n: 'integer' },
        [...Array(1000).keys()].map((n) => [n]),
      ),
    ],
    ['long cells', result({ n: 'text' }, [['"\n'.repeat(90_000)], ['b']])],
    [
      'many columns',
      result(
        Object.fromEntries(names.map((name) => [name, 'text' as const])),
        Array.from({ length: 50 }, () => names.map(() => 'x'.repeat(100))),
      ),
    ],
  ])('cuts %s to the length, stays JSON and says so', (_what, found) => {
    const content = resultContent('r1', found);
    expect(content.length).toBeLessThanOrEqual(MAX_CONTENT);
    expect(content).toMatch(/only|…/);
    expect(JSON.parse(content)).toMatchObject({ row_count: found.rows.length });
  });

  it('says when the query itself was cut, and is short of a problem', () => {
    expect(resultContent('r1', result({}, [], true))).toContain('more rows than are kept');
    expect(JSON.parse(problemContent(`no "x"${'!'.repeat(5000)}`))).toEqual({ error: `no "x"${'!'.repeat(994)}` });
  });
});
