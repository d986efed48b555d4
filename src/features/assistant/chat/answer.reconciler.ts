import { Injectable } from '@nestjs/common';
import { EMPTY_ANSWER } from '../../../answering/answer-step.js';
import { LeaseKeeper } from '../../../queue/lease-keeper.js';
import { Reconciler } from '../../../queue/reconciler.js';
import { asId } from '../../../shared/ids.js';
import { STOPPED } from '../assistant.errors.js';
import { ConversationRepository } from '../conversations/conversation.repository.js';
import type { Conversation } from '../conversations/conversation.schema.js';
import { AnswerLedger } from './answer-ledger.js';

const CUT_OFF = 'the answer was cut off: the service was restarted while it worked on it';

/** Ends the answers that nobody works on any more: the conversation is ready again, and the cut answer stored as failed. */
@Injectable()
export class AnswerReconciler extends Reconciler {
  protected override readonly failure = 'cut answers could not be looked up';

  constructor(
    private readonly conversations: ConversationRepository,
    private readonly ledger: AnswerLedger,
    private readonly leases: LeaseKeeper,
  ) {
    super();
  }

  override async reconcile(): Promise<void> {
    for (const conversation of await this.conversations.anywhere({ status: 'loading' }))
      await this.endIfAbandoned(conversation);
  }

  /** An answer that somebody works on is left alone. */
  async endIfAbandoned(conversation: Conversation): Promise<void> {
    const isLoading = conversation.status === 'loading';
    if (isLoading && this.leases.isAbandoned(conversation)) await this.end(conversation);
  }

  private async end(conversation: Conversation): Promise<void> {
    const { answering, stopWanted } = conversation;
    const wasStopped = stopWanted === answering?.messageId;
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
