import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoDocumentStore } from '../../src/adapters/mongo/mongo-document-store.js';
import { s3Address } from '../../src/adapters/storage/s3-address.js';
import { S3ObjectStore } from '../../src/adapters/storage/s3-object-store.js';
import { SystemClock } from '../../src/adapters/system/system-clock.js';
import type { DocumentStore } from '../../src/ports/document-store.js';
import type { ObjectStore } from '../../src/ports/object-store.js';
import type { TableRef } from '../../src/ports/table.js';
import { type DuckDbStore, openOn } from './duckdb-store.fixture.js';
import { type Counts, countsOf, rowsOf, RULES } from './row-instances-kill.fixture.js';

/** Where instances that are to be killed find what they share, and the folder of each. */
export interface OwnerPlace {
  readonly uri: string;
  readonly bucket: string;
  readonly folders: readonly string[];
}

export interface OwnerWork {
  /** One for each instance. */
  readonly tables: readonly (Omit<TableRef, 'visibleFrom'> & { readonly visibleFrom: null })[];
  /** Names its batches. */
  readonly life: string;
  /** Its process kills itself before or after so many calls of the document store and the object store. */
  readonly dieAt: number;
}

export type OwnerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'seen'; readonly counts: readonly Counts[] }
  | { readonly kind: 'stored'; readonly table: number; readonly batch: number };

let left = Number.POSITIVE_INFINITY;

process.on('disconnect', () => process.exit(0));
process.once('message', (place: OwnerPlace) => void begin(place));

async function begin({ uri, bucket, folders }: OwnerPlace): Promise<void> {
  const documents = new MongoDocumentStore(uri, new SystemClock());
  await documents.open();
  const objects = new S3ObjectStore(s3Address(bucket), join(tmpdir(), `rows-${randomUUID()}`));
  const shared = { documents: mortalStore(documents), objects: mortal<ObjectStore>(objects), ...NOTHING_TO_END };
  const stores = await Promise.all(folders.map((path) => openOn({ path, ...NOTHING_TO_END }, shared, RULES)));
  process.on('message', (work: OwnerWork) => void live(stores, work));
  tell({ kind: 'ready' });
}

async function live(stores: readonly DuckDbStore[], { tables, life, dieAt }: OwnerWork): Promise<void> {
  const pairs = stores.flatMap((store, index) => tables.slice(index, index + 1).map((table) => ({ store, table })));
  const counts = await Promise.all(pairs.map(({ store, table }) => countsOf(store, table)));
  tell({ kind: 'seen', counts });
  left = dieAt;
  await Promise.all(pairs.map((pair, index) => insert(pair, index, life)));
}

/** Until it is killed. */
async function insert(
  { store: { engine, reader }, table }: { store: DuckDbStore; table: TableRef },
  index: number,
  life: string,
): Promise<void> {
  for (let batch = 1; ; batch += 1) {
    const { key, rows } = rowsOf(life, index, batch);
    const { wantsCompaction } = await engine.append(table, rows, { key, note: '', at: new Date() });
    tell({ kind: 'stored', table: index, batch });
    // Another instance may have compacted it first.
    if (wantsCompaction) await engine.compact(table, new AbortController().signal).catch(() => undefined);
    if (batch % 3 === 0) await reader.distinctMetadata(table, { search: '', skip: 0, limit: 1 });
  }
}

const NOTHING_TO_END = { [Symbol.asyncDispose]: () => Promise.resolve() };

function mortalStore(store: DocumentStore): DocumentStore {
  const collection = store.tenantCollection.bind(store);
  store.tenantCollection = (definition) => {
    const opened = collection(definition);
    const of = opened.of.bind(opened);
    opened.of = (companyId) => mortal(of(companyId));
    return opened;
  };
  return store;
}

/** Each call is two moments at which the process may die. */
function mortal<T extends object>(target: T): T {
  return new Proxy(target, {
    get: (_, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (!CALLS.includes(String(name))) return member.bind(target) as unknown;
      return async (...given: unknown[]): Promise<unknown> => {
        moment();
        const outcome: unknown = await Reflect.apply(member, target, given);
        moment();
        return outcome;
      };
    },
  });
}

const CALLS = ['insert', 'get', 'find', 'update', 'remove', 'adopt', 'read'];

function moment(): void {
  left -= 1;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
}

function tell(message: OwnerMessage): void {
  process.send?.(message);
}
