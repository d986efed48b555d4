import { Schema } from 'mongoose';
import type { AnalysisPlan } from '../../../ports/analysis-plan.js';
import type { AssistantAnswer } from '../../../ports/assistant-answer.js';
import type { CollectionDefinition, TenantDocument } from '../../../ports/document-store.js';
import type { ConversationId, MessageId, UserId } from '../../../shared/ids.js';

/** A question, or its answer. */
export interface Message extends TenantDocument {
  readonly id: MessageId;
  readonly userId: UserId;
  readonly conversationId: ConversationId;
  readonly role: 'user' | 'assistant';
  readonly message: string;
  /** The assistant's alone. */
  readonly response: AssistantAnswer | null;
  /** What the answer rests on, for follow-up questions. */
  readonly plan: AnalysisPlan | null;
  readonly createdAt: Date;
}

const schema = new Schema(
  {
    companyId: { type: String, required: true },
    userId: { type: String, required: true },
    conversationId: { type: String, required: true },
    role: { type: String, enum: ['user', 'assistant'], required: true },
    message: { type: String, default: '' },
    response: { type: Schema.Types.Mixed, default: null },
    plan: { type: Schema.Types.Mixed, default: null },
    createdAt: { type: Date, required: true },
  },
  { minimize: false },
);
schema.index({ companyId: 1, conversationId: 1, _id: -1 });

export const MESSAGES: CollectionDefinition<Message> = { name: 'messages', schema };
