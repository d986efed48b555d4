import { Injectable } from '@nestjs/common';
import { DocumentStore, type Change } from '../../../ports/document-store.js';
import { TenantRepository } from '../../../ports/tenant-repository.js';
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

  /** Of all companies, the longest waiting first; for the reconciler. */
  pending(limit: number): Promise<readonly Delivery[]> {
    return this.collection.ofAll().find({ status: 'pending' }, { sort: [['createdAt', 'asc']], limit });
  }
}
