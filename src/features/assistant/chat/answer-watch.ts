import { Injectable } from '@nestjs/common';
import { Log } from '../../../ports/log.js';
import { LeaseKeeper, type Lease } from '../../../queue/lease-keeper.js';
import { AppError, messageOf } from '../../../shared/app-error.js';
import { answerStopped } from '../assistant.errors.js';
import { AnswerLedger } from './answer-ledger.js';
import type { EndingAnswer } from './begun-answer.js';

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
    const renew = async (lease: Lease): Promise<boolean> => (await this.ledger.renew(begun, lease)) !== 'lost';
    const kept = this.leases.keep({ context: { messageId: begun.messageId }, renew }, stop.signal);
    const timer = setInterval(() => {
      void this.look(begun, stop);
    }, LOOK_MS);
    return {
      [Symbol.dispose]: () => {
        clearInterval(timer);
        kept[Symbol.dispose]();
      },
    };
  }

  private async look(begun: EndingAnswer, stop: AbortController): Promise<void> {
    try {
      const state = await this.ledger.look(begun);
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
