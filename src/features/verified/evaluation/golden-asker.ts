import { Injectable } from '@nestjs/common';
import { Answering } from '../../../answering/answering.js';
import { DEFAULT_STEPS, type Question } from '../../../answering/question.js';
import { AppConfig } from '../../../config/app-config.js';
import type { AnswerKind } from '../../../ports/assistant-answer.js';
import { withSaidRoles } from '../../../plan/column-roles.js';
import type { TableBriefing } from '../../../ports/chat-model.js';
import { Clock } from '../../../ports/clock.js';
import type { QueryResult, TableRef, Cell } from '../../../ports/table.js';
import { isAppError, messageOf } from '../../../shared/app-error.js';
import { Deadline } from '../../../shared/deadline.js';
import { JoinableTables, KeptQueries } from '../../datasource/joinable-tables.facade.js';
import { CompanyModels, type EvaluatedAnswerer } from '../../models/company-models.facade.js';
import { GoldenQuestionRepository } from '../golden-question.repository.js';
import type { GoldenQuestion, GoldenQuestionId } from '../golden-question.schema.js';
import { knownAmong } from '../verified.facade.js';
import { MOST_ROWS } from '../verified.service.js';
import type { Evaluation, Judged } from './evaluation.schema.js';
import type { AnalysisPlan } from '../../../ports/analysis-plan.js';

const MAX_REASON = 300;
const MAX_QUERY = 2000;
const TOO_MANY_ROWS = `more than ${MOST_ROWS.toLocaleString('en-US')} rows can't be compared`;
const UNASKED = { outcome: 'failed', dbquery: '', tokens: null, cost: null, ms: 0 } as const;

interface AskedTable extends TableBriefing {
  readonly table: TableRef;
}

/** A verified question with the rows that answer it now. */
interface Asked {
  readonly golden: GoldenQuestion;
  readonly others: readonly GoldenQuestion[];
  readonly table: AskedTable;
  readonly expected: QueryResult;
}

/** What a model answered. */
interface Given {
  readonly kind: AnswerKind;
  readonly response: string;
  readonly result: QueryResult | null;
}

/** Why a question can't be asked. */
interface Unaskable {
  readonly problem: string;
  readonly wasRight: boolean;
}

/** Verified questions with what answers them now. */
@Injectable()
export class GoldenQuestionReader {
  constructor(
    private readonly goldens: GoldenQuestionRepository,
    private readonly tables: JoinableTables,
    private readonly queries: KeptQueries,
  ) {}

  /** @throws AppError when the rows are away. */
  async read(run: Evaluation, id: GoldenQuestionId): Promise<Asked | Unaskable> {
    const goldens = await this.goldens.verified(run.companyId, run.datasourceId);
    const golden = goldens.find((one) => one.id === id);
    if (golden === undefined) return { problem: 'the question is not verified any more', wasRight: false };
    const { wasRight } = golden;
    try {
      const datasource = await this.tables.getKept(run.companyId, golden);
      const { table, profile, name, context, joined } = datasource;
      if (table === null || profile === null) return { problem: 'the datasource has no rows', wasRight };
      const semantics = run.semantics ?? datasource.semantics;
      const others = goldens.filter((one) => one !== golden);
      const expected = await this.queries.run(table, golden, MOST_ROWS);
      if (expected.truncated) return { problem: TOO_MANY_ROWS, wasRight };
      const described = withSaidRoles(profile, semantics);
      return { golden, others, expected, table: { table, profile: described, joined, name, context, semantics } };
    } catch (error) {
      if (!isAppError(error, 'invalid_input') && !isAppError(error, 'timed_out')) throw error;
      const problem = `what was verified does not run any more: ${error.message}`;
      return { problem: problem.slice(0, MAX_REASON), wasRight };
    }
  }

  /** Whoever answers has found it out alone. */
  async markRight({ companyId, id }: GoldenQuestion): Promise<void> {
    await this.goldens.swap({ companyId, id }, {}, { wasRight: true });
  }
}

/** Asks one verified question as anybody would, without its answer, and says what came of it. */
@Injectable()
export class GoldenAsker {
  constructor(
    private readonly questions: GoldenQuestionReader,
    private readonly answering: Answering,
    private readonly models: CompanyModels,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * For each model of the evaluation.
   *
   * @throws AppError when no question can be asked any more: the company's tokens are spent, the rows are away; the signal's reason.
   */
  async judge(run: Evaluation, id: GoldenQuestionId, signal: AbortSignal): Promise<readonly Judged[]> {
    const { companyId, models } = run;
    const asked = await this.questions.read(run, id);
    if ('problem' in asked) return models.map(() => ({ ...UNASKED, reason: asked.problem, regressed: asked.wasRight }));
    const { golden } = asked;
    const judged: Judged[] = [];
    for (const model of models) {
      const answerer = await this.models.evaluatedBy(companyId, model);
      const one = await this.ask(asked, answerer, signal);
      const wasRight = golden.wasRight || judged[0]?.outcome === 'right';
      judged.push({ ...one, regressed: wasRight && one.outcome !== 'right' });
    }
    const own = run.semantics === null ? judged[models.indexOf(null)] : undefined;
    if (own?.outcome === 'right' && !golden.wasRight) await this.questions.markRight(golden);
    return judged;
  }

  private async ask(asked: Asked, answerer: EvaluatedAnswerer, signal: AbortSignal): Promise<Judged> {
    const began = performance.now();
    using deadline = new Deadline(answerer.answerMs);
    let given: Given | null = null;
    let verdict: Pick<Judged, 'outcome' | 'reason'>;
    try {
      given = await this.answerTo(this.questionOf(asked, answerer), AbortSignal.any([signal, deadline.signal]));
      verdict = verdictOn(given, asked);
    } catch (error) {
      signal.throwIfAborted();
      if (!isAppError(error) && !deadline.signal.aborted) throw error;
      const reason = deadline.signal.aborted ? 'the answer took too long' : messageOf(error);
      verdict = { outcome: 'failed', reason: reason.slice(0, MAX_REASON) };
    }
    return {
      ...verdict,
      regressed: false,
      dbquery: given?.result?.dbquery.slice(0, MAX_QUERY) ?? '',
      tokens: answerer.spent.tokens,
      cost: answerer.spent.cost,
      ms: Math.round(performance.now() - began),
    };
  }

  private async answerTo(question: Question, signal: AbortSignal): Promise<Given> {
    let result: QueryResult | null = null;
    for await (const step of this.answering.answer(question, signal)) {
      if (step.kind === 'query') result = step.result;
      if (step.kind === 'done') return { kind: step.answer.kind, response: step.answer.response, result };
    }
    throw new Error('an answer has no end');
  }

  private questionOf({ golden, others, table: asked }: Asked, answerer: EvaluatedAnswerer): Question {
    const { table, ...described } = asked;
    const { model, toolCalls, language, instructions } = answerer;
    return {
      companyId: golden.companyId,
      model,
      table,
      briefing: {
        question: golden.question,
        history: [],
        table: described,
        passages: [],
        examples: knownAmong(others, golden.question, described).near,
        now: this.clock.now(),
        language,
        instructions,
      },
      limits: { steps: DEFAULT_STEPS, toolCalls, queryTimeoutMs: this.config.limits.queryTimeoutMs },
      isTrial: true,
    };
  }
}

function verdictOn({ kind, response, result }: Given, { golden, expected }: Asked): Pick<Judged, 'outcome' | 'reason'> {
  if (kind !== 'answer' || result === null) {
    return { outcome: 'refused', reason: response.slice(0, MAX_REASON) };
  }
  if (saysTheSame(expected, result, isOrdered(golden.plan, golden.sql))) return { outcome: 'right', reason: '' };
  return { outcome: 'wrong', reason: differenceOf(expected, result).slice(0, MAX_REASON) };
}

/** The single row of each is told. */
function differenceOf({ rows: wanted }: QueryResult, { rows: got }: QueryResult): string {
  if (wanted.length !== got.length) return `${got.length} rows instead of ${wanted.length}`;
  if (wanted.length !== 1) return 'the rows are others';
  return [got, wanted].map(([row = []]) => row.map((cell) => cell ?? '–').join(', ')).join(' instead of ');
}

const TOLERANCE = 1e-9;
/** Ways to lay columns over columns that are tried, and steps that are taken to find them. */
const MOST_WAYS = 20;
const MOST_STEPS = 2000;

type Rows = readonly (readonly Cell[])[];
export type Table = Pick<QueryResult, 'columns' | 'rows'>;

/**
 * Whether a result says what is expected, whatever its columns are called and in whichever order they stand; columns beyond those are no
 * harm. Rows may come in any order, unless `ordered`.
 */
export function saysTheSame(expected: Table, actual: Table, ordered: boolean): boolean {
  if (expected.rows.length !== actual.rows.length || expected.columns.length > actual.columns.length) return false;
  let tries = 0;
  for (const way of waysOf(expected, actual)) {
    tries += 1;
    const laid = actual.rows.map((row) => way.map((place) => row[place] ?? null));
    if (ordered ? areAlike(expected.rows, laid) : areSameRows(expected.rows, laid)) return true;
    if (tries === MOST_WAYS) return false;
  }
  return false;
}

/** Whether the order of the rows belongs to the answer. */
export function isOrdered(plan: AnalysisPlan | null, sql: string | null): boolean {
  if (plan !== null) return plan.kind !== 'statistic' && plan.order.length > 0 && !('summary' in plan && plan.summary);
  return /\border\s+by\b/i.test(outermost(sql ?? ''));
}

/** Without what stands in brackets: the order of a window or of a subquery is not that of the result. */
function outermost(sql: string): string {
  let text = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, '');
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replace(/\([^()]*\)/g, ' ');
  }
  return text;
}

/** For each expected column one of the actual, of which each is taken once; those of the same name first. */
function* waysOf(expected: Table, actual: Table): Generator<readonly number[]> {
  const fitting = expected.columns.map(({ name }, place) => {
    const wanted = columnOf(expected.rows, place);
    const places = actual.columns.flatMap((_, other) => (areSame(wanted, columnOf(actual.rows, other)) ? [other] : []));
    const isNamed = (other: number): boolean => actual.columns[other]?.name.toLowerCase() === name.toLowerCase();
    return places.toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)));
  });
  yield* combined(fitting, [], { steps: 0 });
}

function* combined(
  fitting: readonly (readonly number[])[],
  taken: readonly number[],
  spent: { steps: number },
): Generator<readonly number[]> {
  spent.steps += 1;
  const [first, ...rest] = fitting;
  if (first === undefined) {
    yield taken;
    return;
  }
  for (const place of first)
    if (!taken.includes(place) && spent.steps < MOST_STEPS) yield* combined(rest, [...taken, place], spent);
}

function columnOf(rows: Rows, place: number): readonly Cell[] {
  return rows.map((row) => row[place] ?? null);
}

/** The same cells, in any order. */
function areSame(one: readonly Cell[], other: readonly Cell[]): boolean {
  const [first, second] = [one.toSorted(compared), other.toSorted(compared)];
  return first.every((cell, place) => isSame(cell, second[place] ?? null));
}

function areAlike(one: Rows, other: Rows): boolean {
  return one.every((row, place) => isSameRow(row, other[place] ?? []));
}

/** Rows that stand in about the same order, as they mostly do, are found at once. */
function areSameRows(one: Rows, other: Rows): boolean {
  const left = [...other];
  return one.every((row) => {
    const found = left.findIndex((candidate) => isSameRow(row, candidate));
    if (found >= 0) left.splice(found, 1);
    return found >= 0;
  });
}

function isSameRow(one: readonly Cell[], other: readonly Cell[]): boolean {
  return one.every((cell, place) => isSame(cell, other[place] ?? null));
}

function isSame(one: Cell, other: Cell): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other;
  return Math.abs(one - other) <= TOLERANCE * Math.max(Math.abs(one), Math.abs(other));
}

function compared(one: Cell, other: Cell): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [first, second] = [`${typeof one}${String(one)}`, `${typeof other}${String(other)}`];
  return first < second ? -1 : Number(first > second);
}
