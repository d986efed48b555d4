/**
 * What rows cost in both row stores, side by side: import of the same file, plots and plans over it, and inserts; with the ratio.
 * `TEST_MONGODB_URI=… npx tsx bench/rows.ts [rows] [turns]`. Client and server share this machine: with a server of its own an import waits less.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RowFiles } from '../src/rows/row-files.js';
import { MongoRowStore } from '../src/adapters/mongo/rows/mongo-row-store.js';
import { SystemClock } from '../src/adapters/system/system-clock.js';
import type { RowEngine, TypedRow } from '../src/ports/row-engine.js';
import type { AnalysisPlan } from '../src/ports/analysis-plan.js';
import type { PlotQuery, RowReader } from '../src/ports/row-reader.js';
import type { QueryLimits } from '../src/ports/table.js';
import { aTable, deviceOf, FIRST_TIME, openStore, quantile, sourceOf, writeRows } from './device-rows.js';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const TURNS = Number(process.argv[3] ?? 50);
const SERVER = process.env['TEST_MONGODB_URI'];
if (SERVER === undefined) throw new Error('TEST_MONGODB_URI says where a MongoDB is that can be filled');
const TOGETHER = 1000;
const DAY_MS = 86_400_000;
const ALL = { from: null, to: null, column: 'temperature', points: 1000 };
const DAY = { from: new Date(FIRST_TIME), to: new Date(FIRST_TIME + DAY_MS) };

interface Rows {
  readonly engine: RowEngine;
  readonly reader: RowReader;
}

interface Figures {
  readonly name: string;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
}

const table = aTable();
const watch = { onProgress: () => undefined, signal: new AbortController().signal };

async function measured(name: string, turns: number, work: (turn: number) => Promise<unknown>): Promise<Figures> {
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const begin = performance.now();
    await work(turn);
    times.push(performance.now() - begin);
  }
  return { name, p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
}

function laterRows(turn: number): readonly TypedRow[] {
  return Array.from({ length: TOGETHER }, (_, row) => ({
    ts: new Date(FIRST_TIME + 400 * DAY_MS + (turn * TOGETHER + row) * 1000),
    device: deviceOf(row),
    ...{
      temperature: row / 7,
      humidity: 50.5,
      pressure: 1000.25,
      voltage: 3.3,
      load: 0.5,
      errors: row % 10,
      status: 'ok',
    },
  }));
}

const FEW = Math.ceil(TURNS / 10);
const ANSWER: QueryLimits = { maxRows: 1000, timeoutMs: 120_000 };
const PLAIN = { filters: [], having: [], order: [], limit: null } as const;
const BY_DEVICE = [{ kind: 'column', column: 'device', label: 'device' }] as const;
const PAIR = { kind: 'statistic', columns: ['temperature', 'humidity'], by: null, filters: [] } as const;

const PLANS: readonly (readonly [string, AnalysisPlan])[] = [
  ...(['avg', 'median'] as const).map((aggregate): readonly [string, AnalysisPlan] => {
    const measures = [{ aggregate, column: 'temperature', label: aggregate }];
    return [`${aggregate} by device`, { ...PLAIN, kind: 'aggregate', measures, dimensions: BY_DEVICE }];
  }),
  [
    'median of all',
    { ...PLAIN, kind: 'aggregate', measures: [{ aggregate: 'median', column: 'load', label: 'm' }], dimensions: [] },
  ],
  ['correlation', { ...PAIR, method: 'pearson' }],
  ['rank correlation', { ...PAIR, method: 'spearman' }],
  ['description', { ...PAIR, method: 'describe' }],
];

/** What one of them refuses has no figures. */
async function figuresOfPlans(reader: RowReader): Promise<readonly Figures[]> {
  const figures: Figures[] = [];
  for (const [name, plan] of PLANS)
    try {
      figures.push(await measured(name, FEW, () => reader.analyze(table, plan, ANSWER)));
    } catch (error) {
      console.log(`${name}: ${String(error)}`);
      figures.push({ name, p50: Number.NaN, p95: Number.NaN });
    }
  return figures;
}

async function figuresOf({ engine, reader }: Rows, csv: string): Promise<readonly Figures[]> {
  const plot = (query: PlotQuery): Promise<unknown> => reader.plot(table, query);
  return [
    await measured('import', 3, () => engine.load(table, sourceOf(csv), watch)),
    await measured('plot of one asset', TURNS, (turn) => plot({ ...ALL, asset: deviceOf(turn * 7) })),
    await measured('plot of an asset’s day', TURNS, (turn) => plot({ ...ALL, ...DAY, asset: deviceOf(turn * 7) })),
    await measured('plot of all assets', Math.ceil(TURNS / 10), () => plot({ ...ALL, asset: null })),
    ...(await figuresOfPlans(reader)),
    await measured(`insert of ${TOGETHER} rows`, TURNS, (turn) => engine.append(table, laterRows(turn))),
  ];
}

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
const uri = new URL(SERVER);
uri.pathname = `/bench-${randomBytes(6).toString('hex')}`;
const files = new RowFiles(folder);
await files.prepare();
const mongo = await MongoRowStore.open({
  uri: uri.href,
  room: { files, importMemoryMb: 1024 },
  downloads: { wholeMs: 600_000, stalledMs: 60_000 },
  clock: new SystemClock(),
});
await using duckdb = await openStore();
const csv = join(folder, 'rows.csv');
await writeRows(csv, ROWS);

console.log(`${ROWS} rows; milliseconds`);
const [one, other] = [await figuresOf(duckdb, csv), await figuresOf(mongo, csv)];
for (const [index, { name, p50, p95 }] of one.entries()) {
  const far = other[index] ?? { p50: Number.NaN, p95: Number.NaN };
  console.log(
    `${name.padEnd(24)} DuckDB p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)}   MongoDB p50 ${far.p50.toFixed(1)} p95 ${far.p95.toFixed(1)}   ratio p50 ${(far.p50 / p50).toFixed(2)}`,
  );
}
const { companyId, datasourceId } = table;
await mongo.engine.remove(companyId, datasourceId);
await mongo.close();
await rm(folder, { recursive: true, force: true });
