import { Schema } from 'mongoose';
import type { CollectionDefinition, TenantDocument } from '../../ports/document-store.js';
import type { BoardId, ConversationId, MessageId, ShareLinkId, UserId } from '../../shared/ids.js';

/** Shows one board, or one answer, to whoever has it. */
export interface ShareLink extends TenantDocument {
  readonly id: ShareLinkId;
  /** SHA-256 of the token, which is random and long. */
  readonly tokenHash: string;
  readonly boardId: BoardId | null;
  /** Of whoever made the link, to whom the conversation belongs. */
  readonly answer: { readonly conversationId: ConversationId; readonly messageId: MessageId } | null;
  /** What it shows, in words. */
  readonly title: string;
  readonly madeBy: UserId;
  readonly makerEmail: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const schema = new Schema({
  companyId: { type: String, required: true },
  tokenHash: { type: String, required: true },
  boardId: { type: String, default: null },
  answer: { type: Schema.Types.Mixed, default: null },
  title: { type: String, required: true },
  madeBy: { type: String, required: true },
  makerEmail: { type: String, required: true },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
schema.index({ tokenHash: 1 }, { unique: true });
schema.index({ companyId: 1, createdAt: -1, _id: -1 });
schema.index({ companyId: 1, boardId: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const SHARE_LINKS: CollectionDefinition<ShareLink> = { name: 'share-links', schema };
