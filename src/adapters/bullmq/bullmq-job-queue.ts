import type { BullRegistrar } from '@nestjs/bullmq';
import { JobQueue, type JobHandlers } from '../../ports/job-queue.js';
import type { JobName, JobPayloads } from '../../ports/jobs.js';
import { warned } from '../../ports/log.js';
import { AppError } from '../../shared/app-error.js';
import { CANCELLED, type JobLogger } from '../jobs/run-once.js';
import { asked } from '../redis/redis-connection.js';
import type { JobConnections } from './job-connections.js';
import type { JobLane } from './job-lane.js';

const IDLE_POLL_MS = 15;

/**
 * Background jobs of all instances, in Redis. A Redis that is away or was emptied loses nothing: what is to be done stands in the
 * document store, and is enqueued again. Companies take turns.
 */
export class BullmqJobQueue extends JobQueue {
  private readonly byName: Readonly<Record<JobName, JobLane<JobName>>>;
  private stopping: Promise<void> | null = null;

  constructor(
    private readonly lanes: readonly JobLane<JobName>[],
    private readonly connections: JobConnections,
    private readonly registrar: BullRegistrar,
    private readonly log: JobLogger,
  ) {
    super();
    this.byName = Object.fromEntries(lanes.map((lane) => [lane.name, lane])) as Record<JobName, JobLane<JobName>>;
  }

  override async enqueue<N extends JobName>(name: N, key: string, payload: JobPayloads[N]): Promise<void> {
    if (this.stopping !== null) return;
    const lost = warned(this.log, 'a job could not be queued and will be enqueued again', { job: name, key });
    await this.byName[name].add({ key, payload }).catch(lost);
  }

  override start(handlers: JobHandlers): void {
    for (const lane of this.lanes) lane.handlers = handlers;
    this.registrar.register();
    this.connections.onCancelled((id) => {
      for (const { worker } of this.lanes) worker.cancelJob(id, CANCELLED);
    });
  }

  override async cancel(name: JobName, key: string): Promise<void> {
    const tell = async (): Promise<void> => {
      const running = await this.byName[name].remove(key);
      if (running !== null) await this.connections.tellCancelled(running);
    };
    // Whoever cancels has written that the work is not wanted any more: a run finds that out by itself.
    await tell().catch(warned(this.log, 'a job could not be cancelled and will end by itself', { job: name, key }));
  }

  override async waiting(): Promise<Readonly<Record<JobName, number>>> {
    const counts = this.lanes.map(async ({ name, queue }) => [name, await asked(() => queue.count())] as const);
    return Object.fromEntries(await Promise.all(counts)) as Record<JobName, number>;
  }

  override async idle(): Promise<void> {
    const left = ({ queue }: JobLane<JobName>): Promise<number> =>
      queue.getJobCountByTypes('active', 'waiting', 'delayed', 'prioritized');
    while ((await Promise.all(this.lanes.map(left))).some((count) => count > 0)) {
      await new Promise((wake) => setTimeout(wake, IDLE_POLL_MS));
    }
  }

  override stop(graceMs: number): Promise<void> {
    this.stopping ??= this.end(graceMs);
    return this.stopping;
  }

  override async check(): Promise<void> {
    if (this.stopping !== null) throw new AppError('unavailable', 'the job queue has been stopped');
    await asked(() => this.connections.quick.ping());
  }

  private async end(graceMs: number): Promise<void> {
    const working = this.lanes.filter(({ handlers }) => handlers !== null);
    await Promise.all(working.map(({ worker }) => worker.close(false, graceMs)));
    this.connections.close();
  }
}
