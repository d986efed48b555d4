import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BullmqModule, type BullmqOptions } from '../../src/adapters/bullmq/bullmq.module.js';
import type { JobLogger } from '../../src/adapters/jobs/run-once.js';
import { type JobQueue, SHARED_JOB_QUEUE } from '../../src/ports/job-queue.js';
import { Log } from '../../src/ports/log.js';

@Module({})
class Root {}

@Module({})
class Logs {}

export interface SharedQueue {
  readonly queue: JobQueue;
  /** Ends as the service does. */
  readonly close: () => Promise<void>;
}

/** The queue that instances share, as Nest makes it. */
export async function openSharedQueue(options: BullmqOptions, log: JobLogger): Promise<SharedQueue> {
  const logs = { module: Logs, global: true, providers: [{ provide: Log, useValue: log }], exports: [Log] };
  const root = { module: Root, imports: [logs, BullmqModule.forRoot(options)] };
  const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  return { queue: app.get<JobQueue>(SHARED_JOB_QUEUE, { strict: false }), close: () => app.close() };
}
