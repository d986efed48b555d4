import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ToolCall, ToolOutcome } from '../ports/chat-model.js';
import { aTextColumn } from '../ports/plans.fixture.js';
import type { ColumnProfile, QueryResult } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import type { AnswerStep } from './answer-step.js';
import { PATIENT, PROFILE, RESULT, TestCharts, TestImages, TestIds, TestRows, aQuestion } from './answering.fixture.js';
import { ChartImages } from './chart-images.js';
import type { Question } from './question.js';
import { Toolbox } from './toolbox.js';

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
  const images = new ChartImages(new TestImages(), new TestIds(), new TestCharts());
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

    expect(outcomes).toMatchObject([
      { callId: 'chart', ok: true },
      { callId: 'a', ok: true },
    ]);
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

    expect(contentsOf(await ran(toolbox, queryOf('a'), queryOf('b')))).toEqual([
      ...['{"error":"the row store is away"}', '{"error":"the row store is away"}'],
    ]);
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

    const [failed, empty] = contentsOf(
      await ran(
        toolbox,
        analyze({ statistic: 'describe', columns: ['regoin'] }),
        analyze({ filters: [{ column: 'region', operator: '=', value: 'Nroth' }] }),
      ),
    );

    expect(failed).toContain('nearest to \\"regoin\\": \\"region\\"');
    expect(empty).toContain('\\"region\\" has no \\"Nroth\\"; it has \\"North\\"');
  });

  it('describes columns of a wide table by their names and by words of them', async () => {
    const many = Array.from({ length: 500 }, (_, at) => aTextColumn(`measurement_${at}`, 'x'));
    const wide = toolboxOf(new TestRows(), tableOf(...many, aTextColumn('unit price', 'dear')));
    const describing = { id: 'x', name: 'describe', arguments: '{"columns":["measurement_7","prices"]}' };

    expect(wide.offered.map(({ name }) => name)).toContain('describe');
    expect(toolboxOf(new TestRows(), tableOf(aTextColumn('region'))).offered.map(({ name }) => name)).not.toContain(
      'describe',
    );
    expect(JSON.parse(contentsOf(await ran(wide, describing))[0] ?? '')).toEqual({
      columns: ['- "measurement_7": text, 1 distinct, values "x"', '- "unit price": text, 1 distinct, values "dear"'],
    });
    const unknown = { ...describing, arguments: '{"columns":["zebra"]}' };
    expect(contentsOf(await ran(wide, unknown))[0]).toContain('there is no such column');
  });
});
