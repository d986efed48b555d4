import { randomUUID } from 'node:crypto';
import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { type Job, type Queue, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { JobHandlers } from '../../ports/job-queue.js';
import type { JobName, JobPayloads, JobPolicy } from '../../ports/jobs.js';
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
import type { JobConnections } from './job-connections.js';

/** Beyond this the queue takes no priorities; jobs that late run in the order in which they came. */
const LAST_TURN = 2_000_000;

/**
 * A job that waits already keeps its turn, and one that is asked for while it runs costs its company nothing until it is run again,
 * however often it is asked for. KEYS: the turns, the job's mark. ARGV: the company, the last turn there is.
 */
const TAKE = `
local now = tonumber(redis.call('HGET', KEYS[1], '') or '0')
local own = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local turn = math.min(math.max(now, own) + 1, tonumber(ARGV[2]))
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('HSET', KEYS[1], ARGV[1], turn) end
return turn
`;

/** KEYS: the turns, the job's mark. ARGV: the company, the turn that it takes now, the job. */
const BEGIN = `
if redis.call('GET', KEYS[2]) ~= ARGV[3] then return 0 end
local turn = tonumber(ARGV[2])
local now = tonumber(redis.call('HGET', KEYS[1], '') or '0')
local own = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
if turn - 1 > now then redis.call('HSET', KEYS[1], '', turn - 1) end
if turn > own then redis.call('HSET', KEYS[1], ARGV[1], turn) end
return 1
`;

export interface Ticket<N extends JobName> {
  readonly key: string;
  readonly payload: JobPayloads[N];
}

export interface LaneOptions<N extends JobName> {
  readonly name: N;
  readonly policy: JobPolicy;
  readonly queue: Queue<Ticket<N>>;
  readonly connections: JobConnections;
  /** How long an instance that died holds its jobs. */
  readonly lockMs: number;
  readonly log: JobLogger;
}

const STALLED = 'job stalled more than allowable limit';

/** Closes in time, also when Nest closes it: by itself it waits for every run, and for a Redis that is away. */
export class TimelyWorker extends Worker {
  override async close(force = false, graceMs = 0): Promise<void> {
    const closed = super.close(force);
    await within(closed, graceMs);
    this.cancelAllJobs(STOPS);
    await within(closed, DEAF_WHEN_STOPPING_MS);
  }
}

/**
 * The jobs of one name: their queue, and how this instance's worker runs them. Companies take turns, after start-time fair queueing
 * (Goyal, Vin, Cheng, 1996): each job of a company gets the turn after its last one, or after the one that is being taken now. A
 * thousand jobs of one company delay another's by one run.
 */
export class JobLane<N extends JobName> extends WorkerHost<TimelyWorker> {
  readonly name: N;
  readonly queue: Queue<Ticket<N>>;
  handlers: JobHandlers | null = null;
  private readonly redis: Redis;
  private readonly turnsKey: string;

  constructor(private readonly options: LaneOptions<N>) {
    super();
    this.name = options.name;
    this.queue = options.queue.on('error', () => undefined);
    this.redis = options.connections.quick;
    this.turnsKey = this.queue.toKey('turns');
  }

  /** A job of this key that waits is the same job; one that runs is run once more when it has ended. */
  async add(ticket: Ticket<N>): Promise<void> {
    const { key, payload } = ticket;
    const { attempts, backoffMs } = this.options.policy;
    const turn = await this.redis.eval(TAKE, 2, this.turnsKey, this.markKey(key), payload.companyId, LAST_TURN);
    await this.queue.add(this.name, ticket, {
      // Numbers would begin anew in a Redis that was emptied, and name jobs that still run here.
      jobId: randomUUID(),
      priority: Number(turn),
      attempts,
      backoff: { type: 'exponential', delay: backoffMs },
      removeOnComplete: true,
      removeOnFail: true,
      deduplication: { id: key, keepLastIfActive: true },
    });
  }

  /** The id of the running job, when there is one that has to be aborted by whoever runs it; what waits is gone. */
  async remove(key: string): Promise<string | null> {
    const id = await this.queue.getDeduplicationJobId(key);
    if (id === null) return null;
    await this.redis.del(this.markKey(key), this.queue.toKey(`dn:${key}`));
    return (await this.queue.remove(id)) === 1 ? null : id;
  }

  /** The worker gives a signal to whoever takes three parameters. */
  override async process(job: Job<Ticket<N>>, token?: string, signal?: AbortSignal): Promise<void> {
    const run = async (aborted: AbortSignal): Promise<void> => {
      const { key, payload } = job.data;
      const args = [payload.companyId, job.priority, job.id ?? ''];
      // Else it was cancelled at the moment it was begun.
      if ((await this.redis.eval(BEGIN, 2, this.turnsKey, this.markKey(key), ...args)) === 1)
        await this.handlers?.[this.name].run(payload, aborted);
    };
    const failure = await runOnce(run, this.options.policy.timeoutMs, signal);
    if (failure === null || signal?.reason === CANCELLED) return;
    // What is aborted because this instance stops has not failed: another one takes it.
    if (signal?.reason === STOPS) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    throw (await this.isTriedAgain(job, failure)) ? failure.error : new UnrecoverableError(failure.error.message);
  }

  /** Its process died as often as the policy allows. Every other failure was dealt with where it happened. */
  @OnWorkerEvent('failed')
  async stalled(job: Job<Ticket<N>> | undefined, error: Error): Promise<void> {
    if (job !== undefined && error.message === STALLED) await this.isTriedAgain(job, { error, final: true });
  }

  /** Nothing waits: the turns begin anew. */
  @OnWorkerEvent('drained')
  async drained(): Promise<void> {
    await this.redis.del(this.turnsKey).catch(() => undefined);
  }

  /** The connection comes back by itself. */
  @OnWorkerEvent('error')
  ignore(): void {
    return;
  }

  private isTriedAgain(
    { data: { key, payload }, attemptsMade }: Job<Ticket<N>>,
    failure: RunFailure,
  ): Promise<boolean> {
    const { policy, log } = this.options;
    return isTriedAgain(failure, {
      ...{ job: this.name, key, attempt: attemptsMade + 1, attempts: policy.attempts, log },
      giveUp: async (error) => this.handlers?.[this.name].giveUp(payload, error),
    });
  }

  /** Holds the id of the job of this key as long as it waits or runs. */
  private markKey(key: string): string {
    return this.queue.toKey(`de:${key}`);
  }
}

/** A lane that Nest finds, whose worker is as the policy wants it. */
export function openLane<N extends JobName>(options: LaneOptions<N>): JobLane<N> {
  const { name, policy, connections, lockMs } = options;
  @Processor(name, {
    connection: connections.patient,
    concurrency: policy.concurrency,
    lockDuration: lockMs,
    // Looked for more often than locks end, so that what a dead instance held does not lie twice as long as its lock.
    stalledInterval: Math.ceil(lockMs / 3),
    maxStalledCount: Math.max(1, policy.attempts - 1),
    skipVersionCheck: true,
  })
  class Lane extends JobLane<N> {}
  return new Lane(options);
}
