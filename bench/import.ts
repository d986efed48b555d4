/**
 * What an import costs: CSV to a published, sorted, described table through the row engine, against DuckDB's bare
 * `CREATE TABLE AS SELECT * FROM read_csv(...)` of the same file and, where it is installed, PostgreSQL's `COPY` into a table without an index.
 * `npx tsx bench/import.ts [rows] [turns] [bad rows: every nth]`: 15 million rows are 1 GB, 60 million 4 GB.
 */
import { fork } from 'node:child_process';
import { PeakMemory } from './peak-memory.js';
import { BenchPostgres } from './postgres.js';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { childEntry } from '../src/adapters/processes/child-entry.js';
import { EngineCsvInspector } from '../src/rows/engine/engine-client.js';
import { aTable, median, openStore, sourceOf, writeRows } from './device-rows.js';

const ROWS = Number(process.argv[2] ?? 2_000_000);
const TURNS = Number(process.argv[3] ?? 5);
const BAD_EVERY = process.argv[4] === undefined ? null : Number(process.argv[4]);
const TICKS_PER_SECOND = 100;

interface Cost {
  readonly cpu: number;
  readonly wall: number;
}

/** Processor time of the children that have ended, as Linux counts it. */
function childrenCpu(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [cpu, begin] = [childrenCpu(), performance.now()];
  await work();
  return { cpu: childrenCpu() - cpu, wall: (performance.now() - begin) / 1000 };
}

async function bare(...args: readonly string[]): Promise<void> {
  const { path, execArgv } = childEntry(import.meta.url, './bare-import.process');
  const child = fork(path, [...args], { execArgv: [...execArgv] });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error('the bare import failed');
}

function line(name: string, costs: readonly Cost[], start: number): string {
  const cpu = median(costs.map((cost) => cost.cpu));
  const wall = median(costs.map((cost) => cost.wall));
  const each = costs.map((cost) => cost.cpu.toFixed(2)).join(' ');
  return `${name.padEnd(12)} CPU ${cpu.toFixed(2)} s (${(cpu - start).toFixed(2)} s without the start of its process), wall ${wall.toFixed(2)} s   [${each}]`;
}

await using store = await openStore();
const csv = join(store.folder, 'rows.csv');
await writeRows(csv, ROWS, BAD_EVERY);
console.log(
  `${ROWS} rows, ${((await stat(csv)).size / 1e6).toFixed(0)} MB${BAD_EVERY === null ? '' : `, every ${BAD_EVERY}th row bad`}`,
);

const described = performance.now();
await new EngineCsvInspector(store.process).describe(csv);
console.log(`looked into for the upload's reply in ${(performance.now() - described).toFixed(0)} ms`);

await using postgres = await BenchPostgres.start();
await postgres?.sql(
  'CREATE TABLE rows (ts timestamp, device text, temperature float8, humidity float8, pressure float8, voltage float8, load float8, errors bigint, status text)',
);
const memory = new PeakMemory();
const copies: number[] = [];
const [starts, bares, imports]: [Cost[], Cost[], Cost[]] = [[], [], []];
const watch = { onProgress: () => undefined, signal: new AbortController().signal };
for (let turn = 1; turn <= TURNS; turn++) {
  const output = join(store.folder, 'bare.duckdb');
  starts.push(await costOf(() => bare()));
  bares.push(await costOf(() => bare(csv, output, String(BAD_EVERY !== null))));
  await rm(output, { force: true });
  if (postgres !== null && BAD_EVERY === null) {
    await postgres.sql('TRUNCATE rows');
    copies.push(await postgres.copy('rows', csv));
    await postgres.sql('CHECKPOINT');
  }
  memory.watch();
  imports.push(
    await costOf(async () => {
      const report = await store.engine.load(aTable(turn), sourceOf(csv), watch);
      const bad = BAD_EVERY === null ? 0 : Math.floor(ROWS / BAD_EVERY);
      if (report.rows !== ROWS - bad || report.rejected !== bad) throw new Error('the import lost rows');
    }),
  );
  memory.rest();
}

const start = median(starts.map((cost) => cost.cpu));
/** Turn by turn, because what else the machine does comes and goes. */
const ratio = (of: (cost: Cost) => number, less: number): string =>
  median(imports.map((cost, turn) => (of(cost) - less) / (of(bares[turn] ?? cost) - less))).toFixed(2);
console.log(line('bare', bares, start));
console.log(line('import', imports, start));
console.log(
  `import/bare: CPU ${ratio((cost) => cost.cpu, 0)} (${ratio((cost) => cost.cpu, start)} without the start of the processes, ${start.toFixed(2)} s), wall ${ratio((cost) => cost.wall, 0)}`,
);
if (copies.length > 0) {
  const wall = median(imports.map((cost, turn) => cost.wall / (copies[turn] ?? cost.wall)));
  console.log(`PostgreSQL COPY ${median(copies).toFixed(2)} s wall; import/COPY: wall ${wall.toFixed(2)}`);
}
for (const { name, peakMb, grewMb } of memory.peaks())
  console.log(
    `${name.padEnd(12)} at most ${peakMb.toFixed(0)} MB resident, ${grewMb.toFixed(0)} MB more than at the start`,
  );
