import type { AnswerSource, AssistantAnswer } from '../../ports/assistant-answer.js';
import type { HistoryTurn } from '../../ports/chat-model.js';
import type { TaskStep } from '../../ports/task-step.js';
import { isAppError } from '../../shared/app-error.js';
import { Deadline } from '../../shared/deadline.js';
import { isRecord } from '../../shared/json.js';
import type { AnswerStep } from '../answer-step.js';
import type { Question } from '../question.js';
import { untilAborted } from '../until-aborted.js';
import type { AskedQuery, Finding, Picture } from './finding.js';
import type { KnownSources } from './known-sources.js';
import { bullets, inline } from './markdown-words.js';
import { elaborated } from './elaborate.js';
import { basisOf, basisWords } from './plan-findings.js';
import type { TaskRun } from './task-run.js';
import type { TaskSubject } from './task-assignment.js';
import { resultWords } from './task-steps.js';

const MAX_TITLE = 120;
const MAX_HISTORY = 10;

/** A question of the prompt for one datasource, and what it may cost. */
export interface TaskQuestion {
  readonly subject: TaskSubject;
  /** As it stands in the prompt. */
  readonly asked: string;
  /** As the model is asked it. */
  readonly text: string;
  readonly refersBack: boolean;
  readonly steps: number;
  readonly toolCalls: number;
}

/** Puts questions of the prompt to the model, one datasource at a time, and tells what it does. */
export class Asking {
  private readonly history = new Map<string, HistoryTurn[]>();
  private readonly passages = new Map<string, readonly AnswerSource[]>();

  constructor(
    private readonly run: TaskRun,
    private readonly sources: KnownSources,
  ) {}

  /**
   * Asks and returns what came of it. A question that fails for a reason of its own is a finding that says so.
   *
   * @throws AppError `unavailable` when the model or the row store is away; the signal's reason when it aborts.
   */
  async *ask(question: TaskQuestion): AsyncGenerator<TaskStep, Finding> {
    const { run } = this;
    const passages = yield* this.passagesFor(question.asked);
    using deadline = new Deadline(run.leftMs);
    const late = deadline.signal;
    const signal = AbortSignal.any([run.signal, late]);
    const hearing = new Hearing(run, question);
    try {
      for await (const step of run.answering.answer(this.questionOf(question, passages), signal)) {
        yield* hearing.hear(step);
      }
    } catch (error) {
      yield* hearing.failures();
      run.signal.throwIfAborted();
      const problem = late.aborted ? 'it took longer than a run may' : run.problemOf(error);
      yield run.problem(
        { title: `Could not answer: ${question.asked}`, content: inline(problem, 1000) },
        `“${inline(question.asked, 300)}” could not be answered: ${inline(problem, 300)}`,
      );
      return hearing.failed(problem);
    }
    return this.remembered(question, hearing);
  }

  private remembered(question: TaskQuestion, hearing: Hearing): Finding {
    const { finding, answer } = hearing.finding();
    const turns = this.history.get(question.subject.datasourceId) ?? [];
    turns.push({
      question: question.text,
      answer: answer.response,
      dbquery: answer.dbquery,
      plan: finding.queries.at(-1)?.plan ?? null,
    });
    this.history.set(question.subject.datasourceId, turns);
    // An answer numbers its own sources.
    return { ...finding, text: this.sources.renumbered(finding.text, finding.sources) };
  }

  private questionOf(question: TaskQuestion, passages: readonly AnswerSource[]): Question {
    const { assignment } = this.run;
    const { subject } = question;
    const turns = this.history.get(subject.datasourceId) ?? [];
    const { name, context, semantics = null, profile } = subject;
    return {
      companyId: assignment.companyId,
      table: subject.table,
      briefing: {
        question: question.text,
        // A grammar takes a short question for a continuation more readily than a person does.
        history: this.run.model.writesFreely || question.refersBack ? turns.slice(-MAX_HISTORY) : [],
        table: { name, context, semantics, profile },
        passages,
        now: this.run.now(),
        ...this.run.manner,
      },
      limits: { steps: question.steps, toolCalls: question.toolCalls, queryTimeoutMs: assignment.queryTimeoutMs },
    };
  }

  /** The passages of context files that fit; they are looked for once, whatever the number of datasources. */
  private async *passagesFor(asked: string): AsyncGenerator<TaskStep, readonly AnswerSource[]> {
    const { run } = this;
    const known = this.passages.get(asked);
    if (known !== undefined) return known;
    const startedAt = run.now();
    let found: readonly AnswerSource[] = [];
    try {
      found = await untilAborted(run.assignment.passagesFor(asked), run.signal);
    } catch (error) {
      run.signal.throwIfAborted();
      if (!isAppError(error)) throw error;
      const sentence = `The context files could not be read: ${inline(error.message, 300)}`;
      yield run.problem(
        { title: 'Could not read the context files', content: inline(error.message, 1000) },
        sentence,
        startedAt,
      );
    }
    this.passages.set(asked, found);
    if (found.length > 0) {
      yield run.step('context', { title: `Context files for: ${asked}`, content: placesOf(found) }, startedAt);
    }
    return found;
  }
}

/** Files and their pages, each once. */
export function placesOf(sources: readonly AnswerSource[]): string {
  const files = [...new Set(sources.map(({ fileId }) => fileId))];
  return bullets(
    files.map((file) => {
      const own = sources.filter(({ fileId }) => fileId === file);
      const pages = [...new Set(own.flatMap(({ page }) => (page === null ? [] : [page])))].sort((a, b) => a - b);
      const where = pages.length === 0 ? '' : `, page${pages.length === 1 ? '' : 's'} ${pages.join(', ')}`;
      return `${inline(own[0]?.filename ?? '', 200)}${where}`;
    }),
  );
}

/** Turns the steps of one answer into those of the run. */
class Hearing {
  private since: Date;
  private readonly queries: AskedQuery[] = [];
  private picture: Picture | null = null;
  private answer: AssistantAnswer | null = null;

  constructor(
    private readonly run: TaskRun,
    private readonly question: TaskQuestion,
  ) {
    this.since = run.now();
  }

  *hear(step: AnswerStep): Generator<TaskStep> {
    yield* this.failures();
    switch (step.kind) {
      case 'status':
        this.since = this.run.now();
        return;
      case 'query':
        yield this.query(step);
        return;
      case 'visualization':
        yield this.chart(step.filename, step.chart['title']);
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
    for (const { statement, problem } of this.run.rows.takeFailed()) {
      const words = {
        title: `A query failed: ${this.question.asked}`,
        content: inline(problem, 1000),
        dbquery: statement,
      };
      yield this.run.problem(
        words,
        `A query for “${inline(this.question.asked, 300)}” failed: ${inline(problem, 300)}`,
        this.since,
      );
    }
  }

  finding(): { readonly finding: Finding; readonly answer: AssistantAnswer } {
    const { answer } = this;
    if (answer === null) throw new Error('the answer did not end');
    const common = { ...this.common(), kind: answer.kind, sources: answer.sources };
    const text = this.run.model.writesFreely
      ? answer.response
      : elaborated(answer.response, this.queries.at(-1), this.picture !== null);
    return { finding: { ...common, text, basis: this.basis(answer) }, answer };
  }

  private basis({ evidence: { rowsScanned, timeRange } }: AssistantAnswer): string {
    const last = this.queries.at(-1);
    if (last === undefined) return '';
    return last.plan === null
      ? basisWords({ rows: rowsScanned, range: timeRange, filters: '', isWhole: true })
      : basisOf(last.subject, last.plan, last.result);
  }

  failed(problem: string): Finding {
    return {
      ...this.common(),
      kind: 'failed',
      text: `This could not be worked out: ${inline(problem, 400)}.`,
      sources: [],
      basis: '',
    };
  }

  private common(): Pick<Finding, 'subject' | 'question' | 'origin' | 'queries' | 'picture'> {
    const { subject, asked } = this.question;
    return { subject, question: asked, origin: 'prompt', queries: this.queries, picture: this.picture };
  }

  private query({ purpose, dbquery, result, plan }: AnswerStep & { kind: 'query' }): TaskStep {
    const { subject, text, asked } = this.question;
    const query = { subject, purpose: purpose === '' ? asked : purpose, plan, result, question: text };
    this.queries.push(query);
    this.run.queries.push(query);
    const title = this.run.titleOf(subject, query.purpose);
    return this.run.step('query', { title, content: resultWords(result), dbquery }, this.since);
  }

  private chart(filename: string, told: unknown): TaskStep {
    const title = (titleOf(told) ?? this.question.asked).slice(0, MAX_TITLE);
    this.picture = { filename, title };
    return this.run.step('chart', { title, visualization: filename }, this.since);
  }
}

/** A title of a Vega-Lite specification: a text or lines of text, perhaps in an object. */
function titleOf(told: unknown): string | null {
  const text = isRecord(told) ? told['text'] : told;
  const words = Array.isArray(text) ? text.join(' ') : text;
  return typeof words === 'string' && words !== '' ? words : null;
}
