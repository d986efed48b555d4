import { Injectable } from '@nestjs/common';
import { AppError } from '../../../shared/app-error.js';
import type { ConversationId, MessageId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { type GivenOpinion, type Opinion, VerifiedFacade } from '../../verified/verified.facade.js';
import { idsOf } from '../conversations/conversation.schema.js';
import { ConversationService } from '../conversations/conversation.service.js';
import { MessageRepository } from '../history/message.repository.js';

export interface OpinionOnAnswer extends Opinion {
  readonly conversationId: ConversationId;
  readonly messageId: MessageId;
}

/** What askers think of their own answers. */
@Injectable()
export class FeedbackService {
  constructor(
    private readonly conversations: ConversationService,
    private readonly messages: MessageRepository,
    private readonly verified: VerifiedFacade,
  ) {}

  /** The last opinion counts. @throws AppError `not_found` for what is no answer of the caller's own conversation. */
  async rate(by: Principal, { conversationId, messageId, rating, correction }: OpinionOnAnswer): Promise<void> {
    const conversation = await this.conversations.find(by, conversationId);
    const [message, before] = (await this.messages.turn(conversation, messageId)).toReversed();
    if (message?.response == null) throw new AppError('not_found', 'message not found');
    const { response: answer, plan } = message;
    const datasourceIds = idsOf(conversation, answer.datasourceId);
    const question = before?.role === 'user' ? before.message : answer.query;
    const rated = { messageId, conversationId, datasourceIds, question, answer, plan };
    await this.verified.rate(by, rated, { rating, correction });
  }

  async given(by: Principal, id: ConversationId): Promise<readonly GivenOpinion[]> {
    await this.conversations.find(by, id);
    return this.verified.opinions(by.companyId, id);
  }
}
