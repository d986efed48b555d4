import { join } from 'node:path';
import {
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type FactoryProvider,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { ZipArchiveReader } from './adapters/archives/zip-archive-reader.js';
import { VegaChartRenderer } from './adapters/charts/vega-chart-renderer.js';
import { EngineCsvInspector, EngineProcess } from './rows/engine/engine-client.js';
import { SandboxPool } from './rows/sandbox/sandbox-pool.js';
import { HashingEmbedder } from './adapters/embedding/hashing-embedder.js';
import { InProcessJobQueue } from './adapters/embedded/in-process-job-queue.js';
import { observedEngine, observedQueue, observedReader } from './adapters/observed/observed-ports.js';
import { OpenAiChatModels } from './adapters/openai/openai-chat-models.js';
import { OpenAiEmbeddingModel } from './adapters/openai/openai-embedding-model.js';
import { MiniSearchPassageIndex } from './adapters/passages/minisearch-passage-index.js';
import { ProcessPlaceReader } from './adapters/places/process-place-reader.js';
import { ProcessDocumentReader } from './adapters/reading/process-document-reader.js';
import { LocalObjectStore } from './adapters/storage/local-object-store.js';
import { HttpsWebhookSender } from './adapters/webhooks/https-webhook-sender.js';
import { BuiltInAnalyst } from './analyst/built-in-analyst.js';
import { ReadingProcess } from './analyst/reading-process.js';
import type { AppConfig, RedisConfig } from './config/app-config.js';
import { ArchiveReader } from './ports/archive-reader.js';
import { ChartRenderer } from './ports/chart-renderer.js';
import { ChatModel } from './ports/chat-model.js';
import { AS_CONFIGURED, ChatModels } from './ports/chat-models.js';
import { Clock } from './ports/clock.js';
import { CsvInspector } from './ports/csv-inspector.js';
import { DocumentStore } from './ports/document-store.js';
import { EmbeddingModel } from './ports/embedding-model.js';
import { DocumentReader } from './ports/document-reader.js';
import { IdentityProviders } from './ports/identity-providers.js';
import { JobQueue, SHARED_JOB_QUEUE } from './ports/job-queue.js';
import { Log } from './ports/log.js';
import { Mailer, NoMailer } from './ports/mailer.js';
import { Metrics } from './ports/metrics.js';
import { ObjectStore } from './ports/object-store.js';
import { PassageIndex } from './ports/passage-index.js';
import { PlaceReader } from './ports/place-reader.js';
import { QuestionSuggester } from './ports/question-suggester.js';
import { RowDownloads } from './ports/row-downloads.js';
import { RowEngine } from './ports/row-engine.js';
import { RowReader } from './ports/row-reader.js';
import { Tracing } from './ports/tracing.js';
import { WebhookSender } from './ports/webhook-sender.js';
import { RowStore } from './row-store.js';

type RowStoreParts = [EngineProcess, SandboxPool, DocumentStore, ObjectStore, Clock, Metrics];

/** What does the heavy work: rows, files, jobs, charts, answers. Each in a process of its own where it could hurt. */
@Module({})
export class EnginesModule implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    private readonly jobs: JobQueue,
    private readonly engine: EngineProcess,
    private readonly sandbox: SandboxPool,
    private readonly rows: RowStore,
    private readonly charts: ChartRenderer,
  ) {}

  static forRoot(config: AppConfig): DynamicModule {
    const providers: Provider[] = [
      { provide: EngineProcess, useFactory: (metrics: Metrics) => startEngine(config, metrics), inject: [Metrics] },
      { provide: SandboxPool, useFactory: (metrics: Metrics) => openSandbox(config, metrics), inject: [Metrics] },
      // As the archives: what is left of another start is removed, once nobody else can be at work on it.
      { provide: ObjectStore, useFactory: (_engine: EngineProcess) => openObjects(config), inject: [EngineProcess] },
      observed(observedQueue, {
        provide: JobQueue,
        useFactory: (log: Log, shared?: JobQueue) => shared ?? new InProcessJobQueue(log),
        inject: [Log, { token: SHARED_JOB_QUEUE, optional: true }],
      }),
      ...rows(config),
      { provide: DocumentReader, useFactory: () => new ProcessDocumentReader() },
      { provide: PlaceReader, useFactory: () => openPlaces(config) },
      { provide: WebhookSender, useFactory: () => new HttpsWebhookSender() },
      { provide: Mailer, useFactory: () => mailerOf(config) },
      { provide: IdentityProviders, useFactory: () => identityProviders(config) },
      { provide: ChartRenderer, useFactory: () => new VegaChartRenderer() },
      ...models(config),
    ];
    const imports = config.redis === null ? [] : [sharedJobs(config.redis)];
    return { module: EnginesModule, global: true, imports, providers, exports: providers };
  }

  /** Before Nest closes the workers, which it does without grace. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.jobs.stop(10_000);
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.charts instanceof VegaChartRenderer) this.charts.stop();
    await this.sandbox.stop();
    await this.rows.close();
    await this.engine.stop();
  }
}

/** Where an operator counts or traces, whatever is asked of the port is observed; else the port is its adapter itself. */
function observed<T>(
  observe: (port: T, metrics: Metrics) => T,
  { provide, useFactory, inject = [] }: FactoryProvider<T>,
): FactoryProvider<T> {
  return {
    provide,
    inject: [Metrics, Tracing, ...inject],
    useFactory: async (metrics: Metrics, tracing: Tracing, ...needs: unknown[]) => {
      const port = await useFactory(...needs);
      return metrics.on || tracing.on ? observe(port, metrics) : port;
    },
  };
}

async function mailerOf({ mail }: AppConfig): Promise<Mailer> {
  if (mail === null) return new NoMailer();
  const { SmtpMailer } = await import('./adapters/mail/smtp-mailer.js');
  return new SmtpMailer(mail);
}

async function identityProviders({ server }: AppConfig): Promise<IdentityProviders> {
  const { OpenIdIdentityProviders } = await import('./adapters/oidc/openid-identity-providers.js');
  return new OpenIdIdentityProviders({ allowsPrivate: server.privateIssuers });
}

async function startEngine({ storage }: AppConfig, metrics: Metrics): Promise<EngineProcess> {
  const engine = new EngineProcess(storage);
  await engine.start();
  metrics.watch('row_engine_restarts', () => [{ labels: {}, value: engine.restarts }]);
  return engine;
}

/** What is not used is not loaded: it would cost every other start time and memory. */
async function sharedJobs(redis: RedisConfig): Promise<DynamicModule> {
  const { BullmqModule } = await import('./adapters/bullmq/bullmq.module.js');
  return BullmqModule.forRoot(redis);
}

/** Runs queries over rows in files. A model will write them, so a process waits for the first; the built-in analyst writes none. */
function openSandbox({ storage, model, sandbox: limits }: AppConfig, metrics: Metrics): SandboxPool {
  const sandbox = new SandboxPool({ tempDir: join(storage.dataDir, 'sandbox'), ...limits });
  metrics.watch('sandbox_processes', () => [{ labels: {}, value: sandbox.processes }]);
  // A process that can't be started now is tried again, and reported, when a query needs it.
  if (model !== null) void sandbox.warm().catch(() => undefined);
  return sandbox;
}

async function openArchives(folder: string): Promise<ZipArchiveReader> {
  const archives = new ZipArchiveReader(folder);
  await archives.open();
  return archives;
}

function openPlaces({ limits }: AppConfig): PlaceReader {
  const { placeNetworks: networks, fetchTimeoutMs: timeoutMs, uploadMinBytesPerSecond: minBytesPerSecond } = limits;
  return new ProcessPlaceReader({ networks, nameServers: [] }, { timeoutMs, minBytesPerSecond });
}

async function openObjects({ storage, objectStoreUrl, limits }: AppConfig): Promise<ObjectStore> {
  if (objectStoreUrl !== null) {
    const { s3Address } = await import('./adapters/storage/s3-address.js');
    const { S3ObjectStore } = await import('./adapters/storage/s3-object-store.js');
    const bucket = new S3ObjectStore(s3Address(objectStoreUrl), join(storage.dataDir, 'copies'));
    await bucket.open();
    return bucket;
  }
  const objects = new LocalObjectStore(join(storage.dataDir, 'objects'), limits.storageReserveBytes);
  await objects.open();
  return objects;
}

function rows(config: AppConfig): readonly Provider[] {
  const { storage } = config;
  return [
    {
      provide: CsvInspector,
      useFactory: (engine: EngineProcess) => new EngineCsvInspector(engine),
      inject: [EngineProcess],
    },
    {
      provide: ArchiveReader,
      // Once the engine runs, nobody else works on the data folder: what lies there is nobody's.
      useFactory: (_engine: EngineProcess) => openArchives(join(storage.dataDir, 'unpacked')),
      inject: [EngineProcess],
    },
    {
      provide: RowStore,
      useFactory: (...[process, sandbox, documents, objects, clock, metrics]: RowStoreParts) => {
        const rules = { storage, compactAfterRows: config.limits.compactAfterRows };
        return RowStore.open(rules, { process, sandbox, documents, objects, clock, metrics });
      },
      inject: [EngineProcess, SandboxPool, DocumentStore, ObjectStore, Clock, Metrics],
    },
    observed(observedEngine, { provide: RowEngine, useFactory: ({ engine }: RowStore) => engine, inject: [RowStore] }),
    observed(observedReader, { provide: RowReader, useFactory: ({ reader }: RowStore) => reader, inject: [RowStore] }),
    { provide: RowDownloads, useFactory: ({ downloads }: RowStore) => downloads, inject: [RowStore] },
  ];
}

function models({ model, embedding }: AppConfig): readonly Provider[] {
  return [
    { provide: ReadingProcess, useFactory: () => new ReadingProcess() },
    {
      provide: ChatModels,
      useFactory: ({ read }: ReadingProcess, log: Log, metrics: Metrics) =>
        new OpenAiChatModels(model, new BuiltInAnalyst(read), log, metrics),
      inject: [ReadingProcess, Log, Metrics],
    },
    { provide: ChatModel, useFactory: (all: ChatModels) => all.choose(AS_CONFIGURED), inject: [ChatModels] },
    {
      provide: EmbeddingModel,
      useFactory: () => (embedding === null ? new HashingEmbedder() : new OpenAiEmbeddingModel(embedding)),
    },
    { provide: QuestionSuggester, useExisting: ReadingProcess },
    { provide: PassageIndex, useFactory: () => new MiniSearchPassageIndex() },
  ];
}
