import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../../src/app.setup.js';
import { AppConfig } from '../../src/config/app-config.js';
import { readEnvironment } from '../../src/config/environment.js';
import { createLogger } from '../../src/http/logging.js';
import { type Clock } from '../../src/ports/clock.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { IdSource } from '../../src/ports/id-source.js';
import { JobQueue } from '../../src/ports/job-queue.js';
import { PasswordHasher } from '../../src/ports/password-hasher.js';
import type { CompanyId } from '../../src/shared/ids.js';
import type { Role } from '../../src/shared/principal.js';
import { COMPANIES } from '../../src/features/company/company.schema.js';
import { SETTINGS } from '../../src/features/settings/settings.schema.js';
import { USERS } from '../../src/features/users/user.schema.js';
import { ManualClock } from './manual-clock.js';
import { TestClient } from './test-client.js';

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
}

/** The whole service on embedded adapters, on a free port and in a folder of its own. */
export class TestApi implements AsyncDisposable {
  private readonly companies = new Map<string, Promise<CompanyId>>();
  private users = 0;

  constructor(
    readonly app: NestFastifyApplication,
    readonly url: string,
    readonly dataDir: string,
    readonly clock: ManualClock,
    private readonly ownsFolder: boolean,
  ) {}

  get<T>(type: Injectable<T>): T {
    return this.app.get<T>(type, { strict: false });
  }

  /** Everything that was asked of the queue is done. */
  drain(): Promise<void> {
    return this.get(JobQueue).idle();
  }

  /** Makes a user of the company (and the company, the first time), signs them in over HTTP and gives their client. */
  async signIn(company: string, { role = 'user', email }: SignIn = {}): Promise<TestClient> {
    this.users += 1;
    const address = email ?? `${company}-${this.users}@example.com`;
    const password = `secret-${this.users}-${company}`;
    await this.createUser(await this.companyId(company), address, password, role);
    return TestClient.signIn(this.url, address, password);
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
    const now = this.clock.now();
    const store = this.get(DocumentStore);
    await store.collection(COMPANIES).insert({
      id,
      name,
      meta: {},
      isActive: true,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    });
    await store
      .tenantCollection(SETTINGS)
      .of(id)
      .insert({
        id: this.get(IdSource).next(),
        companyId: id,
        name: 'default',
        config: {},
        createdAt: now,
        updatedAt: now,
      });
    return id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close();
    if (this.ownsFolder) await rm(this.dataDir, { recursive: true, force: true });
  }

  private async createUser(companyId: CompanyId, email: string, password: string, role: Role): Promise<void> {
    await this.get(DocumentStore)
      .collection(USERS)
      .insert({
        id: this.get(IdSource).next(),
        companyId,
        email,
        passwordHash: await this.get(PasswordHasher).hash(password),
        firstName: 'Test',
        lastName: 'User',
        role,
        avatar: '',
        isActive: true,
        meta: {},
        lastLogin: null,
        lastLogout: null,
        createdAt: this.clock.now(),
      });
  }
}

/** Starts the service. A test says `await using api = await startTestApi()`. */
export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'das-test-')));
  const clock = new ManualClock(new Date());
  const config = new AppConfig(
    readEnvironment({
      DATA_DIR: dataDir,
      JWT_SECRET: randomBytes(32).toString('hex'),
      BOOTSTRAP_PASSWORD: randomBytes(12).toString('hex'),
      LOG_LEVEL: 'silent',
      ...options.environment,
    }),
  );
  const app = await createApp({
    config,
    logger: createLogger(config.server.logLevel, options.onLog === undefined ? undefined : { write: options.onLog }),
    clock: options.clock ?? clock,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  return new TestApi(app, url, dataDir, clock, options.dataDir === undefined);
}
