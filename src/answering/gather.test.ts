import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelDelta } from '../ports/chat-model.js';
import { gather } from './gather.js';

const END: ModelDelta = { kind: 'end', reason: 'stop', verdict: null, tokens: null };
const text = (written: string): ModelDelta => ({ kind: 'text', text: written });

async function* saying(pieces: string, end: () => unknown): AsyncGenerator<ModelDelta> {
  for (const piece of pieces) yield await Promise.resolve(text(piece));
  await end();
  yield END;
}

function gathered(pieces: string, end: () => unknown = () => undefined): AsyncIterator<ModelDelta> {
  return gather(saying(pieces, end), new AbortController().signal)[Symbol.asyncIterator]();
}

describe('gather', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  it('passes the first piece on at once and the others together', async () => {
    const deltas = gathered('abcd');
    const heard = [await deltas.next(), await deltas.next(), await deltas.next()].map(({ value }) => value as unknown);
    expect(heard).toEqual([text('a'), text('bcd'), END]);
    expect((await deltas.next()).done).toBe(true);
  });

  it('lets go of what it holds when its 40 ms are over, however long the model pauses', async () => {
    const deltas = gathered('ab', () => new Promise(() => undefined));
    expect((await deltas.next()).value).toEqual(text('a'));
    const second = deltas.next();
    await vi.advanceTimersByTimeAsync(39);
    const early = await Promise.race([second, Promise.resolve('not yet')]);
    await vi.advanceTimersByTimeAsync(1);

    expect(early).toBe('not yet');
    expect((await second).value).toEqual(text('b'));
  });

  it('throws what the source throws, after what it gave', async () => {
    const deltas = gathered('ab', () => Promise.reject(new Error('broken')));
    expect((await deltas.next()).value).toEqual(text('a'));
    await expect(deltas.next()).rejects.toThrow('broken');
  });
});
