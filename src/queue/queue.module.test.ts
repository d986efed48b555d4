import type { DiscoveryService } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import type { JobQueue } from '../ports/job-queue.js';
import { JOB_POLICIES, type JobName } from '../ports/jobs.js';
import { JobProcessor } from './job-processor.js';
import { handlersFrom, QueueModule } from './queue.module.js';

class AProcessor extends JobProcessor<JobName> {
  constructor(override readonly job: JobName) {
    super();
  }

  override run = (): Promise<void> => Promise.resolve();
  override giveUp = (): Promise<void> => Promise.resolve();
}

const JOBS = Object.keys(JOB_POLICIES) as JobName[];

describe('the jobs', () => {
  const all = JOBS.map((job) => new AProcessor(job));

  it('each have their processor: none or two stop the start', () => {
    expect(Object.keys(handlersFrom(all)).sort()).toEqual([...JOBS].sort());
    const [first] = JOBS;
    expect(() => handlersFrom(all.slice(1))).toThrow(`${String(first)} has 0 processors`);
    expect(() => handlersFrom([...all, ...all.slice(0, 1)])).toThrow(`${String(first)} has 2 processors`);
  });

  it('are begun where they are worked on, and checked everywhere', () => {
    const startedWith = (processors: readonly AProcessor[], worker: boolean): boolean => {
      let started = false;
      const discovery = { getProviders: () => processors.map((instance) => ({ instance })) };
      const queue = { start: () => void (started = true) };
      new QueueModule(discovery as unknown as DiscoveryService, queue as unknown as JobQueue, {
        worker,
      }).onApplicationBootstrap();
      return started;
    };
    expect(startedWith(all, true)).toBe(true);
    expect(startedWith(all, false)).toBe(false);
    expect(() => startedWith(all.slice(1), false)).toThrow('has 0 processors');
  });
});
