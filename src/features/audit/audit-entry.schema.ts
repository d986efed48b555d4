import { Schema } from 'mongoose';
import type { CollectionDefinition, TenantDocument } from '../../ports/document-store.js';
import type { AuditEntryId } from '../../shared/ids.js';

const KEPT_SECONDS = 365 * 24 * 60 * 60;

const schema = new Schema({
  companyId: { type: String, required: true },
  userId: { type: String, required: true },
  email: { type: String, default: '' },
  action: { type: String, required: true },
  succeeded: { type: Boolean, required: true },
  details: { type: Schema.Types.Mixed, default: {} },
  address: { type: String, default: '' },
  times: { type: Number, default: 1 },
  rows: { type: Number, default: null },
  fold: { type: String, default: null },
  createdAt: { type: Date, required: true },
});
schema.index({ companyId: 1, createdAt: -1 });
schema.index({ companyId: 1, email: 1 });
schema.index({ companyId: 1, fold: 1 });
schema.index({ companyId: 1, userId: 1 });
schema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export const AUDIT_ENTRIES: CollectionDefinition<AuditEntry> = { name: 'audit-entries', schema };

/** Who did what, when and from where. Kept for a year; nothing changes it. */
export interface AuditEntry extends TenantDocument {
  readonly id: AuditEntryId;
  readonly userId: string;
  /** As it was then: the user may be gone. Of a service account empty. */
  readonly email: string;
  /** The route: `PATCH secure/user/:id`. */
  readonly action: string;
  readonly succeeded: boolean;
  /** What it was about, by the names of the request's fields. Never passwords, tokens or answers. */
  readonly details: Readonly<Record<string, string>>;
  readonly address: string;
  /** How often it was done within an hour, where that is not kept one by one. */
  readonly times: number;
  /** Rows that were inserted by all of that; null: it inserted none. */
  readonly rows: number | null;
  /** What is counted as one entry; null: it is one by itself. */
  readonly fold: string | null;
  readonly createdAt: Date;
}
