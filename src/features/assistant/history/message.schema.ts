import type { AnalysisPlan } from '../../../ports/analysis-plan.js';
import type { AssistantAnswer } from '../../../ports/assistant-answer.js';
import type { TenantDocument } from '../../../ports/document-store.js';
import { MIXED, nullable, required, tenantKind } from '../../../ports/stored-kind.schema.js';
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

export const MESSAGES = tenantKind<Message>(
  'messages',
  {
    ...required({ userId: String, conversationId: String, createdAt: Date }),
    role: { type: String, enum: ['user', 'assistant'], required: true },
    message: { type: String, default: '' },
    ...nullable({ response: MIXED, plan: MIXED }),
  },
  [{ companyId: 1, conversationId: 1, _id: -1 }],
);
