import { Injectable } from '@nestjs/common';
import { DocumentStore, type TenantCollection } from '../../../ports/document-store.js';
import type { CompanyId, ConversationId, MessageId } from '../../../shared/ids.js';
import { isAppError } from '../../../shared/app-error.js';
import type { Conversation } from '../conversations/conversation.schema.js';
import { MESSAGES, type Message } from './message.schema.js';

/** Held in memory at once. */
const PAGE = 100;

/** Messages of conversations; whoever asks has shown that the conversation is theirs. */
@Injectable()
export class MessageRepository {
  private readonly collection: TenantCollection<Message>;

  constructor(store: DocumentStore) {
    this.collection = store.tenantCollection(MESSAGES);
  }

  insert(message: Message): Promise<void> {
    return this.collection.of(message.companyId).insert(message);
  }

  /** Nothing happens when it is there already. */
  async insertOnce(message: Message): Promise<void> {
    await this.insert(message).catch((error: unknown) => {
      if (!isAppError(error, 'conflict')) throw error;
    });
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

  find(companyId: CompanyId, id: MessageId): Promise<Message | null> {
    return this.collection.of(companyId).get(id);
  }

  all(companyId: CompanyId, conversationId: ConversationId): Promise<readonly Message[]> {
    return this.collection.of(companyId).find({ conversationId });
  }

  /** A company's, page by page. */
  async *allOf(companyId: CompanyId): AsyncGenerator<Message> {
    const mine = this.collection.of(companyId);
    for (let last = ''; ;) {
      const page = await mine.find({ id: { gt: last } }, { sort: [['id', 'asc']], limit: PAGE });
      yield* page;
      last = page.at(-1)?.id ?? '';
      if (page.length < PAGE) return;
    }
  }

  async removeAll(companyId: CompanyId, conversationId: ConversationId): Promise<void> {
    await this.collection.of(companyId).remove({ conversationId });
  }
}
