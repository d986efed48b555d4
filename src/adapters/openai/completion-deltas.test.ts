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
  it('tells calls apart by their index', () => {
    const chunks = [
      pieces({ index: 0, id: 'a', function: { name: 'x', arguments: '1' } }),
      pieces({ index: 1, id: 'b', function: { name: 'x', arguments: '2' } }),
      pieces({ index: 0, function: { arguments: '3' } }, { index: 1, function: { arguments: '4' } }),
    ];

    expect(argumentsOf(...chunks)).toEqual(['13', '24']);
  });

  it('tells calls apart by their id where there is no index', () => {
    const chunks = [
      pieces({ id: 'a', function: { name: 'x', arguments: '1' } }),
      pieces({ function: { arguments: '2' } }),
      pieces({ id: 'b', function: { name: 'x', arguments: '3' } }),
      pieces({ id: 'a', function: { arguments: '4' } }),
    ];

    expect(argumentsOf(...chunks)).toEqual(['124', '3']);
  });

  it('tells calls apart that all have the same index', () => {
    const chunks = [
      pieces({ index: 0, id: 'a', function: { name: 'x', arguments: '1' } }),
      pieces({ index: 0, id: 'b', function: { name: 'x', arguments: '2' } }),
      pieces({ index: 0, function: { arguments: '3' } }),
    ];

    expect(argumentsOf(...chunks)).toEqual(['1', '23']);
  });

  it('takes a new name for a new call where there is nothing else', () => {
    const chunks = [
      pieces({ function: { name: 'x', arguments: '1' } }),
      pieces({ id: '', function: { arguments: '2' } }),
      pieces({ function: { name: 'y', arguments: '3' } }),
    ];

    expect(argumentsOf(...chunks)).toEqual(['12', '3']);
  });

  it('has no end before the model says so', () => {
    const deltas = new CompletionDeltas();
    const before = [...deltas.read(chunk({ content: 'a' }))];

    expect(before).toEqual([{ kind: 'text', text: 'a' }]);
    expect(deltas.end).toBeNull();
  });

  it.each([
    ['stop', 'stop'],
    ['tool_calls', 'tool_calls'],
    ['length', 'length'],
    ['content_filter', 'other'],
    ['constructor', 'other'],
  ])('ends by %s', (finish, reason) => {
    const deltas = new CompletionDeltas();
    expect([...deltas.read(chunk({}, finish)), ...deltas.read({ choices: [], usage: { total_tokens: 7 } })]).toEqual(
      [],
    );

    expect(deltas.end).toEqual({ kind: 'end', reason, verdict: null, tokens: 7 });
  });

  it('reads text in blocks, and arguments that come as an object', () => {
    const blocks = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'a' },
    ];
    const deltas = new CompletionDeltas();

    expect([...deltas.read(chunk({ content: blocks }))]).toEqual([{ kind: 'text', text: 'a' }]);
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
      {
        reasoning_content: 'b',
        reasoning_details: [
          { ...text, text: 'b' },
          { ...text, signature: 'x' },
        ],
      },
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
