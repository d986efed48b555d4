import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import {
  type AnswerStep,
  EMPTY_ANSWER,
  type FoldedAnswer,
  withFailure,
  withStep,
} from '../../../answering/answer-step.js';
import { Answering } from '../../../answering/answering.js';
import { Log, warned } from '../../../ports/log.js';
import { LeaseKeeper, type Lease } from '../../../queue/lease-keeper.js';
import { AppError, isAppError, messageOf } from '../../../shared/app-error.js';
import { Deadline } from '../../../shared/deadline.js';
import type { MessageId } from '../../../shared/ids.js';
import { answerStopped, chatTimedOut } from '../assistant.errors.js';
import { AnswerLedger } from './answer-ledger.js';
import type { BegunAnswer, EndingAnswer } from './begun-answer.js';
import { QuestionBuilder } from './question-builder.js';

const LOOK_MS = 1000;

/** Keeps the leases of answers, and hears in the document store that one was deleted or is to be stopped, whoever wrote that there. */
@Injectable()
export class AnswerWatch {
  constructor(
    private readonly ledger: AnswerLedger,
    private readonly leases: LeaseKeeper,
    private readonly log: Log,
  ) {}

  /** From now on until it is disposed of. `stop` is aborted when the answer is not to go on. */
  over(begun: EndingAnswer, stop: AbortController): Disposable {
    const renew = (lease: Lease): Promise<boolean> => this.ledger.renew(begun, lease);
    const kept = this.leases.keep({ context: { messageId: begun.messageId }, renew }, stop.signal);
    const timer = setInterval(() => {
      // The store may be away for the moment; the lease still has time, and the next look tries again.
      const { messageId } = begun;
      void this.look(begun, stop).catch(warned(this.log, 'a running answer could not be looked up', { messageId }));
    }, LOOK_MS);
    return {
      [Symbol.dispose]: () => {
        clearInterval(timer);
        kept[Symbol.dispose]();
      },
    };
  }

  private async look(begun: EndingAnswer, stop: AbortController): Promise<void> {
    const state = await this.ledger.look(begun);
    if (state === 'lost') stop.abort(new AppError('conflict', 'the conversation was deleted'));
    if (state === 'stop wanted') stop.abort(answerStopped());
  }
}

/** How an answer ended. A failed one has what was found until then; its `failure` is not for the asker's eyes, `answer.error` is. */
export interface EndedAnswer extends FoldedAnswer {
  readonly failure: Error | null;
}

interface RunningAnswer {
  readonly stop: AbortController;
  readonly ended: Promise<EndedAnswer>;
}

/** Works out accepted questions, keeps their leases, and stores how they ended, whatever happens. */
@Injectable()
export class AnswerRunner implements BeforeApplicationShutdown {
  private readonly running = new Map<MessageId, RunningAnswer>();

  constructor(
    private readonly answering: Answering,
    private readonly questions: QuestionBuilder,
    private readonly ledger: AnswerLedger,
    private readonly watch: AnswerWatch,
    private readonly log: Log,
  ) {}

  /** Never rejects. The answer is stored and the conversation ready when it resolves. */
  run(begun: BegunAnswer, signal: AbortSignal | null, tell: (step: AnswerStep) => void): Promise<EndedAnswer> {
    const stop = new AbortController();
    const deadline = new Deadline(begun.answerer.answerMs);
    const signals = [stop.signal, deadline.signal, ...(signal === null ? [] : [signal])];
    const ended = this.work(begun, AbortSignal.any(signals), stop, tell);
    this.running.set(begun.messageId, { stop, ended });
    void ended.finally(() => {
      deadline[Symbol.dispose]();
      this.running.delete(begun.messageId);
    });
    return ended;
  }

  /** Ends an answer of this instance and waits until it is stored; null when this instance does not work on it. */
  async stop(messageId: MessageId): Promise<EndedAnswer | null> {
    const running = this.running.get(messageId);
    if (running === undefined) return null;
    running.stop.abort(answerStopped());
    return running.ended;
  }

  /** Ends what runs, so that its askers are told and nothing is left `loading`. */
  async beforeApplicationShutdown(): Promise<void> {
    const running = [...this.running.values()];
    for (const { stop } of running) stop.abort(new AppError('unavailable', 'the service is stopping'));
    await Promise.all(running.map(({ ended }) => ended));
  }

  private async work(
    begun: BegunAnswer,
    signal: AbortSignal,
    stop: AbortController,
    tell: (step: AnswerStep) => void,
  ): Promise<EndedAnswer> {
    let folded: FoldedAnswer = { answer: EMPTY_ANSWER, plan: null };
    let failure: Error | null = null;
    try {
      using _watch = this.watch.over(begun, stop);
      for await (const step of this.steps(begun, signal)) {
        folded = { answer: withStep(folded.answer, step), plan: step.kind === 'done' ? step.plan : null };
        tell(step);
      }
    } catch (error) {
      failure = this.failureOf(error, begun);
    }
    if (failure !== null) folded = { ...folded, answer: withFailure(folded.answer, failure) };
    // When the store is away the conversation stays `loading` until its lease runs out; then the reconciler ends it.
    await this.ledger.end(begun, folded.answer, folded.plan).catch((error: unknown) => {
      this.log.error('an answer could not be stored', { messageId: begun.messageId, reason: messageOf(error) });
    });
    return { ...folded, failure };
  }

  private async *steps(begun: BegunAnswer, signal: AbortSignal): AsyncGenerator<AnswerStep> {
    const askable = await this.questions.build(begun, signal);
    if (askable.kind === 'no_rows') {
      yield* plainSteps(askable.why);
      return;
    }
    const { notice } = begun.answerer;
    for await (const step of this.answering.answer(askable.question, signal))
      yield step.kind === 'done' && notice !== null ? { ...step, answer: { ...step.answer, notice } } : step;
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
}

/** An answer that needs no model: one sentence. */
function plainSteps(sentence: string): readonly AnswerStep[] {
  return [
    { kind: 'status', text: 'Reading the question' },
    { kind: 'text', text: sentence },
    { kind: 'done', answer: { ...EMPTY_ANSWER, response: sentence, kind: 'cannot' }, plan: null },
  ];
}
