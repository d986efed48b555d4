import type { JobHandler } from '../ports/job-queue.js';
import type { JobName, JobPayloads } from '../ports/jobs.js';

/** Base of every job's processor: to a job what a controller is to a request. */
export abstract class JobProcessor<N extends JobName> implements JobHandler<N> {
  abstract readonly job: N;
  abstract run(payload: JobPayloads[N], signal: AbortSignal): Promise<void>;

  /** The queue has logged it. Whoever leaves nothing behind, since the work is asked for again, has nothing more to say. */
  giveUp(_payload: JobPayloads[N], _error: Error): Promise<void> {
    return Promise.resolve();
  }
}
