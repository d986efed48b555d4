import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { EMPTY_ANSWER, withFailure, withStep, type FoldedAnswer } from '../../../answering/answer-fold.js';
import type { AnswerStep } from '../../../answering/answer-step.js';
import { Answering } from '../../../answering/answering.js';
import { AppConfig } from '../../../config/app-config.js';
import type { AssistantAnswer } from '../../../ports/assistant-answer.js';
import { Log } from '../../../ports/log.js';
import { AppError, isAppError, messageOf } from '../../../shared/app-error.js';
import { Deadline } from '../../../shared/deadline.js';
import { chatTimedOut } from '../assistant.errors.js';
import { AnswerLedger } from './answer-ledger.js';
import type { BegunAnswer } from './begun-answer.js';
import { QuestionBuilder } from './question-builder.js';

const RENEW_MS = 10_000;

/** How an answer ended. A failed one has what was found until then; its `failure` is not for the asker's eyes, `answer.error` is. */
export interface EndedAnswer {
  readonly answer: AssistantAnswer;
  readonly failure: Error | null;
}

/** Works out accepted questions, keeps their leases, and stores how they ended, whatever happens. */
@Injectable()
export class AnswerRunner implements BeforeApplicationShutdown {
  private readonly running = new Map<Promise<EndedAnswer>, AbortController>();

  constructor(
    private readonly answering: Answering,
    private readonly questions: QuestionBuilder,
    private readonly ledger: AnswerLedger,
    private readonly config: AppConfig,
    private readonly log: Log,
  ) {}

  /** Never rejects. The answer is stored and the conversation ready when it resolves. */
  run(begun: BegunAnswer, signal: AbortSignal | null, tell: (step: AnswerStep) => void): Promise<EndedAnswer> {
    const stop = new AbortController();
    const deadline = new Deadline(this.config.limits.chatTimeoutMs);
    const signals = [stop.signal, deadline.signal, ...(signal === null ? [] : [signal])];
    const ended = this.work(begun, AbortSignal.any(signals), stop, tell);
    this.running.set(ended, stop);
    void ended.finally(() => {
      deadline[Symbol.dispose]();
      this.running.delete(ended);
    });
    return ended;
  }

  /** Ends what runs, so that its askers are told and nothing is left `loading`. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const stop of this.running.values()) stop.abort(new AppError('unavailable', 'the service is stopping'));
    await Promise.all(this.running.keys());
  }

  private async work(
    begun: BegunAnswer,
    signal: AbortSignal,
    stop: AbortController,
    tell: (step: AnswerStep) => void,
  ): Promise<EndedAnswer> {
    let folded: FoldedAnswer = { answer: EMPTY_ANSWER, plan: null };
    const renewal = setInterval(() => {
      void this.renew(begun, stop);
    }, RENEW_MS);
    let failure: Error | null = null;
    try {
      for await (const step of this.steps(begun, signal)) {
        folded = { answer: withStep(folded.answer, step), plan: step.kind === 'done' ? step.plan : null };
        tell(step);
      }
    } catch (error) {
      failure = this.failureOf(error, begun);
    } finally {
      clearInterval(renewal);
    }
    const answer = failure === null ? folded.answer : withFailure(folded.answer, failure);
    await this.store(begun, { ...folded, answer });
    return { answer, failure };
  }

  private async *steps(begun: BegunAnswer, signal: AbortSignal): AsyncGenerator<AnswerStep> {
    const askable = await this.questions.build(begun, signal);
    if (askable.kind === 'no_rows') {
      yield* plainSteps(askable.why);
      return;
    }
    yield* this.answering.answer(askable.question, signal);
  }

  /** What its asker may know. Anything unforeseen is logged whole. */
  private failureOf(error: unknown, begun: BegunAnswer): Error {
    if (isAppError(error)) return error;
    if (error instanceof DOMException && error.name === 'TimeoutError') return chatTimedOut();
    if (error instanceof DOMException && error.name === 'AbortError') {
      return new AppError('unavailable', 'the question was cancelled');
    }
    this.log.error('an answer failed', { messageId: begun.messageId, reason: messageOf(error), err: error });
    return error instanceof Error ? error : new Error(String(error));
  }

  private async renew(begun: BegunAnswer, stop: AbortController): Promise<void> {
    try {
      if (!(await this.ledger.renew(begun))) stop.abort(new AppError('conflict', 'the conversation was deleted'));
    } catch (error) {
      // The store is away for the moment; the lease still has time, and the next turn tries again.
      this.log.warn('an answer lease could not be renewed', { messageId: begun.messageId, reason: messageOf(error) });
    }
  }

  /** When the store is away the conversation stays `loading` until its lease runs out; then the reconciler ends it. */
  private async store(begun: BegunAnswer, { answer, plan }: FoldedAnswer): Promise<void> {
    await this.ledger.end(begun, answer, plan).catch((error: unknown) => {
      this.log.error('an answer could not be stored', { messageId: begun.messageId, reason: messageOf(error) });
    });
  }
}

/** An answer that needs no model: one sentence. */
function plainSteps(sentence: string): readonly AnswerStep[] {
  return [
    { kind: 'status', text: 'Reading the question' },
    { kind: 'text', text: sentence },
    { kind: 'done', answer: { ...EMPTY_ANSWER, response: sentence, kind: 'cannot' }, plan: null },
  ];
}
