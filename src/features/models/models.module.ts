import { Module } from '@nestjs/common';
import { SettingsModule } from '../settings/settings.module.js';
import { CompanyModels } from './company-models.facade.js';
import { ModelUsageRepository } from './model-usage.repository.js';

/** Which model answers for which company, and what it may cost. */
@Module({
  imports: [SettingsModule],
  providers: [CompanyModels, ModelUsageRepository],
  exports: [CompanyModels],
})
export class ModelsModule {}
