import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelDelta } from '../ports/chat-model.js';
import { gather } from './gather.js';

const END: ModelDelta = { kind: 'end', reason: 'stop', verdict: null, tokens: null };

function text(written: string): ModelDelta {
  return { kind: 'text', text: written };
}

describe('gather', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function* fast(): AsyncGenerator<ModelDelta> {
    for (const piece of ['a', 'b', 'c', 'd']) yield await Promise.resolve(text(piece));
    yield END;
  }

  it('passes the first piece on at once and the others together', async () => {
    const heard: ModelDelta[] = [];
    for await (const delta of gather(fast(), new AbortController().signal)) heard.push(delta);
    expect(heard).toEqual([text('a'), text('bcd'), END]);
  });

  it('lets go of what it holds when its 40 ms are over, however long the model pauses', async () => {
    async function* pausing(): AsyncGenerator<ModelDelta> {
      yield await Promise.resolve(text('a'));
      yield text('b');
      await new Promise(() => undefined);
    }
    const deltas = gather(pausing(), new AbortController().signal);
    expect((await deltas.next()).value).toEqual(text('a'));
    const second = deltas.next();
    await vi.advanceTimersByTimeAsync(39);
    const early = await Promise.race([second, Promise.resolve('not yet')]);
    await vi.advanceTimersByTimeAsync(1);

    expect(early).toBe('not yet');
    expect((await second).value).toEqual(text('b'));
  });

  it('throws what the source throws, after what it gave', async () => {
    async function* failing(): AsyncGenerator<ModelDelta> {
      yield await Promise.resolve(text('a'));
      yield text('b');
      throw new Error('broken');
    }
    const heard: ModelDelta[] = [];
    const listening = (async () => {
      for await (const delta of gather(failing(), new AbortController().signal)) heard.push(delta);
    })();

    await expect(listening).rejects.toThrow('broken');
    expect(heard).toEqual([text('a')]);
  });
});
