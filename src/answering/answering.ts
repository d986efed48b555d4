import { Injectable } from '@nestjs/common';
import type { AnswerKind } from '../ports/assistant-answer.js';
import { ChartRenderer } from '../ports/chart-renderer.js';
import { ChatModel, type Exchange, type ModelRequest, type ToolOutcome } from '../ports/chat-model.js';
import { RowReader } from '../ports/row-reader.js';
import { AppError } from '../shared/app-error.js';
import type { AnswerStep } from './answer-step.js';
import { AnswerText } from './answer-text.js';
import { ChartImages } from './chart-images.js';
import { finishedAnswer } from './finished-answer.js';
import { gather } from './gather.js';
import type { Question } from './question.js';
import { listen, written, type Round } from './round.js';
import { Toolbox } from './toolbox.js';

/**
 * Text of this length after a query that succeeded is taken for the answer itself, and streamed while it is written. Shorter text
 * waits for the end of its round, because "now I draw the chart" is no answer.
 */
const ANSWER_BEGINS = 200;
const NEVER = Number.POSITIVE_INFINITY;
const MAX_REMEMBERED_TEXT = 4000;

/** An answer in the making. */
interface Work {
  readonly question: Question;
  readonly toolbox: Toolbox;
  readonly text: AnswerText;
  readonly signal: AbortSignal;
}

/** Answers questions: lets a model write and call tools, round by round, and tells what happens as it happens. */
@Injectable()
export class Answering {
  constructor(
    private readonly model: ChatModel,
    private readonly rows: RowReader,
    private readonly charts: ChartRenderer,
    private readonly images: ChartImages,
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
    const toolbox = new Toolbox(question, { rows: this.rows, charts: this.charts, images: this.images }, ended);
    try {
      yield { kind: 'status', text: 'Reading the question' };
      yield* this.rounds({ question, toolbox, text: new AnswerText(question.briefing.passages.length), signal: ended });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      left.abort();
    }
  }

  private async *rounds(work: Work): AsyncGenerator<AnswerStep> {
    const { question, toolbox, text } = work;
    const exchanges: Exchange[] = [];
    let verdict: AnswerKind | null = null;
    let mustSpeak = false;
    for (let number = 1; number <= question.limits.steps; number += 1) {
      const isLast = mustSpeak || this.isLast(work, number);
      const tools = isLast ? [] : toolbox.offered;
      const round = yield* this.round(work, { briefing: question.briefing, exchanges: [...exchanges], tools });
      if (!isLast && asksOn(round, tools.length > 0)) {
        exchanges.push(yield* this.exchange(round, work));
        continue;
      }
      yield* ending(text, round);
      verdict = round.verdict;
      if (isLast || text.response !== '') break;
      // Some models fall silent once they have what they wanted. Without tools they have to use words.
      mustSpeak = true;
    }
    yield this.done(work, verdict);
  }

  private isLast({ question, toolbox }: Work, number: number): boolean {
    return toolbox.spent || number === question.limits.steps;
  }

  private round({ toolbox, text, signal }: Work, request: ModelRequest): AsyncGenerator<AnswerStep, Round> {
    const mayCall = request.tools.length > 0;
    const streamsFrom = toolbox.queries.last === null ? NEVER : ANSWER_BEGINS;
    return listen(gather(this.model.stream(request, signal), signal), text, mayCall ? streamsFrom : 0);
  }

  private async *exchange(round: Round, { toolbox, text }: Work): AsyncGenerator<AnswerStep, Exchange> {
    yield* written(text.endPart());
    const outcomes: ToolOutcome[] = [];
    for (const call of round.calls) outcomes.push(yield* toolbox.run(call, round.reason === 'length'));
    return { text: round.text.slice(0, MAX_REMEMBERED_TEXT), calls: round.calls, outcomes };
  }

  private done({ question, toolbox, text }: Work, verdict: AnswerKind | null): AnswerStep {
    if (text.response.trim() === '') throw new AppError('unavailable', 'the model gave no answer');
    const told = { response: text.response, cited: text.cited, verdict, model: this.model.name };
    return {
      kind: 'done',
      answer: finishedAnswer(question, toolbox, told),
      plan: toolbox.queries.last?.plan ?? null,
    };
  }
}

/** Whether the round calls for another one. Calls of a model that has no tools and has spoken are just noise. */
function asksOn(round: Round, hadTools: boolean): boolean {
  return round.calls.length > 0 && (hadTools || round.text.trim() === '');
}

function* ending(text: AnswerText, round: Round): Generator<AnswerStep> {
  yield* written(text.endPart());
  if (round.reason !== 'length' || text.response === '' || text.full) return;
  yield* written(text.write('(The model reached its length limit here.)'));
  yield* written(text.endPart());
}
