import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { AppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import type { Principal } from '../../shared/principal.js';
import { assertAssistant, assistantSettingsIn, type AssistantSettings } from './assistant/assistant-settings.js';
import { assertFits, configObject } from './config-rules.js';
import { merged, replaced } from './merge-config.js';
import { assertRetention, type Retention, retentionIn } from './retention-settings.js';
import { SettingsRepository } from './settings.repository.js';
import { SettingsSealer } from './settings-sealer.js';
import type { ChangedSettings, Settings } from './settings.schema.js';
import {
  assertWebhook,
  assertWebhookSecret,
  lacksWebhookSecret,
  webhookIn,
  withWebhookSecret,
} from './webhook/webhook-settings.js';

export type { AssistantSettings } from './assistant/assistant-settings.js';
export type { Settings } from './settings.schema.js';
export { SettingsView, settingsView } from './settings.wire.js';

const MAX_TURNS = 20;

/** What companies have chosen. Of changes at the same time none is lost. */
@Injectable()
export class SettingsFacade {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly sealer: SettingsSealer,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** Those of the caller's company. */
  list(by: Principal): Promise<readonly Settings[]> {
    return this.settings.allWhere(by.companyId, {}, { sort: [['id', 'asc']] });
  }

  /** What the company wants of its assistant, as it is stored now; of a company without settings nothing is set. */
  async assistantOf(companyId: CompanyId): Promise<AssistantSettings> {
    return assistantSettingsIn((await this.settings.find(companyId))?.config ?? {});
  }

  /** What each company keeps, of all companies. */
  async *retentions(): AsyncGenerator<Retention & Pick<Settings, 'companyId'>> {
    for await (const { companyId, config } of this.settings.anywhereInOrder({})) {
      yield { companyId, ...retentionIn(config) };
    }
  }

  /** Gives the company its settings, empty, unless it has some. */
  async ensure(companyId: CompanyId): Promise<void> {
    const now = this.clock.now();
    const own = { id: this.ids.next<Settings['id']>(), companyId, name: 'default', config: {} };
    await this.settings.insertOnce({ ...own, createdAt: now, updatedAt: now });
  }

  /**
   * Replaces the whole configuration: what is not in it is not set any more. Its secrets are stored sealed; `***` takes over a stored one.
   *
   * @throws AppError `invalid_input`, `too_large` for a configuration that can't be used.
   */
  async set(companyId: CompanyId, config: JsonObject): Promise<Settings> {
    assertWebhookSecret(configObject(config));
    const sealed = await this.sealer.seal(companyId, config);
    return this.edit(companyId, (stored) => {
      const next = replaced(stored, sealed);
      assertWebhook(next);
      assertAssistant(next);
      assertRetention(next);
      return next;
    });
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
    const settings = await this.edit(companyId, (stored) => {
      const next = merged(stored, sealed);
      // What nobody asked to change is not judged: it may have been stored under other rules.
      if (Object.hasOwn(patch, 'assistant')) assertAssistant(next);
      if (Object.hasOwn(patch, 'retention')) assertRetention(next);
      return Object.hasOwn(patch, 'webhook') ? completeWebhook(next, fresh.sealed) : next;
    });
    return { settings, webhookSecret: webhookIn(settings.config)?.secret === fresh.sealed ? fresh.text : null };
  }

  /**
   * Stores what `change` makes of the stored configuration; it is asked again when somebody else was faster.
   *
   * @throws AppError `too_large` when the outcome is, and whatever `change` throws.
   */
  private async edit(companyId: CompanyId, change: (stored: JsonObject) => JsonObject): Promise<Settings> {
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const seen = await this.settings.find(companyId);
      if (seen === null) {
        await this.ensure(companyId);
        continue;
      }
      const config = change(seen.config);
      assertFits(config);
      const changed = await this.settings.replaceConfig(seen, config, this.clock.now());
      if (changed !== null) return changed;
    }
    throw new AppError('unavailable', 'the settings are being changed by too many at once', { retryAfter: 1 });
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
