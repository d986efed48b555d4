import { Schema } from 'mongoose';
import type { CollectionDefinition, TenantDocument } from '../../ports/document-store.js';
import type { SettingsId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';

const schema = new Schema({
  companyId: { type: String, required: true },
  name: { type: String, required: true },
  config: { type: Schema.Types.Mixed, default: {} },
  revision: { type: Number },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});
schema.index({ companyId: 1 }, { unique: true });

export const SETTINGS: CollectionDefinition<Settings> = { name: 'settings', schema };

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
