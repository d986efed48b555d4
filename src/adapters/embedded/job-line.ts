import type { JobHandlers } from '../../ports/job-queue.js';
import type { JobName } from '../../ports/jobs.js';

/** A job in the queue: what it is, and how to hand it to its handler. */
export interface QueuedJob {
  readonly name: JobName;
  readonly key: string;
  readonly companyId: string;
  /** 1 for the first run. */
  readonly attempt: number;
  readonly run: (handlers: JobHandlers, signal: AbortSignal) => Promise<void>;
  readonly giveUp: (handlers: JobHandlers, error: Error) => Promise<void>;
}

type Companies = Map<string, QueuedJob[]>;

/** Jobs that wait. The company whose turn it was goes to the end, so that one with a thousand jobs delays another's one by one run. */
export class JobLine {
  readonly #byName = new Map<JobName, Companies>();

  get empty(): boolean {
    return this.#byName.size === 0;
  }

  add(job: QueuedJob): void {
    const companies: Companies = this.#byName.get(job.name) ?? new Map<string, QueuedJob[]>();
    this.#byName.set(job.name, companies);
    companies.set(job.companyId, [...(companies.get(job.companyId) ?? []), job]);
  }

  has(isMeant: (job: QueuedJob) => boolean): boolean {
    return [...this.#byName.values()].some((companies) => [...companies.values()].some((jobs) => jobs.some(isMeant)));
  }

  count(name: JobName): number {
    return [...(this.#byName.get(name)?.values() ?? [])].reduce((sum, jobs) => sum + jobs.length, 0);
  }

  /** Takes the next job of this name out of the line. */
  next(name: JobName): QueuedJob | undefined {
    const companies = this.#byName.get(name);
    const [first] = companies ?? [];
    if (companies === undefined || first === undefined) return undefined;
    const [companyId, [job, ...rest]] = first;
    companies.delete(companyId);
    if (rest.length > 0) companies.set(companyId, rest);
    if (companies.size === 0) this.#byName.delete(name);
    return job;
  }

  remove(isMeant: (job: QueuedJob) => boolean): void {
    for (const [name, companies] of this.#byName) {
      for (const [companyId, jobs] of companies) {
        const others = jobs.filter((job) => !isMeant(job));
        if (others.length > 0) companies.set(companyId, others);
        else companies.delete(companyId);
      }
      if (companies.size === 0) this.#byName.delete(name);
    }
  }
}
