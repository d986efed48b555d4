import { Injectable } from '@nestjs/common';
import type { CompanyId } from '../../../shared/ids.js';
import { SettingsRepository } from '../settings.repository.js';
import { assistantSettingsIn, type AssistantSettings } from './assistant-settings.js';

export type { AssistantSettings } from './assistant-settings.js';

/** What companies want of their assistant. */
@Injectable()
export class AssistantSettingsFacade {
  constructor(private readonly settings: SettingsRepository) {}

  /** As it is stored now; of a company without settings nothing is set. */
  async of(companyId: CompanyId): Promise<AssistantSettings> {
    return assistantSettingsIn((await this.settings.find(companyId))?.config ?? {});
  }
}
