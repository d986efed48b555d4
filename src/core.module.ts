import { join } from 'node:path';
import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { InProcessEventStream } from './adapters/embedded/in-process-event-stream.js';
import { LmdbDocumentStore } from './adapters/embedded/lmdb-document-store.js';
import { MongoDocumentStore } from './adapters/mongo/mongo-document-store.js';
import { AesSecretBox } from './adapters/security/aes-secret-box.js';
import { Argon2PasswordHasher } from './adapters/security/argon2-password-hasher.js';
import { JwtSecretFile } from './adapters/security/jwt-secret-file.js';
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
import { PasswordHasher } from './ports/password-hasher.js';
import { SecretBox } from './ports/secret-box.js';
import { TokenSecret } from './ports/token-secret.js';

export interface Surroundings {
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
  ) {}

  static forRoot({ config, logger, clock }: Surroundings): DynamicModule {
    return {
      module: CoreModule,
      global: true,
      providers: [
        { provide: AppConfig, useValue: config },
        { provide: Clock, useValue: clock ?? new SystemClock() },
        { provide: Log, useValue: new PinoLog(logger) },
        { provide: IdSource, useFactory: (time: Clock) => new RandomIdSource(time), inject: [Clock] },
        { provide: Instance, useFactory: () => new ProcessInstance(true) },
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
        { provide: DocumentStore, useFactory: (time: Clock) => openStore(config, time), inject: [Clock] },
      ],
      exports: [
        AppConfig,
        Clock,
        Log,
        IdSource,
        Instance,
        PasswordHasher,
        TokenSecret,
        SecretBox,
        EventStream,
        DocumentStore,
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.events.stop();
    if (this.store instanceof LmdbDocumentStore || this.store instanceof MongoDocumentStore) await this.store.close();
  }
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

async function openStore({ storage }: AppConfig, clock: Clock): Promise<DocumentStore> {
  const store =
    storage.mongodbUri === null
      ? new LmdbDocumentStore(join(storage.dataDir, 'documents'), clock)
      : new MongoDocumentStore(storage.mongodbUri, clock);
  await store.open();
  return store;
}
