import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { EMPTY_ANSWER } from '../../../answering/answer-step.js';
import { Clock } from '../../../ports/clock.js';
import { Instance } from '../../../ports/instance.js';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import { asId } from '../../../shared/ids.js';
import { isAbandoned } from '../../../shared/lease.js';
import { STOPPED } from '../assistant.errors.js';
import { ConversationRepository } from '../conversations/conversation.repository.js';
import type { Conversation } from '../conversations/conversation.schema.js';
import { AnswerLedger } from './answer-ledger.js';

const CUT_OFF = 'the answer was cut off: the service was restarted while it worked on it';

/** Ends the answers that nobody works on any more: the conversation is ready again, and the cut answer stored as failed. */
@Injectable()
export class AnswerReconciler implements OnApplicationBootstrap {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly ledger: AnswerLedger,
    private readonly instance: Instance,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.tick();
  }

  @Interval(30_000)
  async tick(): Promise<void> {
    await this.reconcile().catch((error: unknown) => {
      this.log.warn('cut answers could not be looked up; the next turn tries again', { reason: messageOf(error) });
    });
  }

  async reconcile(): Promise<void> {
    for (const conversation of await this.conversations.allLoading()) await this.endIfAbandoned(conversation);
  }

  /** An answer that somebody works on is left alone. */
  async endIfAbandoned(conversation: Conversation): Promise<void> {
    const isLoading = conversation.status === 'loading';
    if (isLoading && isAbandoned(conversation, this.instance, this.clock.now())) await this.end(conversation);
  }

  private async end(conversation: Conversation): Promise<void> {
    const { answering, stopWanted } = conversation;
    const wasStopped = answering !== null && stopWanted === answering.messageId;
    const error = wasStopped ? STOPPED : CUT_OFF;
    // Whoever worked on it may have died before it was stored.
    if (answering !== null) await this.ledger.saveQuestion(conversation, answering);
    await this.ledger.end(
      {
        conversation,
        messageId: answering?.messageId ?? asId(conversation.id),
        saved: answering?.saved ?? false,
      },
      { ...EMPTY_ANSWER, kind: 'cannot', error },
      null,
    );
  }
}
