import { describe, expect, it } from 'vitest';
import { CallCollector } from './round.js';

function piece(key: string, part: string, id: string | null = null, name: string | null = null) {
  return { kind: 'call' as const, key, id, name, arguments: part };
}

describe('CallCollector', () => {
  it('gives every call an id of its own', () => {
    const calls = new CallCollector();
    calls.add(piece('a', '{}', 'same', 'x'));
    calls.add(piece('b', '{}', 'same', 'x'));
    calls.add(piece('c', '{}', null, 'x'));
    expect(new Set(calls.calls().map(({ id }) => id)).size).toBe(3);
  });

  it('stops a model that does not stop', () => {
    const calls = new CallCollector();
    expect(() => {
      for (let index = 0; index < 1000; index += 1) calls.add(piece('a', 'x'.repeat(1000)));
    }).toThrow('the model did not stop calling tools');
  });
});
