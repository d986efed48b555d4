import { Module } from '@nestjs/common';
import { SettingsModule } from '../settings/settings.module.js';
import { UsersModule } from '../users/users.module.js';
import { CompanyModels } from './company-models.facade.js';
import { ModelUsageRepository } from './model-usage.repository.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';

/** Which model answers for which company, and what it may cost. */
@Module({
  imports: [SettingsModule, UsersModule],
  controllers: [UsageController],
  providers: [CompanyModels, ModelUsageRepository, UsageService],
  exports: [CompanyModels],
})
export class ModelsModule {}
