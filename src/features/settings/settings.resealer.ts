import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Log } from '../../ports/log.js';
import { messageOf } from '../../shared/app-error.js';
import { SettingsSealer } from './settings-sealer.js';
import { SettingsRepository } from './settings.repository.js';
import type { Settings } from './settings.schema.js';

/** At every start: seals the secrets that were stored before secrets were sealed, or under a key that has been replaced since. */
@Injectable()
export class SettingsResealer implements OnApplicationBootstrap {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly sealer: SettingsSealer,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    try {
      const count = await this.resealAll();
      if (count > 0) this.log.info('secrets in settings were sealed under the current key', { companies: count });
    } catch (error) {
      // Secrets under the old key can still be read; the next start tries again.
      this.log.warn('secrets in settings could not be sealed again', { reason: messageOf(error) });
    }
  }

  /** How many companies' settings were changed. One that is being changed by somebody else is left to the next start. */
  async resealAll(): Promise<number> {
    let count = 0;
    for await (const settings of this.settings.anywhereInOrder({})) count += (await this.reseal(settings)) ? 1 : 0;
    return count;
  }

  private async reseal(seen: Settings): Promise<boolean> {
    const config = await this.sealer.reseal(seen.companyId, seen.config);
    if (isDeepStrictEqual(config, seen.config)) return false;
    // Nobody changed what is set: the time of the last change stays.
    return (await this.settings.replaceConfig(seen, config, seen.updatedAt)) !== null;
  }
}
