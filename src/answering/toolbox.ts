import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { ToolCall, ToolDefinition, ToolOutcome } from '../ports/chat-model.js';
import type { RowReader } from '../ports/row-reader.js';
import type { QueryLimits, QueryResult, TableRef } from '../ports/table.js';
import { AppError, isAppError } from '../shared/app-error.js';
import type { AnswerStep } from './answer-step.js';
import type { ChartImages, KeptChart } from './chart-images.js';
import { drawnOf } from './drawn-result.js';
import { QueryLog } from './query-log.js';
import type { Question } from './question.js';
import { problemContent, resultContent } from './tool-content.js';
import { dataTools, readToolUse, type ToolUse } from './tools.js';
import { untilAborted } from './until-aborted.js';

const MAX_ROWS = 1000;

/** What the tools work with. */
export interface ToolDoors {
  readonly rows: RowReader;
  readonly images: ChartImages;
}

/**
 * Runs the tool calls of one answer. Which table they work on is the question's, never a call's. A call that can't be run comes to
 * nothing but an outcome that tells its writer why.
 */
export class Toolbox {
  readonly queries = new QueryLog();
  private drawn: KeptChart | null = null;
  private used = 0;
  private engineWasAway = false;

  constructor(
    private readonly question: Question,
    private readonly doors: ToolDoors,
    private readonly signal: AbortSignal,
  ) {}

  get chart(): KeptChart | null {
    return this.drawn;
  }

  /** Nothing more will be run. */
  get spent(): boolean {
    return this.used >= this.question.limits.toolCalls || this.queries.exhausted;
  }

  get offered(): readonly ToolDefinition[] {
    return this.question.table === null || this.question.briefing.table === null || this.spent
      ? []
      : dataTools(this.doors.rows.language);
  }

  /**
   * Runs one call. `cut`: the message it came in has no proper end, so that even well-formed arguments may be less than was meant.
   *
   * @throws AppError `unavailable` when the row store is away twice; the signal's reason when it aborts.
   */
  async *run(call: ToolCall, cut: boolean): AsyncGenerator<AnswerStep, ToolOutcome> {
    const refusal = this.refusal(cut);
    this.used += 1;
    if (refusal !== null) return refused(call, refusal);
    let use: ToolUse;
    try {
      use = readToolUse(call.name, call.arguments, this.doors.rows.language);
    } catch (error) {
      if (isAppError(error)) return refused(call, error.message);
      throw error;
    }
    return use.tool === 'make_chart' ? yield* this.draw(call, use) : yield* this.ask(call, use);
  }

  private refusal(cut: boolean): string | null {
    if (this.question.table === null || this.question.briefing.table === null) {
      return 'there is no table to ask: answer from the passages alone';
    }
    if (this.spent) return 'no tool calls are left: answer with what you have';
    return cut ? 'the message was cut at its length limit, so the call was not run: write less' : null;
  }

  private async *ask(
    call: ToolCall,
    use: Exclude<ToolUse, { tool: 'make_chart' }>,
  ): AsyncGenerator<AnswerStep, ToolOutcome> {
    yield { kind: 'status', text: use.purpose === '' ? 'Looking at the data' : `Looking at the data: ${use.purpose}` };
    const plan: AnalysisPlan | null = use.tool === 'analyze' ? use.plan : null;
    const limits = { maxRows: MAX_ROWS, timeoutMs: this.question.limits.queryTimeoutMs };
    let result: QueryResult;
    try {
      result = await untilAborted(this.read(use, limits), this.signal);
    } catch (error) {
      this.signal.throwIfAborted();
      return refused(call, this.queryProblem(error));
    }
    const query = this.queries.add({ purpose: use.purpose, plan, result });
    yield { kind: 'query', purpose: use.purpose, dbquery: result.dbquery, result, plan };
    return { callId: call.id, ok: true, content: resultContent(query.id, result), result };
  }

  private read(use: Exclude<ToolUse, { tool: 'make_chart' }>, limits: QueryLimits): Promise<QueryResult> {
    const table = this.table();
    return use.tool === 'analyze'
      ? this.doors.rows.analyze(table, use.plan, limits)
      : this.doors.rows.query(table, use.statement, limits);
  }

  private table(): TableRef {
    if (this.question.table === null) throw new AppError('invalid_input', 'there is no table to ask');
    return this.question.table;
  }

  /** What a model is told of a query that failed. A query may bring the engine down once; an engine that is away twice is away. */
  private queryProblem(error: unknown): string {
    if (!isAppError(error)) throw error;
    const isAway = error.kind === 'unavailable';
    if ((isAway && this.engineWasAway) || !['invalid_input', 'timed_out', 'unavailable'].includes(error.kind))
      throw error;
    this.engineWasAway ||= isAway;
    this.queries.failed();
    const advice = this.queries.exhausted ? ' (no more attempts: say plainly what could not be found out)' : '';
    return `${error.message}${advice}`;
  }

  /** An answer does without a chart that can't be drawn or kept. */
  private async *draw(
    call: ToolCall,
    use: Extract<ToolUse, { tool: 'make_chart' }>,
  ): AsyncGenerator<AnswerStep, ToolOutcome> {
    // A second picture would stay behind with no answer that names it.
    if (this.drawn !== null) return refused(call, 'the answer has its chart already');
    const query = this.queries.find(use.result);
    if (query === null) return refused(call, 'there is no such query result: run a query first');
    yield { kind: 'status', text: 'Drawing the chart' };
    try {
      const drawn = drawnOf(query.plan, { request: use.chart, result: query.result });
      const kept = this.doors.images.keep(this.question.companyId, drawn.request, drawn.result);
      this.drawn = await untilAborted(kept, this.signal);
    } catch (error) {
      this.signal.throwIfAborted();
      if (isAppError(error)) return refused(call, `the chart could not be made: ${error.message}`);
      throw error;
    }
    yield { kind: 'visualization', filename: this.drawn.filename, chart: this.drawn.specification };
    const content = JSON.stringify({ chart: 'drawn and shown to the user', rows: query.result.rows.length });
    return { callId: call.id, ok: true, content, result: null };
  }
}

function refused(call: ToolCall, problem: string): ToolOutcome {
  return { callId: call.id, ok: false, content: problemContent(problem), result: null };
}
