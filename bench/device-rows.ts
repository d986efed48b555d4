import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LmdbDocumentStore } from '../src/adapters/embedded/lmdb-document-store.js';
import { LocalObjectStore } from '../src/adapters/storage/local-object-store.js';
import { SystemClock } from '../src/adapters/system/system-clock.js';
import { plainDialect } from '../src/ports/csv-inspector.js';
import type { DocumentStore } from '../src/ports/document-store.js';
import { NO_METRICS } from '../src/ports/metrics.js';
import type { ObjectStore } from '../src/ports/object-store.js';
import type { RowDownloads } from '../src/ports/row-downloads.js';
import type { LoadSource, RowEngine } from '../src/ports/row-engine.js';
import type { RowReader } from '../src/ports/row-reader.js';
import type { ColumnType, TableRef } from '../src/ports/table.js';
import { RowStore } from '../src/row-store.js';
import { EngineProcess } from '../src/rows/engine/engine-client.js';
import { RowTables } from '../src/rows/row-tables.js';
import { SandboxPool } from '../src/rows/sandbox/sandbox-pool.js';
import { asId } from '../src/shared/ids.js';

const DEVICES = 1000;
const STATES = ['ok', 'warn', 'fail', 'idle'];
export const FIRST_TIME = Date.UTC(2024, 0, 1);
const MINUTE_MS = 60_000;

const COLUMNS: readonly (readonly [string, ColumnType])[] = [
  ['ts', 'time'],
  ['device', 'text'],
  ['temperature', 'number'],
  ['humidity', 'number'],
  ['pressure', 'number'],
  ['voltage', 'number'],
  ['load', 'number'],
  ['errors', 'integer'],
  ['status', 'text'],
];

/** Writes rows of a thousand devices, a minute apart, in the order of time: always the same ones. Every `badEvery`th has no valid time. */
export async function writeRows(path: string, rows: number, badEvery: number | null = null): Promise<void> {
  const random = randomFrom(42);
  const out = createWriteStream(path);
  let text = `${COLUMNS.map(([name]) => name).join(',')}\n`;
  for (let row = 0; row < rows; row++) {
    const isBad = badEvery !== null && row % badEvery === badEvery - 1;
    text += `${isBad ? 'soon' : timeOf(row)},${deviceOf(row)},${measures(random)},${STATES[Math.floor(random() * 4)] ?? ''}\n`;
    if (text.length > 1024 ** 2) {
      if (!out.write(text)) await once(out, 'drain');
      text = '';
    }
  }
  out.end(text);
  await once(out, 'finish');
}

function timeOf(row: number): string {
  const time = new Date(FIRST_TIME + Math.floor(row / DEVICES) * MINUTE_MS);
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

export function deviceOf(row: number): string {
  return `device-${String(row % DEVICES).padStart(4, '0')}`;
}

function measures(random: () => number): string {
  const [a, b, c, d, e] = [random(), random(), random(), random(), random()];
  const values = [15 + a * 20, 30 + b * 60, 950 + c * 100, 3 + d, e * 5].map((value) => value.toFixed(2));
  return [...values, Math.floor(random() * 10)].join(',');
}

/** The same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function sourceOf(path: string): LoadSource {
  const columns = COLUMNS.map(([name, type]) => ({ name, type }));
  return {
    files: [
      { path, name: 'rows.csv', dialect: plainDialect(columns.length), columns: columns.map(({ name }) => name) },
    ],
    columns,
    timeField: 'ts',
    timeFormat: '%Y-%m-%d %H:%M:%S',
    importedAt: new Date(),
    metaField: 'device',
    values: ['temperature'],
  };
}

/** What rows stand on. */
export interface Shared extends AsyncDisposable {
  readonly documents: DocumentStore;
  readonly objects: ObjectStore;
}

export interface BenchStore extends AsyncDisposable {
  readonly folder: string;
  readonly engine: RowEngine;
  readonly reader: RowReader;
  readonly downloads: RowDownloads;
  readonly process: EngineProcess;
  /** The path of a table's base, where it lies on this machine. */
  base(table: TableRef): Promise<string>;
}

/** A row store in a folder of its own, as the service runs it by default, or over what others share. */
export async function openStore(shared?: Shared): Promise<BenchStore> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const storage = { dataDir: folder, mongodbUri: null, importMemoryMb: 1024, engineMemoryMb: 1024, rowCacheBytes: 4e9 };
  const below = shared ?? (await embeddedIn(folder));
  const { documents, objects } = below;
  const [clock, process] = [new SystemClock(), new EngineProcess(storage)];
  const sandbox = new SandboxPool({ tempDir: join(folder, 'sandbox') });
  await process.start();
  const needs = { process, sandbox, documents, objects, clock, metrics: NO_METRICS };
  const store = await RowStore.open({ storage, compactAfterRows: 10_000 }, needs);
  const { engine, reader, downloads } = store;
  return {
    ...{ folder, engine, reader, downloads, process },
    base: async (table) => {
      const { name } = (await new RowTables(documents, clock).now(table)).table.base;
      return objects.placeOf({ companyId: table.companyId, area: 'rows', name }) ?? '';
    },
    [Symbol.asyncDispose]: async () => {
      await sandbox.stop();
      await store.close();
      await process.stop();
      if (below !== shared) await below[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function embeddedIn(folder: string): Promise<Shared> {
  const documents = new LmdbDocumentStore(join(folder, 'documents'), new SystemClock());
  const objects = new LocalObjectStore(join(folder, 'objects'));
  await documents.open();
  await objects.open();
  return { documents, objects, [Symbol.asyncDispose]: () => documents.close() };
}

export function aTable(generation = 1): TableRef {
  return { companyId: asId('a'.repeat(24)), datasourceId: asId('b'.repeat(24)), generation, visibleFrom: null };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Number.NaN;
}
