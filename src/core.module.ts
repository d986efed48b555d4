import { join } from 'node:path';
import { Module, type DynamicModule, type OnApplicationShutdown, type Provider } from '@nestjs/common';
import type { Logger } from 'pino';
import { InProcessEventStream } from './adapters/embedded/in-process-event-stream.js';
import { InProcessLimits } from './adapters/embedded/in-process-limits.js';
import { LmdbDocumentStore } from './adapters/embedded/lmdb-document-store.js';
import { MongoDocumentStore } from './adapters/mongo/mongo-document-store.js';
import { AesSecretBox } from './adapters/security/aes-secret-box.js';
import { Argon2PasswordHasher } from './adapters/security/argon2-password-hasher.js';
import { JwtSecretFile } from './adapters/security/jwt-secret-file.js';
import { PackagedSample } from './adapters/system/packaged-sample.js';
import { PinoLog } from './adapters/system/pino-log.js';
import { ProcessInstance } from './adapters/system/process-instance.js';
import { RandomIdSource } from './adapters/system/random-id-source.js';
import { SystemClock } from './adapters/system/system-clock.js';
import { AppConfig } from './config/app-config.js';
import { Clock } from './ports/clock.js';
import { DocumentStore } from './ports/document-store.js';
import { EventStream } from './ports/event-stream.js';
import { IdSource } from './ports/id-source.js';
import { Instance } from './ports/instance.js';
import { Log } from './ports/log.js';
import { Metrics, NO_METRICS } from './ports/metrics.js';
import { PasswordHasher } from './ports/password-hasher.js';
import { SampleFile } from './ports/sample-file.js';
import { SecretBox } from './ports/secret-box.js';
import { SharedLimits } from './ports/shared-limits.js';
import { TokenSecret } from './ports/token-secret.js';
import { NO_TRACING, Tracing } from './ports/tracing.js';

export interface AppOptions {
  readonly config: AppConfig;
  readonly logger: Logger;
  /** Tests move it. */
  readonly clock?: Clock;
}

/** What both the service and the administration command stand on: documents, time, ids, secrets, logs. */
@Module({})
export class CoreModule implements OnApplicationShutdown {
  constructor(
    private readonly store: DocumentStore,
    private readonly events: EventStream,
    private readonly limits: SharedLimits,
    private readonly tracing: Tracing,
  ) {}

  static forRoot({ config, logger, clock }: AppOptions): DynamicModule {
    const providers: Provider[] = [
      { provide: AppConfig, useValue: config },
      { provide: Clock, useValue: clock ?? new SystemClock() },
      { provide: Log, useValue: new PinoLog(logger) },
      { provide: Metrics, useFactory: () => openMetrics(config) },
      { provide: Tracing, useFactory: (log: Log) => openTracing(config, log), inject: [Log] },
      { provide: IdSource, useFactory: (time: Clock) => new RandomIdSource(time), inject: [Clock] },
      { provide: SampleFile, useFactory: () => new PackagedSample() },
      { provide: Instance, useFactory: () => new ProcessInstance(config.instance.alone) },
      { provide: PasswordHasher, useFactory: () => new Argon2PasswordHasher() },
      { provide: TokenSecret, useFactory: () => new JwtSecretFile(config) },
      {
        provide: SecretBox,
        useFactory: (tokens: TokenSecret) => new AesSecretBox(config.settings, tokens),
        inject: [TokenSecret],
      },
      {
        provide: EventStream,
        useFactory: (time: Clock, log: Log, instance: Instance) => openEvents(config, { time, log, instance }),
        inject: [Clock, Log, Instance],
      },
      {
        provide: SharedLimits,
        useFactory: (log: Log, instance: Instance) => openLimits(config, log, instance),
        inject: [Log, Instance],
      },
      { provide: DocumentStore, useFactory: (time: Clock) => openStore(config, time), inject: [Clock] },
    ];
    return { module: CoreModule, global: true, providers, exports: providers };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.events.stop();
    await this.limits.stop();
    if (this.store instanceof LmdbDocumentStore || this.store instanceof MongoDocumentStore) await this.store.close();
    await this.tracing.stop();
  }
}

/** Nobody pays for what nobody reads: the libraries are loaded where they are switched on. */
async function openMetrics({ metrics }: AppConfig): Promise<Metrics> {
  if (metrics === null) return NO_METRICS;
  const { PrometheusMetrics } = await import('./adapters/metrics/prometheus-metrics.js');
  return new PrometheusMetrics();
}

async function openTracing({ tracing }: AppConfig, log: Log): Promise<Tracing> {
  if (tracing === null) return NO_TRACING;
  const { OtlpTracing } = await import('./adapters/tracing/otlp-tracing.js');
  return new OtlpTracing(tracing, log);
}

async function openEvents(
  { redis }: AppConfig,
  { time, log, instance }: { time: Clock; log: Log; instance: Instance },
): Promise<EventStream> {
  if (redis === null) return new InProcessEventStream(time);
  // Loaded where it is used: it would cost every other start time and memory.
  const { RedisEventStream } = await import('./adapters/redis/redis-event-stream.js');
  const events = new RedisEventStream({ ...redis, origin: instance.id }, time, log);
  // Redis may come later: the service starts without it, and is not ready until then.
  events.start();
  return events;
}

/** The same counts for all instances, once there is something that they share. */
async function openLimits({ redis }: AppConfig, log: Log, { id }: Instance): Promise<SharedLimits> {
  if (redis === null) return new InProcessLimits();
  const { RedisLimits } = await import('./adapters/redis/redis-limits.js');
  return new RedisLimits({ ...redis, origin: id }, log);
}

async function openStore({ storage }: AppConfig, clock: Clock): Promise<DocumentStore> {
  const store =
    storage.mongodbUri === null
      ? new LmdbDocumentStore(join(storage.dataDir, 'documents'), clock)
      : new MongoDocumentStore(storage.mongodbUri, clock);
  await store.open();
  return store;
}
