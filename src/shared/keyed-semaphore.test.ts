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
  it('let one of a key run, the others in their order when it ends or fails, and other keys at once', async () => {
    const turns = new KeyedSemaphore();
    const [first, other] = [aWork(), aWork()];
    const done: string[] = [];
    const ended = [turns.run('a', first.work), turns.run('b', other.work)];
    const failing = turns.run('a', () => Promise.reject(new Error('broken')));
    const rest = ['c', 'd'].map((name) => turns.run('a', () => Promise.resolve(done.push(name))));
    await Promise.resolve();
    expect([first.begun(), other.begun(), done]).toEqual([true, true, []]);
    first.end();
    other.end();
    await expect(failing).rejects.toThrow('broken');
    expect(await Promise.all([...ended, ...rest])).toEqual(['done', 'done', 1, 2]);
    expect(done).toEqual(['c', 'd']);
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
