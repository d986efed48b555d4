import { repositoryOf } from '../../../ports/tenant-repository.js';
import type { MessageId } from '../../../shared/ids.js';
import type { Conversation } from '../conversations/conversation.schema.js';
import { MESSAGES, type Message } from './message.schema.js';

/** Messages of conversations; whoever asks has shown that the conversation is theirs. */
export class MessageRepository extends repositoryOf(MESSAGES) {
  /** The last `count` messages before the cursor, oldest first. Ids sort by time. */
  async before(conversation: Conversation, cursor: MessageId | null, count: number): Promise<readonly Message[]> {
    const where = { conversationId: conversation.id, ...(cursor === null ? {} : { id: { lt: cursor } }) };
    const found = await this.allWhere(conversation.companyId, where, { sort: [['id', 'desc']], limit: count });
    return found.toReversed();
  }

  /** A message with the one before it, oldest first; none when it is not there. */
  async turn(conversation: Conversation, id: MessageId): Promise<readonly Message[]> {
    const message = await this.first(conversation.companyId, { id, conversationId: conversation.id });
    if (message === null) return [];
    return [...(await this.before(conversation, id, 1)), message].slice(message.response === null ? 2 : 0);
  }
}
