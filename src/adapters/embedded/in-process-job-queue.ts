import { EventEmitter, once } from 'node:events';
import { type JobHandlers, JobQueue } from '../../ports/job-queue.js';
import { JOB_POLICIES, type JobName, type JobPayloads, type JobPolicy } from '../../ports/jobs.js';
import { AppError } from '../../shared/app-error.js';
import { within } from '../../shared/within.js';
import {
  CANCELLED,
  DEAF_WHEN_STOPPING_MS,
  isTriedAgain,
  type JobLogger,
  type RunFailure,
  runOnce,
  STOPS,
} from '../jobs/run-once.js';

/** A job in the queue: what it is, and how to hand it to its handler. */
interface QueuedJob {
  readonly name: JobName;
  readonly key: string;
  readonly companyId: string;
  /** 1 for the first run. */
  readonly attempt: number;
  readonly run: (handlers: JobHandlers, signal: AbortSignal) => Promise<void>;
  readonly giveUp: (handlers: JobHandlers, error: Error) => Promise<void>;
}

/** Jobs that wait. The company whose turn it was goes to the end, so that one with a thousand jobs delays another's one by one run. */
class JobLine {
  /** Of a name and a company each; whose turn is next comes first. */
  readonly #lines = new Map<string, readonly QueuedJob[]>();

  get jobs(): readonly QueuedJob[] {
    return [...this.#lines.values()].flat();
  }

  add(job: QueuedJob): void {
    const line = `${job.name} ${job.companyId}`;
    this.#lines.set(line, [...(this.#lines.get(line) ?? []), job]);
  }

  /** Takes the next job of this name out of the line. */
  next(name: JobName): QueuedJob | undefined {
    for (const [line, [job, ...rest]] of this.#lines) {
      if (job?.name !== name) continue;
      this.#lines.delete(line);
      if (rest.length > 0) this.#lines.set(line, rest);
      return job;
    }
    return undefined;
  }

  remove(isMeant: (job: QueuedJob) => boolean): void {
    for (const [line, jobs] of this.#lines) {
      const others = jobs.filter((job) => !isMeant(job));
      if (others.length > 0) this.#lines.set(line, others);
      else this.#lines.delete(line);
    }
  }
}

interface Run {
  readonly job: QueuedJob;
  readonly abort: AbortController;
  /** Asked for again meanwhile: what it works on may have changed since it looked. */
  again: QueuedJob | null;
}

/**
 * Background jobs within one process. Nothing outlives the process: what did not end is enqueued again from the document store at the
 * next start. Companies take turns; within a company the first asked for is the first run.
 */
export class InProcessJobQueue extends JobQueue {
  readonly #line = new JobLine();
  readonly #runs = new Set<Run>();
  readonly #pauses = new Map<QueuedJob, NodeJS.Timeout>();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #handlers: JobHandlers | null = null;
  #stopping: Promise<void> | null = null;

  constructor(
    private readonly log: JobLogger,
    private readonly policies: Readonly<Record<JobName, JobPolicy>> = JOB_POLICIES,
  ) {
    super();
  }

  override enqueue<N extends JobName>(name: N, key: string, payload: JobPayloads[N]): Promise<void> {
    if (this.#stopping === null) {
      this.#accept({
        name,
        key,
        companyId: payload.companyId,
        attempt: 1,
        run: (handlers, signal) => handlers[name].run(payload, signal),
        giveUp: (handlers, error) => handlers[name].giveUp(payload, error),
      });
    }
    return Promise.resolve();
  }

  override start(handlers: JobHandlers): void {
    this.#handlers = handlers;
    this.#begin();
  }

  override cancel(name: JobName, key: string): Promise<void> {
    const isMeant = (job: QueuedJob): boolean => job.name === name && job.key === key;
    this.#line.remove(isMeant);
    this.#dropPauses(isMeant);
    for (const run of this.#runs) {
      if (!isMeant(run.job)) continue;
      run.again = null;
      run.abort.abort(CANCELLED);
    }
    this.#tell();
    return Promise.resolve();
  }

  override waiting(): Promise<Readonly<Record<JobName, number>>> {
    const names = Object.keys(this.policies) as JobName[];
    const jobs = this.#waiting();
    const counts = names.map((name) => [name, jobs.filter((job) => job.name === name).length] as const);
    return Promise.resolve(Object.fromEntries(counts) as Record<JobName, number>);
  }

  override idle(): Promise<void> {
    return this.#until(() => this.#waiting().length === 0 && this.#runs.size === 0);
  }

  override stop(graceMs: number): Promise<void> {
    this.#stopping ??= this.#stop(graceMs);
    return this.#stopping;
  }

  override check(): Promise<void> {
    if (this.#stopping === null) return Promise.resolve();
    return Promise.reject(new AppError('unavailable', 'the job queue has been stopped'));
  }

  /** For their turn, or for another attempt. */
  #waiting(): readonly QueuedJob[] {
    return [...this.#line.jobs, ...this.#pauses.keys()];
  }

  #accept(job: QueuedJob): void {
    const isSame = (other: QueuedJob): boolean => other.name === job.name && other.key === job.key;
    if (this.#waiting().some(isSame)) return;
    const run = [...this.#runs].find((each) => isSame(each.job));
    if (run === undefined) this.#line.add(job);
    else run.again ??= job;
    this.#begin();
  }

  #begin(): void {
    if (this.#handlers === null || this.#stopping !== null) return;
    for (const [name, { concurrency }] of Object.entries(this.policies) as [JobName, JobPolicy][]) {
      while ([...this.#runs].filter(({ job }) => job.name === name).length < concurrency) {
        const job = this.#line.next(name);
        if (job === undefined) break;
        // Never rejects: every failure is told to the log.
        void this.#run(job, this.#handlers);
      }
    }
  }

  async #run(job: QueuedJob, handlers: JobHandlers): Promise<void> {
    const run: Run = { job, abort: new AbortController(), again: null };
    this.#runs.add(run);
    const { timeoutMs } = this.policies[job.name];
    const failure = await runOnce((aborted) => job.run(handlers, aborted), timeoutMs, run.abort.signal);
    if (failure !== null) await this.#failed(run, handlers, failure);
    this.#runs.delete(run);
    if (run.again !== null && this.#stopping === null) this.#accept(run.again);
    this.#begin();
    this.#tell();
  }

  async #failed({ job, abort }: Run, handlers: JobHandlers, failure: RunFailure): Promise<void> {
    // What is cancelled, or aborted because the service stops, has not failed: the latter is found again at the next start.
    if (abort.signal.aborted) return;
    const { name, key, attempt } = job;
    const giveUp = (error: Error): Promise<void> => job.giveUp(handlers, error);
    const { attempts } = this.policies[name];
    const again = await isTriedAgain(failure, { job: name, key, attempt, attempts, giveUp, log: this.log });
    if (again && this.#stopping === null) this.#pause(job);
  }

  #pause(job: QueuedJob): void {
    const next = { ...job, attempt: job.attempt + 1 };
    const pauseMs = this.policies[job.name].backoffMs * 2 ** (job.attempt - 1);
    const timer = setTimeout(() => {
      this.#pauses.delete(next);
      this.#line.add(next);
      this.#begin();
    }, pauseMs);
    this.#pauses.set(next, timer);
  }

  #dropPauses(isMeant: (job: QueuedJob) => boolean): void {
    for (const [job, timer] of this.#pauses) {
      if (!isMeant(job)) continue;
      clearTimeout(timer);
      this.#pauses.delete(job);
    }
  }

  async #stop(graceMs: number): Promise<void> {
    this.#line.remove(() => true);
    this.#dropPauses(() => true);
    const ended = this.#until(() => this.#runs.size === 0);
    await within(ended, graceMs);
    for (const { abort } of this.#runs) abort.abort(STOPS);
    await within(ended, DEAF_WHEN_STOPPING_MS);
    this.#tell();
  }

  /** Resolves when the condition holds; it is looked at whenever something ended. */
  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) await once(this.#changes, 'end');
  }

  #tell(): void {
    this.#changes.emit('end');
  }
}
