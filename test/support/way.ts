import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type S3rver from 's3rver';
import { databaseAt, dropDatabase, mongodbServer } from './mongodb.js';
import { forgetInstallation, redisServer } from './redis.js';

const WAYS = ['embedded', 'production', 'two'] as const;

/**
 * How the service is started in tests: with nothing besides it; as one instance with MongoDB, Redis and a bucket; or as two of them that
 * share the requests.
 */
export type Way = (typeof WAYS)[number];

export const way: Way = wayFromEnvironment();

function wayFromEnvironment(): Way {
  const given = process.env['TEST_WAY'] ?? '';
  if (given === '') return 'embedded';
  const found = WAYS.find((one) => one === given);
  if (found === undefined) throw new Error(`TEST_WAY is ${given}: it may be ${WAYS.join(', ')}`);
  if (found !== 'embedded' && (mongodbServer === undefined || redisServer === undefined)) {
    throw new Error(`TEST_WAY=${found} needs TEST_MONGODB_URI and TEST_REDIS_URL`);
  }
  return found;
}

/** For `describe.skipIf`: true, and said aloud, where the service has no such thing in this way. */
export function notApplicable(to: readonly Way[], reason: string): boolean {
  if (!to.includes(way)) return false;
  console.warn(`NOT APPLICABLE with TEST_WAY=${way}: ${reason}`);
  return true;
}

/** The ways in which documents, jobs and files lie in servers, not in the data folder. */
export const SHARED_SERVERS: readonly Way[] = ['production', 'two'];

/** What the service is told besides its data folder, which names its database and its keys: the same at every start on the folder. */
export async function surroundingsOf(dataDir: string): Promise<Readonly<Record<string, string>>> {
  if (way === 'embedded') return {};
  const name = nameOf(dataDir);
  used.add(name);
  return {
    MONGODB_URI: databaseAt(name),
    REDIS_URL: redisServer ?? '',
    REDIS_PREFIX: name,
    OBJECT_STORE_URL: `${await bucket()}/${name}`,
    JWT_SECRET: createHash('sha256').update(`${RUN} ${dataDir}`).digest('hex'),
  };
}

/** Where the bucket of what is started on a data folder lies on this machine; null: there is none. */
export async function bucketFolderOf(dataDir: string): Promise<string | null> {
  return storage === null ? null : join((await storage).folder, 'files', nameOf(dataDir));
}

/** How many instances serve what is started on a folder. */
export const INSTANCES = way === 'two' ? 2 : 1;

/** The data folder of an instance: only the first has the one that was named. */
export function folderOf(dataDir: string, instance: number): string {
  return instance === 0 ? dataDir : `${dataDir}-${instance + 1}`;
}

/** Removes what was left in the servers. Called when a file's tests are done. */
export async function leaveServers(): Promise<void> {
  for (const name of used) {
    await dropDatabase(databaseAt(name));
    await forgetInstallation(name);
  }
  used.clear();
  const opened = await storage;
  storage = null;
  if (opened === null) return;
  await opened.server.close();
  await rm(opened.folder, { recursive: true, force: true });
}

/** No other run of the tests has it, so that what it left behind is nobody else's. */
const RUN = randomBytes(8).toString('hex');
const used = new Set<string>();
let storage: Promise<{ readonly server: S3rver; readonly folder: string; readonly url: string }> | null = null;

function nameOf(dataDir: string): string {
  return `way-${createHash('sha256').update(`${RUN} ${dataDir}`).digest('hex').slice(0, 16)}`;
}

async function bucket(): Promise<string> {
  storage ??= openStorage();
  return (await storage).url;
}

async function openStorage(): Promise<{ server: S3rver; folder: string; url: string }> {
  const { default: S3Server } = await import('s3rver');
  const folder = await mkdtemp(join(tmpdir(), 'das-bucket-'));
  const server = new S3Server({ port: 0, address: '127.0.0.1', silent: true, directory: folder });
  const { port } = await server.run();
  await fetch(`http://127.0.0.1:${port}/files`, { method: 'PUT' });
  return { server, folder, url: `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/files` };
}

/** The addresses of the instances behind the one that is told. */
const behind = new Map<string, readonly string[]>();

/** From now on, who asks at the first of these is served by any of them. */
export function shareRequests(urls: readonly string[]): void {
  const [first] = urls;
  if (first !== undefined && urls.length > 1) behind.set(first, urls);
}

/** One of the instances behind an address, at random. */
export function anInstanceOf(url: string): string {
  const all = behind.get(url) ?? [url];
  return all[Math.floor(Math.random() * all.length)] ?? url;
}
