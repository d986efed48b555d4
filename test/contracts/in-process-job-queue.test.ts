import { describe, expect, it, vi } from 'vitest';
import { InProcessJobQueue } from '../../src/adapters/embedded/in-process-job-queue.js';
import type { JobLogger } from '../../src/adapters/jobs/run-once.js';
import { JOB_POLICIES } from '../../src/ports/jobs.js';
import { asId, type CompanyId, type DatasourceId } from '../../src/shared/ids.js';
import { NO_WORK } from './job-queue.fixture.js';
import { jobQueueContract } from './job-queue.contract.js';

const SILENT: JobLogger = { warn: () => undefined, error: () => undefined };

describe('InProcessJobQueue', () => {
  jobQueueContract((policies) => Promise.resolve(new InProcessJobQueue(SILENT, policies)));

  it('tells the log each failure, with the job and the reason', async () => {
    const lines: unknown[][] = [];
    const note = (message: string, context: object): void => void lines.push([message, context]);
    const policies = {
      ...JOB_POLICIES,
      'datasource.import': { concurrency: 1, attempts: 2, backoffMs: 1, timeoutMs: 100 },
    };
    const queue = new InProcessJobQueue({ warn: note, error: note }, policies);
    const failing = {
      run: () => Promise.reject(new Error('broken')),
      giveUp: () => Promise.reject(new Error('the store is away')),
    };
    queue.start({ ...NO_WORK, 'datasource.import': failing });
    await queue.enqueue('datasource.import', 'one', {
      companyId: asId<CompanyId>('acme'),
      datasourceId: asId<DatasourceId>('one'),
    });
    await queue.idle();
    const job = { job: 'datasource.import', key: 'one' };
    expect(lines).toEqual([
      ['a job failed and will be tried again', { ...job, attempt: 1, reason: 'broken' }],
      ['a job was given up', { ...job, attempt: 2, reason: 'broken' }],
      ['what a job leaves behind could not be recorded', { ...job, attempt: 2, reason: 'the store is away' }],
    ]);
  });

  it('goes on without a run that does not listen to its time-out', async () => {
    vi.useFakeTimers();
    try {
      const policies = {
        ...JOB_POLICIES,
        'datasource.import': { concurrency: 1, attempts: 1, backoffMs: 1, timeoutMs: 50 },
      };
      const queue = new InProcessJobQueue(SILENT, policies);
      const runs: string[] = [];
      const givenUp: string[] = [];
      const deaf = {
        run: (payload: { datasourceId: string }) => {
          runs.push(payload.datasourceId);
          return payload.datasourceId === 'deaf' ? new Promise<void>(() => undefined) : Promise.resolve();
        },
        giveUp: (_payload: unknown, error: Error) => Promise.resolve(void givenUp.push(error.message)),
      };
      queue.start({ ...NO_WORK, 'datasource.import': deaf });
      const companyId = asId<CompanyId>('acme');
      await queue.enqueue('datasource.import', 'deaf', { companyId, datasourceId: asId<DatasourceId>('deaf') });
      await queue.enqueue('datasource.import', 'next', { companyId, datasourceId: asId<DatasourceId>('next') });
      await vi.advanceTimersByTimeAsync(31_000);
      expect(runs).toEqual(['deaf', 'next']);
      expect(givenUp).toEqual(['it did not end when it was aborted']);
    } finally {
      vi.useRealTimers();
    }
  });
});
