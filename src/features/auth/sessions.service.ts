import { Injectable } from '@nestjs/common';
import { invalidToken } from '../../http/access.js';
import { Clock } from '../../ports/clock.js';
import { EventStream } from '../../ports/event-stream.js';
import { IdSource } from '../../ports/id-source.js';
import { NEWEST_FIRST, repositoryOf } from '../../ports/tenant-repository.js';
import { AppError } from '../../shared/app-error.js';
import type { CompanyId, SessionId, UserId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import type { User } from '../users/users.facade.js';
import { SESSIONS, type Session } from './session.schema.js';
import type { TokenClaims } from './token-claims.js';
import { DAY_MS } from '../../shared/durations.js';

/** From where somebody signs in, and with which program. */
export interface Origin {
  readonly address: string;
  readonly agent: string;
}

const SESSION_MS = 7 * DAY_MS;
/** As long may a token be used after another took its place: two tabs refresh at once. */
const GRACE_MS = 60_000;
const LONGEST_AGENT = 300;
/** So many are listed at once. */
const MOST = 200;

export class SessionsRepository extends repositoryOf(SESSIONS) {}

/** The life of a session: it is opened, its token rotates, it ends. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly ids: IdSource,
    private readonly clock: Clock,
    private readonly events: EventStream,
  ) {}

  async open(user: User, { address, agent }: Origin): Promise<Session> {
    const now = this.clock.now();
    const session: Session = {
      ...SESSIONS.blank,
      id: this.ids.next(),
      companyId: user.companyId,
      userId: user.id,
      jti: this.ids.next(),
      address,
      agent: agent.slice(0, LONGEST_AGENT),
      createdAt: now,
      expiresAt: new Date(now.getTime() + SESSION_MS),
    };
    await this.sessions.insert(session);
    return session;
  }

  /**
   * The session that these claims may act in.
   *
   * @throws AppError `unauthorized` when the token has expired or was replaced, or the session has ended.
   */
  async require({ principal, jti, expiresAt }: TokenClaims): Promise<Session> {
    const now = this.clock.now();
    if (now >= expiresAt) throw invalidToken();
    const session = await this.sessions.find(principal.companyId, principal.sessionId);
    if (!isAlive(session, now) || standingOf(session, jti, now) === 'stale') throw invalidToken();
    return session;
  }

  /**
   * Gives the session a new token name. Who comes a moment later with the token before gets the same new one, so that two tabs can
   * refresh at once; who comes with it after that has stolen it, or lost it to a thief: the session ends.
   *
   * @throws AppError `unauthorized`: session expired.
   */
  async rotate({ principal, jti }: TokenClaims): Promise<Session> {
    const now = this.clock.now();
    const session = await this.find(principal.companyId, principal.sessionId, now);
    if (standingOf(session, jti, now) === 'current') {
      const previous = { previousJti: session.jti, previousUntil: new Date(now.getTime() + GRACE_MS) };
      const set = { jti: this.ids.next(), ...previous, lastUsedAt: now };
      const rotated = await this.sessions.swap(session, { jti: session.jti }, set);
      if (rotated !== null) return rotated;
    }
    // Not the current one, or not any more: another refresh was first.
    const latest = await this.find(principal.companyId, principal.sessionId, now);
    if (standingOf(latest, jti, now) !== 'stale') return latest;
    await this.end(latest.companyId, latest.userId, latest.id);
    throw sessionExpired();
  }

  async end(companyId: CompanyId, userId: UserId, sessionId: SessionId): Promise<void> {
    await this.sessions.remove({ companyId, id: sessionId });
    this.events.publish({ type: 'session-ended', companyId, userId, sessionId, at: this.clock.now() });
  }

  async endAllOf(companyId: CompanyId, userId: UserId): Promise<void> {
    await this.sessions.removeWhere(companyId, { userId });
    this.events.publish({ type: 'session-ended', companyId, userId, sessionId: null, at: this.clock.now() });
  }

  aliveOf({ companyId, userId }: Principal): Promise<readonly Session[]> {
    const alive = { userId, expiresAt: { gt: this.clock.now() } };
    return this.sessions.allWhere(companyId, alive, { sort: NEWEST_FIRST, limit: MOST });
  }

  /** @throws AppError `not_found` when it is nobody's, or somebody else's. */
  async endOwn(by: Principal, id: SessionId): Promise<void> {
    const session = await this.sessions.find(by.companyId, id);
    if (session?.userId !== by.userId) throw new AppError('not_found', 'session not found');
    await this.end(by.companyId, by.userId, id);
  }

  /** All but the one in which the caller asks. */
  async endOthersOf(by: Principal): Promise<void> {
    // More may be alive than are listed at once.
    for (;;) {
      const others = (await this.aliveOf(by)).filter(({ id }) => id !== by.sessionId);
      if (others.length === 0) return;
      for (const { id } of others) await this.end(by.companyId, by.userId, id);
    }
  }

  /** Of every company, to look after open sockets. */
  async aliveAmong(ids: readonly SessionId[]): Promise<ReadonlySet<SessionId>> {
    const alive = await this.sessions.anywhere({ id: { in: ids }, expiresAt: { gt: this.clock.now() } });
    return new Set(alive.map(({ id }) => id));
  }

  private async find(companyId: CompanyId, id: SessionId, now: Date): Promise<Session> {
    const session = await this.sessions.find(companyId, id);
    if (!isAlive(session, now)) throw sessionExpired();
    return session;
  }
}

/** What a token is to its session: the one, the one before within its grace, or one that should be gone. */
type Standing = 'current' | 'previous' | 'stale';

function standingOf(session: Session, jti: string, now: Date): Standing {
  if (session.jti === jti) return 'current';
  const { previousJti, previousUntil } = session;
  return previousJti === jti && previousUntil !== null && now < previousUntil ? 'previous' : 'stale';
}

/** The store removes ended sessions in its own time; until then they count as gone. */
function isAlive(session: Session | null, now: Date): session is Session {
  return session !== null && now < session.expiresAt;
}

export function sessionExpired(): AppError {
  return new AppError('unauthorized', 'session expired');
}
