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

  override run(): Promise<void> {
    return Promise.resolve();
  }

  override giveUp(): Promise<void> {
    return Promise.resolve();
  }
}

const JOBS = Object.keys(JOB_POLICIES) as JobName[];

describe('the jobs', () => {
  it('each have their processor', () => {
    const processors = JOBS.map((job) => new AProcessor(job));
    expect(Object.keys(handlersFrom(processors)).sort()).toEqual([...JOBS].sort());
  });

  it('stop the start when one has none', () => {
    expect(() => handlersFrom(JOBS.slice(1).map((job) => new AProcessor(job)))).toThrow(
      `${String(JOBS[0])} has 0 processors`,
    );
  });

  it('stop the start when one has two', () => {
    const twice = [...JOBS, ...JOBS.slice(0, 1)].map((job) => new AProcessor(job));
    expect(() => handlersFrom(twice)).toThrow(`${String(JOBS[0])} has 2 processors`);
  });

  it('are begun where they are worked on, and checked everywhere', () => {
    const all = JOBS.map((job) => new AProcessor(job));
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
