import { Injectable } from '@nestjs/common';
import type { AnswerStep } from '../../answering/answer-step.js';
import type { AssistantAnswer } from '../../ports/assistant-answer.js';
import {
  asId,
  type CompanyId,
  type ConversationId,
  type DatasourceId,
  isId,
  type MessageId,
} from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import type { RatedAnswer } from '../verified/verified.facade.js';
import { noSuchAnswer } from './assistant.errors.js';
import { ChatService } from './chat/chat.service.js';
import { ConversationRemover } from './conversations/conversation.remover.js';
import { idsOf } from './conversations/conversation.schema.js';
import type { Owner } from './conversations/conversation.repository.js';
import { ConversationService } from './conversations/conversation.service.js';
import { MessageRepository } from './history/message.repository.js';

export { LONGEST_MESSAGE } from './chat/chat.wire.js';

const LONGEST_TITLE = 80;

/** A question, in a conversation of the asker's or in a new one about a datasource. */
export interface AskedHere {
  readonly about: { readonly conversationId: ConversationId } | { readonly datasourceId: DatasourceId };
  readonly message: string;
}

/** An answer that is kept, with what was asked. */
export interface KeptAnswer extends Omit<RatedAnswer, 'messageId' | 'conversationId'> {
  readonly at: Date;
  /** Nothing was asked before it in its conversation: its question says alone what it is of. */
  readonly isFirst: boolean;
}

/** The door to conversations for other features. */
@Injectable()
export class AssistantFacade {
  constructor(
    private readonly opened: ConversationService,
    private readonly chats: ChatService,
    private readonly remover: ConversationRemover,
    private readonly messages: MessageRepository,
  ) {}

  /** Whether there is such a conversation and it is the caller's own. */
  async isOwn(by: Principal, id: ConversationId): Promise<boolean> {
    return (await this.opened.look(by, id)) !== null;
  }

  /** Null when it is none of the caller's own. */
  async datasourceOf(by: Principal, conversationId: string): Promise<DatasourceId | null> {
    return isId(conversationId) ? ((await this.opened.look(by, asId(conversationId)))?.datasourceId ?? null) : null;
  }

  /** @throws AppError `not_found`, also for another user's. */
  async answer(owner: Owner, conversationId: ConversationId, messageId: MessageId): Promise<KeptAnswer> {
    const conversation = await this.opened.find(owner, conversationId);
    const [question, message] = await this.messages.turn(conversation, messageId);
    if (question === undefined || message?.response == null) throw noSuchAnswer();
    const { response: answer, plan, createdAt: at } = message;
    const datasourceIds = idsOf(conversation, answer.datasourceId);
    const isFirst = (await this.messages.before(conversation, question.id, 1)).length === 0;
    return { datasourceIds, question: question.message, answer, plan, at, isFirst };
  }

  /** Removes all that somebody has asked, whose account goes. */
  forget({ companyId, userId }: Owner): Promise<void> {
    return this.remover.removeWhere(companyId, { userId });
  }

  /** Removes the company's conversations in which nothing was asked or answered since then, for good, but none that is being answered. */
  removeUntouchedSince(companyId: CompanyId, time: Date): Promise<void> {
    return this.remover.removeWhere(companyId, { updatedAt: { lt: time }, status: 'ready' });
  }

  /** Asks as the API does. A conversation that was opened for a question that was not taken does not stay. */
  async ask(
    by: Principal,
    { about, message }: AskedHere,
    signal: AbortSignal,
    tell: (step: AnswerStep) => void,
  ): Promise<{ readonly conversationId: ConversationId; readonly answer: AssistantAnswer }> {
    const isNew = 'datasourceId' in about;
    const draft = { title: message.slice(0, LONGEST_TITLE), contextOnly: false };
    const conversationId = isNew
      ? await this.opened.create(by, { ...draft, datasourceIds: [about.datasourceId] })
      : about.conversationId;
    const request = { conversationId, message, skipSaveHistory: false, contextOnly: false, given: null };
    try {
      const { answer } = await this.chats.ask(by, request, signal, tell);
      return { conversationId, answer };
    } catch (error) {
      if (isNew) await this.removeUnused(by, conversationId);
      throw error;
    }
  }

  private async removeUnused(by: Principal, id: ConversationId): Promise<void> {
    const conversation = await this.opened.look(by, id);
    if (conversation?.lastMessageAt === null && conversation.status === 'ready') await this.opened.delete(by, id, true);
  }
}
