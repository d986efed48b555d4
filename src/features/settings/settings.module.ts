import { Module } from '@nestjs/common';
import { SettingsController } from './settings.controller.js';
import { SettingsFacade } from './settings.facade.js';
import { SettingsRepository } from './settings.repository.js';
import { SettingsService } from './settings.service.js';

/** What a company has chosen. */
@Module({
  controllers: [SettingsController],
  providers: [SettingsRepository, SettingsService, SettingsFacade],
  exports: [SettingsFacade],
})
export class SettingsModule {}
