import type { GivenPlan } from '../../../ports/chat-model.js';
import type { DatasourceId, MessageId } from '../../../shared/ids.js';
import type { CompanyAnswerer } from '../../models/company-models.facade.js';
import type { Conversation } from '../conversations/conversation.schema.js';

export interface AskedPlan extends GivenPlan {
  /** Which of the conversation's datasources it is about; null: the main one. */
  readonly datasourceId: DatasourceId | null;
}

/** What a caller asks. */
export interface ChatRequest {
  readonly conversationId: Conversation['id'];
  readonly message: string;
  /** Asked instead of the message, which is this in words. */
  readonly given: AskedPlan | null;
  /** Neither the question nor the answer is kept. */
  readonly skipSaveHistory: boolean;
  readonly contextOnly: boolean;
}

/** A question that was accepted: its conversation is `loading` and ours until the answer is stored. */
export interface BegunAnswer extends Pick<ChatRequest, 'message' | 'given' | 'contextOnly'> {
  readonly conversation: Conversation;
  /** The answer's own id, which also names its stream. */
  readonly messageId: MessageId;
  readonly saved: boolean;
  readonly answerer: CompanyAnswerer;
}

/** What must be known of an answer to end it. */
export type EndingAnswer = Pick<BegunAnswer, 'conversation' | 'messageId' | 'saved'>;
