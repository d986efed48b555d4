import { Injectable } from '@nestjs/common';
import { Log } from '../../../ports/log.js';
import { AppError, messageOf } from '../../../shared/app-error.js';
import { answerStopped } from '../assistant.errors.js';
import { AnswerLedger } from './answer-ledger.js';
import type { EndingAnswer } from './begun-answer.js';

const LOOK_MS = 1000;
/** Every so many looks the lease is renewed as well. */
const RENEWED_EACH = 10;

/** Keeps the leases of answers, and hears in the document store that one was deleted or is to be stopped, whoever wrote that there. */
@Injectable()
export class AnswerWatch {
  constructor(
    private readonly ledger: AnswerLedger,
    private readonly log: Log,
  ) {}

  /** From now on until it is disposed of. `stop` is aborted when the answer is not to go on. */
  over(begun: EndingAnswer, stop: AbortController): Disposable {
    let looks = 0;
    const timer = setInterval(() => {
      looks += 1;
      void this.look(begun, stop, looks % RENEWED_EACH === 0);
    }, LOOK_MS);
    return {
      [Symbol.dispose]: () => {
        clearInterval(timer);
      },
    };
  }

  private async look(begun: EndingAnswer, stop: AbortController, isRenewal: boolean): Promise<void> {
    try {
      const state = await (isRenewal ? this.ledger.renew(begun) : this.ledger.look(begun));
      if (state === 'lost') stop.abort(new AppError('conflict', 'the conversation was deleted'));
      if (state === 'stop wanted') stop.abort(answerStopped());
    } catch (error) {
      // The store is away for the moment; the lease still has time, and the next look tries again.
      this.log.warn('a running answer could not be looked up', {
        messageId: begun.messageId,
        reason: messageOf(error),
      });
    }
  }
}
