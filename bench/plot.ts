/**
 * How long a plot takes at two million rows, through the row reader and its process, against the same statements on a bare DuckDB
 * connection in this process. `npx tsx bench/plot.ts [rows] [turns]`
 */
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { PlotQuery } from '../src/ports/row-reader.js';
import { aTable, deviceOf, FIRST_TIME, openStore, quantile, sourceOf, writeRows } from './device-rows.js';

const ROWS = Number(process.argv[2] ?? 2_000_000);
const TURNS = Number(process.argv[3] ?? 200);
const DAY_MS = 86_400_000;
const POINTS = 1000;

interface Kind {
  readonly name: string;
  readonly query: (turn: number) => PlotQuery;
  readonly turns: number;
}

const ALL = { from: null, to: null, column: 'temperature', points: POINTS };
const DAY = { from: new Date(FIRST_TIME), to: new Date(FIRST_TIME + DAY_MS) };
const KINDS: readonly Kind[] = [
  { name: 'one asset, full range', turns: TURNS, query: (turn) => ({ ...ALL, asset: deviceOf(turn * 7) }) },
  { name: 'one asset, one day', turns: TURNS, query: (turn) => ({ ...ALL, ...DAY, asset: deviceOf(turn * 7) }) },
  { name: 'all assets, full range', turns: Math.ceil(TURNS / 5), query: () => ({ ...ALL, asset: null }) },
];

async function timesOf(turns: number, work: (turn: number) => Promise<unknown>): Promise<readonly number[]> {
  for (let turn = 0; turn < 5; turn++) await work(turn);
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const begin = performance.now();
    await work(turn);
    times.push(performance.now() - begin);
  }
  return times;
}

await using store = await openStore();
const csv = join(store.folder, 'rows.csv');
await writeRows(csv, ROWS);
const table = aTable();
await store.engine.load(table, sourceOf(csv), { onProgress: () => undefined, signal: new AbortController().signal });

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
await connection.run(`ATTACH '${await store.base(table)}' AS rows (READ_ONLY)`);

/** The two statements of a plot, for which the engine's process is only a place. */
async function bare(query: PlotQuery): Promise<void> {
  const where = conditionsOf(query);
  const range = await connection.runAndReadAll(
    `SELECT count(c2), epoch_us(min(c0)), epoch_us(max(c0)) FROM rows.data WHERE ${where}`,
  );
  const [total = 0, first = 0, last = 0] = (range.getRows()[0] ?? []).map(Number);
  if (total === 0) throw new Error('nothing to plot');
  const width = Math.ceil((last + 1 - first) / POINTS);
  const sql =
    total <= POINTS
      ? `SELECT epoch_us(c0), c2 FROM rows.data WHERE ${where} ORDER BY c0, c2`
      : `SELECT (epoch_us(c0) - ${first}) // ${width} AS bucket, avg(c2), min(c2), max(c2), count(*)
         FROM rows.data WHERE ${where} GROUP BY bucket ORDER BY bucket`;
  (await connection.runAndReadAll(sql)).getRows();
}

function conditionsOf({ asset, from, to }: PlotQuery): string {
  const conditions = ['c2 IS NOT NULL'];
  if (asset !== null) conditions.push(`c1 = '${asset}'`);
  if (from) conditions.push(`c0 >= '${from.toISOString()}'::TIMESTAMP`);
  if (to) conditions.push(`c0 < '${to.toISOString()}'::TIMESTAMP`);
  return conditions.join(' AND ');
}

console.log(`${ROWS} rows, ${POINTS} points, milliseconds`);
for (const { name, query, turns } of KINDS) {
  const through = await timesOf(turns, (turn) => store.reader.plot(table, query(turn)));
  const direct = await timesOf(turns, (turn) => bare(query(turn)));
  const [p50, p95] = [quantile(through, 0.5), quantile(through, 0.95)];
  const [bare50, bare95] = [quantile(direct, 0.5), quantile(direct, 0.95)];
  console.log(
    `${name.padEnd(24)} p50 ${p50.toFixed(1)}  p95 ${p95.toFixed(1)}   bare: p50 ${bare50.toFixed(1)}  p95 ${bare95.toFixed(1)}   ratio p50 ${(p50 / bare50).toFixed(2)}`,
  );
}
connection.closeSync();
instance.closeSync();
