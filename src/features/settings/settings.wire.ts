import { Envelope } from '../../http/envelope.wire.js';
import type { JsonObject } from '../../shared/json.js';
import { withoutSecrets } from './secrets.js';
import type { Settings } from './settings.types.js';

export class SettingsView {
  readonly _id!: string;
  readonly company_id!: string;
  readonly name!: string;
  /** Free in form. A value whose name speaks of a key, secret, token or password is shown as `***`. */
  readonly config!: JsonObject;
  readonly created_at!: string;
  readonly updated_at!: string;
}

export class SettingsResponse extends Envelope {
  /** Normally one record. */
  readonly settings!: SettingsView[];
}

export function settingsView(settings: Settings): SettingsView {
  return {
    _id: settings.id,
    company_id: settings.companyId,
    name: settings.name,
    config: withoutSecrets(settings.config),
    created_at: settings.createdAt.toISOString(),
    updated_at: settings.updatedAt.toISOString(),
  };
}
