import { Injectable } from '@nestjs/common';
import { IdSource } from '../../ports/id-source.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import type { Principal } from '../../shared/principal.js';
import { assertAssistant } from './assistant/assistant-settings.js';
import { merged } from './merge-config.js';
import { assertRetention } from './retention-settings.js';
import { SettingsEditor } from './settings-editor.js';
import { SettingsSealer } from './settings-sealer.js';
import { SettingsRepository } from './settings.repository.js';
import type { ChangedSettings, Settings } from './settings.schema.js';
import {
  assertWebhook,
  assertWebhookSecret,
  lacksWebhookSecret,
  webhookIn,
  withWebhookSecret,
} from './webhook/webhook-settings.js';

@Injectable()
export class SettingsService {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly editor: SettingsEditor,
    private readonly sealer: SettingsSealer,
    private readonly ids: IdSource,
  ) {}

  /** Those of the caller's company. */
  list(by: Principal): Promise<readonly Settings[]> {
    return this.settings.list(by.companyId);
  }

  /**
   * Lays a change over the settings of the caller's company. A webhook that comes without a secret is given one, which is told this once.
   *
   * @throws AppError `invalid_input`, `too_large` for settings that can't be used; nothing is changed then.
   */
  async change({ companyId }: Principal, patch: JsonObject): Promise<ChangedSettings> {
    assertWebhookSecret(patch);
    const sealed = await this.sealer.seal(companyId, patch);
    const fresh = await this.freshSecret(companyId);
    const settings = await this.editor.edit(companyId, (stored) => {
      const next = merged(stored, sealed);
      // What nobody asked to change is not judged: it may have been stored under other rules.
      if (Object.hasOwn(patch, 'assistant')) assertAssistant(next);
      if (Object.hasOwn(patch, 'retention')) assertRetention(next);
      return Object.hasOwn(patch, 'webhook') ? completeWebhook(next, fresh.sealed) : next;
    });
    return { settings, webhookSecret: webhookIn(settings.config)?.secret === fresh.sealed ? fresh.text : null };
  }

  /** 32 random bytes, as the Standard Webhooks specification writes them. */
  private async freshSecret(companyId: CompanyId): Promise<{ readonly text: string; readonly sealed: string }> {
    const bytes = Buffer.from(this.ids.token() + this.ids.token(), 'hex');
    const text = `whsec_${bytes.toString('base64')}`;
    return { text, sealed: await this.sealer.sealOne(companyId, text) };
  }
}

function completeWebhook(config: JsonObject, freshSecret: string): JsonObject {
  const complete = lacksWebhookSecret(config) ? withWebhookSecret(config, freshSecret) : config;
  assertWebhook(complete);
  return complete;
}
