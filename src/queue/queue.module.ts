import { Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { JobQueue, type JobHandlers } from '../ports/job-queue.js';
import { JOB_POLICIES } from '../ports/jobs.js';
import { JobProcessor } from './job-processor.js';

type AnyProcessor = JobProcessor<keyof JobHandlers>;

/** Gives the queue every job's processor, and refuses to start when a job has none or two. */
@Injectable()
export class JobStarter implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly queue: JobQueue,
  ) {}

  onApplicationBootstrap(): void {
    const processors = this.discovery
      .getProviders()
      .map(({ instance }): unknown => instance)
      .filter((instance): instance is AnyProcessor => instance instanceof JobProcessor);
    this.queue.start(handlersFrom(processors));
  }
}

/** @throws Error that names every job without exactly one processor. */
export function handlersFrom(processors: readonly AnyProcessor[]): JobHandlers {
  const problems = Object.keys(JOB_POLICIES).flatMap((job) => {
    const count = processors.filter((processor) => processor.job === job).length;
    return count === 1 ? [] : [`${job} has ${count} processors`];
  });
  if (problems.length > 0) throw new Error(`Every job needs exactly one processor: ${problems.join(', ')}`);
  return Object.fromEntries(processors.map((processor) => [processor.job, processor])) as unknown as JobHandlers;
}

@Module({ imports: [DiscoveryModule], providers: [JobStarter] })
export class QueueModule {}
