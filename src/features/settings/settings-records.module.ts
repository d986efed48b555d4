import { Module } from '@nestjs/common';
import { SettingsEditor } from './settings-editor.js';
import { SettingsSealer } from './settings-sealer.js';
import { SettingsFacade } from './settings.facade.js';
import { SettingsRepository } from './settings.repository.js';

/** The settings as records, without routes and background work: all that administration needs. */
@Module({
  providers: [SettingsRepository, SettingsEditor, SettingsSealer, SettingsFacade],
  exports: [SettingsRepository, SettingsEditor, SettingsSealer, SettingsFacade],
})
export class SettingsRecordsModule {}
