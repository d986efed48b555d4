import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { SettingsController } from './settings.controller.js';
import { SettingsRecordsModule } from './settings-records.module.js';
import { SettingsResealer } from './settings-sealer.js';
import { WebhookCourier, WebhookFacade } from './webhook/webhook.facade.js';

/** What a company has chosen, and the webhook that tells it of results. */
@Module({
  imports: [DeliveriesModule, SettingsRecordsModule],
  controllers: [SettingsController],
  providers: [SettingsResealer, WebhookCourier, WebhookFacade],
  exports: [SettingsRecordsModule, WebhookFacade],
})
export class SettingsModule {}
