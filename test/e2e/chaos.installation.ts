import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { expect } from 'vitest';
import { OwnMongo, OwnRedis } from '../support/own-servers.js';
import { ServiceProcess, WITH_ADMIN } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { TestClient } from '../support/test-client.js';

/** What the instances share, and the proxies through which they reach it. */
interface Servers {
  readonly redis: OwnRedis;
  readonly mongo: OwnMongo;
  readonly toRedis: TcpProxy;
  readonly toMongo: TcpProxy;
}

/** An installation with a MongoDB, a Redis and a bucket of its own, whose instances are processes that can be started and killed. */
export class ChaosInstallation implements AsyncDisposable {
  private readonly running: ServiceProcess[] = [];
  private readonly secret = randomBytes(32).toString('hex');

  private constructor(
    readonly servers: Servers,
    private readonly folder: string,
    private readonly bucket: S3rver,
    private readonly bucketUrl: string,
  ) {}

  static async open(): Promise<ChaosInstallation> {
    const [redis, mongo] = await Promise.all([OwnRedis.start(), OwnMongo.start()]);
    const [toRedis, toMongo] = await Promise.all([TcpProxy.open(redis.url), TcpProxy.open(mongo.uri('chaos'))]);
    const folder = await mkdtemp(join(tmpdir(), 'das-chaos-'));
    const bucket = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 'bucket') });
    const { port } = await bucket.run();
    await fetch(`http://127.0.0.1:${port}/files`, { method: 'PUT' });
    const bucketUrl = `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/files`;
    return new ChaosInstallation({ redis, mongo, toRedis, toMongo }, folder, bucket, bucketUrl);
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
      MONGODB_URI: this.servers.toMongo.url,
      REDIS_URL: this.servers.toRedis.url,
      OBJECT_STORE_URL: this.bucketUrl,
      JWT_SECRET: this.secret,
      ...WITH_ADMIN,
      ...environment,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.running.map((service) => service[Symbol.asyncDispose]()));
    const { redis, mongo, toRedis, toMongo } = this.servers;
    for (const each of [toRedis, toMongo, redis, mongo]) await each[Symbol.asyncDispose]();
    await this.bucket.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The same user at another instance. */
export function at({ url }: ServiceProcess, client: TestClient): TestClient {
  return new TestClient(url, client.token, client.user);
}

export async function statesOf({ url }: ServiceProcess): Promise<Readonly<Record<string, string>>> {
  return (await new TestClient(url, null, null).get('/health/ready')).body['backends'] as Record<string, string>;
}

export async function untilReady(service: ServiceProcess): Promise<void> {
  const away = async (): Promise<unknown> =>
    Object.entries(await statesOf(service)).filter(([, state]) => state !== 'up');
  await expect.poll(away).toEqual([]);
}
