import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { eventually } from '../support/eventually.js';
import { ServiceProcess, WITH_ADMIN } from '../support/service-process.js';
import { TestClient } from '../support/test-client.js';

/** By then everything has been found again: a lease, a lock and a look of the reconciler. */
export const RECOVERED_MS = 100_000;

/** Where the instances of an installation find what they share. */
export interface Shared {
  readonly mongodb: string;
  readonly redis: string;
  /** Of the keys there. */
  readonly prefix?: string;
}

export interface DatasourceState {
  readonly updating: boolean;
  readonly doc_count: number;
  readonly import: Readonly<Record<string, unknown>>;
}

/** An installation of its own with a bucket, whose instances are processes that can be started and killed. */
export class ChaosInstallation implements AsyncDisposable {
  private readonly running: ServiceProcess[] = [];
  private readonly secret = randomBytes(32).toString('hex');

  private constructor(
    private readonly shared: Shared,
    private readonly folder: string,
    private readonly bucket: S3rver,
    private readonly bucketUrl: string,
  ) {}

  static async open(shared: Shared): Promise<ChaosInstallation> {
    const folder = await mkdtemp(join(tmpdir(), 'das-chaos-'));
    const bucket = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 'bucket') });
    const { port } = await bucket.run();
    await fetch(`http://127.0.0.1:${port}/files`, { method: 'PUT' });
    return new ChaosInstallation(shared, folder, bucket, `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/files`);
  }

  async start(environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const folder = join(this.folder, `instance-${this.running.length}`);
    const service = await ServiceProcess.alone({ ...this.variables(environment), DATA_DIR: folder });
    this.running.push(service);
    return service;
  }

  /** What each instance is told, and the administration command. */
  variables(environment: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
    return {
      DATA_DIR: join(this.folder, 'administration'),
      MONGODB_URI: this.shared.mongodb,
      REDIS_URL: this.shared.redis,
      REDIS_PREFIX: this.shared.prefix ?? '',
      OBJECT_STORE_URL: this.bucketUrl,
      JWT_SECRET: this.secret,
      ...WITH_ADMIN,
      ...environment,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.running.map((service) => service[Symbol.asyncDispose]()));
    await this.bucket.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The same user at another instance. */
export function at({ url }: ServiceProcess, client: TestClient): TestClient {
  return new TestClient(url, client.token, client.user);
}

export function csvOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) => {
    const time = new Date(Date.UTC(2024, 0, 1, 0, 0, row)).toISOString().slice(0, 19);
    return `device-${row % 50},${time},${row % 1000}`;
  });
  return ['device,at,temperature', ...lines].join('\n');
}

/** Asks for an import and does not wait for it. */
export async function beginImport(client: TestClient, csv: string): Promise<string> {
  const { body: upload } = await client.upload(csv);
  const { status, body } = await client.put('/secure/datasource', {
    name: 'Sensors',
    type: 'csv',
    filename: upload['filename'],
    config: { is_timeseries: true, timefield: 'at', metafield: 'device' },
  });
  if (status !== 200) throw new Error(`not created: ${JSON.stringify(body)}`);
  return String(body['datasource_id']);
}

export async function datasourceOf(client: TestClient, id: string): Promise<DatasourceState> {
  return (await client.get(`/secure/datasource?id=${id}`)).body['datasource'] as DatasourceState;
}

/** The datasource when its import has ended. */
export function endedImport(client: TestClient, id: string): Promise<DatasourceState> {
  return eventually(
    () => datasourceOf(client, id),
    ({ updating }) => !updating,
    RECOVERED_MS,
  );
}

export async function aConversation(client: TestClient, datasource: string): Promise<string> {
  const { body } = await client.post('/secure/assistant/conversation', { title: 'x', datasource_id: datasource });
  return String(body['id']);
}

export function ask(client: TestClient, conversation: string): ReturnType<TestClient['post']> {
  const question = { conversation_id: conversation, message: 'average temperature by device' };
  return client.post('/secure/assistant/chat', question);
}

export async function statesOf({ url }: ServiceProcess): Promise<Readonly<Record<string, string>>> {
  return (await new TestClient(url, null, null).get('/health/ready')).body['backends'] as Record<string, string>;
}

export async function untilReady(service: ServiceProcess): Promise<void> {
  await eventually(
    () => statesOf(service),
    (states) => Object.values(states).every((state) => state === 'up'),
  );
}
