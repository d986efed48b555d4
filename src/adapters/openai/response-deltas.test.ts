import { describe, expect, it } from 'vitest';
import type { ModelDelta } from '../../ports/chat-model.js';
import { ResponseDeltas } from './response-deltas.js';

const CALL = { type: 'function_call', call_id: 'c1', name: 'run_query' };
const PLACE = { output_index: 1, item_id: 'fc_1' };

function read(...events: readonly object[]) {
  const round = new ResponseDeltas();
  return { deltas: events.flatMap((event) => [...round.read(event)]), round };
}

function argumentsOf(deltas: readonly ModelDelta[]): string {
  return deltas.map((delta) => (delta.kind === 'call' ? delta.arguments : '')).join('');
}

describe('ResponseDeltas', () => {
  it('reads text, and a refusal as text', () => {
    const events = ['output_text', 'refusal'].map((kind) => ({ type: `response.${kind}.delta`, delta: kind }));
    expect(read(...events).deltas).toEqual(['output_text', 'refusal'].map((text) => ({ kind: 'text', text })));
  });

  it('reads the arguments of a call once, streamed or in one piece', () => {
    const begun = { type: 'response.output_item.added', ...PLACE, item: { ...CALL, arguments: '' } };
    const done = { type: 'response.output_item.done', ...PLACE, item: { ...CALL, arguments: '{"a":1}' } };
    const piece = { type: 'response.function_call_arguments.delta', ...PLACE };
    const streamed = ['{"a"', ':1}'].map((delta) => ({ ...piece, delta }));
    for (const events of [[begun, ...streamed, done], [begun, done], [done]]) {
      const { deltas } = read(...events);
      expect(argumentsOf(deltas)).toBe('{"a":1}');
      expect(deltas[0]).toEqual({ kind: 'call', key: '1', id: 'c1', name: 'run_query', arguments: '' });
    }
  });

  it('keeps what it consists of, thoughts among it', () => {
    const item = { type: 'reasoning', id: 'rs_1', encrypted_content: 'x' };
    const { round } = read({ type: 'response.output_item.done', output_index: 0, item });
    expect(round.kept.items).toEqual([item]);
    expect(round.end).toBeNull();
  });

  it.each([
    ['completed', { usage: { total_tokens: 7 } }, 'stop', 7],
    ['incomplete', { incomplete_details: { reason: 'max_output_tokens' } }, 'length', null],
    ['incomplete', { incomplete_details: { reason: 'content_filter' } }, 'other', null],
  ])('that is %s with %j ends by %s', (type, response, reason, tokens) => {
    const { end } = read({ type: `response.${type}`, response }).round;
    expect(end).toEqual({ kind: 'end', reason, verdict: null, tokens });
  });

  it('ends by its calls', () => {
    const done = { type: 'response.output_item.done', ...PLACE, item: { ...CALL, arguments: '{}' } };
    expect(read(done, { type: 'response.completed', response: {} }).round.end?.reason).toBe('tool_calls');
  });

  it.each([
    [{ type: 'response.failed', response: { error: { code: 'server_error', message: 'sk-canary' } } }, 'unavailable'],
    [{ type: 'response.failed', response: { error: { code: 'context_length_exceeded' } } }, 'invalid_input'],
    [{ type: 'error', code: 'context_length_exceeded' }, 'invalid_input'],
    [{ no: 'event' }, 'unavailable'],
  ])('fails with %j as %s', (event, kind) => {
    expect(() => read(event)).toThrow(expect.objectContaining({ kind }));
    expect(() => read(event)).not.toThrow('canary');
  });
});
