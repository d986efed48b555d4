import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { AppError, isAppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import { assertFits } from './config-rules.js';
import { SettingsRepository } from './settings.repository.js';
import type { Settings } from './settings.schema.js';

const MAX_TURNS = 20;

/** Changes a company's settings so that of changes at the same time none is lost. */
@Injectable()
export class SettingsEditor {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** Gives the company its settings, empty, unless it has some. */
  async ensure(companyId: CompanyId): Promise<void> {
    const now = this.clock.now();
    const own = { id: this.ids.next<Settings['id']>(), companyId, name: 'default', config: {} };
    try {
      await this.settings.insert({ ...own, createdAt: now, updatedAt: now });
    } catch (error) {
      // The company has settings already: that is what was wanted.
      if (!isAppError(error, 'conflict')) throw error;
    }
  }

  /**
   * Stores what `change` makes of the stored configuration; it is asked again when somebody else was faster.
   *
   * @throws AppError `too_large` when the outcome is, and whatever `change` throws.
   */
  async edit(companyId: CompanyId, change: (stored: JsonObject) => JsonObject): Promise<Settings> {
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
}
