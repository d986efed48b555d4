import { Injectable } from '@nestjs/common';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import { assertAssistant } from './assistant/assistant-settings.js';
import { configObject } from './config-rules.js';
import { replaced } from './merge-config.js';
import { SettingsEditor } from './settings-editor.js';
import { assertRetention, type Retention, retentionIn } from './retention-settings.js';
import { SettingsRepository } from './settings.repository.js';
import { SettingsSealer } from './settings-sealer.js';
import type { Settings } from './settings.schema.js';
import { assertWebhook, assertWebhookSecret } from './webhook/webhook-settings.js';

export type { Settings } from './settings.schema.js';
export { SettingsView, settingsView } from './settings.wire.js';

const PAGE = 100;

/** Settings for administration. */
@Injectable()
export class SettingsFacade {
  constructor(
    private readonly editor: SettingsEditor,
    private readonly sealer: SettingsSealer,
    private readonly settings: SettingsRepository,
  ) {}

  /** What each company keeps, of all companies. */
  async *retentions(): AsyncGenerator<Retention & Pick<Settings, 'companyId'>> {
    let page = await this.settings.allAfter('', PAGE);
    for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
      for (const { companyId, config } of page) yield { companyId, ...retentionIn(config) };
      page = await this.settings.allAfter(last.id, PAGE);
    }
  }

  /** Gives the company its settings, empty, unless it has some. */
  ensure(companyId: CompanyId): Promise<void> {
    return this.editor.ensure(companyId);
  }

  /**
   * Replaces the whole configuration: what is not in it is not set any more. Its secrets are stored sealed; `***` takes over a stored one.
   *
   * @throws AppError `invalid_input`, `too_large` for a configuration that can't be used.
   */
  async set(companyId: CompanyId, config: JsonObject): Promise<Settings> {
    assertWebhookSecret(configObject(config));
    const sealed = await this.sealer.seal(companyId, config);
    return this.editor.edit(companyId, (stored) => {
      const next = replaced(stored, sealed);
      assertWebhook(next);
      assertAssistant(next);
      assertRetention(next);
      return next;
    });
  }
}
