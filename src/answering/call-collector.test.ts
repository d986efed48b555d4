import { expect, it } from 'vitest';
import { CallCollector } from './round.js';

const piece = (key: string, id: string | null, part: string) =>
  ({ kind: 'call', key, id, name: 'x', arguments: part }) as const;

it('gives every call an id of its own', () => {
  const calls = new CallCollector();
  for (const [key, id] of Object.entries({ a: 'same', b: 'same', c: null })) calls.add(piece(key, id, '{}'));
  expect(new Set(calls.calls().map(({ id }) => id)).size).toBe(3);
});

it('stops a model that does not stop', () => {
  const calls = new CallCollector();
  expect(() => {
    for (let index = 0; index < 1000; index += 1) calls.add(piece('a', null, 'x'.repeat(1000)));
  }).toThrow('the model did not stop calling tools');
});
