/**
 * How fast rows come out as CSV, and what that takes of memory: through the service's export process, read as a client reads it, against a bare
 * DuckDB `COPY` of the same rows into a file and into a pipe. `npx tsx bench/export.ts [rows] [turns]`
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { childEntry } from '../src/adapters/processes/child-entry.js';
import { aTable, deviceOf, median, openStore, sourceOf, writeRows } from './device-rows.js';

const ROWS = Number(process.argv[2] ?? 2_000_000);
const TURNS = Number(process.argv[3] ?? 5);
const MB = 1024 ** 2;

await using store = await openStore();
const folder = join(store.folder, 'exports');
const csv = join(store.folder, 'rows.csv');
await writeRows(csv, ROWS);
const source = sourceOf(csv);
const table = aTable();
await store.engine.load(table, source, { onProgress: () => undefined, signal: new AbortController().signal });

interface Measured {
  readonly seconds: number;
  readonly bytes: number;
}

async function exported(asset: string | null): Promise<Measured> {
  const begin = performance.now();
  const columns = source.columns.map(({ name }) => name);
  const range = { from: null, to: null, timeFormats: [[source.timeField, source.timeFormat ?? '']] as const };
  let bytes = 0;
  for await (const piece of await store.downloads.exportRows(table, { asset, columns, ...range }, 'csv'))
    bytes += (piece as Buffer).length;
  return { seconds: (performance.now() - begin) / 1000, bytes };
}

/** A process of its own as well, with the same limits; `cat` reads the pipe. */
async function bare(to: 'file' | 'pipe'): Promise<Measured> {
  const output = to === 'file' ? join(store.folder, 'bare.csv') : '/dev/stdout';
  const { path, execArgv } = childEntry(import.meta.url, './bare-export.process');
  const args = [...execArgv, path, await store.base(table), output];
  const begin = performance.now();
  const child = spawn('sh', ['-c', '"$@" | cat > /dev/null', 'bare', process.execPath, ...args], { stdio: 'inherit' });
  await new Promise((resolve) => child.once('close', resolve));
  const seconds = (performance.now() - begin) / 1000;
  return { seconds, bytes: to === 'file' ? (await stat(output)).size : 0 };
}

let [own, theirs] = [0, 0];
const before = process.memoryUsage().rss;
const watch = setInterval(() => {
  own = Math.max(own, process.memoryUsage().rss - before);
  theirs = Math.max(theirs, memoryIn(folder));
}, 50);

/** Of the processes that work below a folder, in bytes. Linux only. */
function memoryIn(below: string): number {
  let total = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readlinkSync(`/proc/${pid}/cwd`).startsWith(below)) continue;
      total += Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
    } catch {
      // It has just ended, or is somebody else's.
    }
  }
  return total;
}

const all: Measured[] = [];
const one: Measured[] = [];
const files: Measured[] = [];
const pipes: Measured[] = [];
for (let turn = 0; turn < TURNS; turn++) {
  all.push(await exported(null));
  one.push(await exported(deviceOf(turn * 7)));
  files.push(await bare('file'));
  pipes.push(await bare('pipe'));
}
clearInterval(watch);

const seconds = (of: readonly Measured[]): number => median(of.map((each) => each.seconds));
const size = (all[0]?.bytes ?? 0) / MB;
const speed = (of: readonly Measured[]): string =>
  `${seconds(of).toFixed(2)} s, ${(size / seconds(of)).toFixed(0)} MB/s`;
console.log(`${ROWS} rows, ${size.toFixed(0)} MB of CSV, medians of ${TURNS} turns, starts of processes included`);
console.log(`export, all rows         ${speed(all)}`);
console.log(`bare COPY into a file    ${speed(files)}`);
console.log(`bare COPY into a pipe    ${speed(pipes)}`);
console.log(`ratio to the pipe        ${(seconds(all) / seconds(pipes)).toFixed(2)}`);
console.log(`export, one asset        ${(seconds(one) * 1000).toFixed(0)} ms`);
console.log(`memory: this process +${(own / MB).toFixed(0)} MB, the export's processes ${(theirs / MB).toFixed(0)} MB`);
