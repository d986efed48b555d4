import { Module } from '@nestjs/common';
import { AssistantSettingsFacade } from './assistant/assistant-settings.facade.js';
import { SettingsController } from './settings.controller.js';
import { SettingsRecordsModule } from './settings-records.module.js';
import { SettingsResealer } from './settings.resealer.js';
import { SettingsService } from './settings.service.js';
import { DeliveryLedger } from './webhook/delivery-ledger.js';
import { DeliveryRepository } from './webhook/delivery.repository.js';
import { WebhookCourier } from './webhook/webhook-courier.js';
import { WebhookFacade } from './webhook/webhook.facade.js';
import { WebhookOutbox } from './webhook/webhook-outbox.js';
import { WebhookReader } from './webhook/webhook-reader.js';
import { WebhookReconciler } from './webhook/webhook.reconciler.js';

/** What a company has chosen, and the webhook that tells it of results. */
@Module({
  imports: [SettingsRecordsModule],
  controllers: [SettingsController],
  providers: [
    AssistantSettingsFacade,
    SettingsService,
    SettingsResealer,
    DeliveryRepository,
    DeliveryLedger,
    WebhookReader,
    WebhookOutbox,
    WebhookCourier,
    WebhookFacade,
    WebhookReconciler,
  ],
  exports: [AssistantSettingsFacade, SettingsRecordsModule, WebhookFacade],
})
export class SettingsModule {}
