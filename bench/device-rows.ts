import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { plainDialect } from '../src/ports/csv-inspector.js';
import type { LoadSource } from '../src/ports/row-engine.js';
import type { ColumnType, TableRef } from '../src/ports/table.js';
import { KEEP_MS } from '../src/rows/engine/engine-client.js';
import { type DuckDbStore, openDuckDb } from '../test/contracts/duckdb-store.fixture.js';
import { aTable, QUIET } from '../test/contracts/row-engine.fixture.js';

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
  return secondsOf(FIRST_TIME + Math.floor(row / DEVICES) * MINUTE_MS);
}

/** As the files have it: `2024-01-01 00:00:00`. */
export function secondsOf(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

export function deviceOf(row: number): string {
  return `device-${String(row % DEVICES).padStart(4, '0')}`;
}

function measures(random: () => number): string {
  const [a, b, c, d, e] = [random(), random(), random(), random(), random()];
  const values = [15 + a * 20, 30 + b * 60, 950 + c * 100, 3 + d, e * 5].map((value) => value.toFixed(2));
  return [...values, Math.floor(random() * 10)].join(',');
}

/** The same numbers from 0 to 1 in every run. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function sourceOf(path: string): LoadSource {
  const columns = COLUMNS.map(([name, type]) => ({ name, type }));
  const names = columns.map(({ name }) => name);
  return {
    files: [{ path, name: 'rows.csv', dialect: plainDialect(columns.length), columns: names }],
    columns,
    timeField: 'ts',
    timeFormat: '%Y-%m-%d %H:%M:%S',
    importedAt: new Date(),
    metaField: 'device',
    values: ['temperature'],
  };
}

/** As the service runs it when it is told nothing else. */
export const AS_SERVED = { afterRows: 10_000, keepMs: KEEP_MS, memoryMb: 1024, cacheBytes: 4e9 };

export interface Devices extends AsyncDisposable {
  readonly store: DuckDbStore;
  readonly table: TableRef;
}

/** A row store in a folder of its own, with a table of so many rows of devices. */
export async function openDevices(rows: number): Promise<Devices> {
  const [store, table] = [await openDuckDb(AS_SERVED), aTable()];
  const csv = join(store.folder, 'rows.csv');
  await writeRows(csv, rows);
  await store.engine.load(table, sourceOf(csv), QUIET);
  return { store, table, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}
