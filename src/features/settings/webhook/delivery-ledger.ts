import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { Instance } from '../../../ports/instance.js';
import { AppError, messageOf } from '../../../shared/app-error.js';
import type { CompanyId } from '../../../shared/ids.js';
import { isAbandoned } from '../../../shared/lease.js';
import { DeliveryRepository } from './delivery.repository.js';
import type { Delivery, DeliveryId } from './delivery.schema.js';

/** Longer than a sending can take, so that nobody has to renew it. */
const LEASE_MS = 30_000;
const FREE = { leaseOwner: null, leaseUntil: null } as const;

/** How deliveries stand. Only who holds the lease of one sends it and writes down how it went. */
@Injectable()
export class DeliveryLedger {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly instance: Instance,
    private readonly clock: Clock,
  ) {}

  /** The delivery with one more attempt; null when there is nothing to send, somebody is at it, or the receiver wants to wait. */
  async take(companyId: CompanyId, id: DeliveryId): Promise<Delivery | null> {
    const seen = await this.deliveries.find(companyId, id);
    if (seen === null || !this.isDue(seen)) return null;
    const leaseUntil = new Date(this.clock.now().getTime() + LEASE_MS);
    return this.deliveries.changePending(seen, {
      set: { leaseOwner: this.instance.id, leaseUntil },
      increment: { attempts: 1 },
    });
  }

  /** It waits, nobody is at it, and the receiver may be asked. */
  isDue(delivery: Delivery): boolean {
    const now = this.clock.now();
    if (delivery.status !== 'pending' || !isAbandoned(delivery, this.instance, now)) return false;
    return delivery.notBefore === null || delivery.notBefore <= now;
  }

  async delivered(held: Delivery): Promise<void> {
    const end = { status: 'delivered', body: {}, lastError: null, deliveredAt: this.clock.now() } as const;
    await this.deliveries.changePending(held, { set: { ...end, ...FREE } });
  }

  /** It waits for another attempt, no sooner than the receiver said. */
  async missed(held: Delivery, error: unknown): Promise<void> {
    const seconds = error instanceof AppError ? error.retryAfter : null;
    const notBefore = seconds === null ? null : new Date(this.clock.now().getTime() + seconds * 1000);
    await this.deliveries.changePending(held, { set: { lastError: messageOf(error), notBefore, ...FREE } });
  }

  /** The delivery as it ended; null when it has ended already or somebody is at it. */
  async failed(companyId: CompanyId, id: DeliveryId, reason: string): Promise<Delivery | null> {
    const seen = await this.deliveries.find(companyId, id);
    if (seen?.status !== 'pending' || !isAbandoned(seen, this.instance, this.clock.now())) return null;
    return this.deliveries.changePending(seen, { set: { status: 'failed', body: {}, lastError: reason, ...FREE } });
  }
}
