import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { FatalJobError, JobQueue } from '../../ports/job-queue.js';
import { JOB_POLICIES, type JobPayloads } from '../../ports/jobs.js';
import { Log } from '../../ports/log.js';
import { JobProcessor } from '../../queue/job-processor.js';
import { type KeptLease, type Lease, LeaseKeeper, NO_LEASE } from '../../queue/lease-keeper.js';
import { sha256 } from '../../shared/checksum.js';
import { AppError, isAppError, messageOf } from '../../shared/app-error.js';
import { asId, type CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import { type Channel, DELIVERIES, type Delivery, type DeliveryId } from './delivery.schema.js';
import type { Change } from '../../ports/document-store.js';
import { repositoryOf } from '../../ports/tenant-repository.js';

export class DeliveryRepository extends repositoryOf(DELIVERIES) {
  /** Null when it is not pending any more, or somebody else's since it was seen. */
  changePending(seen: Delivery, change: Change<Delivery>): Promise<Delivery | null> {
    const { id, companyId, leaseOwner, leaseUntil } = seen;
    return this.collection.of(companyId).update({ id, status: 'pending', leaseOwner, leaseUntil }, change);
  }

  /** Null when somebody else has taken it from whoever holds it. */
  changeHeld(held: Delivery, set: Change<Delivery>['set']): Promise<Delivery | null> {
    const { leaseOwner, attempts } = held;
    return this.swap(held, { status: 'pending', leaseOwner, attempts }, set);
  }
}

export type { Delivery } from './delivery.schema.js';

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
    const id = about === undefined ? this.ids.next<DeliveryId>() : asId<DeliveryId>(sha256(name).slice(0, 24));
    await this.deliveries.insertOnce({
      ...DELIVERIES.blank,
      id,
      companyId,
      channel,
      event,
      about: about ?? null,
      to: to ?? null,
      body,
      status: 'pending',
      attempts: 0,
      createdAt: this.clock.now(),
    });
    await this.jobs.enqueue(JOB_OF[channel], id, { companyId, deliveryId: id });
  }
}

/** How deliveries stand. Only who holds the lease of one sends it and writes down how it went. */
@Injectable()
export class DeliveryLedger {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly leases: LeaseKeeper,
  ) {}

  /** The delivery with one more attempt; null when there is nothing to send, somebody is at it, or the receiver wants to wait. */
  async take(companyId: CompanyId, id: DeliveryId): Promise<Delivery | null> {
    const seen = await this.deliveries.find(companyId, id);
    if (seen === null || !this.isDue(seen)) return null;
    return this.deliveries.changePending(seen, { set: this.leases.lease(), increment: { attempts: 1 } });
  }

  keep(held: Delivery, signal: AbortSignal): KeptLease {
    const renew = async (lease: Lease): Promise<boolean> => (await this.deliveries.changeHeld(held, lease)) !== null;
    return this.leases.keep({ context: { deliveryId: held.id }, renew }, signal);
  }

  /** It waits, nobody is at it, and the receiver may be asked. */
  isDue(delivery: Delivery): boolean {
    if (delivery.status !== 'pending' || !this.leases.isAbandoned(delivery)) return false;
    return delivery.notBefore === null || delivery.notBefore <= this.leases.now();
  }

  async delivered(held: Delivery): Promise<void> {
    const end = { status: 'delivered', body: {}, lastError: null, deliveredAt: this.leases.now() } as const;
    await this.deliveries.changeHeld(held, { ...end, ...NO_LEASE });
  }

  /** It waits for another attempt, no sooner than the receiver said. */
  async missed(held: Delivery, error: unknown): Promise<void> {
    const seconds = error instanceof AppError ? error.retryAfter : null;
    const notBefore = seconds === null ? null : new Date(this.leases.now().getTime() + seconds * 1000);
    await this.deliveries.changeHeld(held, { lastError: messageOf(error), notBefore, ...NO_LEASE });
  }

  /** The delivery as it ended; null when it has ended already or somebody is at it. */
  async failed(companyId: CompanyId, id: DeliveryId, reason: string): Promise<Delivery | null> {
    const seen = await this.deliveries.find(companyId, id);
    if (seen?.status !== 'pending' || !this.leases.isAbandoned(seen)) return null;
    return this.deliveries.changePending(seen, { set: { status: 'failed', body: {}, lastError: reason, ...NO_LEASE } });
  }
}

type DeliveryJob = 'webhook.deliver' | 'mail.deliver';

/** Base of what brings messages to receivers; writes down how it went. */
export abstract class DeliveryCourier<N extends DeliveryJob> extends JobProcessor<N> {
  /** What the log says of a message that nobody will send again. */
  protected abstract readonly failure: string;

  @Inject(DeliveryLedger) private readonly ledger!: DeliveryLedger;
  @Inject(Log) private readonly log!: Log;

  /** @throws AppError `invalid_input` when trying again can't help. */
  protected abstract send(delivery: Delivery, signal: AbortSignal): Promise<void>;

  /** What is refused for good ends here. @throws FatalJobError when trying again has not helped, else the error of the attempt. */
  override async run(payload: JobPayloads[N], signal: AbortSignal): Promise<void> {
    const { companyId, deliveryId } = payload;
    const delivery = await this.ledger.take(companyId, deliveryId);
    if (delivery === null) return;
    using lease = this.ledger.keep(delivery, signal);
    try {
      await this.send(delivery, lease.signal);
    } catch (error) {
      await this.ledger.missed(delivery, error);
      // A wrong address is no failure of the service.
      if (isAppError(error, 'invalid_input')) {
        await this.giveUp(payload, error);
        return;
      }
      // Attempts are counted across restarts: a queue counts from one again, the delivery does not.
      if (delivery.attempts < JOB_POLICIES[this.job].attempts) throw error;
      throw new FatalJobError(messageOf(error), { cause: error });
    }
    await this.ledger.delivered(delivery);
  }

  override async giveUp({ companyId, deliveryId }: JobPayloads[N], error: Error): Promise<void> {
    const failed = await this.ledger.failed(companyId, deliveryId, error.message);
    if (failed === null) return;
    const { event, attempts } = failed;
    this.log.warn(this.failure, { companyId, deliveryId, event, attempts, reason: error.message });
  }
}
