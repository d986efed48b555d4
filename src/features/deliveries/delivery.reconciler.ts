import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../ports/job-queue.js';
import { Log } from '../../ports/log.js';
import { Reconciler } from '../../queue/reconciler.js';
import { JOB_OF } from './outbox.js';
import { DeliveryLedger } from './delivery-ledger.js';
import { DeliveryRepository } from './delivery.repository.js';

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
    protected override readonly log: Log,
  ) {
    super();
  }

  override async reconcile(): Promise<void> {
    for (const delivery of await this.deliveries.pending(MAX_A_TURN)) {
      if (!this.ledger.isDue(delivery)) continue;
      const { id, companyId, channel } = delivery;
      await this.jobs.enqueue(JOB_OF[channel], id, { companyId, deliveryId: id });
    }
  }
}
