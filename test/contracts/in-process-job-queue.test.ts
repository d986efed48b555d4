import { describe, expect, it, vi } from 'vitest';
import { InProcessJobQueue } from '../../src/adapters/embedded/in-process-job-queue.js';
import type { JobLogger } from '../../src/adapters/jobs/run-once.js';
import { aQueue, IMPORT, NO_WORK, payloadOf } from './job-queue.fixture.js';
import { JOB_POLICIES } from '../../src/ports/jobs.js';
import { jobQueueContract } from './job-queue.contract.js';

const SILENT: JobLogger = { warn: () => undefined, error: () => undefined };

describe('InProcessJobQueue', () => {
  jobQueueContract((policies) => Promise.resolve(new InProcessJobQueue(SILENT, policies)));

  it('tells the log each failure, with the job and the reason', async () => {
    const lines: unknown[][] = [];
    const note = (message: string, context: object): void => void lines.push([message, context]);
    const policies = { ...JOB_POLICIES, [IMPORT]: { concurrency: 1, attempts: 2, backoffMs: 1, timeoutMs: 100 } };
    const queue = new InProcessJobQueue({ warn: note, error: note }, policies);
    const failing = {
      run: () => Promise.reject(new Error('broken')),
      giveUp: () => Promise.reject(new Error('the store is away')),
    };
    queue.start({ ...NO_WORK, [IMPORT]: failing });
    await queue.enqueue(IMPORT, 'one', payloadOf('acme', 'one'));
    await queue.idle();
    const job = { job: IMPORT, key: 'one' };
    expect(lines).toEqual([
      ['a job failed and will be tried again', { ...job, attempt: 1, reason: 'broken' }],
      ['a job was given up', { ...job, attempt: 2, reason: 'broken' }],
      ['what a job leaves behind could not be recorded', { ...job, attempt: 2, reason: 'the store is away' }],
    ]);
  });

  it('goes on without a run that does not listen to its time-out', async () => {
    vi.useFakeTimers();
    try {
      const { ask, runs, givenUp, start } = await aQueue(
        (policies) => Promise.resolve(new InProcessJobQueue(SILENT, policies)),
        ({ datasourceId }) => (datasourceId === 'deaf' ? new Promise<void>(() => undefined) : undefined),
        { attempts: 1, timeoutMs: 50 },
      );
      start();
      await ask('deaf');
      await ask('next');
      await vi.advanceTimersByTimeAsync(31_000);
      expect(runs).toEqual(['deaf', 'next']);
      expect(givenUp).toEqual(['deaf: it did not end when it was aborted']);
    } finally {
      vi.useRealTimers();
    }
  });
});
