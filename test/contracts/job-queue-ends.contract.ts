import { describe, expect, it } from 'vitest';
import type { JobPolicy } from '../../src/ports/jobs.js';
import { aborted, Gate, IMPORT, type QueueUnderTest, type Run } from './job-queue.fixture.js';

/** What every job queue promises of jobs that are not wanted any more, and of its own end. */
export function jobQueueEndsContract(aQueue: (run: Run, policy?: Partial<JobPolicy>) => Promise<QueueUnderTest>): void {
  describe('cancel', () => {
    it('takes a waiting job away', async () => {
      const { queue, ask, runs, start } = await aQueue(() => undefined);
      await Promise.all([ask('one'), ask('two')]);
      await queue.cancel(IMPORT, 'one');
      start();
      await queue.idle();
      expect(runs).toEqual(['two']);
    });

    it('aborts a running job, which is neither tried again nor given up', async () => {
      const begun = new Gate();
      const { queue, ask, runs, givenUp, start } = await aQueue(async (_payload, signal) => {
        begun.open();
        await aborted(signal);
        throw new Error('aborted');
      });
      start();
      await ask('one');
      await begun.passed();
      await ask('one');
      await queue.cancel(IMPORT, 'one');
      await queue.idle();
      expect(runs).toEqual(['one']);
      expect(givenUp).toEqual([]);
    });

    it('ends the wait for a further attempt', async () => {
      const failed = new Gate();
      const { queue, ask, runs, givenUp, start } = await aQueue(
        () => {
          failed.open();
          throw new Error('broken');
        },
        { backoffMs: 600_000 },
      );
      start();
      await ask('one');
      await failed.passed();
      await new Promise((resolve) => setImmediate(resolve));
      await queue.cancel(IMPORT, 'one');
      await queue.idle();
      expect(runs).toHaveLength(1);
      expect(givenUp).toEqual([]);
    });

    it('does nothing to what is not there, nor to a job of the same key and another name', async () => {
      const { queue, ask, runs, start } = await aQueue(() => undefined);
      await ask('one');
      await queue.cancel('datasource.remove', 'one');
      await queue.cancel(IMPORT, 'nobody');
      start();
      await queue.idle();
      expect(runs).toEqual(['one']);
    });
  });

  describe('stop', () => {
    it('lets a run end, and begins no other', async () => {
      const [begun, go] = [new Gate(), new Gate()];
      const ended: string[] = [];
      const { queue, ask, runs, start } = await aQueue(async (payload) => {
        begun.open();
        await go.passed();
        ended.push(payload.datasourceId);
      });
      start();
      await Promise.all([ask('one'), ask('two')]);
      await begun.passed();
      const stopped = queue.stop(30_000);
      await ask('three');
      go.open();
      await stopped;
      expect(ended).toEqual(runs);
      expect(runs).toHaveLength(1);
    });

    it('aborts what does not end in time, without giving it up', async () => {
      const begun = new Gate();
      const { queue, ask, runs, givenUp, start } = await aQueue(async (_payload, signal) => {
        begun.open();
        await aborted(signal);
        throw new Error('aborted');
      });
      start();
      await ask('one');
      await begun.passed();
      await queue.stop(10);
      expect(runs).toHaveLength(1);
      expect(givenUp).toEqual([]);
    });

    it('comes to an end even when a run does not listen', async () => {
      const begun = new Gate();
      const { queue, ask, start } = await aQueue(() => {
        begun.open();
        return new Promise(() => undefined);
      });
      start();
      await ask('one');
      await begun.passed();
      await expect(queue.stop(10)).resolves.toBeUndefined();
      await expect(queue.stop(10)).resolves.toBeUndefined();
    });

    it('is seen by whoever asks whether the queue is there', async () => {
      const { queue } = await aQueue(() => undefined);
      await expect(queue.check()).resolves.toBeUndefined();
      await queue.stop(0);
      await expect(queue.check()).rejects.toMatchObject({ kind: 'unavailable' });
    });
  });
}
