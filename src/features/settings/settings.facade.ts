import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { AppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import { isRecord, type JsonObject, type JsonValue } from '../../shared/json.js';
import type { Principal } from '../../shared/principal.js';
import { assertAssistant, type AssistantSettings, assistantSettingsIn } from './assistant/assistant-settings.js';
import { assertFits, configObject, HIDDEN, hiddenWithin, isList, isSecretName, refused } from './config-rules.js';
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

/** Where in the settings something stands. */
interface Place {
  readonly path: string;
  readonly secret: boolean;
}

const TOP: Place = { path: 'config', secret: false };

/**
 * The stored settings with a change laid over them: objects are merged, null removes a name, everything else is replaced, lists as a whole.
 * `***` under a secret's name keeps what is stored there.
 *
 * @throws AppError `invalid_input` for a `***` without something stored that it could mean.
 */
export function merged(stored: JsonObject, patch: JsonObject, at: Place = TOP): JsonObject {
  const result = new Map(Object.entries(stored));
  for (const [name, value] of Object.entries(patch)) {
    const old = result.get(name);
    if (value === null) result.delete(name);
    else if (isRecord(value)) result.set(name, merged(isRecord(old) ? old : {}, value, within(at, name)));
    else result.set(name, resolved(value, old, within(at, name)));
  }
  return Object.fromEntries(result);
}

/**
 * New settings instead of the stored ones; `***` under a secret's name takes over what is stored there.
 *
 * @throws AppError `invalid_input` for a `***` without something stored that it could mean.
 */
export function replaced(stored: JsonObject, config: JsonObject, at: Place = TOP): JsonObject {
  const old = new Map(Object.entries(stored));
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, resolved(value, old.get(name), within(at, name))]),
  );
}

function resolved(value: JsonValue, stored: JsonValue | undefined, at: Place): JsonValue {
  if (at.secret && value === HIDDEN) return storedSecret(stored, at);
  if (isList(value)) return resolvedList(value, isList(stored) ? stored : [], at);
  return isRecord(value) ? replaced(isRecord(stored) ? stored : {}, value, at) : value;
}

function storedSecret(stored: JsonValue | undefined, { path }: Place): JsonValue {
  if (stored !== undefined) return stored;
  throw refused(path, `is ${HIDDEN}, and there is no stored value that it could mean`);
}

/** An entry of a list has no name: the stored one is the one that looks the same, so that no secret moves to another owner. */
function resolvedList(values: readonly JsonValue[], stored: readonly JsonValue[], at: Place): JsonValue[] {
  const looks = stored.map(lookOf);
  const byLook = new Map(stored.map((entry, index) => [looks[index], entry]));
  return values.map((value, index) => {
    const look = lookOf(value);
    const same = looks[index] === look ? stored[index] : byLook.get(look);
    return resolved(value, same, { path: `${at.path}[${index}]`, secret: false });
  });
}

function lookOf(value: JsonValue): string {
  return JSON.stringify(hiddenWithin(value));
}

function within({ path }: Place, name: string): Place {
  return { path: `${path}.${name}`, secret: isSecretName(name) };
}

const PART = 'retention';
/** The document store removes older audit entries by itself. */
const MOST_DAYS = { conversations_days: 3650, audit_days: 365 } as const;

/** How long a company keeps things, in days; null: as long as the service does. */
export interface Retention {
  readonly conversationsDays: number | null;
  readonly auditDays: number | null;
}

/** What can't be used counts as not set. */
export function retentionIn(config: JsonObject): Retention {
  const part = config[PART];
  const days = (name: keyof typeof MOST_DAYS): number | null => {
    const value = isRecord(part) ? part[name] : null;
    return isDays(value, MOST_DAYS[name]) ? value : null;
  };
  return { conversationsDays: days('conversations_days'), auditDays: days('audit_days') };
}

/** @throws AppError `invalid_input` */
export function assertRetention(config: JsonObject): void {
  const part = config[PART];
  if (part === undefined) return;
  if (!isRecord(part)) throw refused(`config.${PART}`, 'must be an object');
  for (const [name, most] of Object.entries(MOST_DAYS)) {
    const value = part[name] ?? null;
    if (value !== null && !isDays(value, most))
      throw refused(`config.${PART}.${name}`, `must be a whole number of days from 1 to ${most}, or null`);
  }
}

function isDays(value: JsonValue | undefined, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
}
