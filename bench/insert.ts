/**
 * How long an insertion takes: the check of every row, the way to the engine's process and back, and the commit to the disk, against the same
 * rows inserted by one statement on a bare DuckDB connection in this process. Alone, beside plots, and beside a compaction; and plots before
 * and after it.
 * `npx tsx bench/insert.ts [turns]`
 */
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { checkRow, type RowRules, type SentRow } from '../src/features/datasource/data/row-check.js';
import type { TypedRow } from '../src/ports/row-engine.js';
import { parseLayout } from '../src/shared/time-format/time-format.js';
import { aTable, deviceOf, openStore, quantile, sourceOf, writeRows } from './device-rows.js';

const TURNS = Number(process.argv[2] ?? 100);
const ROWS = 1000;
const WARM_UP = 5;
const BASE = 1_000_000;
const LATER = 1_000_000;
const TIME_FORMAT = '%Y-%m-%d %H:%M:%S';
const NAMES = ['ts', 'device', 'temperature', 'humidity', 'pressure', 'voltage', 'load', 'errors', 'status'] as const;

/** Texts, as they come over HTTP. */
function sentRow(row: number): SentRow {
  const at = new Date(Date.UTC(2025, 0, 1) + row * 1000).toISOString().slice(0, 19).replace('T', ' ');
  const measures = { temperature: '21.35', humidity: '55.1', pressure: '1013.2', voltage: '3.31', load: '0.74' };
  return { ts: at, device: deviceOf(row), ...measures, errors: String(row % 7), status: 'ok' };
}

await using store = await openStore();
const csv = join(store.folder, 'rows.csv');
await writeRows(csv, BASE);
const table = aTable();
await store.engine.load(table, sourceOf(csv), { onProgress: () => undefined, signal: new AbortController().signal });
const rules: RowRules = {
  profile: await store.reader.profile(table),
  timeFormat: TIME_FORMAT,
  layout: parseLayout(TIME_FORMAT),
  now: new Date(),
  visibleFrom: null,
  decimal: '.',
  layouts: new Map(),
};

const instance = await DuckDBInstance.create(join(store.folder, 'bare.duckdb'));
const connection = await instance.connect();
await connection.run(`CREATE TABLE data (ts TIMESTAMP, device VARCHAR, temperature DOUBLE, humidity DOUBLE,
  pressure DOUBLE, voltage DOUBLE, load DOUBLE, errors BIGINT, status VARCHAR)`);

/** One statement, one commit: what no insertion can do without. */
async function bare(rows: readonly SentRow[]): Promise<void> {
  const json = JSON.stringify(rows.map((row) => NAMES.map((name) => row[name])));
  await connection.run(
    `INSERT INTO data SELECT r[1]::TIMESTAMP, r[2], r[3]::DOUBLE, r[4]::DOUBLE, r[5]::DOUBLE, r[6]::DOUBLE, r[7]::DOUBLE,
       r[8]::BIGINT, r[9] FROM (SELECT unnest(from_json($1::VARCHAR, '[["VARCHAR"]]')) AS r)`,
    [json],
  );
}

function checked(rows: readonly SentRow[]): readonly TypedRow[] {
  return rows.map((row) => {
    const outcome = checkRow(row, rules);
    if (!outcome.fits) throw new Error(outcome.reason);
    return outcome.row;
  });
}

async function timed(work: () => unknown): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Rows as the service hands them to the store. */
function rowsFrom(turn: number, count = ROWS): readonly SentRow[] {
  return Array.from({ length: count }, (_, row) => sentRow(turn * ROWS + row));
}

function told(name: string, times: readonly number[]): string {
  const shown = [0.5, 0.95, 0.99].map((part) => quantile(times, part).toFixed(1).padStart(7));
  return `${name.padEnd(44)} p50 ${shown[0]}  p95 ${shown[1]}  p99 ${shown[2]}`;
}

let turn = 0;

/** Each turn inserts the same rows through the store and by the bare statement, one right after the other. */
async function compare(name: string, turns: number, count = ROWS): Promise<void> {
  const through: number[] = [];
  const direct: number[] = [];
  for (let run = 0; run < turns + WARM_UP; run += 1) {
    const rows = rowsFrom((turn += 1), count);
    const appended = await timed(() => store.engine.append(table, checked(rows)));
    const own = await timed(() => bare(rows));
    if (run < WARM_UP) continue;
    through.push(appended);
    direct.push(own);
  }
  console.log(told(name, through));
  console.log(told('  the bare statement', direct));
}

const PLOTS = { from: null, to: null, column: 'temperature', points: 1000 };

/** Two dashboards that never rest. */
async function withReaders(work: () => Promise<void>): Promise<void> {
  let done = false;
  const readers = [null, deviceOf(7)].map(async (asset) => {
    while (!done) await store.reader.plot(table, { ...PLOTS, asset });
  });
  await work();
  done = true;
  await Promise.all(readers);
}

async function plotTimes(name: string): Promise<void> {
  for (const asset of [deviceOf(7), null]) {
    const times: number[] = [];
    for (let run = 0; run < 30; run += 1) times.push(await timed(() => store.reader.plot(table, { ...PLOTS, asset })));
    console.log(told(`plot of ${asset === null ? 'all assets' : 'one asset'}, ${name}`, times));
  }
}

console.log(
  `${ROWS} rows of ${NAMES.length} values and one row, ${TURNS} turns, milliseconds; check of every row included`,
);
await compare('1,000 rows, alone', TURNS);
await compare('one row, alone', TURNS, 1);
await withReaders(() => compare('1,000 rows, with two plot loops', TURNS));
while ((await store.engine.count(table)) < BASE + LATER)
  await store.engine.append(table, checked(rowsFrom((turn += 1))));
await plotTimes(`${LATER} later rows before compaction`);
const begun = performance.now();
let ended = 0;
const compaction = store.engine.compact(table, new AbortController().signal).then((done) => {
  ended = performance.now();
  return done;
});
const during: number[] = [];
const duringBare: number[] = [];
while (ended === 0) {
  const rows = rowsFrom((turn += 1));
  during.push(await timed(() => store.engine.append(table, checked(rows))));
  duringBare.push(await timed(() => bare(rows)));
}
console.log(`compaction: ${String(await compaction)}, ${((ended - begun) / 1000).toFixed(1)} s`);
console.log(told(`1,000 rows, during a compaction (${during.length} turns)`, during));
console.log(told('  the bare statement', duringBare));
await plotTimes('after compaction');
connection.closeSync();
instance.closeSync();
