import { Schema } from 'mongoose';
import type { BinDocument } from '../../../ports/bin-repository.js';
import { binKind, LEASE_FIELDS, lists, nullable, required } from '../../../ports/stored-kind.schema.js';
import type { Leased } from '../../../queue/lease-keeper.js';
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

/** Belongs to one user, who asks one datasource, or several together. Whoever answers holds the lease. */
export interface Conversation extends BinDocument, Leased {
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

const question = new Schema(required({ id: String, message: String, at: Date }), { _id: false, id: false });
const answering = new Schema(
  { ...required({ messageId: String, saved: Boolean }), question: { type: question } },
  { _id: false },
);

export const CONVERSATIONS = binKind<Conversation>(
  'conversations',
  {
    ...required({ userId: String, title: String, datasourceId: String, createdAt: Date, updatedAt: Date }),
    ...lists({ otherIds: String }),
    status: { type: String, enum: ['ready', 'loading'], required: true },
    ...nullable({ answering, stopWanted: String, lastMessageAt: Date, lastMessageId: String, suggestionsAt: Date }),
    ...LEASE_FIELDS,
    pinned: { type: Boolean, default: false },
    contextOnly: { type: Boolean, default: false },
    suggestionTurn: { type: Number, default: 0 },
  },
  [
    { companyId: 1, userId: 1, pinned: -1, updatedAt: -1 },
    { companyId: 1, datasourceId: 1 },
    { companyId: 1, updatedAt: 1 },
    { status: 1 },
  ],
);

/** All that a conversation asks: the main one first, or the one that a question is about. */
export function idsOf(
  { datasourceId, otherIds = [] }: Conversation,
  first = datasourceId,
): readonly [DatasourceId, ...DatasourceId[]] {
  return [first, ...[datasourceId, ...otherIds].filter((id) => id !== first)];
}
