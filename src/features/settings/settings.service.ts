import { Injectable } from '@nestjs/common';
import type { Principal } from '../../shared/principal.js';
import { SettingsRepository } from './settings.repository.js';
import type { Settings } from './settings.types.js';

@Injectable()
export class SettingsService {
  constructor(private readonly settings: SettingsRepository) {}

  /** Those of the caller's company. */
  list(by: Principal): Promise<readonly Settings[]> {
    return this.settings.list(by.companyId);
  }
}
