import { ApiProperty } from '@nestjs/swagger';
import { Envelope, onWire } from '../../http/envelope.wire.js';
import { isRecord, type JsonObject } from '../../shared/json.js';
import { configObject, withoutSecrets } from './config-rules.js';
import type { Settings } from './settings.schema.js';
import { withoutWebhookPath } from './webhook/webhook-settings.js';

/** What is to change in the settings. Read as it came, and not by the validator, which would take a setting's name for a part of JavaScript. */
export class ChangeSettingsBody {
  /**
   * Merged into the settings: null removes a name, lists are replaced whole, `***` keeps a secret as it is stored. Known are
   * `webhook` with `url`, `secret` and `events`, and `assistant` with `model`, `temperature`, `max_tokens`,
   * `context_tokens`, `reasoning_effort`, `refuses`, `language`, `instructions`, `fallback`, `prices` and `limits` (`answer_seconds`, `tool_calls`, `tokens_per_day`, `budget_per_month`).
   */
  // Written by hand, since the generator can't read a free form.
  @ApiProperty({ type: 'object', additionalProperties: true }) readonly config!: JsonObject;
}

export class SettingsView {
  readonly _id!: string;
  readonly company_id!: string;
  readonly name!: string;
  /**
   * Free in form. A value whose name speaks of a key, secret, token or password is shown as `***`; to users below a manager so is all of
   * `webhook.url` behind its host.
   */
  readonly config!: JsonObject;
  readonly created_at!: string;
  readonly updated_at!: string;
}

export class SettingsResponse extends Envelope {
  /** Normally one record. */
  readonly settings!: SettingsView[];
}

export class ChangedSettingsResponse extends Envelope {
  /** Normally one record. */
  readonly settings!: SettingsView[];
  /** The secret that was made for a webhook that came without one. It is not shown again. */
  readonly webhook_secret?: string;
}

/** @throws AppError `invalid_input` for a body without an object `config`, and for one that can't be kept. */
export function settingsPatchFrom(body: unknown): JsonObject {
  return configObject(isRecord(body) ? body['config'] : undefined);
}

/** For those who may not change the settings: whoever has the whole address of a webhook can often write to its receiver. */
export function readOnlySettingsView(settings: Settings): SettingsView {
  return settingsView({ ...settings, config: withoutWebhookPath(settings.config) });
}

export function settingsView(settings: Settings): SettingsView {
  return {
    _id: settings.id,
    ...onWire(settings, 'companyId', 'name', 'createdAt', 'updatedAt'),
    config: withoutSecrets(settings.config),
  };
}
