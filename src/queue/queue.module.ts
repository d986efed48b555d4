import { Inject, Module, type DynamicModule, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { JobQueue, type JobHandlers } from '../ports/job-queue.js';
import { JOB_POLICIES } from '../ports/jobs.js';
import { JobProcessor } from './job-processor.js';
import { LeaseKeeper } from './lease-keeper.js';

type AnyProcessor = JobProcessor<keyof JobHandlers>;

const OPTIONS = Symbol('queue options');

/** Gives the queue every job's processor, and refuses to start when a job has none or two, whoever runs them; keeps the leases of work. */
@Module({})
export class QueueModule implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly queue: JobQueue,
    @Inject(OPTIONS) private readonly options: { readonly worker: boolean },
  ) {}

  /** `worker`: this instance runs jobs; else it only asks for them. */
  static forRoot(options: { readonly worker: boolean }): DynamicModule {
    return {
      module: QueueModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [{ provide: OPTIONS, useValue: options }, LeaseKeeper],
      exports: [LeaseKeeper],
    };
  }

  onApplicationBootstrap(): void {
    const processors = this.discovery
      .getProviders()
      .map(({ instance }): unknown => instance)
      .filter((instance): instance is AnyProcessor => instance instanceof JobProcessor);
    const handlers = handlersFrom(processors);
    if (this.options.worker) this.queue.start(handlers);
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
