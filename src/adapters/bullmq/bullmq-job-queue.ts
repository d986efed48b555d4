import type { Redis } from 'ioredis';
import { JobQueue, type JobHandlers } from '../../ports/job-queue.js';
import { JOB_POLICIES, type JobName, type JobPayloads, type JobPolicy } from '../../ports/jobs.js';
import { AppError, messageOf } from '../../shared/app-error.js';
import type { JobLogger } from '../jobs/run-once.js';
import { asked, connectRedis, KEY_PREFIX } from '../redis/redis-connection.js';
import { JobLane } from './job-lane.js';

export interface BullmqOptions {
  readonly url: string;
  /** Tells apart what shares a Redis; part of every key. */
  readonly installation: string;
  readonly policies?: Readonly<Record<JobName, JobPolicy>>;
  /** How long an instance that died holds its jobs. */
  readonly lockMs?: number;
}

type Lanes = { readonly [N in JobName]: JobLane<N> };

const IDLE_POLL_MS = 15;

/**
 * Background jobs of all instances, in Redis. A Redis that is away or was emptied loses nothing: what is to be done stands in the
 * document store, and is rung again. Companies take turns.
 */
export class BullmqJobQueue extends JobQueue {
  private readonly lanes: Lanes;
  private readonly quick: Redis;
  private readonly patient: Redis;
  private readonly bell: Redis;
  private readonly channel: string;
  private stopping: Promise<void> | null = null;

  constructor(
    { url, installation, policies = JOB_POLICIES, lockMs = 30_000 }: BullmqOptions,
    private readonly log: JobLogger,
  ) {
    super();
    this.quick = connectRedis(url, 'jobs');
    this.patient = connectRedis(url, 'jobs-workers', { patient: true });
    this.bell = connectRedis(url, 'jobs-bell', { patient: true });
    this.channel = `${KEY_PREFIX}:${installation}cancel`;
    const connections = { quick: this.quick, patient: this.patient };
    const laneOf = <N extends JobName>(name: N): JobLane<N> =>
      new JobLane(connections, { name, policy: policies[name], installation, lockMs, log });
    this.lanes = {
      'datasource.import': laneOf('datasource.import'),
      'datasource.remove': laneOf('datasource.remove'),
      'datasource.profile': laneOf('datasource.profile'),
      'datasource.compact': laneOf('datasource.compact'),
      'context-file.process': laneOf('context-file.process'),
      'agent.run': laneOf('agent.run'),
      'webhook.deliver': laneOf('webhook.deliver'),
    };
    this.hearCancels();
  }

  override async enqueue<N extends JobName>(name: N, key: string, payload: JobPayloads[N]): Promise<void> {
    if (this.stopping !== null) return;
    try {
      await this.lanes[name].add(key, payload);
    } catch (error) {
      this.log.warn('a job could not be queued and will be rung again', { job: name, key, reason: messageOf(error) });
    }
  }

  override start(handlers: JobHandlers): void {
    const work = <N extends JobName>(name: N): void => {
      this.lanes[name].work(handlers[name]);
    };
    for (const name of Object.keys(this.lanes) as JobName[]) work(name);
  }

  override async cancel(name: JobName, key: string): Promise<void> {
    try {
      const running = await this.lanes[name].remove(key);
      if (running === null) return;
      this.lanes[name].abort(running);
      await this.quick.publish(this.channel, JSON.stringify([name, running]));
    } catch (error) {
      // Whoever cancels has written that the work is not wanted any more: a run finds that out by itself.
      this.log.warn('a job could not be cancelled and will end by itself', {
        job: name,
        key,
        reason: messageOf(error),
      });
    }
  }

  override async waiting(): Promise<Readonly<Record<JobName, number>>> {
    const lanes = Object.entries(this.lanes) as [JobName, JobLane<JobName>][];
    const counts = lanes.map(async ([name, lane]) => [name, await asked(() => lane.waiting())] as const);
    return Object.fromEntries(await Promise.all(counts)) as Record<JobName, number>;
  }

  override async idle(): Promise<void> {
    const lanes = Object.values(this.lanes);
    while (!(await Promise.all(lanes.map((lane) => lane.isIdle()))).every(Boolean)) {
      await new Promise((wake) => setTimeout(wake, IDLE_POLL_MS));
    }
  }

  override stop(graceMs: number): Promise<void> {
    this.stopping ??= this.end(graceMs);
    return this.stopping;
  }

  override async check(): Promise<void> {
    if (this.stopping !== null) throw new AppError('unavailable', 'the job queue has been stopped');
    await asked(() => this.quick.ping());
  }

  private async end(graceMs: number): Promise<void> {
    await Promise.all(Object.values(this.lanes).map((lane) => lane.stop(graceMs)));
    for (const connection of [this.quick, this.patient, this.bell]) connection.disconnect();
  }

  private hearCancels(): void {
    // Subscribed again by itself whenever the connection comes back.
    void this.bell.subscribe(this.channel).catch(() => undefined);
    this.bell.on('message', (_channel, text) => {
      const cancelled = readCancel(text);
      if (cancelled === null) this.log.warn('a cancellation could not be read', {});
      else this.lanes[cancelled.name].abort(cancelled.id);
    });
  }
}

/** Null when it is none of a job that there is: another version may have sent it, or anybody. */
function readCancel(text: string): { readonly name: JobName; readonly id: string } | null {
  try {
    const [name, id] = JSON.parse(text) as readonly unknown[];
    return isJobName(name) && typeof id === 'string' ? { name, id } : null;
  } catch {
    return null;
  }
}

function isJobName(name: unknown): name is JobName {
  return typeof name === 'string' && Object.hasOwn(JOB_POLICIES, name);
}
