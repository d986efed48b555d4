import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../ports/document-store.js';
import { TenantRepository } from '../../ports/tenant-repository.js';
import type { CompanyId, SessionId, UserId } from '../../shared/ids.js';
import { SESSIONS, type Session } from './session.schema.js';

@Injectable()
export class SessionsRepository extends TenantRepository<Session> {
  constructor(store: DocumentStore) {
    super(store, SESSIONS);
  }

  /** Null when another refresh was first, or the session has ended. */
  rotate(seen: Session, to: string, graceUntil: Date): Promise<Session | null> {
    return this.collection
      .of(seen.companyId)
      .update({ id: seen.id, jti: seen.jti }, { set: { jti: to, previousJti: seen.jti, previousUntil: graceUntil } });
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
