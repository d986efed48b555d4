import { describe, expect, it } from 'vitest';
import { CompletionDeltas } from './completion-deltas.js';

function chunk(delta: object, finish: string | null = null): object {
  return { choices: [{ index: 0, delta, finish_reason: finish }] };
}

interface Piece {
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
}

/** A part of the arguments of a call, with what it says of the call. */
function piece(text: unknown, { name, ...of }: Piece = {}): object {
  return { ...of, function: { ...(name === undefined ? {} : { name }), arguments: text } };
}

/** The arguments of each call, put together by key; each chunk has some pieces. */
function argumentsOf(...chunks: readonly (readonly object[])[]): readonly string[] {
  const deltas = new CompletionDeltas();
  const byKey = new Map<string, string>();
  for (const calls of chunks) {
    for (const delta of deltas.read(chunk({ tool_calls: calls }))) {
      if (delta.kind === 'call') byKey.set(delta.key, (byKey.get(delta.key) ?? '') + delta.arguments);
    }
  }
  return [...byKey.values()];
}

describe('CompletionDeltas', () => {
  const [a, b] = ['a', 'b'].map((id, index) => ({ index, id, name: 'x' }));
  const [unnumberedA, unnumberedB] = ['a', 'b'].map((id) => ({ id, name: 'x' }));

  it.each<[string, readonly (readonly object[])[], readonly string[]]>([
    [
      'their index',
      [[piece('1', a)], [piece('2', b)], [piece('3', { index: 0 }), piece('4', { index: 1 })]],
      ['13', '24'],
    ],
    [
      'their id where there is no index',
      [[piece('1', unnumberedA)], [piece('2')], [piece('3', unnumberedB)], [piece('4', { id: 'a' })]],
      ['124', '3'],
    ],
    [
      'their id where all have the same index',
      [[piece('1', a)], [piece('2', { ...b, index: 0 })], [piece('3', { index: 0 })]],
      ['1', '23'],
    ],
    [
      'a new name where there is nothing else',
      [[piece('1', { name: 'x' })], [piece('2', { id: '' })], [piece('3', { name: 'y' })]],
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

  it('reads text in blocks, arguments that come as an object, and no thoughts', () => {
    const a = { type: 'text', text: 'a' };
    const content = [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }, a];
    expect([...new CompletionDeltas().read(chunk({ content }))]).toEqual([{ kind: 'text', text: 'a' }]);
    expect(argumentsOf([piece({ a: 1 }, { name: 'x' })])).toEqual(['{"a":1}']);
    for (const thought of [{ reasoning_content: 'hm' }, { reasoning: 'hm' }])
      expect([...new CompletionDeltas().read(chunk(thought))]).toEqual([]);
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
