import type { Change } from '../../ports/document-store.js';
import { repositoryOf } from '../../ports/tenant-repository.js';
import { DELIVERIES, type Delivery } from './delivery.schema.js';

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
