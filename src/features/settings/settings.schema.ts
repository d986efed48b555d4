import type { TenantDocument } from '../../ports/document-store.js';
import { MIXED, required, tenantKind } from '../../ports/stored-kind.schema.js';
import type { SettingsId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';

export const SETTINGS = tenantKind<Settings>(
  'settings',
  {
    ...required({ name: String, createdAt: Date, updatedAt: Date }),
    config: { type: MIXED, default: {} },
    revision: { type: Number },
  },
  [[{ companyId: 1 }, { unique: true }]],
);

/** A company's settings profile. There is one a company. */
export interface Settings extends TenantDocument {
  readonly id: SettingsId;
  readonly name: string;
  /** Values whose names speak of secrets are sealed: see `SettingsSealer`. */
  readonly config: JsonObject;
  /** Counts the changes, so that of two at once none is lost. Not there before the first. */
  readonly revision?: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ChangedSettings {
  readonly settings: Settings;
  /** The secret that was made for a webhook that came without; it is not told again. */
  readonly webhookSecret: string | null;
}
