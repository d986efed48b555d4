import type { TenantDocument } from '../../ports/document-store.js';
import { MIXED, nullable, required, tenantKind, texts } from '../../ports/stored-kind.schema.js';
import type { AuditEntryId } from '../../shared/ids.js';

const KEPT_SECONDS = 365 * 24 * 60 * 60;

export const AUDIT_ENTRIES = tenantKind<AuditEntry>(
  'audit-entries',
  {
    ...required({ userId: String, action: String, succeeded: Boolean, createdAt: Date }),
    ...texts('email', 'address'),
    details: { type: MIXED, default: {} },
    times: { type: Number, default: 1 },
    ...nullable({ rows: Number, fold: String }),
  },
  [
    { companyId: 1, createdAt: -1 },
    { companyId: 1, email: 1 },
    { companyId: 1, fold: 1 },
    { companyId: 1, userId: 1 },
    [{ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS }],
  ],
);

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
