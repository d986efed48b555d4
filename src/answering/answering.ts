import { Injectable } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import type { AnswerKind } from '../ports/assistant-answer.js';
import {
  ChatModel,
  type Exchange,
  type ModelDelta,
  type ModelRequest,
  type ToolDefinition,
} from '../ports/chat-model.js';
import { Metrics, NO_METRICS } from '../ports/metrics.js';
import { RowReader } from '../ports/row-reader.js';
import { tracer } from '../ports/tracing.js';
import { AppError, isAppError } from '../shared/app-error.js';
import type { AnswerStep } from './answer-step.js';
import { AnswerText } from './answer-text.js';
import { ChartImages } from './chart-images.js';
import { CheckedText } from './checked-text.js';
import { finishedAnswer } from './finished-answer.js';
import { gather } from './gather.js';
import type { Question } from './question.js';
import { listen, type Round, written } from './round.js';
import { Toolbox } from './toolbox.js';
import { VerifiedModel } from './verified-answer.js';

/**
 * Text of this length after a query that succeeded is taken for the answer itself, and streamed while it is written. Shorter text
 * waits for the end of its round, because "now I draw the chart" is no answer.
 */
const ANSWER_BEGINS = 200;
const NEVER = Number.POSITIVE_INFINITY;
const MAX_REMEMBERED_TEXT = 4000;

const GO_ON = 'You wrote nothing and called no tool. Answer now, or call a tool.';

interface Work {
  readonly question: Question;
  readonly model: ChatModel;
  readonly toolbox: Toolbox;
  readonly text: CheckedText;
  readonly signal: AbortSignal;
}

interface Progress {
  readonly exchanges: Exchange[];
  verdict: AnswerKind | null;
  mustSpeak: boolean;
  /** It wrote nothing and called nothing, and was asked on. */
  wasSilent: boolean;
  /** So long were the words that had gone out when the rest was taken back. */
  repairsFrom: number | null;
}

/** Answers questions: lets a model write and call tools, round by round, and tells what happens as it happens. */
@Injectable()
export class Answering {
  constructor(
    private readonly model: ChatModel,
    private readonly rows: RowReader,
    private readonly images: ChartImages,
    private readonly metrics: Metrics = NO_METRICS,
  ) {}

  /**
   * The steps of one answer. When the signal aborts, its reason is thrown at once.
   *
   * @throws AppError `unavailable` when the model or the row store is away or the model breaks off, `invalid_input` when the
   *   conversation is too long for the model.
   */
  async *answer(question: Question, signal: AbortSignal): AsyncGenerator<AnswerStep> {
    signal.throwIfAborted();
    // Whoever stops listening stops the model too.
    const left = new AbortController();
    const ended = AbortSignal.any([signal, left.signal]);
    const { model = this.model, briefing } = question;
    const toolbox = new Toolbox(question, { rows: this.rows, images: this.images }, ended);
    const [began, asked] = [performance.now(), engineOf(model)];
    // Whoever stops listening before the last step has stopped the answer.
    let kind: AnswerKind | 'failed' | 'stopped' = 'stopped';
    try {
      yield { kind: 'status', text: 'Reading the question' };
      const text = new CheckedText(new AnswerText(briefing.passages.length), briefing, () => model.writesFreely);
      for await (const step of this.rounds({ question, model, toolbox, text, signal: ended })) {
        if (step.kind === 'done') ({ kind } = step.answer);
        yield step;
      }
    } catch (error) {
      signal.throwIfAborted();
      kind = 'failed';
      throw error;
    } finally {
      const engine = engineOf(model);
      this.metrics.observe('answer_duration_seconds', { kind, engine }, (performance.now() - began) / 1000);
      if (engine !== asked) this.metrics.count('answer_fallbacks_total', {});
      left.abort();
    }
  }

  private async *rounds(work: Work): AsyncGenerator<AnswerStep> {
    const { text } = work;
    const progress: Progress = { exchanges: [], verdict: null, mustSpeak: false, wasSilent: false, repairsFrom: null };
    let number = 1;
    while (yield* this.turn(work, progress, number)) number += 1;
    const { repairsFrom } = progress;
    yield* written(text.settle(repairsFrom === null || text.hasWords(repairsFrom)));
    yield this.done(work, progress.verdict);
  }

  /** One round and what follows from it; false when it was the last. */
  private async *turn(work: Work, progress: Progress, number: number): AsyncGenerator<AnswerStep, boolean> {
    const { text, question, toolbox } = work;
    const isLast = this.isLast(work, progress, number);
    const tools = isLast ? [] : toolbox.offered;
    const round = yield* this.next(work, progress, tools);
    if (round === null) return false;
    if (!isLast && asksOn(round, tools.length > 0)) {
      progress.exchanges.push(yield* this.exchange(round, work));
      return true;
    }
    yield* ending(text, round);
    progress.verdict = round.verdict;
    if (text.wantsRepair && number < question.limits.steps) return beginRepair(work, progress, round);
    if (text.hasWords() || progress.wasSilent) return false;
    // Some models only think, and some fall silent once they have what they wanted: then they have to use words, without tools.
    progress.wasSilent = true;
    progress.mustSpeak = isLast || progress.exchanges.length > 0;
    const silence = { text: '', calls: [], outcomes: [] };
    if (progress.exchanges.length === 0)
      progress.exchanges.push(tools.length > 0 ? { ...silence, remark: GO_ON } : silence);
    return true;
  }

  /** Null when what was written before has to do. */
  private next(
    work: Work,
    { exchanges, repairsFrom }: Progress,
    tools: readonly ToolDefinition[],
  ): AsyncGenerator<AnswerStep, Round | null> {
    const { companyId, briefing } = work.question;
    const request = { companyId, briefing, exchanges: [...exchanges], tools };
    return repairsFrom === null ? this.round(work, request) : this.repair(work, request);
  }

  /** A second try at words that can go out as they were: when the model is away for it, that is no reason to lose them. */
  private async *repair(work: Work, request: ModelRequest): AsyncGenerator<AnswerStep, Round | null> {
    this.metrics.count('answer_repairs_total', { engine: engineOf(work.model) });
    try {
      yield { kind: 'status', text: 'Checking the figures' };
      return yield* this.round(work, request);
    } catch (error) {
      work.signal.throwIfAborted();
      if (isAppError(error, 'unavailable') || isAppError(error, 'invalid_input')) return null;
      throw error;
    }
  }

  private isLast({ question, toolbox }: Work, { mustSpeak }: Progress, number: number): boolean {
    return mustSpeak || toolbox.spent || number >= question.limits.steps;
  }

  private round({ model, toolbox, text, signal }: Work, request: ModelRequest): AsyncGenerator<AnswerStep, Round> {
    const mayCall = request.tools.length > 0;
    const streamsFrom = toolbox.queries.last === null ? NEVER : ANSWER_BEGINS;
    const deltas = model.writesFreely ? model.stream(request, signal) : ofAnalyst(model, request, signal);
    return listen(gather(deltas, signal), text, mayCall ? streamsFrom : 0);
  }

  private async *exchange(round: Round, { toolbox, text }: Work): AsyncGenerator<AnswerStep, Exchange> {
    yield* written(text.endPart());
    const outcomes = yield* toolbox.run(round.calls, round.reason === 'length');
    for (const { result } of outcomes) if (result !== null) yield* written(text.learn(result));
    return { text: round.text.slice(0, MAX_REMEMBERED_TEXT), calls: round.calls, outcomes };
  }

  private done({ question, model, toolbox, text }: Work, verdict: AnswerKind | null): AnswerStep {
    if (text.response.trim() === '') throw new AppError('unavailable', 'the model gave no answer');
    const { response, cited } = text;
    const isVerified = model instanceof VerifiedModel;
    const unverified = [...text.unverified, ...(isVerified ? model.unverified : [])];
    const verified = isVerified ? model.verification : null;
    const told = { response, cited, unverified, verdict, model: model.name, verified };
    return {
      kind: 'done',
      answer: finishedAnswer(question, toolbox, told),
      plan: toolbox.queries.last?.plan ?? null,
    };
  }
}

/** A round of the analyst, which is no request to a model, is a span of another name. */
async function* ofAnalyst(model: ChatModel, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
  const attributes = { engine: engineOf(model), round: request.exchanges.length + 1 };
  const span = tracer().startSpan('model call', { kind: SpanKind.INTERNAL, attributes });
  try {
    yield* model.stream(request, signal);
  } finally {
    span.end();
  }
}

function beginRepair({ text }: Work, progress: Progress, round: Round): boolean {
  const remark = text.takeBack();
  progress.exchanges.push({ text: round.text.slice(0, MAX_REMEMBERED_TEXT), calls: [], outcomes: [], remark });
  progress.repairsFrom = text.response.length;
  return true;
}

/** Whether the round calls for another one. Calls of a model that has no tools and has spoken are just noise. */
function asksOn(round: Round, hadTools: boolean): boolean {
  return round.calls.length > 0 && (hadTools || round.text.trim() === '');
}

function* ending(text: CheckedText, round: Round): Generator<AnswerStep> {
  yield* written(text.endPart());
  if (round.reason !== 'length' || !text.hasWords() || text.full) return;
  yield* written(text.write('(The model reached its length limit here.)'));
  yield* written(text.endPart());
}

/** Not the model's name: companies choose theirs freely. */
function engineOf(model: ChatModel): string {
  return model.writesFreely ? 'model' : 'built-in';
}
