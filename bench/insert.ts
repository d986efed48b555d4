/**
 * How long an insertion of a thousand rows takes: the check of every row, the way to the engine's process and back, and the commit to
 * the disk, against the same rows inserted by one statement on a bare DuckDB connection in this process.
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
await writeRows(csv, 100_000);
const table = aTable();
await store.engine.load(table, sourceOf(csv), { onProgress: () => undefined, signal: new AbortController().signal });
const rules: RowRules = {
  profile: await store.reader.profile(table),
  timeFormat: TIME_FORMAT,
  layout: parseLayout(TIME_FORMAT),
  now: new Date(),
  visibleFrom: null,
  decimal: '.',
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

const checks: number[] = [];
const through: number[] = [];
const direct: number[] = [];
for (let turn = 0; turn < TURNS + WARM_UP; turn += 1) {
  const rows = Array.from({ length: ROWS }, (_, row) => sentRow(turn * ROWS + row));
  let fitting: readonly TypedRow[] = [];
  const check = await timed(() => (fitting = checked(rows)));
  const append = await timed(() => store.engine.append(table, fitting));
  const own = await timed(() => bare(rows));
  if (turn < WARM_UP) continue;
  checks.push(check);
  through.push(check + append);
  direct.push(own);
}
const [p50, p95] = [quantile(through, 0.5), quantile(through, 0.95)];
const [bare50, bare95] = [quantile(direct, 0.5), quantile(direct, 0.95)];
console.log(`${ROWS} rows of ${NAMES.length} values, ${TURNS} turns, milliseconds`);
console.log(
  `check of every row       p50 ${quantile(checks, 0.5).toFixed(1)}  p95 ${quantile(checks, 0.95).toFixed(1)}`,
);
console.log(
  `check and append         p50 ${p50.toFixed(1)}  p95 ${p95.toFixed(1)}   bare: p50 ${bare50.toFixed(1)}  p95 ${bare95.toFixed(1)}   ratio p50 ${(p50 / bare50).toFixed(2)}`,
);
connection.closeSync();
instance.closeSync();
