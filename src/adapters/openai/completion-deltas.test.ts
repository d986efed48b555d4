import { describe, expect, it } from 'vitest';
import { CompletionDeltas } from './completion-deltas.js';

function chunk(delta: object, finish: string | null = null): object {
  return { choices: [{ index: 0, delta, finish_reason: finish }] };
}

function pieces(...calls: readonly object[]): object {
  return chunk({ tool_calls: calls });
}

/** The arguments of each call, put together by key. */
function argumentsOf(...chunks: readonly object[]): readonly string[] {
  const deltas = new CompletionDeltas();
  const byKey = new Map<string, string>();
  for (const each of chunks) {
    for (const delta of deltas.read(each)) {
      if (delta.kind === 'call') byKey.set(delta.key, (byKey.get(delta.key) ?? '') + delta.arguments);
    }
  }
  return [...byKey.values()];
}

describe('CompletionDeltas', () => {
  const named = (name: string, text: string): object => ({ function: { name, arguments: text } });
  const more = (text: string): object => ({ function: { arguments: text } });

  it.each<[string, readonly object[], readonly string[]]>([
    [
      'their index',
      [
        pieces({ index: 0, id: 'a', ...named('x', '1') }),
        pieces({ index: 1, id: 'b', ...named('x', '2') }),
        pieces({ index: 0, ...more('3') }, { index: 1, ...more('4') }),
      ],
      ['13', '24'],
    ],
    [
      'their id where there is no index',
      [
        pieces({ id: 'a', ...named('x', '1') }),
        pieces(more('2')),
        pieces({ id: 'b', ...named('x', '3') }),
        pieces({ id: 'a', ...more('4') }),
      ],
      ['124', '3'],
    ],
    [
      'their id where all have the same index',
      [
        pieces({ index: 0, id: 'a', ...named('x', '1') }),
        pieces({ index: 0, id: 'b', ...named('x', '2') }),
        pieces({ index: 0, ...more('3') }),
      ],
      ['1', '23'],
    ],
    [
      'a new name where there is nothing else',
      [pieces(named('x', '1')), pieces({ id: '', ...more('2') }), pieces(named('y', '3'))],
      ['12', '3'],
    ],
  ])('tells calls apart by %s', (_by, chunks, found) => {
    expect(argumentsOf(...chunks)).toEqual(found);
  });

  it.each([
    ['stop', 'stop'],
    ['tool_calls', 'tool_calls'],
    ['length', 'length'],
    ['content_filter', 'other'],
    ['constructor', 'other'],
  ])('ends by %s', (finish, reason) => {
    const deltas = new CompletionDeltas();
    expect([...deltas.read(chunk({ content: 'a' }))]).toEqual([{ kind: 'text', text: 'a' }]);
    expect(deltas.end).toBeNull();
    const last = [chunk({}, finish), { choices: [], usage: { total_tokens: 7 } }];
    expect(last.flatMap((each) => [...deltas.read(each)])).toEqual([]);
    expect(deltas.end).toEqual({ kind: 'end', reason, verdict: null, tokens: 7 });
  });

  it('reads text in blocks, and arguments that come as an object', () => {
    const a = { type: 'text', text: 'a' };
    const content = [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }, a];
    expect([...new CompletionDeltas().read(chunk({ content }))]).toEqual([{ kind: 'text', text: 'a' }]);
    expect(argumentsOf(pieces({ function: { name: 'x', arguments: { a: 1 } } }))).toEqual(['{"a":1}']);
  });

  it.each([{ reasoning_content: 'hm' }, { reasoning: 'hm' }])('says nothing of the thought %j', (delta) => {
    expect([...new CompletionDeltas().read(chunk(delta))]).toEqual([]);
  });

  it('keeps what has to go back, pieces put together', () => {
    const deltas = new CompletionDeltas();
    const text = { type: 'reasoning.text', index: 0 };
    const extra = { google: { thought_signature: 's' } };
    for (const delta of [
      { reasoning_content: 'a', reasoning_details: [{ ...text, text: 'a' }] },
      { reasoning_content: 'b', reasoning_details: [{ ...text, text: 'b' }] },
      { reasoning_details: [{ ...text, signature: 'x' }] },
      { reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'y' }] },
      { tool_calls: [{ index: 0, id: 'c', function: { name: 'x', arguments: '{}' }, extra_content: extra }] },
    ]) {
      expect([...deltas.read(chunk(delta))].length).toBeLessThan(2);
    }

    expect(deltas.kept).toMatchObject({
      reasoning: 'ab',
      details: [
        { type: 'reasoning.text', index: 0, text: 'ab', signature: 'x' },
        { type: 'reasoning.encrypted', index: 1, data: 'y' },
      ],
    });
    expect([...deltas.kept.extras.values()]).toEqual([extra]);
  });

  it('refuses what is no chunk', () => {
    expect(() => [...new CompletionDeltas().read({ choices: 'x' })]).toThrow('the model sent something unreadable');
  });
});
