/**
 * What files that are no CSV cost from the upload to the published table: a workbook of a million rows, and a Parquet file of 1 GB. Against DuckDB's
 * bare `CREATE TABLE AS` in the same run: of the Parquet file itself, and of the workbook's rows as CSV, because DuckDB reads no workbook without an
 * extension from its network. `npx tsx bench/formats.ts [rows of the workbook] [rows of the Parquet file]`: 0 leaves one out; 24 million rows are 1 GB.
 */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import { ZipArchiveReader } from '../src/adapters/archives/zip-archive-reader.js';
import { EngineCsvInspector } from '../src/rows/engine/engine-client.js';
import { writeWorkbook } from '../src/rows/export/workbook-writer.js';
import { openDuckDb } from '../test/contracts/duckdb-store.fixture.js';
import { aTable, QUIET } from '../test/contracts/row-engine.fixture.js';
import { bareImport } from './bare-import.js';
import { AS_SERVED, sourceOf, writeRows } from './device-rows.js';
import { PeakMemory } from './processes.js';
import { timed, timeOf } from './timing.js';

const SHEET_ROWS = Number(process.argv[2] ?? 1_000_000);
const PARQUET_ROWS = Number(process.argv[3] ?? 24_000_000);
const HEAD_BYTES = 8 * 1024 ** 2;
const { signal } = QUIET;

/** Numbers with all their digits, which pack badly. */
const PARQUET = `SELECT TIMESTAMP '2024-01-01' + INTERVAL (i // 1000) MINUTE AS ts, 'device-' || lpad(CAST(i % 1000 AS VARCHAR), 4, '0') AS device,
  15 + random() * 20 AS temperature, 30 + random() * 60 AS humidity, 950 + random() * 100 AS pressure, 3 + random() AS voltage, random() * 5 AS load,
  CAST(floor(random() * 10) AS INTEGER) AS errors, ['ok', 'warn', 'fail', 'idle'][CAST(1 + floor(random() * 4) AS INTEGER)] AS status
  FROM range(${PARQUET_ROWS}) AS rows(i)`;

await using store = await openDuckDb(AS_SERVED);
const [csv, workbook, parquet] = ['rows.csv', 'rows.xlsx', 'rows.parquet'].map((name) => join(store.folder, name)) as [
  string,
  string,
  string,
];
const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '2GB' });
const connection = await instance.connect();

async function* chunksOf(sql: string): AsyncGenerator<DuckDBDataChunk, void> {
  const result = await connection.stream(sql);
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk())
    yield chunk;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** From the upload to the table, with what the upload's answer looks at; against the bare import of a file with the same rows. */
async function compare(path: string, rows: number, bare: string): Promise<void> {
  console.log(`${path}: ${rows} rows, ${((await stat(path)).size / 1e6).toFixed(0)} MB`);
  const archives = new ZipArchiveReader(join(store.folder, 'unpacked'));
  const memory = new PeakMemory();
  memory.watch();
  const [{ dialect }, looked] = await timed(async () => {
    await using files = await archives.unpack(path, { headBytes: HEAD_BYTES, signal, name: 'rows' });
    const [file] = files.files;
    if (file === undefined) throw new Error('nothing was unpacked');
    return await new EngineCsvInspector(store.process).describe(file.path, file.written);
  });
  const [whole, opened] = await timed(() => archives.unpack(path, { headBytes: null, signal, name: 'rows' }));
  await using _ = whole;
  const source = sourceOf(whole.files[0]?.path ?? '');
  const files = source.files.map((file) => ({ ...file, dialect }));
  const [report, load] = await timed(() => store.engine.load(aTable(), { ...source, files }, QUIET));
  if (report.rows !== rows || report.rejected !== 0) throw new Error('the import lost rows');
  memory.rest();
  const [own, least] = [opened + load, await timeOf(() => bareImport(store.folder, bare))];
  console.log(
    `  answer to the upload ${seconds(looked)}; import ${seconds(own)}: opened in ${seconds(opened)}, read, sorted and described in ${seconds(load)}`,
  );
  console.log(`  ${String(memory)}`);
  console.log(`  bare CREATE TABLE AS ${seconds(least)}; import/bare ${(own / least).toFixed(1)}`);
}

if (SHEET_ROWS > 0) {
  await writeRows(csv, SHEET_ROWS);
  await writeWorkbook(sourceOf(csv).columns, chunksOf(`SELECT * FROM read_csv('${csv}')`), createWriteStream(workbook));
  await compare(workbook, SHEET_ROWS, csv);
}
if (PARQUET_ROWS > 0) {
  await connection.run(`COPY (${PARQUET}) TO '${parquet}' (FORMAT parquet)`);
  await compare(parquet, PARQUET_ROWS, parquet);
}
