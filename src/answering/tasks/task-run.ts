import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { AnswerSource, AssistantAnswer, Evidence } from '../../ports/assistant-answer.js';
import {
  ChatModel,
  type HistoryTurn,
  type ModelDelta,
  type ModelRequest,
  type TableBriefing,
} from '../../ports/chat-model.js';
import type { Clock } from '../../ports/clock.js';
import type { RowReader } from '../../ports/row-reader.js';
import type { QueryResult } from '../../ports/table.js';
import type { TaskStep, TaskStepType } from '../../ports/task-step.js';
import { AppError, isAppError, messageOf } from '../../shared/app-error.js';
import { Deadline } from '../../shared/deadline.js';
import { bullets, inert, numberedList, paragraphs } from '../../shared/markdown.js';
import { counted } from '../../shared/number-words.js';
import { untilAborted } from '../../shared/until-aborted.js';
import type { AnswerStep } from '../answer-step.js';
import { Answering } from '../answering.js';
import type { ChartImages } from '../chart-images.js';
import type { FailedQuery, Question } from '../question.js';
import { type AskedQuery, type Finding, type Picture, placeOf } from './findings.js';
import type { TaskAssignment, TaskSubject } from './task-assignment.js';
import { resultWords, stepOf, type StepWords } from './task-steps.js';
import { MINUTE_MS } from '../../shared/durations.js';

const MAX_TITLE = 120;
const MAX_HISTORY = 10;
/** A query may bring the engine down, and those beside it; an engine that is away more often in a row is away. */
const MAX_AWAY = 3;
/** Failures that end a query but not the run. */
const PASSING = ['invalid_input', 'timed_out', 'no_space'];

/** How much one run may cost. */
export interface TaskLimits {
  /** Rounds of a model outside, the last word included. */
  readonly steps: number;
  readonly toolCalls: number;
  /** Of a model outside: beyond them nothing more is looked at. */
  readonly tokens: number;
  /** From here on nothing new is asked, and what is there is written up. */
  readonly askForMs: number;
  /** A question that still runs is given up here. */
  readonly endMs: number;
}

/** The built-in analyst reads a question in milliseconds and needs three rounds; its cost is its queries, a fixed number a question. */
const OF_ANALYST = { steps: 2000, toolCalls: 150, tokens: 0 };

/** `isBilled`: a model outside writes, and every round of it costs time and money. */
function limitsOf(thinking: boolean, isBilled: boolean): TaskLimits {
  const time = thinking
    ? { askForMs: 7 * MINUTE_MS, endMs: 9 * MINUTE_MS }
    : { askForMs: 3 * MINUTE_MS, endMs: 4 * MINUTE_MS };
  if (!isBilled) return { ...OF_ANALYST, ...time };
  return thinking
    ? { steps: 24, toolCalls: 36, tokens: 400_000, ...time }
    : { steps: 8, toolCalls: 12, tokens: 150_000, ...time };
}

export interface TaskDoors {
  readonly model: ChatModel;
  /** Answers plans, whoever answers questions. */
  readonly analyst: ChatModel;
  readonly rows: RowReader;
  readonly images: ChartImages;
  readonly clock: Clock;
}

/** What is asked of one datasource, and what it may cost. */
export interface TaskQuestion {
  readonly subject: TaskSubject;
  /** As it stands in the prompt, or as a heading. */
  readonly asked: string;
  /** As the model is asked it. */
  readonly text: string;
  readonly origin: Finding['origin'];
  /** Not certainly a question. */
  readonly perhaps?: boolean;
  /** Asked in place of the text. */
  readonly plan: AnalysisPlan | null;
  /** Further datasources that may be asked along; the model plans which, and when. */
  readonly others?: readonly TaskSubject[];
  readonly steps: number;
  readonly toolCalls: number;
}

/** A look at the rows that is no finding of its own. */
export interface Check {
  readonly subject: TaskSubject;
  readonly purpose: string;
  readonly plan: AnalysisPlan;
  readonly maxRows: number;
  readonly type: 'query' | 'check';
  /** What came of it, as a sentence of Markdown. */
  readonly told: (result: QueryResult) => string;
}

/** One run: what it asks through the loop that chats use, the steps that it tells of, and what it may still spend. */
export class TaskRun {
  readonly startedAt: Date;
  readonly model: MeteredModel;
  readonly sources = new KnownSources();
  /** Every query that gave a result, in order. */
  readonly queries: AskedQuery[] = [];
  /** What went wrong, a sentence each, for the answer. */
  readonly problems: string[] = [];
  /** Queries that found the row store away, since the last that did not. */
  awayInARow = 0;

  private readonly limits: TaskLimits;
  private readonly answering: Answering;
  private readonly history = new Map<string, HistoryTurn[]>();
  private readonly passages = new Map<string, readonly AnswerSource[]>();

  constructor(
    readonly assignment: TaskAssignment,
    private readonly doors: TaskDoors,
    readonly signal: AbortSignal,
  ) {
    this.startedAt = doors.clock.now();
    this.limits = limitsOf(assignment.thinking, doors.model.writesFreely);
    this.model = new MeteredModel(doors.model, this.limits);
    this.answering = new Answering(this.model, doors.rows, doors.images);
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

  /** A problem as a step; its sentence is kept for the answer too. */
  problem(words: StepWords, sentence: string, startedAt = this.now()): TaskStep {
    if (!this.problems.includes(sentence)) this.problems.push(sentence);
    return this.step('error', { ...words, content: inert(words.content ?? '', 1000) }, startedAt);
  }

  /**
   * Asks and returns what came of it. A question that fails for a reason of its own is a finding that says so.
   *
   * @throws AppError `unavailable` when the model or the row store is away; the signal's reason when it aborts.
   */
  async *ask(question: TaskQuestion): AsyncGenerator<TaskStep, Finding> {
    const passages = question.plan === null ? yield* this.passagesFor(question.asked) : [];
    using deadline = new Deadline(this.leftMs);
    const late = deadline.signal;
    const collector = new StepCollector(this, question);
    try {
      const asked = { ...this.questionOf(question, passages), onFailedQuery: collector.hear };
      const steps = this.answering.answer(asked, AbortSignal.any([this.signal, late]));
      for await (const step of steps) yield* collector.take(step);
    } catch (error) {
      this.signal.throwIfAborted();
      yield* collector.failures();
      const problem = late.aborted ? 'it took longer than a run may' : this.problemOf(error);
      yield this.problem(
        { title: `Could not answer: ${question.asked}`, content: problem },
        `“${inert(question.asked, 300)}” could not be answered: ${inert(problem, 300)}`,
      );
      return collector.failed(problem);
    }
    const { finding, turn } = collector.finding();
    if (question.plan === null) this.historyOf(question.subject).push(turn);
    // An answer numbers its own sources.
    return { ...finding, text: this.sources.renumbered(finding.text, finding.sources) };
  }

  /** Runs a check of ours and returns its sentence; null when it fails. @throws AppError `unavailable` */
  async *look({ subject, purpose, plan, maxRows, type, told }: Check): AsyncGenerator<TaskStep, string | null> {
    const startedAt = this.now();
    const title = this.titleOf(subject, purpose);
    try {
      const limits = { maxRows, timeoutMs: this.assignment.queryTimeoutMs };
      const result = await untilAborted(this.doors.rows.analyze(subject.table, plan, limits), this.signal);
      this.queries.push({ subject, purpose, plan, result, question: '' });
      const content = told(result);
      yield this.step(type, { title, content, dbquery: result.dbquery }, startedAt);
      return content;
    } catch (error) {
      const problem = this.problemOf(error);
      const sentence = `${inert(title, 300)}: ${inert(problem, 300)}`;
      yield this.problem({ title: `Could not look at ${title}`, content: problem }, sentence, startedAt);
      return null;
    }
  }

  /** With several datasources a step says which one it asked. */
  titleOf(subject: TaskSubject, purpose: string): string {
    return this.assignment.subjects.length > 1 ? `${subject.name}: ${purpose}` : purpose;
  }

  /** What a failure that the run outlives is told as; any other is thrown. */
  private problemOf(error: unknown): string {
    this.signal.throwIfAborted();
    if (isAppError(error) && PASSING.includes(error.kind)) return error.message;
    throw error;
  }

  private historyOf({ datasourceId }: TaskSubject): HistoryTurn[] {
    const turns = this.history.get(datasourceId) ?? [];
    this.history.set(datasourceId, turns);
    return turns;
  }

  private questionOf(question: TaskQuestion, passages: readonly AnswerSource[]): Question {
    const { assignment } = this;
    const { subject, others, plan, text, perhaps = false, steps, toolCalls } = question;
    return {
      companyId: assignment.companyId,
      table: subject.table,
      ...(others === undefined ? {} : { plans: true, others: others.map(({ table }) => table) }),
      ...(plan === null ? {} : { model: this.doors.analyst }),
      briefing: {
        question: text,
        history: plan === null ? this.historyOf(subject).slice(-MAX_HISTORY) : [],
        table: briefingOf(subject),
        ...(others === undefined ? {} : { others: others.map(briefingOf) }),
        passages,
        now: this.now(),
        given: plan === null ? null : { plan, chart: null },
        // What one of several datasources may mean is no answer where another knows it.
        isUnattended: assignment.subjects.length === 1 && !perhaps,
        ...this.manner,
      },
      limits: {
        steps,
        toolCalls,
        queryTimeoutMs: assignment.queryTimeoutMs,
        ...(others === undefined ? {} : { enough: () => this.isLate || this.model.tokensLeft === 0 }),
      },
    };
  }

  /** The passages of context files that fit; they are looked for once, whatever the number of datasources. */
  private async *passagesFor(asked: string): AsyncGenerator<TaskStep, readonly AnswerSource[]> {
    const known = this.passages.get(asked);
    if (known !== undefined) return known;
    const startedAt = this.now();
    let found: readonly AnswerSource[] = [];
    try {
      found = await untilAborted(this.assignment.passagesFor(asked), this.signal);
    } catch (error) {
      this.signal.throwIfAborted();
      if (!isAppError(error)) throw error;
      const sentence = `The context files could not be read: ${inert(error.message, 300)}`;
      yield this.problem({ title: 'Could not read the context files', content: error.message }, sentence, startedAt);
    }
    this.passages.set(asked, found);
    if (found.length > 0) {
      yield this.step(
        'context',
        { title: `Context files for: ${asked}`, content: bullets([...new Set(found.map(placeOf))]) },
        startedAt,
      );
    }
    return found;
  }
}

/** Counts what a model uses, and stops it where nothing is left. */
class MeteredModel extends ChatModel {
  stepsLeft: number;
  callsLeft: number;
  tokensLeft: number;

  constructor(
    private readonly model: ChatModel,
    { steps, toolCalls, tokens }: Pick<TaskLimits, 'steps' | 'toolCalls' | 'tokens'>,
  ) {
    super();
    this.stepsLeft = steps;
    this.callsLeft = toolCalls;
    this.tokensLeft = tokens;
  }

  get name(): string {
    return this.model.name;
  }

  get writesFreely(): boolean {
    return this.model.writesFreely;
  }

  /** @throws AppError `unavailable` beyond the last step, which nobody should ask for. */
  override async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    if (this.stepsLeft === 0) throw new AppError('unavailable', 'no model steps are left in this run');
    this.stepsLeft -= 1;
    const calls = new Set<string>();
    for await (const delta of this.model.stream(request, signal)) {
      if (delta.kind === 'call' && !calls.has(delta.key)) {
        calls.add(delta.key);
        this.callsLeft = Math.max(0, this.callsLeft - 1);
      }
      if (delta.kind === 'end' && this.writesFreely)
        this.tokensLeft = Math.max(0, this.tokensLeft - (delta.tokens ?? estimate(request)));
      yield delta;
    }
  }
}

/** Where the endpoint does not count. */
function estimate({ briefing, exchanges, tools }: ModelRequest): number {
  const told = exchanges.map(({ text, calls, outcomes }) => [text, calls, outcomes.map(({ content }) => content)]);
  return Math.ceil(JSON.stringify([briefing.question, briefing.table, briefing.others, told, tools]).length / 4);
}

function briefingOf({ name, context, semantics = null, profile }: TaskSubject): TableBriefing {
  return { name, context, semantics, profile };
}

/** Turns the steps of one answer into those of the run, and collects its finding. */
class StepCollector {
  private since: Date;
  private readonly queries: AskedQuery[] = [];
  private readonly failedQueries: FailedQuery[] = [];
  private picture: Picture | null = null;
  private answer: AssistantAnswer | null = null;

  constructor(
    private readonly run: TaskRun,
    private readonly question: TaskQuestion,
  ) {
    this.since = run.now();
  }

  readonly hear = (failed: FailedQuery): void => {
    this.failedQueries.push(failed);
    if (isAppError(failed.error, 'unavailable')) this.run.awayInARow += 1;
  };

  *take(step: AnswerStep): Generator<TaskStep> {
    yield* this.failures();
    switch (step.kind) {
      case 'status':
        this.since = this.run.now();
        return;
      case 'query':
        yield this.query(step);
        return;
      case 'plan':
        yield this.run.step('plan', { title: 'Plan', content: numberedList(step.steps.map((one) => inert(one, 300))) });
        return;
      case 'visualization':
        yield this.chart(step);
        return;
      case 'done':
        this.answer = step.answer;
        return;
      case 'text':
        return;
    }
  }

  /** Queries that came to nothing; a model may mend them, and the reader sees that it had to. */
  *failures(): Generator<TaskStep> {
    const { run, question } = this;
    for (const { statement, error } of this.failedQueries.splice(0)) {
      const problem = messageOf(error);
      const words = { title: `A query failed: ${question.asked}`, content: problem, dbquery: statement };
      const sentence = `A query for “${inert(question.asked, 300)}” failed: ${inert(problem, 300)}`;
      yield run.problem(words, sentence, this.since);
    }
    if (run.awayInARow >= MAX_AWAY) throw new AppError('unavailable', 'the row store is away');
  }

  finding(): { readonly finding: Finding; readonly turn: HistoryTurn } {
    const { answer, question, run } = this;
    if (answer === null) throw new Error('the answer did not end');
    const { response, kind, sources, evidence, dbquery } = answer;
    const last = this.queries.at(-1);
    const isOurs = question.plan !== null || !run.model.writesFreely;
    const text = isOurs && this.picture !== null ? withoutLongTable(response, last) : response;
    // What several datasources say rests on no one of them.
    const restsOnMany = (question.others ?? []).length > 0;
    const basis = last === undefined || restsOnMany ? '' : basisOf(evidence);
    return {
      finding: { ...this.common(), kind, sources, text, basis, unverified: evidence.unverified ?? [] },
      turn: { question: question.text, answer: response, dbquery, plan: last?.plan ?? null },
    };
  }

  failed(problem: string): Finding {
    const text = `This could not be calculated: ${inert(problem, 400)}.`;
    return { ...this.common(), kind: 'failed', text, sources: [], basis: '', unverified: [] };
  }

  private common(): Pick<Finding, 'subject' | 'question' | 'origin' | 'queries' | 'picture'> {
    const { subject, asked, origin } = this.question;
    return { subject, question: asked, origin, queries: this.queries, picture: this.picture };
  }

  private query({ purpose, dbquery, result, plan, datasourceId }: AnswerStep & { kind: 'query' }): TaskStep {
    const { text, asked, others = [] } = this.question;
    const subject = others.find((other) => other.datasourceId === datasourceId) ?? this.question.subject;
    const query = { subject, purpose: purpose === '' ? asked : purpose, plan, result, question: text };
    this.queries.push(query);
    this.run.queries.push(query);
    this.run.awayInARow = 0;
    const title = this.run.titleOf(subject, query.purpose);
    return this.run.step('query', { title, content: resultWords(result), dbquery }, this.since);
  }

  private chart({ filename, title: told }: AnswerStep & { kind: 'visualization' }): TaskStep {
    const title = (told === '' ? this.question.asked : told).slice(0, MAX_TITLE);
    this.picture = { filename, title };
    return this.run.step('chart', { title, visualization: filename }, this.since);
  }
}

/** A table of more rows than this repeats a chart badly. */
const TABLE_ROWS = 12;

function withoutLongTable(text: string, query: AskedQuery | undefined): string {
  if (query === undefined || query.result.rows.length <= TABLE_ROWS) return text;
  return paragraphs(text.split('\n\n').filter((part) => !/^\|.*\|$/m.test(part) && !/^Showing \d/.test(part)));
}

/** `Based on all 2,922 rows, 2012-01-01 to 2015-12-31.` */
function basisOf({ rowsScanned, timeRange, filters }: Evidence): string {
  const rows = counted(rowsScanned, 'row');
  if (filters.length > 0) {
    return `Based on the rows where ${inert(filters.join(' and '), 400)}; the datasource has ${rows}.`;
  }
  const time = timeRange === null ? '' : `, ${timeRange.from.slice(0, 10)} to ${timeRange.to.slice(0, 10)}`;
  return `Based on all ${rows}${time}.`;
}

const CITATION = /(?<!\\)\[(\d{1,3}(?:, ?\d{1,3}){0,9})\](?!\()/g;

/** The passages of a whole run under one numbering. */
export class KnownSources {
  readonly all: AnswerSource[] = [];

  /** The text of an answer with the numbers of its sources replaced by those of the run, where all of them are kept. */
  renumbered(text: string, sources: readonly AnswerSource[]): string {
    const numbers = sources.map((source) => this.numberOf(source));
    return text.replace(CITATION, (whole, list: string) => {
      const places = list.split(',').map((digits) => numbers[Number(digits) - 1]);
      return places.includes(undefined) ? whole : `[${places.join(', ')}]`;
    });
  }

  private numberOf(passage: AnswerSource): number {
    const place = this.all.findIndex(
      ({ fileId, page, quote }) => fileId === passage.fileId && page === passage.page && quote === passage.quote,
    );
    return place < 0 ? this.all.push(passage) : place + 1;
  }
}
