import { momentWords } from '../plan/time-words.js';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { Verification } from '../ports/assistant-answer.js';
import type { ChartRequest } from '../ports/chart-renderer.js';
import { ChatModel, type ModelDelta, type ModelRequest } from '../ports/chat-model.js';
import type { QueryResult } from '../ports/table.js';
import { numberWords } from '../shared/number-words.js';
import { AnswerText } from './answer-text.js';
import { KnownFigures, unknownFigures } from './figure-check.js';

/** What a person has marked as the right answer of a question. */
export interface VerifiedAnswer {
  readonly question: string;
  /** One of `plan` and `sql` is there. */
  readonly plan: AnalysisPlan | null;
  readonly sql: string | null;
  /** What the query finds out, in words. */
  readonly purpose: string;
  readonly chart: ChartRequest | null;
  /** Markdown. `{column}` stands for that figure of the first row. */
  readonly wording: string;
  /** Figures of the wording that no row carried when it was verified: whoever did that answers for them. */
  readonly vouched: readonly string[];
  /** Of the chart's file name. */
  readonly chartSeed: string;
  readonly verification: Verification;
}

/**
 * Answers one question as a person has verified it: the stored query runs on the rows as they are now, and the stored words tell of it. Where
 * the query fails, because the table has changed, the model of everybody else answers, and the answer is not verified.
 */
export class VerifiedModel extends ChatModel {
  private hasFailed = false;
  /** Figures of the wording that the rows do not carry any more. */
  unverified: readonly string[] = [];

  constructor(
    readonly answer: VerifiedAnswer,
    private readonly otherwise: ChatModel,
  ) {
    super();
  }

  override get name(): string {
    return this.hasFailed ? this.otherwise.name : 'verified answer';
  }

  override get writesFreely(): boolean {
    return this.hasFailed && this.otherwise.writesFreely;
  }

  /** Null: somebody else has answered. */
  get verification(): Verification | null {
    return this.hasFailed ? null : this.answer.verification;
  }

  override async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    signal.throwIfAborted();
    const outcome = request.exchanges[0]?.outcomes[0];
    if (outcome === undefined) {
      yield this.call();
      yield { kind: 'end', reason: 'tool_calls', verdict: null, tokens: null };
      return;
    }
    if (outcome.result === null) {
      this.hasFailed = true;
      yield* this.otherwise.stream({ ...request, exchanges: request.exchanges.slice(1) }, signal);
      return;
    }
    const { vouched } = this.answer;
    const text = filledWording(this.answer.wording, outcome.result);
    this.unverified = figuresBeyond(text, this.answer.question, outcome.result).filter((one) => !vouched.includes(one));
    yield { kind: 'text', text };
    yield { kind: 'end', reason: 'stop', verdict: 'answer', tokens: null };
  }

  private call(): ModelDelta {
    const { plan, sql, purpose, chart } = this.answer;
    const drawn = chart === null ? {} : { chart: toldChart(chart) };
    const [name, query] = plan === null ? ['run_query', { sql }] : ['analyze', { plan }];
    const given = { ...query, purpose, ...drawn };
    return { kind: 'call', key: 'verified', id: 'verified', name, arguments: JSON.stringify(given) };
  }
}

function toldChart({ kind, x, y, series, title, xTitle, yTitle }: ChartRequest): object {
  return { kind, x, y, series, title, x_title: xTitle, y_title: yTitle };
}

/** The wording as an answer carries it: what would be taken out of an answer is taken out before. */
export function cleanWording(wording: string): string {
  const text = new AnswerText();
  return text.write(wording.trim()) + text.endPart();
}

const PLACE = /\{([^{}\n]{1,200})\}/g;

/** With the figures of the first row in their places, and a dash where there are none; a name that is no column of the result stays. */
export function filledWording(wording: string, { columns, rows }: QueryResult): string {
  return wording.replace(PLACE, (place, name: string) => {
    const at = columns.findIndex((column) => column.name === name);
    const cell = rows[0]?.[at] ?? null;
    if (columns[at] === undefined) return place;
    if (cell === null) return '–';
    if (typeof cell === 'number') return numberWords(cell);
    return columns[at].type === 'time' ? momentWords(String(cell), null) : String(cell);
  });
}

/** The first name in a wording for which the result has no column. */
export function placeWithoutColumn(wording: string, { columns }: QueryResult): string | undefined {
  const names = [...wording.matchAll(PLACE)].map(([, name]) => name);
  return names.find((name) => !columns.some((column) => column.name === name));
}

/** Figures of a text that neither the result nor the question has. */
export function figuresBeyond(text: string, question: string, result: QueryResult): readonly string[] {
  const known = new KnownFigures();
  known.addText(question);
  known.addResult(result);
  return unknownFigures(text, known);
}
