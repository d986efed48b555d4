import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../../ports/document-store.js';
import { TenantRepository } from '../../../ports/tenant-repository.js';
import type { CompanyId, ConversationId, MessageId } from '../../../shared/ids.js';
import type { Conversation } from '../conversations/conversation.schema.js';
import { MESSAGES, type Message } from './message.schema.js';

/** Messages of conversations; whoever asks has shown that the conversation is theirs. */
@Injectable()
export class MessageRepository extends TenantRepository<Message> {
  constructor(store: DocumentStore) {
    super(store, MESSAGES);
  }

  /** The last `count` messages before the cursor, oldest first. Ids sort by time. */
  async before(conversation: Conversation, cursor: MessageId | null, count: number): Promise<readonly Message[]> {
    const found = await this.collection
      .of(conversation.companyId)
      .find(
        { conversationId: conversation.id, ...(cursor === null ? {} : { id: { lt: cursor } }) },
        { sort: [['id', 'desc']], limit: count },
      );
    return [...found].reverse();
  }

  /** A message with the one before it, oldest first; none when it is not there. */
  async turn(conversation: Conversation, id: MessageId): Promise<readonly Message[]> {
    const message = await this.first(conversation.companyId, { id, conversationId: conversation.id });
    if (message === null) return [];
    return [...(await this.before(conversation, id, 1)), message].slice(message.response === null ? 2 : 0);
  }

  all(companyId: CompanyId, conversationId: ConversationId): Promise<readonly Message[]> {
    return this.collection.of(companyId).find({ conversationId });
  }

  async removeAll(companyId: CompanyId, conversationId: ConversationId): Promise<void> {
    await this.collection.of(companyId).remove({ conversationId });
  }
}
