import { Injectable } from '@nestjs/common';
import type { HistoryTurn } from '../../../ports/chat-model.js';
import type { ConversationId, MessageId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import type { Conversation } from '../conversations/conversation.schema.js';
import { ConversationService } from '../conversations/conversation.service.js';
import { MessageRepository } from './message.repository.js';
import type { Message } from './message.schema.js';

const BATCH = 20;
const REMEMBERED_TURNS = 10;

export interface HistoryBatch {
  readonly messages: readonly Message[];
  readonly hasMore: boolean;
}

@Injectable()
export class HistoryService {
  constructor(
    private readonly conversations: ConversationService,
    private readonly messages: MessageRepository,
  ) {}

  async read(by: Principal, id: ConversationId, before: MessageId | null): Promise<HistoryBatch> {
    const conversation = await this.conversations.find(by, id);
    const messages = await this.messages.before(conversation, before, BATCH);
    return { messages, hasMore: messages.length === BATCH };
  }

  /** What a model is told of the conversation so far. */
  async turns(conversation: Conversation): Promise<readonly HistoryTurn[]> {
    return turnsFrom(await this.messages.before(conversation, null, REMEMBERED_TURNS * 2));
  }
}

/** Questions with their answers, oldest first; a question without an answer, or whose answer failed, is no turn. */
export function turnsFrom(messages: readonly Message[]): readonly HistoryTurn[] {
  return messages.flatMap((answer, index) => {
    const question = messages[index - 1];
    if (answer.role !== 'assistant' || answer.response === null || question?.role !== 'user') return [];
    const { response, dbquery, error } = answer.response;
    if (error !== null) return [];
    return [{ question: question.message, answer: response, dbquery, plan: answer.plan }];
  });
}
