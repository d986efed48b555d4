import { Injectable } from '@nestjs/common';
import type { ConversationId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { ConversationRepository } from './conversations/conversation.repository.js';

export { LONGEST_MESSAGE } from './chat/chat.wire.js';

/** The door to conversations for other features. */
@Injectable()
export class AssistantFacade {
  constructor(private readonly conversations: ConversationRepository) {}

  /** Whether there is such a conversation and it is the caller's own. */
  async isOwn(by: Principal, id: ConversationId): Promise<boolean> {
    return (await this.conversations.find(by, id)) !== null;
  }
}
