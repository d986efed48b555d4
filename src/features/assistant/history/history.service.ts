import { Injectable } from '@nestjs/common';
import { type NotebookPart, Notebooks, type WrittenNotebook } from '../../../answering/notebook.js';
import type { HistoryTurn } from '../../../ports/chat-model.js';
import { AppError } from '../../../shared/app-error.js';
import type { ConversationId, MessageId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { type GivenOpinion, VerifiedFacade } from '../../verified/verified.facade.js';
import { noSuchAnswer } from '../assistant.errors.js';
import { type Conversation, idsOf } from '../conversations/conversation.schema.js';
import { ConversationService } from '../conversations/conversation.service.js';
import { MessageRepository } from './message.repository.js';
import type { Message } from './message.schema.js';

const BATCH = 20;
const REMEMBERED_TURNS = 10;
/** Of a notebook. */
const MOST_ANSWERS = 50;

export interface OpinionOnAnswer extends GivenOpinion {
  readonly conversationId: ConversationId;
}

/** What was asked and answered, and what askers think of their own answers. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly conversations: ConversationService,
    private readonly messages: MessageRepository,
    private readonly notebooks: Notebooks,
    private readonly verified: VerifiedFacade,
  ) {}

  async read(
    by: Principal,
    id: ConversationId,
    before: MessageId | null,
  ): Promise<{ readonly messages: readonly Message[]; readonly hasMore: boolean }> {
    const conversation = await this.conversations.find(by, id);
    const messages = await this.messages.before(conversation, before, BATCH);
    return { messages, hasMore: messages.length === BATCH };
  }

  /**
   * An answer as a notebook, or with no message the last ones of the conversation.
   *
   * @throws AppError `not_found`, also when the message is no answer
   */
  async notebook(by: Principal, id: ConversationId, message: MessageId | null): Promise<WrittenNotebook> {
    const conversation = await this.conversations.find(by, id);
    const messages =
      message === null
        ? await this.messages.before(conversation, null, MOST_ANSWERS * 2)
        : await this.messages.turn(conversation, message);
    const parts = partsFrom(messages);
    if (message !== null && parts.length === 0) throw noSuchAnswer();
    const { title, companyId } = conversation;
    return this.notebooks.write(companyId, title, parts);
  }

  /** What a model is told of the conversation so far. */
  async turns(conversation: Conversation): Promise<readonly HistoryTurn[]> {
    return turnsFrom(await this.messages.before(conversation, null, REMEMBERED_TURNS * 2));
  }

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

  async opinions(by: Principal, id: ConversationId): Promise<readonly GivenOpinion[]> {
    await this.conversations.find(by, id);
    return this.verified.opinions(by.companyId, id);
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

/** Answers with the questions before them, oldest first. */
function partsFrom(messages: readonly Message[]): readonly NotebookPart[] {
  return messages.flatMap(({ response: answer }, index) => {
    if (answer === null) return [];
    const { response, dbquery: query, data, visualization, sources, error } = answer;
    const { rowsReturned } = answer.evidence;
    const title = messages[index - 1]?.message ?? answer.query;
    return [{ title, text: error ?? response, query, data, rowsReturned, visualization, sources }];
  });
}
