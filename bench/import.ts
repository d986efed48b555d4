/**
 * What an import costs: CSV to a published, sorted, described table through the row engine, against DuckDB's bare
 * `CREATE TABLE AS SELECT * FROM read_csv(...)` of the same file and, where it is installed, PostgreSQL's `COPY` into a table without an index.
 * `npx tsx bench/import.ts [rows] [turns] [bad rows: every nth]`: 15 million rows are 1 GB, 60 million 4 GB.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineCsvInspector } from '../src/rows/engine/engine-client.js';
import { openDuckDb } from '../test/contracts/duckdb-store.fixture.js';
import { aTable, QUIET } from '../test/contracts/row-engine.fixture.js';
import { bareImport } from './bare-import.js';
import { AS_SERVED, sourceOf, writeRows } from './device-rows.js';
import { cpuSeconds, PeakMemory } from './processes.js';
import { BenchPostgres } from './postgres.js';
import { median, timeOf } from './timing.js';

const ROWS = Number(process.argv[2] ?? 2_000_000);
const TURNS = Number(process.argv[3] ?? 5);
const BAD_EVERY = process.argv[4] === undefined ? null : Number(process.argv[4]);

interface Cost {
  /** Seconds. */
  readonly cpu: number;
  readonly wall: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const before = cpuSeconds('self', 'ended children');
  const wall = (await timeOf(work)) / 1000;
  return { cpu: cpuSeconds('self', 'ended children') - before, wall };
}

function print(name: string, costs: readonly Cost[], start: number): void {
  const [cpu, wall] = [median(costs.map((cost) => cost.cpu)), median(costs.map((cost) => cost.wall))];
  console.log(
    `${name.padEnd(12)} CPU ${cpu.toFixed(2)} s (${(cpu - start).toFixed(2)} s without the start of its process), wall ${wall.toFixed(2)} s`,
  );
}

await using store = await openDuckDb(AS_SERVED);
const csv = join(store.folder, 'rows.csv');
await writeRows(csv, ROWS, BAD_EVERY);
const badRows = BAD_EVERY === null ? 0 : Math.floor(ROWS / BAD_EVERY);
console.log(`${ROWS} rows, ${((await stat(csv)).size / 1e6).toFixed(0)} MB, ${badRows} rows bad`);

const looked = await timeOf(() => new EngineCsvInspector(store.process).describe(csv));
console.log(`looked into for the upload's reply in ${looked.toFixed(0)} ms`);

await using postgres = await BenchPostgres.start();
await postgres?.sql(
  'CREATE TABLE rows (ts timestamp, device text, temperature float8, humidity float8, pressure float8, voltage float8, load float8, errors bigint, status text)',
);
const memory = new PeakMemory();
const copies: number[] = [];
const [starts, bares, imports]: [Cost[], Cost[], Cost[]] = [[], [], []];
for (let turn = 1; turn <= TURNS; turn++) {
  starts.push(await costOf(() => bareImport(store.folder)));
  bares.push(await costOf(() => bareImport(store.folder, csv, BAD_EVERY !== null)));
  if (postgres !== null && BAD_EVERY === null) {
    await postgres.sql('TRUNCATE rows');
    copies.push(await postgres.copy('rows', csv));
    await postgres.sql('CHECKPOINT');
  }
  memory.watch();
  imports.push(
    await costOf(async () => {
      const report = await store.engine.load(aTable(), sourceOf(csv), QUIET);
      if (report.rows !== ROWS - badRows || report.rejected !== badRows) throw new Error('the import lost rows');
    }),
  );
  memory.rest();
}

const start = median(starts.map((cost) => cost.cpu));
/** Turn by turn, because what else the machine does comes and goes. */
const ratio = (of: (cost: Cost) => number, less: number): string =>
  median(imports.map((cost, turn) => (of(cost) - less) / (of(bares[turn] ?? cost) - less))).toFixed(2);
print('bare', bares, start);
print('import', imports, start);
console.log(
  `import/bare: CPU ${ratio((cost) => cost.cpu, 0)} (${ratio((cost) => cost.cpu, start)} without the start of the processes, ${start.toFixed(2)} s), wall ${ratio((cost) => cost.wall, 0)}`,
);
if (copies.length > 0) {
  const wall = median(imports.map((cost, turn) => cost.wall / (copies[turn] ?? cost.wall)));
  console.log(`PostgreSQL COPY ${median(copies).toFixed(2)} s wall; import/COPY: wall ${wall.toFixed(2)}`);
}
console.log(String(memory));
