import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../ports/document-store.js';
import { NEWEST_FIRST, TenantRepository } from '../../ports/tenant-repository.js';
import type { CompanyId, SessionId, UserId } from '../../shared/ids.js';
import { SESSIONS, type Session } from './session.schema.js';

/** So many are listed at once. */
const MOST = 200;

interface RotationTimes {
  readonly graceUntil: Date;
  readonly now: Date;
}

@Injectable()
export class SessionsRepository extends TenantRepository<Session> {
  constructor(store: DocumentStore) {
    super(store, SESSIONS);
  }

  /** Null when another refresh was first, or the session has ended. */
  rotate(seen: Session, to: string, { graceUntil, now }: RotationTimes): Promise<Session | null> {
    const set = { jti: to, previousJti: seen.jti, previousUntil: graceUntil, lastUsedAt: now };
    return this.collection.of(seen.companyId).update({ id: seen.id, jti: seen.jti }, { set });
  }

  async removeAllOf(companyId: CompanyId, userId: UserId): Promise<void> {
    await this.collection.of(companyId).remove({ userId });
  }

  /** Newest first. */
  aliveOf(companyId: CompanyId, userId: UserId, now: Date): Promise<readonly Session[]> {
    return this.collection.of(companyId).find({ userId, expiresAt: { gt: now } }, { sort: NEWEST_FIRST, limit: MOST });
  }

  /** Of every company, to look after open sockets. */
  async aliveAmong(ids: readonly SessionId[], now: Date): Promise<ReadonlySet<SessionId>> {
    const alive = await this.collection.ofAll().find({ id: { in: ids }, expiresAt: { gt: now } });
    return new Set(alive.map(({ id }) => id));
  }
}
