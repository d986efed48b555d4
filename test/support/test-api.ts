import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { hash } from '@node-rs/argon2';
import { RedisEventStream } from '../../src/adapters/redis/redis-event-stream.js';
import { createApp } from '../../src/app.setup.js';
import { AppConfig } from '../../src/config/app-config.js';
import { readEnvironment } from '../../src/config/environment.js';
import { createLogger } from '../../src/http/logging.js';
import { type Clock } from '../../src/ports/clock.js';
import type { ServingProcess } from '../../src/adapters/processes/serving-process.js';
import { ReadingProcess } from '../../src/analyst/reading-process.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { EventStream } from '../../src/ports/event-stream.js';
import { IdSource } from '../../src/ports/id-source.js';
import { JobQueue } from '../../src/ports/job-queue.js';
import { PasswordHasher } from '../../src/ports/password-hasher.js';
import { SandboxPool } from '../../src/rows/sandbox/sandbox-pool.js';
import type { CompanyId } from '../../src/shared/ids.js';
import type { Role } from '../../src/shared/principal.js';
import { COMPANIES } from '../../src/features/company/company.schema.js';
import { SETTINGS } from '../../src/features/settings/settings.schema.js';
import { USERS } from '../../src/features/users/user.schema.js';
import { GoingClock, ManualClock } from './manual-clock.js';
import { TestClient } from './test-client.js';
import { folderOf, INSTANCES, shareRequests, surroundingsOf } from './way.js';

/** A stored hash says itself what it costs to check it: the users of tests sign in a hundred times faster than real ones. */
const cheapHash = (password: string): Promise<string> => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });

type Injectable<T> = Type<T> | (abstract new (...args: never[]) => T);

export interface TestApiOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** Kept by the caller; else one of its own, removed at the end. */
  readonly dataDir?: string;
  /** Hears every line of the log. */
  readonly onLog?: (line: string) => void;
}

export interface SignIn {
  readonly role?: Role;
  readonly email?: string;
  readonly password?: string;
}

/** The whole service in the way that the tests are run in, on a free port and in a folder of its own. */
export class TestApi implements AsyncDisposable {
  private readonly companies = new Map<string, Promise<CompanyId>>();
  private users = { count: 0 };

  constructor(
    /** One, or as many as share the requests. */
    private readonly apps: readonly [NestFastifyApplication, ...NestFastifyApplication[]],
    readonly url: string,
    readonly dataDir: string,
    readonly clock: ManualClock,
    private readonly ownsFolder: boolean,
  ) {}

  /** The same service for another test, with companies of its own. Whoever started the service ends it. */
  anew(): TestApi {
    const other = new TestApi(this.apps, this.url, this.dataDir, this.clock, false);
    other.users = this.users;
    return other;
  }

  /** The first instance. */
  get app(): NestFastifyApplication {
    return this.apps[0];
  }

  get<T>(type: Injectable<T>): T {
    return this.app.get<T>(type, { strict: false });
  }

  /** What every instance has of it: whoever stands in the way of one of them stands in the way of all. */
  everywhere<T>(type: Injectable<T>): readonly T[] {
    return this.apps.map((app) => app.get<T>(type, { strict: false }));
  }

  /** Everything that was asked of the queue is done. */
  async drain(): Promise<void> {
    for (const app of this.apps) await app.get(JobQueue, { strict: false }).idle();
  }

  /** Makes a user of the company (and the company, the first time), signs them in over HTTP and gives their client. */
  async signIn(company: string, { role = 'user', email, password }: SignIn = {}): Promise<TestClient> {
    this.users.count += 1;
    const address = email ?? `${company}-${this.users.count}@example.com`;
    const secret = password ?? `secret-${this.users.count}-${company}`;
    await this.createUser(await this.companyId(company), address, secret, role);
    return TestClient.signIn(this.url, address, secret);
  }

  /** A client without a token. */
  stranger(): TestClient {
    return new TestClient(this.url, null, null);
  }

  /** The company of that name, made the first time it is asked for. */
  companyId(name: string): Promise<CompanyId> {
    const company = this.companies.get(name) ?? this.createCompany(name);
    this.companies.set(name, company);
    return company;
  }

  private async createCompany(name: string): Promise<CompanyId> {
    const id: CompanyId = this.get(IdSource).next();
    const [store, now] = [this.get(DocumentStore), this.clock.now()];
    const dates = { createdAt: now, updatedAt: now };
    await store.collection(COMPANIES).insert({ id, name, meta: {}, isActive: true, deletedAt: null, ...dates });
    const settings = { id: this.get(IdSource).next<never>(), companyId: id, name: 'default', config: {}, ...dates };
    await store.tenantCollection(SETTINGS).of(id).insert(settings);
    return id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.apps.map((app) => app.close()));
    for (const [index] of this.apps.entries()) {
      const isOurs = this.ownsFolder || index > 0;
      if (isOurs) await rm(folderOf(this.dataDir, index), { recursive: true, force: true });
    }
  }

  private async createUser(companyId: CompanyId, email: string, password: string, role: Role): Promise<void> {
    const users = this.get(DocumentStore).collection(USERS);
    await users.insert({
      ...{ id: this.get(IdSource).next(), companyId, email, passwordHash: await cheapHash(password), role },
      ...{ firstName: 'Test', lastName: 'User', avatar: '', isActive: true, meta: {} },
      ...{ lastLogin: null, lastLogout: null, createdAt: this.clock.now() },
    });
  }
}

/** Starts the service. A test says `await using api = await startTestApi()`. */
export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'das-test-')));
  // Two instances tell the order of what they write by the time; one knows it besides.
  const clock = INSTANCES > 1 ? new GoingClock() : new ManualClock(new Date());
  const variables = {
    JWT_SECRET: randomBytes(32).toString('hex'),
    BOOTSTRAP_PASSWORD: randomBytes(12).toString('hex'),
    LOG_LEVEL: 'silent',
    ...(await surroundingsOf(dataDir)),
    ...options.environment,
  };
  const start = (instance: number): Promise<NestFastifyApplication> =>
    startInstance({ ...variables, DATA_DIR: folderOf(dataDir, instance) }, { clock, ...options });
  const apps: [NestFastifyApplication, ...NestFastifyApplication[]] = [await start(0)];
  while (apps.length < INSTANCES) apps.push(await start(apps.length));
  const urls = await Promise.all(apps.map(urlOf));
  shareRequests(urls);
  return new TestApi(apps, urls[0] ?? '', dataDir, clock, options.dataDir === undefined);
}

async function startInstance(
  variables: Readonly<Record<string, string>>,
  { clock, onLog }: TestApiOptions,
): Promise<NestFastifyApplication> {
  const config = new AppConfig(readEnvironment(variables));
  const logger = createLogger(config.server.logLevel, onLog === undefined ? undefined : { write: onLog });
  const app = await createApp({ config, logger, ...(clock === undefined ? {} : { clock }) });
  // Here the next statement can wait for its process, which nearly always comes in vain.
  app.get(SandboxPool, { strict: false }).warm = () => Promise.resolve();
  app.get(PasswordHasher, { strict: false }).hash = cheapHash;
  readsTogether(app.get(ReadingProcess, { strict: false }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const events = app.get(EventStream);
  // What another instance tells before this one listens would not reach the sockets of this one.
  if (INSTANCES > 1 && events instanceof RedisEventStream) await events.listening();
  return app;
}

let reader: ReadingProcess | null = null;

/** One process reads the messages of all services of a test process: it takes most of a second to start. */
function readsTogether(one: ReadingProcess): void {
  const { process } = (reader ??= new ReadingProcess()) as unknown as { process: ServingProcess<unknown, unknown> };
  Object.assign(one, { process: { serve: (order: unknown) => process.serve(order), stop: () => undefined } });
}

async function urlOf(app: NestFastifyApplication): Promise<string> {
  return (await app.getUrl()).replace('[::1]', '127.0.0.1');
}
