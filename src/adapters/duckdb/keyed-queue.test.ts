import { describe, expect, it } from 'vitest';
import { KeyedQueue } from './keyed-queue.js';

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('works of the same key', () => {
  it('run one after the other, in the order in which they came, and go on after a failure', async () => {
    const queue = new KeyedQueue();
    const done: string[] = [];
    const { opened, open } = gate();
    const first = queue.run('a', async () => {
      await opened;
      done.push('first');
      throw new Error('broken');
    });
    const others = ['second', 'third'].map((name) => queue.run('a', () => Promise.resolve(done.push(name))));
    await queue.run('b', () => Promise.resolve(done.push('other key')));
    open();
    await expect(first).rejects.toThrow('broken');
    await Promise.all(others);
    expect(done).toEqual(['other key', 'first', 'second', 'third']);
  });
});
