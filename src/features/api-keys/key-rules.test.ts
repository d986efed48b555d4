import { describe, expect, it } from 'vitest';
import { asId } from '../../shared/ids.js';
import type { User } from '../users/users.facade.js';
import type { ApiKey } from './api-key.schema.js';
import { expiryOf, isAlive, isNoteworthy, principalOfKey } from './key-rules.js';

const NOW = new Date('2026-03-01T08:00:00.000Z');

function after(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}

const [ID, COMPANY, HOLDER] = ['0', '1', '2'].map((digit) => asId<never>(digit.repeat(24))) as [never, never, never];

function aKey(fields: Partial<ApiKey> = {}): ApiKey {
  const own = { id: ID, companyId: COMPANY, holderId: HOLDER, createdBy: HOLDER, createdAt: NOW, secretHash: '' };
  return { ...own, name: 'Reports', accountRole: null, scopes: ['read'], expiresAt: null, lastUsedAt: null, ...fields };
}

function aUser(isActive: boolean): User {
  const ada: Partial<User> = { id: HOLDER, companyId: COMPANY, email: 'ada@example.com', role: 'manager', isActive };
  return ada as User;
}

describe('the end of a key', () => {
  it('is a time, a number of days, or never', () => {
    expect(expiryOf({ expiresAt: null, days: null }, NOW)).toBeNull();
    expect(expiryOf({ expiresAt: null, days: 2 }, NOW)).toEqual(after(2 * 86_400));
    expect(expiryOf({ expiresAt: '2026-03-01T09:00:00+01:00', days: null }, after(-1))).toEqual(NOW);
  });

  it.each([
    ['both', { expiresAt: '2027-01-01', days: 3 }],
    ['a time that has passed', { expiresAt: '2026-03-01T08:00:00Z', days: null }],
    ['a week, which is no time', { expiresAt: '2027-W10', days: null }],
  ])('is refused: %s', (_name, draft) => {
    expect(() => expiryOf(draft, NOW)).toThrow(/expires_at/);
  });

  it('is reached at its very moment', () => {
    expect(isAlive(aKey({ expiresAt: after(1) }), NOW)).toBe(true);
    expect(isAlive(aKey({ expiresAt: NOW }), NOW)).toBe(false);
    expect(isAlive(aKey(), NOW)).toBe(true);
  });
});

describe('a use', () => {
  it('is noted when none was in the last minute', () => {
    expect(isNoteworthy(aKey(), NOW)).toBe(true);
    expect(isNoteworthy(aKey({ lastUsedAt: after(-59) }), NOW)).toBe(false);
    expect(isNoteworthy(aKey({ lastUsedAt: after(-60) }), NOW)).toBe(true);
  });
});

describe('who asks with a key', () => {
  it('is its user, as stored at the moment', () => {
    expect(principalOfKey(aKey(), aUser(true))).toMatchObject({ role: 'manager', email: 'ada@example.com' });
    expect(principalOfKey(aKey(), aUser(false))).toBeNull();
    expect(principalOfKey(aKey(), null)).toBeNull();
  });

  it('is the service account, which needs no user', () => {
    const principal = principalOfKey(aKey({ accountRole: 'user' }), null);
    expect(principal).toMatchObject({ role: 'user', firstName: 'Reports', email: '', key: { scopes: ['read'] } });
  });
});
