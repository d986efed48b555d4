import { describe, expect, it } from 'vitest';
import { KeyedSemaphore } from './keyed-semaphore.js';

function aWork(): { readonly work: () => Promise<string>; readonly end: () => void; readonly begun: () => boolean } {
  let [begun, settle]: [boolean, (value: string) => void] = [false, () => undefined];
  const ended = new Promise<string>((resolve) => (settle = resolve));
  const end = (): void => {
    settle('done');
  };
  return { work: () => ((begun = true), ended), end, begun: () => begun };
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

  it('turn away who finds the line full, with the error that is wanted', async () => {
    for (const [turns, kind, places] of [
      [new KeyedSemaphore(1, 1), 'rate_limited', 2],
      [new KeyedSemaphore(1, 0, 'unavailable'), 'unavailable', 1],
    ] as const) {
      const work = aWork();
      const ended = Array.from({ length: places }, () => turns.run('a', work.work));
      await expect(turns.run('a', work.work)).rejects.toMatchObject({ kind, retryAfter: 1 });
      work.end();
      await Promise.all(ended);
    }
  });
});
