import { describe, expect, it } from 'vitest';
import { CallCollector } from './round.js';

function piece(key: string, part: string, id: string | null = null, name: string | null = null) {
  return { kind: 'call' as const, key, id, name, arguments: part };
}

describe('CallCollector', () => {
  it('puts calls together whose pieces come mixed', () => {
    const calls = new CallCollector();
    calls.add(piece('a', '{"x"', 'c1', 'run_query'));
    calls.add(piece('b', '{"y"', 'c2', 'analyze'));
    calls.add(piece('a', ':1}', 'c1', 'run_query'));
    calls.add(piece('b', ':2}'));

    expect(calls.calls()).toEqual([
      { id: 'c1', name: 'run_query', arguments: '{"x":1}' },
      { id: 'c2', name: 'analyze', arguments: '{"y":2}' },
    ]);
  });

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
