/**
 * How long a plot takes at two million rows, through the row reader and its process, against the same statements on a bare DuckDB
 * connection in this process. `npx tsx bench/plot.ts [rows] [turns]`
 */
import { DuckDBInstance } from '@duckdb/node-api';
import { SystemClock } from '../src/adapters/system/system-clock.js';
import { RowTables } from '../src/rows/row-tables.js';
import { deviceOf, openDevices } from './device-rows.js';
import { line, ratio, timesOf } from './timing.js';

const ROWS = Number(process.argv[2] ?? 2_000_000);
const TURNS = Number(process.argv[3] ?? 200);
const POINTS = 1000;

await using devices = await openDevices(ROWS);
const { store, table } = devices;

/** The path of the table's base, which lies on this machine. */
async function base(): Promise<string> {
  const { name } = (await new RowTables(store.documents, new SystemClock()).now(table)).table.base;
  return store.objects.placeOf({ companyId: table.companyId, area: 'rows', name }) ?? '';
}

const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run(`ATTACH '${await base()}' AS rows (READ_ONLY)`);

/** The two statements of a plot, for which the engine's process is only a place. */
async function bare(asset: string | null): Promise<void> {
  const where = `c2 IS NOT NULL${asset === null ? '' : ` AND c1 = '${asset}'`}`;
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

const KINDS = [
  ['one asset', TURNS, (turn: number): string | null => deviceOf(turn * 7)],
  ['all assets', Math.ceil(TURNS / 5), () => null],
] as const;
console.log(`${ROWS} rows, ${POINTS} points`);
for (const [name, turns, assetOf] of KINDS) {
  const query = { from: null, to: null, column: 'temperature', points: POINTS };
  const through = await timesOf(turns, (turn) => store.reader.plot(table, { ...query, asset: assetOf(turn) }));
  const direct = await timesOf(turns, (turn) => bare(assetOf(turn)));
  console.log(line(name, through));
  console.log(line('  bare', direct));
  console.log(`  ${ratio(through, direct)}`);
}
