import { Schema } from 'mongoose';
import { BIN_FIELDS, type BinDocument } from '../../../ports/bin-repository.js';
import type { CollectionDefinition } from '../../../ports/document-store.js';
import type { ConversationId, DatasourceId, MessageId, UserId } from '../../../shared/ids.js';

/** The answer that is being made, as long as the conversation is `loading`. */
export interface AnswerInProgress {
  readonly messageId: MessageId;
  /** False: nothing of it is to be kept. */
  readonly saved: boolean;
  /** Written down with the answer's beginning, so that no kill leaves an answer without it. */
  readonly question?: AskedQuestion;
}

export interface AskedQuestion {
  readonly id: MessageId;
  readonly message: string;
  readonly at: Date;
}

/** Belongs to one user, who asks one datasource, or several together. */
export interface Conversation extends BinDocument {
  readonly id: ConversationId;
  readonly userId: UserId;
  readonly title: string;
  readonly datasourceId: DatasourceId;
  /** Asked beside it; one that is gone is passed over. */
  readonly otherIds?: readonly DatasourceId[];
  readonly status: 'ready' | 'loading';
  readonly answering: AnswerInProgress | null;
  /** The answer that its user wants to be ended. */
  readonly stopWanted: MessageId | null;
  /** Whoever answers holds a lease, so that nothing stays `loading` when they die. */
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
  readonly pinned: boolean;
  readonly contextOnly: boolean;
  readonly lastMessageAt: Date | null;
  /** The last answer that was kept. */
  readonly lastMessageId: MessageId | null;
  /** How often other suggestions were asked for. */
  readonly suggestionTurn: number;
  /** When that was last; null: never. */
  readonly suggestionsAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What its user may change; null: it stays as it is. */
export interface ConversationEdit {
  readonly title: string | null;
  /** The first is the main one. */
  readonly datasourceIds: readonly DatasourceId[] | null;
  /** Only the main one was named: if it is that already, the others stay. */
  readonly namesMain: boolean;
  readonly pinned: boolean | null;
  readonly contextOnly: boolean | null;
}

const question = new Schema(
  {
    id: { type: String, required: true },
    message: { type: String, required: true },
    at: { type: Date, required: true },
  },
  { _id: false, id: false },
);
const answering = new Schema(
  {
    messageId: { type: String, required: true },
    saved: { type: Boolean, required: true },
    question: { type: question },
  },
  { _id: false },
);

const schema = new Schema({
  companyId: { type: String, required: true },
  userId: { type: String, required: true },
  title: { type: String, required: true },
  datasourceId: { type: String, required: true },
  otherIds: { type: [String], default: [] },
  status: { type: String, enum: ['ready', 'loading'], required: true },
  answering: { type: answering, default: null },
  stopWanted: { type: String, default: null },
  leaseOwner: { type: String, default: null },
  leaseUntil: { type: Date, default: null },
  pinned: { type: Boolean, default: false },
  contextOnly: { type: Boolean, default: false },
  lastMessageAt: { type: Date, default: null },
  lastMessageId: { type: String, default: null },
  suggestionTurn: { type: Number, default: 0 },
  suggestionsAt: { type: Date, default: null },
  ...BIN_FIELDS,
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});
schema.index({ companyId: 1, userId: 1, pinned: -1, updatedAt: -1 });
schema.index({ companyId: 1, datasourceId: 1 });
schema.index({ companyId: 1, updatedAt: 1 });
schema.index({ status: 1 });
schema.index({ restorableUntil: 1, deletedAt: 1 });
schema.index({ companyId: 1, restorableUntil: 1 });

/** All that a conversation asks: the main one first, or the one that a question is about. */
export function idsOf(
  { datasourceId, otherIds = [] }: Conversation,
  first = datasourceId,
): readonly [DatasourceId, ...DatasourceId[]] {
  return [first, ...[datasourceId, ...otherIds].filter((id) => id !== first)];
}

export const CONVERSATIONS: CollectionDefinition<Conversation> = { name: 'conversations', schema };
