import { Module } from '@nestjs/common';
import { DeliveryLedger } from './delivery-ledger.js';
import { DeliveryReconciler } from './delivery.reconciler.js';
import { DeliveryRepository } from './delivery.repository.js';
import { MailCourier, MailFacade } from './mail.facade.js';
import { UsersModule } from '../users/users.module.js';
import { Outbox } from './outbox.js';
import { RecipientsFacade } from './recipients.facade.js';

/** Messages that leave the service: put durably, sent in the background, once or told as failed. */
@Module({
  imports: [UsersModule],
  providers: [
    DeliveryLedger,
    DeliveryReconciler,
    DeliveryRepository,
    MailCourier,
    MailFacade,
    Outbox,
    RecipientsFacade,
  ],
  exports: [DeliveryLedger, MailFacade, Outbox, RecipientsFacade],
})
export class DeliveriesModule {}
