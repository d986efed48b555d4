import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { ChartRequest } from '../../ports/chart-renderer.js';
import type { ChatModel } from '../../ports/chat-model.js';
import type { Clock } from '../../ports/clock.js';
import type { RowReader } from '../../ports/row-reader.js';
import type { QueryResult } from '../../ports/table.js';
import type { TaskStep, TaskStepType } from '../../ports/task-step.js';
import { isAppError } from '../../shared/app-error.js';
import { Answering } from '../answering.js';
import type { ChartImages } from '../chart-images.js';
import { untilAborted } from '../until-aborted.js';
import type { AskedQuery, Picture } from './finding.js';
import { inline } from './markdown-words.js';
import { MeteredModel, MeteredRows } from './metered.js';
import { limitsOf, type TaskLimits } from './task-limits.js';
import type { TaskAssignment, TaskSubject } from './task-assignment.js';
import { resultWords, stepOf, type StepWords } from './task-steps.js';

const MAX_ROWS = 5000;
/** Failures that end a query but not the run. */
const PASSING = ['invalid_input', 'timed_out', 'no_space'];

/** A renderer that fails so often in a row is away, and each further try would only cost time. */
const MAX_UNDRAWN = 2;

/** What a run works with. */
export interface TaskDoors {
  readonly model: ChatModel;
  readonly rows: RowReader;
  readonly images: ChartImages;
  readonly clock: Clock;
}

export interface PlannedQuery {
  readonly subject: TaskSubject;
  readonly purpose: string;
  readonly plan: AnalysisPlan;
}

/** How a query of ours is told of; by default as a query, with its rows. */
export interface Telling {
  readonly type?: 'query' | 'check';
  readonly told?: (result: QueryResult) => string;
}

/** One run: its limits, what it has asked so far, and the steps that it tells of. */
export class TaskRun {
  readonly startedAt: Date;
  readonly limits: TaskLimits;
  readonly model: MeteredModel;
  readonly rows: MeteredRows;
  readonly answering: Answering;
  /** Every query that gave a result, in order. */
  readonly queries: AskedQuery[] = [];
  /** What went wrong, a sentence each, for the answer. */
  readonly problems: string[] = [];

  /** Charts that failed in a row. */
  private undrawn = 0;

  constructor(
    readonly assignment: TaskAssignment,
    private readonly doors: TaskDoors,
    readonly signal: AbortSignal,
  ) {
    this.startedAt = doors.clock.now();
    const model = assignment.answerer?.model ?? doors.model;
    this.limits = limitsOf(assignment.thinking, model.writesFreely);
    this.model = new MeteredModel(model, this.limits);
    this.rows = new MeteredRows(doors.rows);
    this.answering = new Answering(this.model, this.rows, doors.images);
  }

  /** How whoever writes is to write. */
  get manner(): { readonly language: string | null; readonly instructions: string } {
    const { language = null, instructions = '' } = this.assignment.answerer ?? {};
    return { language, instructions };
  }

  now(): Date {
    return this.doors.clock.now();
  }

  /** Nothing new is to be begun. */
  get isLate(): boolean {
    return this.now().getTime() - this.startedAt.getTime() >= this.limits.askForMs;
  }

  /** What is left until a question that still runs is given up. */
  get leftMs(): number {
    return Math.max(0, this.limits.endMs - (this.now().getTime() - this.startedAt.getTime()));
  }

  step(type: TaskStepType, words: StepWords, startedAt = this.now()): TaskStep {
    return stepOf(type, words, { startedAt, finishedAt: this.now() });
  }

  /** A problem as a step; it is kept for the answer too. */
  problem(words: StepWords, sentence: string, startedAt = this.now()): TaskStep {
    if (!this.problems.includes(sentence)) this.problems.push(sentence);
    return this.step('error', words, startedAt);
  }

  /**
   * Runs a plan of ours and tells of it; null when it fails.
   *
   * @throws AppError `unavailable`
   */
  async *ask(query: PlannedQuery, telling: Telling = {}): AsyncGenerator<TaskStep, QueryResult | null> {
    const startedAt = this.now();
    const { type = 'query', told = resultWords } = telling;
    const { subject, purpose, plan } = query;
    const title = this.titleOf(subject, purpose);
    try {
      const limits = { maxRows: MAX_ROWS, timeoutMs: this.assignment.queryTimeoutMs };
      const result = await untilAborted(this.doors.rows.analyze(subject.table, plan, limits), this.signal);
      this.queries.push({ subject, purpose, plan, result, question: '' });
      yield this.step(type, { title, content: told(result), dbquery: result.dbquery }, startedAt);
      return result;
    } catch (error) {
      const problem = this.problemOf(error);
      const sentence = `${inline(title, 300)}: ${inline(problem, 300)}`;
      yield this.problem({ title: `Could not look at ${title}`, content: inline(problem, 1000) }, sentence, startedAt);
      return null;
    }
  }

  /** Draws a chart and tells of it; null when it can't be drawn or kept. An answer does without. */
  async *draw(request: ChartRequest, result: QueryResult): AsyncGenerator<TaskStep, Picture | null> {
    if (this.undrawn >= MAX_UNDRAWN) return null;
    const startedAt = this.now();
    try {
      const kept = this.doors.images.keep(this.assignment.companyId, request, result);
      const { filename } = await untilAborted(kept, this.signal);
      this.undrawn = 0;
      yield this.step('chart', { title: request.title, visualization: filename }, startedAt);
      return { filename, title: request.title };
    } catch (error) {
      this.signal.throwIfAborted();
      if (!isAppError(error)) throw error;
      this.undrawn += 1;
      const sentence = `The chart “${inline(request.title, 120)}” could not be made: ${inline(error.message, 300)}`;
      yield this.problem(
        { title: `Could not draw ${request.title}`, content: inline(error.message, 1000) },
        sentence,
        startedAt,
      );
      return null;
    }
  }

  /** With several datasources a step says which one it asked. */
  titleOf(subject: TaskSubject, purpose: string): string {
    return this.assignment.subjects.length > 1 ? `${subject.name}: ${purpose}` : purpose;
  }

  /** What a failure that the run outlives is told as; any other is thrown. */
  problemOf(error: unknown): string {
    this.signal.throwIfAborted();
    if (isAppError(error) && PASSING.includes(error.kind)) return error.message;
    throw error;
  }
}
