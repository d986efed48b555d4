import { Injectable } from '@nestjs/common';
import { DocumentStore, type Change, type TenantCollection } from '../../../ports/document-store.js';
import type { CompanyId } from '../../../shared/ids.js';
import { DELIVERIES, type Delivery, type DeliveryId } from './delivery.schema.js';

@Injectable()
export class DeliveryRepository {
  private readonly collection: TenantCollection<Delivery>;

  constructor(store: DocumentStore) {
    this.collection = store.tenantCollection(DELIVERIES);
  }

  insert(delivery: Delivery): Promise<void> {
    return this.collection.of(delivery.companyId).insert(delivery);
  }

  find(companyId: CompanyId, id: DeliveryId): Promise<Delivery | null> {
    return this.collection.of(companyId).get(id);
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
