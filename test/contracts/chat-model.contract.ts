import { expect, it } from 'vitest';
import type { ChatModel, ModelDelta, ModelRequest } from '../../src/ports/chat-model.js';
import { DATA_TOOLS } from '../../src/answering/tools.js';

/** A model that is about to answer `request` with at least one piece of text or one call. */
export interface ReadyModel extends AsyncDisposable {
  readonly model: ChatModel;
  readonly request: ModelRequest;
}

/** What every chat model promises. */
export function keepsTheChatModelPromises(ready: () => Promise<ReadyModel>): void {
  it('writes or calls tools that were offered, with whole JSON, and then ends once', async () => {
    await using it = await ready();
    const deltas: ModelDelta[] = [];
    const calls = new Map<string, { name: string; json: string }>();
    for await (const delta of it.model.stream(it.request, new AbortController().signal)) {
      deltas.push(delta);
      if (delta.kind !== 'call') continue;
      const known = calls.get(delta.key) ?? { name: '', json: '' };
      calls.set(delta.key, { name: known.name || (delta.name ?? ''), json: known.json + delta.arguments });
    }

    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.map(({ kind }) => kind).indexOf('end')).toBe(deltas.length - 1);
    for (const { name, json } of calls.values()) {
      expect(DATA_TOOLS.map((tool) => tool.name)).toContain(name);
      expect(() => JSON.parse(json) as unknown).not.toThrow();
    }
  });

  it('throws the reason of a signal that has aborted already', async () => {
    await using it = await ready();
    const reason = new Error('enough');
    const next = it.model.stream(it.request, AbortSignal.abort(reason))[Symbol.asyncIterator]().next();

    await expect(next).rejects.toBe(reason);
  });

  it('throws the reason of a signal that aborts on the way', async () => {
    await using it = await ready();
    const reason = new Error('enough');
    const stop = new AbortController();
    const deltas = it.model.stream(it.request, stop.signal)[Symbol.asyncIterator]();
    await deltas.next();
    stop.abort(reason);
    const rest = (async () => {
      while ((await deltas.next()).done !== true);
    })();

    await expect(rest).rejects.toBe(reason);
  });
}
