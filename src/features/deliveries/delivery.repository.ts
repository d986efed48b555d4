import { Injectable } from '@nestjs/common';
import { DocumentStore, type Change } from '../../ports/document-store.js';
import { TenantRepository } from '../../ports/tenant-repository.js';
import type { CompanyId } from '../../shared/ids.js';
import { DELIVERIES, type Delivery } from './delivery.schema.js';

@Injectable()
export class DeliveryRepository extends TenantRepository<Delivery> {
  constructor(store: DocumentStore) {
    super(store, DELIVERIES);
  }

  /** Null when it is not pending any more, or somebody else's since it was seen. */
  changePending(seen: Delivery, change: Change<Delivery>): Promise<Delivery | null> {
    const { id, companyId, leaseOwner, leaseUntil } = seen;
    return this.collection.of(companyId).update({ id, status: 'pending', leaseOwner, leaseUntil }, change);
  }

  /** Null when somebody else has taken it from whoever holds it. */
  changeHeld(
    { id, companyId, leaseOwner, attempts }: Delivery,
    set: Change<Delivery>['set'],
  ): Promise<Delivery | null> {
    return this.swap({ companyId, id }, { status: 'pending', leaseOwner, attempts }, set);
  }

  /** The mails about these things, in the order of their addresses. */
  mailsAbout(companyId: CompanyId, things: readonly string[]): Promise<readonly Delivery[]> {
    return this.collection.of(companyId).find({ about: { in: things }, channel: 'mail' }, { sort: [['to', 'asc']] });
  }

  countMailsSince(companyId: CompanyId, time: Date): Promise<number> {
    return this.collection.of(companyId).count({ channel: 'mail', createdAt: { gte: time } });
  }

  /** Of all companies, the longest waiting first; for the reconciler. */
  pending(limit: number): Promise<readonly Delivery[]> {
    return this.collection.ofAll().find({ status: 'pending' }, { sort: [['createdAt', 'asc']], limit });
  }
}
