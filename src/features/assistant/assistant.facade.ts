import { Injectable } from '@nestjs/common';
import type { AnswerStep } from '../../answering/answer-step.js';
import type { AssistantAnswer } from '../../ports/assistant-answer.js';
import { isAppError } from '../../shared/app-error.js';
import { asId, type ConversationId, type DatasourceId, isId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { ChatService } from './chat/chat.service.js';
import { ConversationRepository, type Owner } from './conversations/conversation.repository.js';
import { ConversationService } from './conversations/conversation.service.js';

export { LONGEST_MESSAGE } from './chat/chat.wire.js';

const LONGEST_TITLE = 80;
const AT_ONCE = 20;

/** A question, in a conversation of the asker's or in a new one about a datasource. */
export interface AskedHere {
  readonly about: { readonly conversationId: ConversationId } | { readonly datasourceId: DatasourceId };
  readonly message: string;
}

export interface AnsweredHere {
  readonly conversationId: ConversationId;
  readonly answer: AssistantAnswer;
}

/** The door to conversations for other features. */
@Injectable()
export class AssistantFacade {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly opened: ConversationService,
    private readonly chats: ChatService,
  ) {}

  /** Whether there is such a conversation and it is the caller's own. */
  async isOwn(by: Principal, id: ConversationId): Promise<boolean> {
    return (await this.conversations.find(by, id)) !== null;
  }

  /** Null when it is none of the caller's own. */
  async datasourceOf(by: Principal, conversationId: string): Promise<DatasourceId | null> {
    return isId(conversationId)
      ? ((await this.conversations.find(by, asId(conversationId)))?.datasourceId ?? null)
      : null;
  }

  /** Removes all that somebody has asked, whose account goes. */
  async forget(owner: Owner): Promise<void> {
    for (;;) {
      const { entries } = await this.conversations.list(owner, { index: 0, size: AT_ONCE });
      if (entries.length === 0) return;
      for (const { id } of entries) await this.opened.delete(owner, id).catch(unlessGone);
    }
  }

  /** Asks as the API does. A conversation that was opened for a question that was not taken does not stay. */
  async ask(
    by: Principal,
    { about, message }: AskedHere,
    signal: AbortSignal,
    tell: (step: AnswerStep) => void,
  ): Promise<AnsweredHere> {
    const isNew = 'datasourceId' in about;
    const conversationId = isNew ? await this.open(by, about.datasourceId, message) : about.conversationId;
    const request = { conversationId, message, skipSaveHistory: false, contextOnly: false, given: null };
    try {
      const { answer } = await this.chats.ask(by, request, signal, tell);
      return { conversationId, answer };
    } catch (error) {
      if (isNew) await this.removeUnused(by, conversationId);
      throw error;
    }
  }

  private open(by: Principal, datasourceId: DatasourceId, message: string): Promise<ConversationId> {
    return this.opened.create(by, { title: message.slice(0, LONGEST_TITLE), datasourceId, contextOnly: false });
  }

  private async removeUnused(by: Principal, id: ConversationId): Promise<void> {
    const conversation = await this.conversations.find(by, id);
    if (conversation?.lastMessageAt === null && conversation.status === 'ready') await this.opened.delete(by, id);
  }
}

function unlessGone(error: unknown): void {
  if (!isAppError(error, 'not_found')) throw error;
}
