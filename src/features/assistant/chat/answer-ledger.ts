import { Injectable } from '@nestjs/common';
import type { AnalysisPlan } from '../../../ports/analysis-plan.js';
import type { AssistantAnswer } from '../../../ports/assistant-answer.js';
import { IdSource } from '../../../ports/id-source.js';
import { LeaseKeeper, type Lease } from '../../../queue/lease-keeper.js';
import type { MessageId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { conversationBusy } from '../assistant.errors.js';
import { ConversationContents } from '../conversations/conversation.remover.js';
import { ConversationRepository } from '../conversations/conversation.repository.js';
import type { AnswerInProgress, Conversation } from '../conversations/conversation.schema.js';
import { MessageRepository } from '../history/message.repository.js';
import type { Message } from '../history/message.schema.js';
import type { CompanyAnswerer } from '../../models/company-models.facade.js';
import type { BegunAnswer, ChatRequest, EndingAnswer } from './begun-answer.js';

export type AnswerState = 'ours' | 'lost' | 'stop wanted';

/** Writes down that a question was accepted, that it is still worked on, and how it ended. */
@Injectable()
export class AnswerLedger {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly messages: MessageRepository,
    private readonly contents: ConversationContents,
    private readonly leases: LeaseKeeper,
    private readonly ids: IdSource,
  ) {}

  /** @throws AppError `not_found`, or `conflict` when the conversation is busy. */
  async begin(by: Principal, request: ChatRequest, answerer: CompanyAnswerer): Promise<BegunAnswer> {
    const { skipSaveHistory, message } = request;
    const question = { id: this.ids.next<MessageId>(), message, at: this.leases.now() };
    const unsaved = { messageId: this.ids.next<MessageId>(), saved: false };
    const turn = skipSaveHistory ? unsaved : { ...unsaved, saved: true, question };
    const conversation = await this.conversations.beginAnswer(by, request.conversationId, turn, this.leases.lease());
    if (conversation === null) {
      await this.conversations.getOwn(by, request.conversationId);
      throw conversationBusy();
    }
    try {
      const answering = await this.inOrder(conversation, turn);
      await this.saveQuestion(conversation, answering);
      const { messageId, saved } = answering;
      return { ...request, messageId, saved, conversation, answerer };
    } catch (error) {
      await this.conversations.endAnswer(conversation, {});
      throw error;
    }
  }

  /** False: the conversation is not ours any more, but deleted or taken over. */
  async renew({ conversation, messageId }: EndingAnswer, lease: Lease): Promise<boolean> {
    return stateOf(await this.conversations.changeAnswer(conversation, lease), messageId) !== 'lost';
  }

  /** How it stands with the answer, without a change. */
  async look({ conversation, messageId }: EndingAnswer): Promise<AnswerState> {
    return stateOf(await this.conversations.current(conversation), messageId);
  }

  /** Puts the question into the history, unless it is there already. */
  async saveQuestion(conversation: Conversation, { question }: AnswerInProgress): Promise<void> {
    if (question === undefined) return;
    const { id, message, at: createdAt } = question;
    await this.save(conversation, { id, role: 'user', message, response: null, plan: null, createdAt });
  }

  /** Stores the answer, failed or not, and makes the conversation ready. May be called again after a failure of the store. */
  async end(begun: EndingAnswer, answer: AssistantAnswer, plan: AnalysisPlan | null): Promise<void> {
    const { conversation } = begun;
    const now = this.leases.now();
    if (begun.saved) {
      const said = { message: answer.response, response: answer, plan, createdAt: now };
      await this.save(conversation, { id: begun.messageId, role: 'assistant', ...said });
    }
    const ended = await this.conversations.endAnswer(conversation, {
      updatedAt: now,
      ...(begun.saved ? { lastMessageAt: now, lastMessageId: begun.messageId } : {}),
    });
    // Deleted meanwhile: what was just written would be nobody's.
    if (ended === null && !(await this.conversations.isKept(conversation))) await this.contents.remove(conversation);
  }

  private save(
    { companyId, userId, id: conversationId }: Conversation,
    message: Omit<Message, 'companyId' | 'userId' | 'conversationId'>,
  ): Promise<void> {
    return this.messages.insertOnce({ ...message, companyId, userId, conversationId });
  }

  /** Messages sort by their ids; the last ones may come from an instance whose clock is ahead of ours. */
  private async inOrder(conversation: Conversation, turn: AnswerInProgress): Promise<AnswerInProgress> {
    const { lastMessageId: last } = conversation;
    if (last === null || last < (turn.question?.id ?? turn.messageId)) return turn;
    const question = turn.question && { question: { ...turn.question, id: this.ids.next<MessageId>(last) } };
    const later = { ...turn, ...question, messageId: this.ids.next<MessageId>(last) };
    if ((await this.conversations.changeAnswer(conversation, { answering: later })) === null)
      throw this.conversations.missing();
    return later;
  }
}

function stateOf(conversation: Conversation | null, messageId: MessageId): AnswerState {
  if (conversation?.answering?.messageId !== messageId) return 'lost';
  return conversation.stopWanted === messageId ? 'stop wanted' : 'ours';
}
