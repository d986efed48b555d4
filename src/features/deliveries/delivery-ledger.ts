import { Injectable } from '@nestjs/common';
import { LeaseKeeper, NO_LEASE, type KeptLease, type Lease } from '../../queue/lease-keeper.js';
import { AppError, messageOf } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import { DeliveryRepository } from './delivery.repository.js';
import type { Delivery, DeliveryId } from './delivery.schema.js';

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

  /** Renews its lease until it is disposed of. */
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
