import { open, rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { BYTE_ORDER_MARK } from './import-clean.js';
import { type FilePart, partsWithMissing } from './import-parts.js';
import type { ImportSql, TargetTable } from './import-sql.js';
import type { SurveyedFile } from './import-survey.js';

/** What is looked through for records that are no rows. */
export interface Searched {
  readonly connection: DuckDBConnection;
  readonly file: SurveyedFile;
  readonly sql: ImportSql;
  readonly target: TargetTable;
}

/** Where the found ones are written, and how many there must be; null: that is not known. */
export interface MisfitTable {
  readonly table: string;
  readonly missing: number | null;
}

const PARTS_FILE = 'parts.csv';
const CHUNK = 1024 ** 2;
/** When more than one record in so many is missing, they are everywhere. */
const RECORDS_PER_MISSING = 1000;

/** Makes a temporary table of number and code of every record that is no row. Reads all of the file again only if it must. */
export async function findMisfits(searched: Searched, into: MisfitTable): Promise<void> {
  const { connection, file, sql } = searched;
  // Numbering records keeps one thread busy and would let a second one spin.
  const threads = await threadsOf(connection);
  await connection.run('SET threads = 1');
  if (!(await findInParts(searched, into)))
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${into.table} AS ${sql.misfits(file)}`);
  await connection.run(`SET threads = ${threads}`);
}

async function threadsOf(connection: DuckDBConnection): Promise<number> {
  const reader = await connection.runAndReadAll("SELECT current_setting('threads')");
  return Number(reader.value(0, 0));
}

/** False: not all were found. */
async function findInParts({ connection, file, sql, target }: Searched, into: MisfitTable): Promise<boolean> {
  const { table, missing } = into;
  if (missing === null || missing * RECORDS_PER_MISSING > file.records) return false;
  const parts = await partsWithMissing(connection, file, target, missing);
  if (parts === null || parts.length === 0) return false;

  await writeParts(file.text.path, parts);
  const misfits = sql.misfits({ ...file, path: PARTS_FILE, syntax: { ...file.syntax, skip: 0 } });
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${table} AS SELECT record + ${shiftOf(parts)} AS record, code FROM (${misfits})`,
  );
  await rm(PARTS_FILE);
  const reader = await connection.runAndReadAll(`SELECT count(*) FROM ${table}`);
  return Number(reader.value(0, 0)) === missing;
}

/** From the number of a record among the parts to its number in the file. */
function shiftOf(parts: readonly FilePart[]): string {
  let last = 0;
  const cases = parts.map(({ record, records }) => {
    const shift = record - 1 - last;
    last += records;
    return `WHEN record <= ${last} THEN ${shift}`;
  });
  return `CASE ${cases.join(' ')} END`;
}

async function writeParts(from: string, parts: readonly FilePart[]): Promise<void> {
  await using source = await opened(from, 'r');
  await using copy = await opened(PARTS_FILE, 'w');
  await copy.file.write(BYTE_ORDER_MARK);
  const room = Buffer.allocUnsafeSlow(CHUNK);
  for (const { start, end } of parts) {
    for (let position = start; position < end;) {
      const { bytesRead } = await source.file.read(room, 0, Math.min(CHUNK, end - position), position);
      if (bytesRead === 0) break;
      position += bytesRead;
      for (let at = 0; at < bytesRead;) at += (await copy.file.write(room, at, bytesRead - at)).bytesWritten;
    }
  }
}

async function opened(
  path: string,
  flags: string,
): Promise<{ file: Awaited<ReturnType<typeof open>> } & AsyncDisposable> {
  const file = await open(path, flags);
  return { file, [Symbol.asyncDispose]: () => file.close() };
}
