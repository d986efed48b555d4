import { describe, expect, it } from 'vitest';
import { KeyedSemaphore } from './keyed-semaphore.js';

function aWork(): { readonly work: () => Promise<string>; readonly end: () => void; readonly begun: () => boolean } {
  let begun = false;
  const { promise, resolve } = withResolvers();
  return {
    work: () => ((begun = true), promise),
    end: () => {
      resolve('done');
    },
    begun: () => begun,
  };
}

function withResolvers(): { readonly promise: Promise<string>; readonly resolve: (value: string) => void } {
  let resolve: (value: string) => void = () => undefined;
  const promise = new Promise<string>((settle) => (resolve = settle));
  return { promise, resolve };
}

describe('turns by key', () => {
  it('let so many of a key run, the next when one ends, and others at once', async () => {
    const turns = new KeyedSemaphore(1, 10);
    const [first, second, other] = [aWork(), aWork(), aWork()];
    const ended = [turns.run('a', first.work), turns.run('a', second.work), turns.run('b', other.work)];
    await Promise.resolve();
    expect([first.begun(), second.begun(), other.begun()]).toEqual([true, false, true]);
    first.end();
    await ended[0];
    other.end();
    await ended[2];
    expect(second.begun()).toBe(true);
    second.end();
    expect(await Promise.all(ended)).toEqual(['done', 'done', 'done']);
  });

  it('let any number wait when nothing else is said, and run them in the order in which they came', async () => {
    const turns = new KeyedSemaphore();
    const [first, done]: [ReturnType<typeof aWork>, string[]] = [aWork(), []];
    const begun = turns.run('a', first.work);
    const others = ['b', 'c', 'd'].map((name) => turns.run('a', () => Promise.resolve(done.push(name))));
    first.end();
    await Promise.all([begun, ...others]);
    expect(done).toEqual(['b', 'c', 'd']);
  });

  it('go on after a work that failed', async () => {
    const turns = new KeyedSemaphore(1, 10);
    const failing = turns.run('a', () => Promise.reject(new Error('broken')));
    const next = turns.run('a', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });

  it('turn away who finds the line full', async () => {
    const turns = new KeyedSemaphore(1, 1);
    const [first, second] = [aWork(), aWork()];
    const ended = [turns.run('a', first.work), turns.run('a', second.work)];
    await expect(turns.run('a', second.work)).rejects.toMatchObject({ kind: 'rate_limited', retryAfter: 1 });
    first.end();
    second.end();
    await Promise.all(ended);
  });

  it('turn away with the error that is wanted', async () => {
    const turns = new KeyedSemaphore(1, 0, 'unavailable');
    const first = aWork();
    const running = turns.run('', first.work);
    await expect(turns.run('', first.work)).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 1 });
    first.end();
    await running;
  });
});
