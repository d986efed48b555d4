import { describe, expect, it } from 'vitest';
import { LeaseKeeper } from './lease-keeper.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-01-01T00:00:10Z');
const EARLIER = new Date('2025-12-31T23:59:50Z');

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('work is abandoned', () => {
  it.each([
    ['nobody ever held it', null, null, false, true],
    ['another holds it still', 'other', LATER, false, false],
    ['another held it too long ago', 'other', EARLIER, false, true],
    ['another holds it, but only we can be alive', 'other', LATER, true, true],
    ['we hold it', 'me', LATER, true, false],
    ['we held it, and forgot', 'me', EARLIER, true, true],
  ])('%s', (_when, leaseOwner, leaseUntil, alone, expected) => {
    const leases = new LeaseKeeper({ id: 'me', alone }, { now: () => NOW }, silent);
    expect(leases.isAbandoned({ leaseOwner, leaseUntil })).toBe(expected);
  });
});
