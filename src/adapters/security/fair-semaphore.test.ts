import { describe, expect, it } from 'vitest';
import { FairSemaphore } from './fair-semaphore.js';

describe('FairSemaphore', () => {
  it('runs so many at once and no more, in the order they came', async () => {
    const semaphore = new FairSemaphore(2, 100);
    const begun: number[] = [];
    let [now, most] = [0, 0];
    const work = async (number: number): Promise<number> => {
      begun.push(number);
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return number;
    };
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    expect(await Promise.all(numbers.map((number) => semaphore.run(() => work(number))))).toEqual(numbers);
    expect(begun).toEqual(numbers);
    expect(most).toBe(2);
  });

  it('turns away who comes when the line is full, and takes others when there is room', async () => {
    const semaphore = new FairSemaphore(1, 2);
    let end: () => void = () => undefined;
    const long = semaphore.run(() => new Promise<void>((resolve) => (end = resolve)));
    const waiting = [semaphore.run(() => Promise.resolve()), semaphore.run(() => Promise.resolve())];
    await expect(semaphore.run(() => Promise.resolve())).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 1 });
    end();
    await Promise.all([long, ...waiting]);
    await expect(semaphore.run(() => Promise.resolve('in'))).resolves.toBe('in');
  });

  it('gives a place back when the work fails', async () => {
    const semaphore = new FairSemaphore(1, 1);
    await expect(semaphore.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(semaphore.run(() => Promise.resolve('in'))).resolves.toBe('in');
  });
});
