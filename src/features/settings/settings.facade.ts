import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { isAppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import { SettingsRepository } from './settings.repository.js';
import type { Settings } from './settings.types.js';

export type { Settings } from './settings.types.js';
export { SettingsView, settingsView } from './settings.wire.js';

/** Settings for administration. */
@Injectable()
export class SettingsFacade {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** Gives the company its settings, empty, unless it has some. */
  async ensure(companyId: CompanyId): Promise<void> {
    const now = this.clock.now();
    try {
      await this.settings.insert({
        id: this.ids.next(),
        companyId,
        name: 'default',
        config: {},
        createdAt: now,
        updatedAt: now,
      });
    } catch (error) {
      // The company has settings already: that is what was wanted.
      if (!isAppError(error, 'conflict')) throw error;
    }
  }

  /** Replaces the whole configuration: what is not in it is not set any more. */
  async set(companyId: CompanyId, config: JsonObject): Promise<Settings> {
    const replaced = await this.settings.replaceConfig(companyId, config, this.clock.now());
    if (replaced !== null) return replaced;
    await this.ensure(companyId);
    return this.set(companyId, config);
  }
}
