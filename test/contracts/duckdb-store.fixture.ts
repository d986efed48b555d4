import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { LmdbDocumentStore } from '../../src/adapters/embedded/lmdb-document-store.js';
import { MongoDocumentStore } from '../../src/adapters/mongo/mongo-document-store.js';
import { LocalObjectStore } from '../../src/adapters/storage/local-object-store.js';
import { s3Address } from '../../src/adapters/storage/s3-address.js';
import { S3ObjectStore } from '../../src/adapters/storage/s3-object-store.js';
import { SystemClock } from '../../src/adapters/system/system-clock.js';
import type { StorageConfig } from '../../src/config/app-config.js';
import type { DocumentStore } from '../../src/ports/document-store.js';
import { NO_METRICS } from '../../src/ports/metrics.js';
import type { ObjectKey, ObjectStore } from '../../src/ports/object-store.js';
import type { TableRef } from '../../src/ports/table.js';
import { RowStore as OpenedStore } from '../../src/row-store.js';
import { EngineProcess } from '../../src/rows/engine/engine-client.js';
import { RowFiles } from '../../src/rows/row-files.js';
import { ROW_TABLES } from '../../src/rows/row-table.schema.js';
import { RowTables } from '../../src/rows/row-tables.js';
import { SandboxPool } from '../../src/rows/sandbox/sandbox-pool.js';
import { databaseAt, dropDatabase } from '../support/mongodb.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { aFolder, aTable, type RowStore } from './row-engine.fixture.js';

export function storageIn(dataDir: string, memoryMb = 512): StorageConfig {
  return { dataDir, mongodbUri: null, importMemoryMb: memoryMb, engineMemoryMb: memoryMb, rowCacheBytes: 1024 ** 3 };
}

export interface DuckDbStore extends RowStore {
  readonly process: EngineProcess;
  readonly files: RowFiles;
  readonly folder: string;
  readonly documents: DocumentStore;
  readonly objects: ObjectStore;
}

export interface StoreRules {
  readonly afterRows?: number;
  readonly keepMs?: number;
  /** Of copies of distant files. */
  readonly cacheBytes?: number;
  /** Of the engine, and of an import. */
  readonly memoryMb?: number;
}

/** What rows stand on. */
export interface Shared extends AsyncDisposable {
  readonly documents: DocumentStore;
  readonly objects: ObjectStore;
}

/** A row store in a folder of its own; a compaction is worth it from ten later rows on. */
export async function openDuckDb(rules: StoreRules = {}): Promise<DuckDbStore> {
  const folder = await aFolder();
  const shared = await embeddedIn(folder.path);
  return openOn(folder, shared, rules);
}

/** The same over MongoDB and a bucket. */
export async function openDistant(rules: StoreRules = {}): Promise<DuckDbStore> {
  return openOn(await aFolder(), await distant(), rules);
}

/** Another instance on what others stand on: it ends without ending that. */
export async function openBeside({ documents, objects }: Shared, rules: StoreRules = {}): Promise<DuckDbStore> {
  const own = { documents, objects, [Symbol.asyncDispose]: () => Promise.resolve() };
  return openOn(await aFolder(), own, rules);
}

async function copied(shared: Shared, { companyId, datasourceId, generation }: TableRef): Promise<TableRef> {
  const { documents, objects } = shared;
  const records = documents.tenantCollection(ROW_TABLES).of(companyId);
  const [record] = await records.find({ datasourceId, generation });
  if (record === undefined) throw new Error('there is no table to copy');
  const { base, columns, timeField, metaField } = record;
  const copy = aTable();
  const keyOf = (name: string): ObjectKey => ({ companyId, area: 'rows', name });
  const name = `${copy.datasourceId}.1.${randomUUID()}`;
  await objects.write(keyOf(name), await objects.read(keyOf(base.name)), base.size);
  const made = { base: { ...base, name }, part: null, rejects: null, columns, timeField, metaField };
  await new RowTables(documents, new SystemClock()).publish(copy, made);
  return copy;
}

/** The names of the table's objects. */
export async function objectsOf(
  { objects }: Shared,
  { datasourceId }: Pick<TableRef, 'datasourceId'>,
): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { key } of objects.list('rows')) if (key.name.startsWith(datasourceId)) names.push(key.name);
  return names.sort();
}

export async function embeddedIn(folder: string): Promise<Shared> {
  const documents = new LmdbDocumentStore(join(folder, 'documents'), new SystemClock());
  await documents.open();
  const objects = new LocalObjectStore(join(folder, 'objects'));
  await objects.open();
  return { documents, objects, [Symbol.asyncDispose]: () => documents.close() };
}

/** MongoDB, and a bucket that can be cut off. */
export interface Distant extends Shared {
  readonly bucket: TcpProxy;
  /** Where others find them. */
  readonly uri: string;
  readonly bucketUrl: string;
}

export async function distant(): Promise<Distant> {
  const folder = await aFolder();
  // Not for processes that only work on one.
  const { default: S3rver } = await import('s3rver');
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: join(folder.path, 'bucket') });
  const { port } = await server.run();
  await fetch(`http://127.0.0.1:${port}/files`, { method: 'PUT' });
  const bucket = await TcpProxy.open(`http://127.0.0.1:${port}/files/x`);
  const bucketUrl = bucket.url.replace('http://', 's3+http://S3RVER:S3RVER@');
  const objects = new S3ObjectStore(s3Address(bucketUrl), join(folder.path, 'copies'));
  await objects.open();
  const uri = databaseAt(`rows-${randomBytes(6).toString('hex')}`);
  const documents = new MongoDocumentStore(uri, new SystemClock());
  await documents.open();
  return {
    documents,
    objects,
    bucket,
    uri,
    bucketUrl,
    [Symbol.asyncDispose]: async () => {
      await documents.close();
      await dropDatabase(uri);
      await bucket.close();
      await server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export async function openOn(
  folder: { readonly path: string } & AsyncDisposable,
  shared: Shared,
  { afterRows = 10, keepMs = 0, cacheBytes = 1024 ** 3, memoryMb }: StoreRules,
): Promise<DuckDbStore> {
  const { documents, objects } = shared;
  const storage = { ...storageIn(folder.path, memoryMb), rowCacheBytes: cacheBytes };
  const process = new EngineProcess(storage, keepMs);
  await process.start();
  const sandbox = new SandboxPool({ tempDir: join(folder.path, 'sandbox') });
  const needs = { process, sandbox, documents, objects, clock: new SystemClock(), metrics: NO_METRICS };
  const store = await OpenedStore.open({ storage, compactAfterRows: afterRows, keepMs }, needs);
  const { engine, reader, downloads } = store;
  return {
    engine,
    reader,
    downloads,
    copied: (table) => copied(shared, table),
    process,
    documents,
    objects,
    files: new RowFiles(folder.path),
    folder: folder.path,
    [Symbol.asyncDispose]: async () => {
      await sandbox.stop();
      await store.close();
      await process.stop();
      await shared[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
