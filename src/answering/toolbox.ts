import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { ChartRequest } from '../ports/chart-renderer.js';
import type { TableBriefing, ToolCall, ToolDefinition, ToolOutcome } from '../ports/chat-model.js';
import type { RowReader } from '../ports/row-reader.js';
import { columnLines, columnsAbout, isCut, plainNumber, subjectNames } from '../ports/table-text.js';
import type { Cell, QueryResult, TableProfile, TableRef } from '../ports/table.js';
import { planAt } from '../plan/moving-times.js';
import { joinCautions, namedJoins, profileFor } from '../plan/joined-profile.js';
import { AppError, isAppError } from '../shared/app-error.js';
import { untilAborted } from '../shared/until-aborted.js';
import { within } from '../shared/within.js';
import type { AnswerStep } from './answer-step.js';
import type { ChartImages, KeptChart } from './chart-images.js';
import { drawableOf, MOST_DRAWN } from './drawn-result.js';
import { cut } from '../shared/tame.js';
import { type Asked, mendingHint, spellingNote } from './query-hints.js';
import type { Question } from './question.js';
import { DATA_TOOLS, DESCRIBE, PLAN, readAddress, readToolUse, toolsOver, type ToolUse } from './tools.js';
import { VerifiedModel } from './verified-answer.js';

const MAX_ROWS = 1000;
const MAX_DESCRIBED = 50;
const DRAWN = 'the chart is drawn and shown to the user';
const NO_TABLE = 'there is no table to ask: answer from the passages alone';

/** A table of a question, how it is described, and what its calls name it by. */
interface Subject {
  readonly name: string;
  readonly ref: TableRef;
  readonly briefing: TableBriefing;
}

type QueryUse = Extract<ToolUse, { tool: 'analyze' | 'run_query' }>;

/** What is left to be done for a call of a round, its query running already if it has one; or what came of it. */
type Begun = AsyncGenerator<AnswerStep, ToolOutcome> | Generator<AnswerStep, ToolOutcome> | ToolOutcome;

/**
 * Runs the tool calls of one answer. Which table they work on is the question's, never a call's. A call that can't be run comes to
 * nothing but an outcome that tells its writer why.
 */
export class Toolbox {
  readonly queries = new QueryLog();
  chart: KeptChart | null = null;
  private used = 0;
  private engineWasAway = false;
  private wasAwayBefore = false;
  private readonly subjects: readonly Subject[];

  constructor(
    private readonly question: Question,
    private readonly doors: { readonly rows: RowReader; readonly images: ChartImages },
    private readonly signal: AbortSignal,
  ) {
    this.subjects = subjectsOf(question);
  }

  /** Nothing more will be run. */
  get spent(): boolean {
    const { toolCalls, enough } = this.question.limits;
    return this.used >= toolCalls || this.queries.exhausted || enough?.() === true;
  }

  get offered(): readonly ToolDefinition[] {
    const [subject, ...others] = this.subjects;
    if (subject === undefined || this.spent) return [];
    const plan = this.question.plans === true ? [PLAN] : [];
    if (others.length > 0) {
      const joined = this.subjects.flatMap(({ briefing }) => (briefing.joined ?? []).map(({ table }) => table));
      return [
        ...plan,
        ...toolsOver(
          this.subjects.map(({ name }) => name),
          [...new Set(joined)],
        ),
      ];
    }
    return [...plan, ...DATA_TOOLS, ...(isCut(subject.briefing) ? [DESCRIBE] : [])];
  }

  /**
   * Runs the calls of one round: its queries side by side, and then what draws their results. The outcomes come in the order of the calls.
   * `cut`: the message they came in has no proper end, so that even well-formed arguments may be less than was meant.
   *
   * @throws AppError `unavailable` when the row store is away in two rounds; the signal's reason when it aborts.
   */
  async *run(calls: readonly ToolCall[], cut: boolean): AsyncGenerator<AnswerStep, readonly ToolOutcome[]> {
    this.wasAwayBefore = this.engineWasAway;
    const queries = new SideBySide();
    const begun = calls.map((call) => ({ call, rest: this.begin(call, cut, queries) }));
    const outcomes = new Map<ToolCall, ToolOutcome>();
    for (const { call, rest } of begun.toSorted((a, b) => Number(draws(a.call)) - Number(draws(b.call))))
      outcomes.set(call, 'callId' in rest ? rest : yield* rest);
    return calls.flatMap((call) => outcomes.get(call) ?? []);
  }

  private begin(call: ToolCall, cut: boolean, queries: SideBySide): Begun {
    const refusal = this.refusal(cut);
    this.used += 1;
    try {
      if (refusal !== null) throw new AppError('invalid_input', refusal);
      const { subject, json } = this.addressed(call);
      const { profile, joined } = subject.briefing;
      const use = this.dated(readToolUse(call.name, json, profile, joined));
      if (use.tool === 'plan') return planning(call, use.steps);
      if (use.tool === 'describe') return describing(call, use.columns, subject.briefing);
      if (use.tool === 'make_chart') return this.draw(call, use);
      const running = queries.run(() => this.read(use, subject.ref, MAX_ROWS));
      return this.ask(call, { use, subject, running });
    } catch (error) {
      if (isAppError(error)) return refused(call, error.message);
      throw error;
    }
  }

  /** What is asked with the dates that are meant now. */
  private dated(use: ToolUse): ToolUse {
    return use.tool === 'analyze' ? { ...use, plan: planAt(use.plan, this.question.briefing.now) } : use;
  }

  private refusal(cut: boolean): string | null {
    if (this.spent) return 'no tool calls are left: answer with what you have';
    return cut ? 'the message was cut at its length limit, so the call was not run: write less' : null;
  }

  /** Of several tables the call says which it means. */
  private addressed({ name, arguments: json }: ToolCall): { readonly subject: Subject; readonly json: string } {
    const [first] = this.subjects;
    if (first === undefined) throw new AppError('invalid_input', NO_TABLE);
    const { model } = this.question;
    // What is verified is about the first.
    const isVerified = model instanceof VerifiedModel && model.verification !== null;
    if (this.subjects.length === 1 || isVerified || draws({ name }) || name === PLAN.name)
      return { subject: first, json };
    const { at, rest } = readAddress(
      json,
      this.subjects.map((subject) => subject.name),
    );
    return { subject: this.subjects[at] ?? first, json: rest };
  }

  private async *ask(
    call: ToolCall,
    { use, subject, running }: { use: QueryUse; subject: Subject; running: Promise<QueryResult> },
  ): AsyncGenerator<AnswerStep, ToolOutcome> {
    yield { kind: 'status', text: use.purpose === '' ? 'Looking at the data' : `Looking at the data: ${use.purpose}` };
    let result: QueryResult;
    try {
      result = await untilAborted(running, this.signal);
    } catch (error) {
      this.signal.throwIfAborted();
      this.question.onFailedQuery?.({ statement: use.tool === 'run_query' ? use.sql : '', error });
      return refused(call, this.queryProblem(error, use, subject));
    }
    const plan = use.tool === 'analyze' ? use.plan : null;
    const { purpose } = use;
    const { ref: table, briefing } = subject;
    const query = this.queries.add({ purpose, plan, result, table, briefing });
    yield { kind: 'query', purpose, dbquery: result.dbquery, result, plan, datasourceId: table.datasourceId };
    const spelling = spellingNote(use, result, plannedProfile(use, briefing));
    const cautions = joinCautions(namedJoins(result.joins, briefing));
    const drawn = use.chart === null ? null : yield* this.drawing(use.chart, query);
    const notes = [spelling, drawn, ...cautions].filter((note) => note !== null);
    return { callId: call.id, ok: true, content: resultContent(query.id, result, notes), result };
  }

  private async read(query: Asked, table: TableRef, maxRows: number): Promise<QueryResult> {
    this.signal.throwIfAborted();
    const limits = { maxRows, timeoutMs: this.question.limits.queryTimeoutMs };
    const { rows } = this.doors;
    return 'plan' in query ? rows.analyze(table, query.plan, limits) : rows.query(table, query.sql, limits);
  }

  /**
   * What a model is told of a query that failed. A query may bring the engine down once, and those beside it; an engine that is away in
   * another round is away.
   */
  private queryProblem(error: unknown, use: QueryUse, { briefing }: Subject): string {
    if (!isAppError(error)) throw error;
    const isAway = error.kind === 'unavailable';
    if ((isAway && this.wasAwayBefore) || !['invalid_input', 'timed_out', 'unavailable'].includes(error.kind))
      throw error;
    this.engineWasAway ||= isAway;
    this.queries.failed();
    const advice = this.queries.exhausted ? ' (no more attempts: say plainly what could not be found out)' : '';
    const hint = mendingHint(error.message, use, plannedProfile(use, briefing));
    return `${error.message}${hint}${advice}`;
  }

  private async *draw(
    call: ToolCall,
    use: Extract<ToolUse, { tool: 'make_chart' }>,
  ): AsyncGenerator<AnswerStep, ToolOutcome> {
    const query = this.queries.find(use.result);
    if (query === null) return refused(call, 'there is no such query result: run a query first');
    const had = this.chart;
    const told = yield* this.drawing(use.chart, query);
    if (this.chart === had && told !== DRAWN) return refused(call, told);
    const content = JSON.stringify({ chart: told, rows: query.result.rows.length });
    return { callId: call.id, ok: true, content, result: null };
  }

  /** What came of a chart, in words. An answer does without one that can't be drawn or kept. */
  private async *drawing(chart: ChartRequest, query: LoggedQuery): AsyncGenerator<AnswerStep, string> {
    // A second picture would stay behind with no answer that names it.
    if (this.chart !== null) return 'the answer has its chart already';
    if (this.question.isTrial === true) return DRAWN;
    yield { kind: 'status', text: 'Drawing the chart' };
    try {
      const { table, result } = query;
      const read = (plan: AnalysisPlan | null): Promise<QueryResult> =>
        this.read(plan === null ? { sql: result.dbquery } : { plan }, table, MOST_DRAWN);
      const drawn = await untilAborted(drawableOf(query, chart, read), this.signal);
      const { companyId, model } = this.question;
      const seed = model instanceof VerifiedModel ? model.answer.chartSeed : null;
      const kept = this.doors.images.keep(companyId, drawn.request, drawn.result, seed);
      this.chart = { ...(await untilAborted(kept, this.signal)), request: chart };
    } catch (error) {
      this.signal.throwIfAborted();
      if (isAppError(error)) return `the chart could not be made: ${error.message}`;
      throw error;
    }
    const { filename, specification } = this.chart;
    yield { kind: 'visualization', title: chart.title, filename, chart: specification };
    return DRAWN;
  }
}

function draws({ name }: Pick<ToolCall, 'name'>): boolean {
  return name === 'make_chart';
}

/** Of the columns that a call can name. */
function plannedProfile(use: QueryUse, briefing: TableBriefing): TableProfile {
  return use.tool === 'analyze' && isJoinable(use.plan, briefing) ? profileFor(use.plan, briefing) : briefing.profile;
}

function isJoinable({ join }: AnalysisPlan, { joined = [] }: TableBriefing): boolean {
  return joined.some(({ relation }) => relation === join?.relation);
}

function subjectsOf({ table, others = [], briefing }: Question): readonly Subject[] {
  if (table === null || briefing.table === null) return [];
  const briefings = [briefing.table, ...(briefing.others ?? [])];
  const names = subjectNames(briefings);
  return [table, ...others].flatMap((ref, at) => {
    const [own, name] = [briefings[at], names[at]];
    return own === undefined || name === undefined ? [] : [{ name, ref, briefing: own }];
  });
}

function* planning(call: ToolCall, steps: readonly string[]): Generator<AnswerStep, ToolOutcome> {
  yield { kind: 'plan', steps };
  return { callId: call.id, ok: true, content: JSON.stringify({ noted: steps.length }), result: null };
}

function* describing(
  call: ToolCall,
  wanted: readonly string[],
  briefing: TableBriefing,
): Generator<AnswerStep, ToolOutcome> {
  yield { kind: 'status', text: 'Looking at the columns' };
  const { profile } = briefing;
  const found = wanted.flatMap((name) => {
    const exact = profile.columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
    return exact === undefined ? columnsAbout(name, profile) : [exact];
  });
  const columns = [...new Set(found)].slice(0, MAX_DESCRIBED);
  if (columns.length === 0)
    return refused(call, 'there is no such column, and none whose name or values share a word with that');
  return { callId: call.id, ok: true, content: columnsContent(columnLines(columns, briefing)), result: null };
}

function refused(call: ToolCall, problem: string): ToolOutcome {
  return { callId: call.id, ok: false, content: problemContent(problem), result: null };
}

/** So many run at once: further ones of a company would wait for their turn, and that counts as their time. */
const AT_ONCE = 3;
/** A statement that is done by then is faster after another, in the process that has the rows open, than beside it in a new one. */
const HEAD_START_MS = 100;

/** Runs works that were given in their order: each begins when the one before has ended, or has run for a while. */
class SideBySide {
  private readonly ends: Promise<unknown>[] = [];
  private ready: Promise<unknown> = Promise.resolve();

  /** A failure may be heard late, or by nobody. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const began = Promise.all([this.ready, this.ends.at(-AT_ONCE)]);
    const running = began.then(work);
    const ended = running.catch(() => undefined);
    this.ends.push(ended);
    this.ready = began.then(() => within(ended, HEAD_START_MS));
    return running;
  }
}

/** How often a model may try to mend a query that fails. */
const MAX_REPAIRS = 3;

export interface LoggedQuery {
  /** What the model calls its result. */
  readonly id: string;
  readonly purpose: string;
  readonly plan: AnalysisPlan | null;
  readonly result: QueryResult;
  /** Whose rows they are, and how those are described. */
  readonly table: TableRef;
  readonly briefing: TableBriefing;
}

/** The queries of one answer: those that gave a result, and how often in a row the last ones failed. */
export class QueryLog {
  readonly queries: LoggedQuery[] = [];
  private failures = 0;

  get last(): LoggedQuery | null {
    return this.queries.at(-1) ?? null;
  }

  /** No further repair is worth its while. */
  get exhausted(): boolean {
    return this.failures > MAX_REPAIRS;
  }

  /** The result of that id; without one the last. */
  find(id: string | null): LoggedQuery | null {
    return id === null ? this.last : (this.queries.find((query) => query.id === id) ?? null);
  }

  add(query: Omit<LoggedQuery, 'id'>): LoggedQuery {
    const logged = { ...query, id: `r${this.queries.length + 1}` };
    this.queries.push(logged);
    this.failures = 0;
    return logged;
  }

  failed(): void {
    this.failures += 1;
  }
}

/** What a model may be given of one tool call. */
export const MAX_CONTENT = 8000;
const MAX_HEAD = 3000;
const TOLD_ROWS = 50;
const MAX_CELL = 200;

/** A query's result as a model reads it: JSON with these notes, cut to a length, and saying so where it was cut. */
export function resultContent(id: string, result: QueryResult, told: readonly string[] = []): string {
  const columns = fitting(
    result.columns.map(({ name, type }) => ({ name, type })),
    MAX_HEAD,
  );
  const notes = [...told];
  if (columns.length < result.columns.length) notes.push(`only ${columns.length} of ${result.columns.length} columns`);
  if (result.truncated) notes.push('the query gave more rows than are kept: aggregate or limit it');
  const head = { result: id, columns, row_count: result.rows.length };
  const room = MAX_CONTENT - JSON.stringify(head).length - JSON.stringify(notes).length - 200;

  const shown = result.rows.slice(0, TOLD_ROWS).map((row) => row.slice(0, columns.length).map(shownCell));
  const rows = fitting(shown, room);
  if (rows.length < result.rows.length)
    notes.push(`only the first ${rows.length} rows are shown here; a chart draws all`);
  return JSON.stringify({ ...head, rows, ...(notes.length > 0 ? { notes } : {}) });
}

export function problemContent(problem: string): string {
  return JSON.stringify({ error: problem.slice(0, 1000) });
}

/** Lines about columns, as many as fit. */
export function columnsContent(lines: readonly string[]): string {
  const columns = fitting(lines, MAX_CONTENT - 200);
  return JSON.stringify({
    columns,
    ...(columns.length < lines.length ? { left_out: lines.length - columns.length } : {}),
  });
}

function shownCell(cell: Cell): Cell {
  if (typeof cell === 'number') return plainNumber(cell);
  return typeof cell === 'string' ? cut(cell, MAX_CELL) : cell;
}

/** The first values whose JSON is together no longer than that. */
function fitting<T>(values: readonly T[], longest: number): readonly T[] {
  let length = 2;
  const end = values.findIndex((value) => (length += JSON.stringify(value).length + 1) > longest);
  return end < 0 ? values : values.slice(0, end);
}
