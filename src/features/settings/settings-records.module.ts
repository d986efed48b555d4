import { Module } from '@nestjs/common';
import { SettingsFacade } from './settings.facade.js';
import { SettingsRepository } from './settings.repository.js';
import { SettingsSealer } from './settings-sealer.js';

/** The settings as records, without routes and background work: all that administration needs. */
@Module({
  providers: [SettingsRepository, SettingsSealer, SettingsFacade],
  exports: [SettingsRepository, SettingsSealer, SettingsFacade],
})
export class SettingsRecordsModule {}
