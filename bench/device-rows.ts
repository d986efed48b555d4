import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDbRowEngine } from '../src/rows/duckdb-row-engine.js';
import { DuckDbRowReader } from '../src/rows/duckdb-row-reader.js';
import { EngineProcess } from '../src/rows/engine-client.js';
import { RowFiles } from '../src/rows/row-files.js';
import { SandboxPool } from '../src/rows/sandbox-pool.js';
import { plainDialect } from '../src/ports/csv-inspector.js';
import type { LoadSource } from '../src/ports/row-engine.js';
import type { ColumnType, TableRef } from '../src/ports/table.js';
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

export interface BenchStore extends AsyncDisposable {
  readonly folder: string;
  readonly engine: DuckDbRowEngine;
  readonly reader: DuckDbRowReader;
  readonly files: RowFiles;
  readonly process: EngineProcess;
}

/** A row store in a folder of its own, as the service runs it by default. */
export async function openStore(): Promise<BenchStore> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const storage = { dataDir: folder, mongodbUri: null, importMemoryMb: 1024, engineMemoryMb: 1024 };
  const files = new RowFiles(folder);
  const process = new EngineProcess(storage);
  const sandbox = new SandboxPool({ tempDir: join(folder, 'sandbox') });
  await process.start();
  return {
    folder,
    files,
    process,
    engine: new DuckDbRowEngine(process, files, storage),
    reader: new DuckDbRowReader(process, files, sandbox),
    [Symbol.asyncDispose]: async () => {
      await sandbox.stop();
      await process.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
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
