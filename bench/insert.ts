/**
 * How long an insertion takes: the check of every row, the way to the engine's process and back, and the commit to the disk, against the same
 * rows inserted by one statement on a bare DuckDB connection in this process. Alone, beside plots, and beside a compaction.
 * `npx tsx bench/insert.ts [turns]`
 */
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { checkRow, type RowRules, type SentRow } from '../src/features/datasource/data/row-check.js';
import type { TypedRow } from '../src/ports/row-engine.js';
import { parseLayout } from '../src/shared/time-format/time-format.js';
import { deviceOf, openDevices, secondsOf } from './device-rows.js';
import { line, timeOf, WARM_UP } from './timing.js';

const TURNS = Number(process.argv[2] ?? 100);
const ROWS = 1000;
const BASE = 1_000_000;
const LATER = 1_000_000;
const TIME_FORMAT = '%Y-%m-%d %H:%M:%S';
const NAMES = ['ts', 'device', 'temperature', 'humidity', 'pressure', 'voltage', 'load', 'errors', 'status'] as const;

/** Texts, as they come over HTTP. */
function sentRow(row: number): SentRow {
  const measures = { temperature: '21.35', humidity: '55.1', pressure: '1013.2', voltage: '3.31', load: '0.74' };
  const ts = secondsOf(Date.UTC(2025, 0, 1) + row * 1000);
  return { ts, device: deviceOf(row), ...measures, errors: String(row % 7), status: 'ok' };
}

await using devices = await openDevices(BASE);
const { store, table } = devices;
const rules: RowRules = {
  profile: await store.reader.profile(table),
  timeFormat: TIME_FORMAT,
  layout: parseLayout(TIME_FORMAT),
  now: new Date(),
  visibleFrom: null,
  decimal: '.',
  layouts: new Map(),
};

const connection = await (await DuckDBInstance.create(join(store.folder, 'bare.duckdb'))).connect();
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

let turn = 0;

function nextRows(): readonly SentRow[] {
  turn += 1;
  return Array.from({ length: ROWS }, (_, row) => sentRow(turn * ROWS + row));
}

const append = (rows: readonly SentRow[]): Promise<unknown> => store.engine.append(table, checked(rows));

/** Inserts the same rows through the store and by the bare statement, one right after the other, turn by turn as long as it is wanted. */
async function compare(name: string, isWanted: (turns: number) => boolean): Promise<void> {
  const [through, direct]: [number[], number[]] = [[], []];
  while (isWanted(through.length)) {
    const rows = nextRows();
    through.push(await timeOf(() => append(rows)));
    direct.push(await timeOf(() => bare(rows)));
  }
  console.log(line(`1,000 rows, ${name}`, through));
  console.log(line('  the bare statement', direct));
}

/** Two dashboards that never rest. */
async function withReaders(work: () => Promise<void>): Promise<void> {
  let done = false;
  const plot = { from: null, to: null, column: 'temperature', points: 1000 };
  const readers = [null, deviceOf(7)].map(async (asset) => {
    while (!done) await store.reader.plot(table, { ...plot, asset });
  });
  await work();
  done = true;
  await Promise.all(readers);
}

console.log(`${ROWS} rows of ${NAMES.length} values; check of every row included`);
for (let run = 0; run < WARM_UP; run += 1) {
  await append(nextRows());
  await bare(nextRows());
}
await compare('alone', (turns) => turns < TURNS);
await withReaders(() => compare('with two plot loops', (turns) => turns < TURNS));
while ((await store.engine.count(table)) < BASE + LATER) await append(nextRows());
let isOver = false;
const compaction = store.engine.compact(table, new AbortController().signal).finally(() => (isOver = true));
await compare('during a compaction', () => !isOver);
if (!(await compaction)) throw new Error('there was nothing to compact');
