import { isAppError } from '../shared/app-error.js';
import type { JobName, JobPayloads } from './jobs.js';

/** What a job's processor offers to the queue. It must come to the same end when a job is delivered twice. */
export interface JobHandler<N extends JobName> {
  run(payload: JobPayloads[N], signal: AbortSignal): Promise<void>;
  /** Called once, when nothing will retry. */
  giveUp(payload: JobPayloads[N], error: Error): Promise<void>;
}

export type JobHandlers = { readonly [N in JobName]: JobHandler<N> };

/** An error that trying again can't mend: the queue gives up at once. */
export class FatalJobError extends Error {}

/** Why work failed, for people: what was foreseen says it itself. */
export function reasonOf(error: unknown, unforeseen: string): string {
  return error instanceof FatalJobError || isAppError(error) ? error.message : unforeseen;
}

/**
 * Starts background work. The document store owns what is to be done: a job may be delivered twice, or be lost with
 * the queue and enqueued again by a reconciler, and the end is the same. Companies take turns, whatever they have queued.
 */
export abstract class JobQueue {
  /** Asks for a run. A job with the same name and key that still waits is the same job. */
  abstract enqueue<N extends JobName>(name: N, key: string, payload: JobPayloads[N]): Promise<void>;
  /** Begins to run jobs. Called once, when every handler is known. */
  abstract start(handlers: JobHandlers): void;
  /** Aborts the waiting or running job with this name and key, on whatever instance; its `giveUp` is not called. */
  abstract cancel(name: JobName, key: string): Promise<void>;
  /**
   * How many jobs of each name wait for a run, on whatever instance, those that pause before another attempt with them.
   *
   * @throws AppError `unavailable`
   */
  abstract waiting(): Promise<Readonly<Record<JobName, number>>>;
  /** Resolves when nothing waits or runs here. For tests and for stopping. */
  abstract idle(): Promise<void>;
  /** Takes no new work, lets runs end for `graceMs`, then aborts them; what did not end is found again at the next start. */
  abstract stop(graceMs: number): Promise<void>;
  /** @throws AppError `unavailable` */
  abstract check(): Promise<void>;
}

/** Where the queue is that instances share, if they share one. */
export const SHARED_JOB_QUEUE = Symbol('shared job queue');
