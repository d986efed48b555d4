import { randomUUID } from 'node:crypto';
import { type Job, Queue, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { JobHandler } from '../../ports/job-queue.js';
import type { JobName, JobPayloads, JobPolicy } from '../../ports/jobs.js';
import { messageOf } from '../../shared/app-error.js';
import { within } from '../../shared/within.js';
import { DEAF_AFTER_MS, DEAF_WHEN_STOPPING_MS, type JobLogger, type RunFailure, runOnce } from '../jobs/run-once.js';
import { KEY_PREFIX } from '../redis/redis-connection.js';
import { CompanyTurns } from './company-turns.js';

/** A job as it lies in Redis. */
interface Ticket<N extends JobName> {
  readonly key: string;
  readonly payload: JobPayloads[N];
}

interface Run {
  readonly abort: AbortController;
  cancelled: boolean;
}

export interface LaneConnections {
  /** Fails soon while Redis is away. */
  readonly quick: Redis;
  /** Waits for it, as workers have to. */
  readonly patient: Redis;
}

export interface LaneOptions<N extends JobName> {
  readonly name: N;
  readonly policy: JobPolicy;
  readonly installation: string;
  /** How long an instance that died holds its jobs. */
  readonly lockMs: number;
  readonly log: JobLogger;
}

const STALLED = 'job stalled more than allowable limit';
const REMEMBERED = 1000;

/** The jobs of one name: their queue, and this instance's worker once it works. */
export class JobLane<N extends JobName> {
  private readonly queue: Queue<Ticket<N>>;
  private readonly turns: CompanyTurns;
  private readonly runs = new Map<string, Run>();
  /** Ids of jobs that were cancelled at the moment they were begun. */
  private readonly cancelled = new Set<string>();
  private worker: Worker<Ticket<N>> | null = null;
  private stopping = false;

  constructor(
    private readonly connections: LaneConnections,
    private readonly options: LaneOptions<N>,
  ) {
    // The queue's keys are parted by colons, so its name has none.
    const name = `${options.installation.replaceAll(':', '-')}${options.name.replaceAll('.', '-')}`;
    this.queue = new Queue(name, { connection: connections.quick, prefix: KEY_PREFIX, skipVersionCheck: true });
    this.queue.on('error', () => undefined);
    this.turns = new CompanyTurns(connections.quick, this.queue.toKey('turns'));
  }

  /** A job of this key that waits is the same job; one that runs is run once more when it has ended. */
  async add(key: string, payload: JobPayloads[N]): Promise<void> {
    const { name, policy } = this.options;
    const priority = await this.turns.take(payload.companyId, this.queue.toKey(`de:${key}`));
    const ticket = { key, payload } as Parameters<typeof this.queue.add>[1];
    await this.queue.add(name, ticket, {
      // Numbers would begin anew in a Redis that was emptied, and name jobs that still run here.
      jobId: randomUUID(),
      priority,
      attempts: policy.attempts,
      backoff: { type: 'exponential', delay: policy.backoffMs },
      removeOnComplete: true,
      removeOnFail: true,
      deduplication: { id: key, keepLastIfActive: true },
    });
  }

  work(handler: JobHandler<N>): void {
    const { concurrency, attempts } = this.options.policy;
    const run = (job: Job<Ticket<N>>, token?: string): Promise<void> => this.run(handler, job, token);
    this.worker = new Worker(this.queue.name, run, {
      connection: this.connections.patient,
      prefix: KEY_PREFIX,
      concurrency,
      lockDuration: this.options.lockMs,
      // Looked for more often than locks end, so that what a dead instance held does not lie twice as long as its lock.
      stalledInterval: Math.ceil(this.options.lockMs / 3),
      maxStalledCount: Math.max(1, attempts - 1),
      skipVersionCheck: true,
    });
    this.worker.on('error', () => undefined);
    this.worker.on('drained', () => {
      void this.turns.reset().catch(() => undefined);
    });
    this.worker.on('failed', (job, error) => {
      // Its process died as often as the policy allows. Every other failure was dealt with where it happened.
      if (job !== undefined && error.message === STALLED) void this.giveUp(handler, job, error);
    });
  }

  /** The id of the running job, when there is one that has to be aborted by whoever runs it; what waits is gone. */
  async remove(key: string): Promise<string | null> {
    const id = await this.queue.getDeduplicationJobId(key);
    await this.queue.removeDeduplicationKey(key);
    await this.connections.quick.del(this.queue.toKey(`dn:${key}`));
    if (id === null) return null;
    const job = await this.queue.getJob(id);
    try {
      await job?.remove();
      return null;
    } catch {
      return id;
    }
  }

  /** Aborts a job that runs here. */
  abort(id: string): void {
    const run = this.runs.get(id);
    if (run === undefined) {
      this.remember(id);
      return;
    }
    run.cancelled = true;
    run.abort.abort(new Error('it was cancelled'));
  }

  /** Whether nothing waits or runs anywhere. */
  async isIdle(): Promise<boolean> {
    const counts = await this.queue.getJobCounts('active', 'waiting', 'delayed', 'prioritized');
    return this.runs.size === 0 && Object.values(counts).every((count) => count === 0);
  }

  /** How many wait anywhere. */
  async waiting(): Promise<number> {
    const counts = await this.queue.getJobCounts('waiting', 'delayed', 'prioritized');
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  }

  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    const closed = this.worker?.close() ?? Promise.resolve();
    await within(closed, graceMs);
    for (const { abort } of this.runs.values()) abort.abort(new Error('the service stops'));
    await within(closed, DEAF_WHEN_STOPPING_MS);
    await within(this.worker?.close(true) ?? Promise.resolve(), DEAF_WHEN_STOPPING_MS);
    await this.queue.close();
  }

  private async run(handler: JobHandler<N>, job: Job<Ticket<N>>, token: string | undefined): Promise<void> {
    const run: Run = { abort: new AbortController(), cancelled: false };
    const id = job.id ?? '';
    if (this.cancelled.delete(id)) return;
    this.runs.set(id, run);
    try {
      await this.turns.begin(job.data.payload.companyId, job.priority);
      const limits = { abort: run.abort, timeoutMs: this.options.policy.timeoutMs, deafAfterMs: DEAF_AFTER_MS };
      const failure = await runOnce((signal) => handler.run(job.data.payload, signal), limits);
      if (failure !== null && !run.cancelled) await this.failed(handler, { job, token, failure, run });
    } finally {
      this.runs.delete(id);
    }
  }

  private async failed(
    handler: JobHandler<N>,
    { job, token, failure, run }: { job: Job<Ticket<N>>; token: string | undefined; failure: RunFailure; run: Run },
  ): Promise<never> {
    // What is aborted because this instance stops has not failed: another one takes it.
    if (this.stopping && run.abort.signal.aborted) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    const { error, final } = failure;
    const attempt = job.attemptsMade + 1;
    const context = { job: this.options.name, key: job.data.key, attempt, reason: error.message };
    if (final || attempt >= this.options.policy.attempts) {
      this.options.log.error('a job was given up', context);
      await this.giveUp(handler, job, error);
      throw new UnrecoverableError(error.message);
    }
    this.options.log.warn('a job failed and will be tried again', context);
    throw error;
  }

  private async giveUp(handler: JobHandler<N>, job: Job<Ticket<N>>, error: Error): Promise<void> {
    try {
      await handler.giveUp(job.data.payload, error);
    } catch (problem) {
      const context = { job: this.options.name, key: job.data.key, reason: messageOf(problem) };
      this.options.log.error('what a job leaves behind could not be recorded', context);
    }
  }

  private remember(id: string): void {
    this.cancelled.add(id);
    if (this.cancelled.size <= REMEMBERED) return;
    const [oldest] = this.cancelled;
    if (oldest !== undefined) this.cancelled.delete(oldest);
  }
}
