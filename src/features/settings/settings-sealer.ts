import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SecretBox } from '../../ports/secret-box.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject, JsonValue } from '../../shared/json.js';
import { HIDDEN, objectWithSecretsReplaced } from './config-rules.js';
import { isDeepStrictEqual } from 'node:util';
import { Log, warned } from '../../ports/log.js';
import { SettingsRepository } from './settings.repository.js';
import type { Settings } from './settings.schema.js';

/** Seals the secrets of a company's settings, each for that company alone, and opens them again. */
@Injectable()
export class SettingsSealer {
  constructor(private readonly box: SecretBox) {}

  /** What was handed in, with its secrets sealed. A `***` stays: it is no secret but stands for one. */
  seal(companyId: CompanyId, config: JsonObject): Promise<JsonObject> {
    return objectWithSecretsReplaced(config, async (secret) =>
      secret === HIDDEN ? secret : this.sealOne(companyId, secret),
    );
  }

  sealOne(companyId: CompanyId, secret: JsonValue): Promise<string> {
    return this.box.seal(JSON.stringify(secret), companyId);
  }

  /** A stored secret as it was handed in; one that was stored before secrets were sealed is as it is. */
  async open(companyId: CompanyId, stored: JsonValue): Promise<JsonValue> {
    if (typeof stored !== 'string' || (await this.box.stateOf(stored)) === 'plain') return stored;
    return JSON.parse(await this.box.open(stored, companyId)) as JsonValue;
  }

  /** Stored settings with all their secrets sealed under the current key. A secret that can't be opened stays as it is. */
  reseal(companyId: CompanyId, config: JsonObject): Promise<JsonObject> {
    return objectWithSecretsReplaced(config, (secret) => this.resealed(companyId, secret));
  }

  private async resealed(companyId: CompanyId, stored: JsonValue): Promise<JsonValue> {
    if (typeof stored === 'string' && (await this.box.stateOf(stored)) === 'current') return stored;
    try {
      return await this.sealOne(companyId, await this.open(companyId, stored));
    } catch {
      // Its key is gone. Whoever needs the secret says so; to throw it away would be worse, since the key may come back.
      return stored;
    }
  }
}

/** At every start: seals the secrets that were stored before secrets were sealed, or under a key that has been replaced since. */
@Injectable()
export class SettingsResealer implements OnApplicationBootstrap {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly sealer: SettingsSealer,
    private readonly log: Log,
  ) {}

  /** Secrets under the old key can still be read: where this fails, the next start tries again. */
  async onApplicationBootstrap(): Promise<void> {
    await this.resealAll().catch(warned(this.log, 'secrets in settings could not be sealed again'));
  }

  /** Settings that are being changed by somebody else are left to the next start. */
  private async resealAll(): Promise<void> {
    let companies = 0;
    for await (const settings of this.settings.anywhereInOrder({})) companies += (await this.reseal(settings)) ? 1 : 0;
    if (companies > 0) this.log.info('secrets in settings were sealed under the current key', { companies });
  }

  private async reseal(seen: Settings): Promise<boolean> {
    const config = await this.sealer.reseal(seen.companyId, seen.config);
    if (isDeepStrictEqual(config, seen.config)) return false;
    // Nobody changed what is set: the time of the last change stays.
    return (await this.settings.replaceConfig(seen, config, seen.updatedAt)) !== null;
  }
}
