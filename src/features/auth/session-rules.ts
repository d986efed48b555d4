import type { Session } from './session.types.js';

export const SESSION_DAYS = 7;
/** As long may a token be used after another took its place: two tabs refresh at once. */
export const GRACE_SECONDS = 60;

/** What a token is to its session: the one, the one before within its grace, or one that should be gone. */
export type Standing = 'current' | 'previous' | 'stale';

export function standingOf(session: Session, jti: string, now: Date): Standing {
  if (session.jti === jti) return 'current';
  const { previousJti, previousUntil } = session;
  return previousJti === jti && previousUntil !== null && now < previousUntil ? 'previous' : 'stale';
}

/** The store removes ended sessions in its own time; until then they count as gone. */
export function isAlive(session: Session | null, now: Date): session is Session {
  return session !== null && now < session.expiresAt;
}

export function sessionEnd(login: Date): Date {
  return new Date(login.getTime() + SESSION_DAYS * 24 * 60 * 60 * 1000);
}

export function graceEnd(refresh: Date): Date {
  return new Date(refresh.getTime() + GRACE_SECONDS * 1000);
}
