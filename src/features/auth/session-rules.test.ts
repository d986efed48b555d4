import { describe, expect, it } from 'vitest';
import { asId } from '../../shared/ids.js';
import { graceEnd, isAlive, sessionEnd, standingOf } from './sessions.service.js';
import type { Session } from './session.schema.js';

const LOGIN = new Date('2026-03-01T08:00:00.000Z');
const REFRESHED = new Date('2026-03-01T08:10:00.000Z');

function after(start: Date, seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000);
}

function aSession(fields: Partial<Session> = {}): Session {
  return {
    id: asId('0'.repeat(24)),
    companyId: asId('1'.repeat(24)),
    userId: asId('2'.repeat(24)),
    jti: 'second',
    previousJti: 'first',
    previousUntil: graceEnd(REFRESHED),
    address: '',
    agent: '',
    lastUsedAt: null,
    createdAt: LOGIN,
    expiresAt: sessionEnd(LOGIN),
    ...fields,
  };
}

describe('the standing of a token in its session', () => {
  it('is current for the token that was issued last, at any time', () => {
    expect(standingOf(aSession(), 'second', after(REFRESHED, 86_400))).toBe('current');
  });

  it('is previous for the one before, for 60 seconds', () => {
    expect(standingOf(aSession(), 'first', after(REFRESHED, 59.999))).toBe('previous');
  });

  it('is stale for the one before from the 60th second on', () => {
    expect(standingOf(aSession(), 'first', after(REFRESHED, 60))).toBe('stale');
  });

  it('is stale for any other token', () => {
    expect(standingOf(aSession(), 'third', REFRESHED)).toBe('stale');
  });

  it('is stale for any other token of a session that was never refreshed', () => {
    expect(standingOf(aSession({ previousJti: null, previousUntil: null }), 'first', REFRESHED)).toBe('stale');
  });
});

describe('a session', () => {
  it('lives until seven days after the login', () => {
    expect(isAlive(aSession(), new Date('2026-03-08T07:59:59.999Z'))).toBe(true);
    expect(isAlive(aSession(), new Date('2026-03-08T08:00:00.000Z'))).toBe(false);
  });

  it('that is not stored is not alive', () => {
    expect(isAlive(null, LOGIN)).toBe(false);
  });
});
