import { expect, it } from 'vitest';
import { onWire } from './envelope.wire.js';

it('tells the fields that are named, and no other', () => {
  const names = ['a'];
  const thing = { id: '1', createdAt: new Date(0), endedAt: null, failuresInARow: 2, names, secret: 'no' };
  const told = onWire(thing, 'id', 'createdAt', 'endedAt', 'failuresInARow', 'names');
  const created = '1970-01-01T00:00:00.000Z';
  expect(told).toEqual({ id: '1', created_at: created, ended_at: null, failures_in_a_row: 2, names: ['a'] });
  expect(told.names).not.toBe(names);
});
