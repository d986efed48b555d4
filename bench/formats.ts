/**
 * What files that are no CSV cost from the upload to the published table: a workbook of a million rows, and a Parquet file of 1 GB. Against DuckDB's
 * bare `CREATE TABLE AS` in the same run: of the Parquet file itself, and of the workbook's rows as CSV, because DuckDB reads no workbook without an
 * extension from its network. `npx tsx bench/formats.ts [rows of the workbook] [rows of the Parquet file]`: 0 leaves one out; 24 million rows are 1 GB.
 */
import { createWriteStream } from 'node:fs';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import { ZipArchiveReader } from '../src/adapters/archives/zip-archive-reader.js';
import { childEntry } from '../src/adapters/processes/child-entry.js';
import { EngineCsvInspector } from '../src/rows/engine/engine-client.js';
import { writeWorkbook } from '../src/rows/export/workbook-writer.js';
import { aTable, openStore, sourceOf, writeRows, type BenchStore } from './device-rows.js';
import { PeakMemory } from './peak-memory.js';

const SHEET_ROWS = Number(process.argv[2] ?? 1_000_000);
const PARQUET_ROWS = Number(process.argv[3] ?? 24_000_000);
const HEAD_BYTES = 8 * 1024 ** 2;
const signal = new AbortController().signal;

async function timed<T>(work: () => Promise<T>): Promise<{ readonly seconds: number; readonly made: T }> {
  const begin = performance.now();
  const made = await work();
  return { seconds: (performance.now() - begin) / 1000, made };
}

async function withDatabase(
  work: (run: (sql: string) => Promise<unknown>, sql: Stream) => Promise<unknown>,
): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '2GB' });
  const connection = await instance.connect();
  await work(
    (sql) => connection.run(sql),
    async function* (sql) {
      const result = await connection.stream(sql);
      for (
        let chunk = await result.fetchChunk();
        chunk !== null && chunk.rowCount > 0;
        chunk = await result.fetchChunk()
      )
        yield chunk;
    },
  );
  connection.closeSync();
  instance.closeSync();
}

type Stream = (sql: string) => AsyncGenerator<DuckDBDataChunk, void>;

async function bare(file: string, output: string): Promise<number> {
  const { path, execArgv } = childEntry(import.meta.url, './bare-import.process');
  const { seconds } = await timed(async () => {
    const child = fork(path, [file, output, 'false'], { execArgv: [...execArgv] });
    const [code] = (await once(child, 'exit')) as [number];
    if (code !== 0) throw new Error('the bare import failed');
  });
  await rm(output, { force: true });
  return seconds;
}

/** From the upload to the table, with what the upload's answer looks at. */
async function imported(store: BenchStore, path: string, rows: number, generation: number): Promise<string> {
  const archives = new ZipArchiveReader(join(store.folder, 'unpacked'));
  const memory = new PeakMemory();
  memory.watch();
  const head = await timed(async () => {
    await using files = await archives.unpack(path, { headBytes: HEAD_BYTES, signal, name: 'rows' });
    const [file] = files.files;
    if (file === undefined) throw new Error('nothing was unpacked');
    return await new EngineCsvInspector(store.process).describe(file.path, file.written);
  });
  const opened = await timed(() => archives.unpack(path, { headBytes: null, signal, name: 'rows' }));
  await using whole = opened.made;
  const load = await timed(async () => {
    const source = sourceOf(whole.files[0]?.path ?? '');
    const files = source.files.map((file) => ({ ...file, dialect: head.made.dialect }));
    const report = await store.engine.load(
      aTable(generation),
      { ...source, files },
      { signal, onProgress: () => undefined },
    );
    if (report.rows !== rows || report.rejected !== 0) throw new Error('the import lost rows');
  });
  memory.rest();
  const peaks = memory.peaks().map(({ name, peakMb }) => `${name} ${peakMb.toFixed(0)} MB`);
  const total = opened.seconds + load.seconds;
  console.log(
    `  answer to the upload ${head.seconds.toFixed(1)} s; import ${total.toFixed(1)} s: opened in ${opened.seconds.toFixed(1)} s, read, sorted and described in ${load.seconds.toFixed(1)} s`,
  );
  console.log(`  at most resident: ${peaks.join(', ')}`);
  return total.toFixed(3);
}

async function megabytes(path: string): Promise<string> {
  return `${((await stat(path)).size / 1e6).toFixed(0)} MB`;
}

await using store = await openStore();
const [csv, workbook, parquet, output] = ['rows.csv', 'rows.xlsx', 'rows.parquet', 'bare.duckdb'].map((name) =>
  join(store.folder, name),
) as [string, string, string, string];
const typed = (from: string): string => `SELECT * FROM read_csv('${from}')`;

if (SHEET_ROWS > 0) {
  await writeRows(csv, SHEET_ROWS);
  const columns = sourceOf(csv).columns.map(({ name, type }) => ({ name, type }));
  await withDatabase(async (_, stream) => {
    await writeWorkbook(columns, stream(typed(csv)), createWriteStream(workbook));
  });
  console.log(`workbook of ${SHEET_ROWS} rows, ${await megabytes(workbook)}; as CSV ${await megabytes(csv)}`);
  const own = Number(await imported(store, workbook, SHEET_ROWS, 1));
  const least = await bare(csv, output);
  console.log(
    `  bare CREATE TABLE AS of its rows as CSV ${least.toFixed(1)} s; import/bare ${(own / least).toFixed(1)}`,
  );
}

/** Numbers with all their digits, which pack badly. */
const PARQUET = `SELECT TIMESTAMP '2024-01-01' + INTERVAL (i // 1000) MINUTE AS ts, 'device-' || lpad(CAST(i % 1000 AS VARCHAR), 4, '0') AS device,
  15 + random() * 20 AS temperature, 30 + random() * 60 AS humidity, 950 + random() * 100 AS pressure, 3 + random() AS voltage, random() * 5 AS load,
  CAST(floor(random() * 10) AS INTEGER) AS errors, ['ok', 'warn', 'fail', 'idle'][CAST(1 + floor(random() * 4) AS INTEGER)] AS status
  FROM range(${PARQUET_ROWS}) AS rows(i)`;

if (PARQUET_ROWS > 0) {
  await withDatabase((run) => run(`COPY (${PARQUET}) TO '${parquet}' (FORMAT parquet)`));
  console.log(`Parquet file of ${PARQUET_ROWS} rows, ${await megabytes(parquet)}`);
  const own = Number(await imported(store, parquet, PARQUET_ROWS, 2));
  const least = await bare(parquet, output);
  console.log(`  bare CREATE TABLE AS of the file ${least.toFixed(1)} s; import/bare ${(own / least).toFixed(1)}`);
}
