import { JobQueue, type JobHandler, type JobHandlers } from '../../ports/job-queue.js';
import type { JobName, JobPayloads } from '../../ports/jobs.js';
import { observed, type Observers } from './observers.js';

/** What a payload carries to its run beside its own: the trace that it was asked for in. */
interface Traced {
  readonly traceparent?: string;
}

/** A job queue whose jobs are counted, and traced from the request that asked for them. */
export class ObservedJobQueue extends JobQueue {
  constructor(
    private readonly queue: JobQueue,
    private readonly observers: Observers,
  ) {
    super();
    observers.metrics.watch('jobs_waiting', async () => {
      const waiting = await queue.waiting();
      return Object.entries(waiting).map(([job, value]) => ({ labels: { job }, value }));
    });
  }

  override enqueue<N extends JobName>(name: N, key: string, payload: JobPayloads[N]): Promise<void> {
    this.observers.metrics.count('jobs_enqueued_total', { job: name });
    const traceparent = this.observers.tracing.current();
    return this.queue.enqueue(name, key, traceparent === null ? payload : { ...payload, traceparent });
  }

  override start(handlers: JobHandlers): void {
    const entries = Object.entries(handlers) as [JobName, JobHandler<JobName>][];
    const watched = entries.map(([name, handler]) => [name, new ObservedHandler(name, handler, this.observers)]);
    this.queue.start(Object.fromEntries(watched) as JobHandlers);
  }

  override waiting(): Promise<Readonly<Record<JobName, number>>> {
    return this.queue.waiting();
  }

  override cancel(name: JobName, key: string): Promise<void> {
    return this.queue.cancel(name, key);
  }

  override idle(): Promise<void> {
    return this.queue.idle();
  }

  override stop(graceMs: number): Promise<void> {
    return this.queue.stop(graceMs);
  }

  override check(): Promise<void> {
    return this.queue.check();
  }
}

class ObservedHandler<N extends JobName> implements JobHandler<N> {
  constructor(
    private readonly name: N,
    private readonly handler: JobHandler<N>,
    private readonly observers: Observers,
  ) {}

  run(payload: JobPayloads[N] & Traced, signal: AbortSignal): Promise<void> {
    const start = { name: `job ${this.name}`, kind: 'consumer', causedBy: payload.traceparent ?? null } as const;
    return observed(this.observers, start, () => this.handler.run(payload, signal), {
      ended: ({ seconds, outcome }) => {
        this.observers.metrics.observe('job_duration_seconds', { job: this.name, outcome }, seconds);
      },
    });
  }

  giveUp(payload: JobPayloads[N], error: Error): Promise<void> {
    this.observers.metrics.count('jobs_given_up_total', { job: this.name });
    return this.handler.giveUp(payload, error);
  }
}
