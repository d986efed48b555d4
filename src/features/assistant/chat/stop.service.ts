import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { STOPPED } from '../assistant.errors.js';
import { ConversationRepository } from '../conversations/conversation.repository.js';
import type { AnswerInProgress, Conversation } from '../conversations/conversation.schema.js';
import { MessageRepository } from '../history/message.repository.js';
import { AnswerReconciler } from './answer.reconciler.js';
import { AnswerRunner } from './answer-runner.js';

/** Another instance looks for wishes every second. */
const LOOKS = 30;
const LOOK_MS = 100;

export interface StoppedAnswer {
  /** The answer that was running; null when none was. */
  readonly messageId: MessageId | null;
  /** It was ended by this. */
  readonly stopped: boolean;
  /** `loading` when whoever works on it has been told and has not ended it yet. */
  readonly status: Conversation['status'];
}

/** Ends running answers at the wish of those who asked. What was written so far is kept. */
@Injectable()
export class StopService {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
    private readonly runner: AnswerRunner,
    private readonly reconciler: AnswerReconciler,
  ) {}

  /**
   * Waits until the answer is stored and the conversation ready. May be called at any moment and any number of times.
   *
   * @throws AppError `not_found`, also for another user's.
   */
  async stop(by: Principal, id: ConversationId): Promise<StoppedAnswer> {
    const conversation = await this.conversations.getOwn(by, id);
    const { answering } = conversation;
    if (conversation.status === 'ready' || answering === null) {
      return { messageId: null, stopped: false, status: conversation.status };
    }
    // Written down, so that whichever instance works on the answer hears it.
    const { userId } = conversation;
    await this.conversations.swap(conversation, { userId, status: 'loading' }, { stopWanted: answering.messageId });
    const here = await this.runner.stop(answering.messageId);
    if (here !== null) return ended(answering.messageId, here.failure?.message === STOPPED);
    if (!(await this.isOverElsewhere(conversation, answering))) {
      return { messageId: answering.messageId, stopped: false, status: 'loading' };
    }
    return ended(answering.messageId, await this.wasStopped(conversation, answering));
  }

  /** Of an answer that another instance works on, or that nobody works on any more. */
  private async isOverElsewhere(conversation: Conversation, { messageId }: AnswerInProgress): Promise<boolean> {
    for (let look = 0; look < LOOKS; look += 1) {
      const current = await this.conversations.current(conversation);
      if (current?.answering?.messageId !== messageId) return true;
      await this.reconciler.endIfAbandoned(current);
      await pause(LOOK_MS);
    }
    return false;
  }

  /** Of what was not to be kept nobody can tell. */
  private async wasStopped({ companyId }: Conversation, { messageId, saved }: AnswerInProgress): Promise<boolean> {
    const message = await this.messages.find(companyId, messageId);
    return message === null ? !saved : message.response?.error === STOPPED;
  }
}

function ended(messageId: MessageId, stopped: boolean): StoppedAnswer {
  return { messageId, stopped, status: 'ready' };
}
