import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../ports/secret-box.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject, JsonValue } from '../../shared/json.js';
import { HIDDEN, objectWithSecretsReplaced } from './secrets.js';

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
