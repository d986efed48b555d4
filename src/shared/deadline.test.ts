import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';
import { Deadline } from './deadline.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Nothing refers to the deadline but what is returned. */
function limited(ms: number): AbortSignal {
  return AbortSignal.any([new AbortController().signal, new Deadline(ms).signal]);
}

it('a deadline comes, whatever is collected meanwhile', async () => {
  const signal = limited(50);
  const aborted = new Promise<unknown>((resolve) => {
    signal.addEventListener('abort', () => {
      resolve(signal.reason);
    });
  });
  for (let times = 0; times < 2; times++) {
    collect();
    await turn();
  }
  await expect(aborted).resolves.toMatchObject({ name: 'TimeoutError' });
});

it('a deadline that is disposed of does not come', () => {
  vi.useFakeTimers();
  const [kept, disposed] = [new Deadline(1000), new Deadline(1000)];
  disposed[Symbol.dispose]();
  vi.advanceTimersByTime(2000);
  vi.useRealTimers();
  expect([kept.signal.aborted, disposed.signal.aborted]).toEqual([true, false]);
});
