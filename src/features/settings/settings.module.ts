import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { AssistantSettingsFacade } from './assistant/assistant-settings.facade.js';
import { SettingsController } from './settings.controller.js';
import { SettingsRecordsModule } from './settings-records.module.js';
import { SettingsResealer } from './settings.resealer.js';
import { SettingsService } from './settings.service.js';
import { WebhookCourier } from './webhook/webhook-courier.js';
import { WebhookFacade } from './webhook/webhook.facade.js';
import { WebhookReader } from './webhook/webhook-reader.js';

/** What a company has chosen, and the webhook that tells it of results. */
@Module({
  imports: [DeliveriesModule, SettingsRecordsModule],
  controllers: [SettingsController],
  providers: [AssistantSettingsFacade, SettingsService, SettingsResealer, WebhookReader, WebhookCourier, WebhookFacade],
  exports: [AssistantSettingsFacade, SettingsRecordsModule, WebhookFacade],
})
export class SettingsModule {}
