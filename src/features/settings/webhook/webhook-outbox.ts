import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { IdSource } from '../../../ports/id-source.js';
import { JobQueue } from '../../../ports/job-queue.js';
import type { CompanyId } from '../../../shared/ids.js';
import type { JsonObject } from '../../../shared/json.js';
import { boundedBody } from './delivery-body.js';
import { DeliveryRepository } from './delivery.repository.js';
import type { DeliveryId } from './delivery.schema.js';

/** Stores messages before anybody sends them, so that a crash loses none. */
@Injectable()
export class WebhookOutbox {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly jobs: JobQueue,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  async put(companyId: CompanyId, event: string, body: JsonObject): Promise<void> {
    const id = this.ids.next<DeliveryId>();
    await this.deliveries.insert({
      id,
      companyId,
      event,
      body: boundedBody(body),
      status: 'pending',
      attempts: 0,
      lastError: null,
      notBefore: null,
      leaseOwner: null,
      leaseUntil: null,
      createdAt: this.clock.now(),
      deliveredAt: null,
    });
    await this.jobs.enqueue('webhook.deliver', id, { companyId, deliveryId: id });
  }
}
