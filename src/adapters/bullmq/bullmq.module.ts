import { BullModule, BullRegistrar, getQueueToken } from '@nestjs/bullmq';
import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { SHARED_JOB_QUEUE } from '../../ports/job-queue.js';
import { JOB_POLICIES, type JobName, type JobPolicy } from '../../ports/jobs.js';
import { Log } from '../../ports/log.js';
import { KEY_PREFIX } from '../redis/redis-connection.js';
import { BullmqJobQueue } from './bullmq-job-queue.js';
import { JobConnections } from './job-connections.js';
import { openLane, TimelyWorker, type JobLane, type Ticket } from './job-lane.js';

export interface BullmqOptions {
  readonly url: string;
  /** Tells apart what shares a Redis; part of every key. */
  readonly installation: string;
  readonly policies?: Readonly<Record<JobName, JobPolicy>>;
  /** How long an instance that died holds its jobs. */
  readonly lockMs?: number;
}

const NAMES = Object.keys(JOB_POLICIES) as JobName[];

BullModule.workerClass = TimelyWorker;

/** The job queue that instances share: a queue for each job and, once `JobQueue.start` was called, a worker. */
@Module({})
export class BullmqModule {
  static forRoot({ url, installation, policies = JOB_POLICIES, lockMs = 30_000 }: BullmqOptions): DynamicModule {
    const prefix = `${KEY_PREFIX}:${installation}jobs`;
    const lanes = NAMES.map((name): FactoryProvider => ({
      provide: `lane ${name}`,
      useFactory: (queue: Queue<Ticket<typeof name>>, connections: JobConnections, log: Log) =>
        openLane({ name, policy: policies[name], queue, connections, lockMs, log }),
      inject: [getQueueToken(name), JobConnections, Log],
    }));
    return {
      module: BullmqModule,
      global: true,
      imports: [
        BullModule.forRootAsync({
          useFactory: ({ quick }: JobConnections) => ({ connection: quick, prefix, skipVersionCheck: true }),
          inject: [JobConnections],
          extraOptions: { manualRegistration: true },
        }),
        BullModule.registerQueueAsync(...NAMES.map((name) => ({ name }))),
      ],
      providers: [
        { provide: JobConnections, useFactory: () => new JobConnections(url, `${prefix}:cancels`) },
        ...lanes,
        {
          provide: SHARED_JOB_QUEUE,
          useFactory: (log: Log, connections: JobConnections, registrar: BullRegistrar, ...all: JobLane<JobName>[]) =>
            new BullmqJobQueue(all, connections, registrar, log),
          inject: [Log, JobConnections, BullRegistrar, ...lanes.map(({ provide }) => provide)],
        },
      ],
      exports: [JobConnections, SHARED_JOB_QUEUE],
    };
  }
}
