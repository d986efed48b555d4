import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { JobQueue } from '../../ports/job-queue.js';
import { NO_LEASE } from '../../queue/lease-keeper.js';
import { asId, type CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import { secretHash } from '../../shared/secret-hash.js';
import { DeliveryRepository } from './delivery.repository.js';
import type { Channel, DeliveryId } from './delivery.schema.js';

export const JOB_OF = { webhook: 'webhook.deliver', mail: 'mail.deliver' } as const satisfies Record<Channel, string>;

export interface Message {
  readonly companyId: CompanyId;
  readonly channel: Channel;
  readonly event: string;
  readonly body: JsonObject;
  readonly to?: string;
  /** The same event about the same thing to the same receiver is one message, however often it is put. */
  readonly about?: string | undefined;
}

/** Stores messages before anybody sends them, so that a crash loses none. */
@Injectable()
export class Outbox {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly jobs: JobQueue,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  async put({ companyId, channel, event, body, to, about }: Message): Promise<void> {
    const name = [companyId, channel, event, about, to].join('\n');
    const id = about === undefined ? this.ids.next<DeliveryId>() : asId<DeliveryId>(secretHash(name).slice(0, 24));
    await this.deliveries.insertOnce({
      id,
      companyId,
      channel,
      event,
      about: about ?? null,
      to: to ?? null,
      body,
      status: 'pending',
      attempts: 0,
      lastError: null,
      notBefore: null,
      ...NO_LEASE,
      createdAt: this.clock.now(),
      deliveredAt: null,
    });
    await this.jobs.enqueue(JOB_OF[channel], id, { companyId, deliveryId: id });
  }
}
