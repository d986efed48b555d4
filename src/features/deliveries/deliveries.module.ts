import { Injectable, Module } from '@nestjs/common';
import { AnsweringModule } from '../../answering/answering.module.js';
import { JobQueue } from '../../ports/job-queue.js';
import { Reconciler } from '../../queue/reconciler.js';
import { UsersModule } from '../users/users.module.js';
import { DeliveryLedger, DeliveryRepository, JOB_OF, Outbox } from './deliveries.facade.js';
import { MailCourier, MailFacade, RecipientsFacade } from './mail.facade.js';

/** More wait for the next turn: a heap of messages must not fill the memory. */
const MAX_A_TURN = 1000;

/** Puts back to work the messages that nobody is sending: those a queue or a process lost, and those whose receiver wanted to wait. */
@Injectable()
export class DeliveryReconciler extends Reconciler {
  protected override readonly failure = 'waiting messages could not be looked up';

  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly ledger: DeliveryLedger,
    private readonly jobs: JobQueue,
  ) {
    super();
  }

  override async reconcile(): Promise<void> {
    const longestFirst = { sort: [['createdAt', 'asc']], limit: MAX_A_TURN } as const;
    for (const delivery of await this.deliveries.anywhere({ status: 'pending' }, longestFirst)) {
      if (!this.ledger.isDue(delivery)) continue;
      const { id, companyId, channel } = delivery;
      await this.jobs.enqueue(JOB_OF[channel], id, { companyId, deliveryId: id });
    }
  }
}

/** Messages that leave the service: put durably, sent in the background, once or told as failed. */
@Module({
  imports: [AnsweringModule, UsersModule],
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
