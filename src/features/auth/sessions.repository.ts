import { Injectable } from '@nestjs/common';
import { DocumentStore, type TenantCollection } from '../../ports/document-store.js';
import type { CompanyId, SessionId, UserId } from '../../shared/ids.js';
import { SESSIONS } from './session.schema.js';
import type { Session } from './session.types.js';

@Injectable()
export class SessionsRepository {
  private readonly collection: TenantCollection<Session>;

  constructor(store: DocumentStore) {
    this.collection = store.tenantCollection(SESSIONS);
  }

  insert(session: Session): Promise<void> {
    return this.collection.of(session.companyId).insert(session);
  }

  find(companyId: CompanyId, id: SessionId): Promise<Session | null> {
    return this.collection.of(companyId).get(id);
  }

  /** Null when another refresh was first, or the session has ended. */
  rotate(seen: Session, to: string, graceUntil: Date): Promise<Session | null> {
    return this.collection
      .of(seen.companyId)
      .update({ id: seen.id, jti: seen.jti }, { set: { jti: to, previousJti: seen.jti, previousUntil: graceUntil } });
  }

  async remove(companyId: CompanyId, id: SessionId): Promise<void> {
    await this.collection.of(companyId).remove({ id });
  }

  async removeAllOf(companyId: CompanyId, userId: UserId): Promise<void> {
    await this.collection.of(companyId).remove({ userId });
  }

  /** Of every company, to look after open sockets. */
  async aliveAmong(ids: readonly SessionId[], now: Date): Promise<ReadonlySet<SessionId>> {
    const alive = await this.collection.ofAll().find({ id: { in: ids }, expiresAt: { gt: now } });
    return new Set(alive.map(({ id }) => id));
  }
}
