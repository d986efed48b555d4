import { type DuckDBConnection, type DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import { AppError } from '../../shared/app-error.js';
import { chunksOf, valuesOf } from '../cells.js';
import { LATER_ROWS, linkOrCopy } from '../row-files.js';
import { quotedText } from '../sql-text.js';
import type { ExportOrder } from './export-runs.js';
import { writeWorkbook } from './workbook-writer.js';
import { BASE, ExportSql, rowLength, type Span, stepsOf } from './export-sql.js';

const MEMORY_MB = 256;
/** Of each column a block of the file is held while it is read: 256 KiB, and those of each thread. */
const COLUMNS_IN_A_MB = 4;
const WIDE = 100;

const SETTINGS: Readonly<Record<string, string>> = {
  temp_directory: 'tmp',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

/** A row group is in memory as a whole. */
const GROUP_BYTES = 32 * 1024 ** 2;
const MOST_OF_A_GROUP = 122_880;
const FEWEST_OF_A_GROUP = 2048;
const BYTES_OF_A_CELL = 16;

const CSV = String.raw`(FORMAT csv, HEADER false, DELIMITER ',', QUOTE '"', ESCAPE '"', NULLSTR '', NEW_LINE E'\r\n', USE_TMP_FILE false)`;

/**
 * Writes a table's rows to the standard output, which has to be a pipe: who reads slowly makes the database wait. CSV is written one statement after
 * the other, so that the order is that of the statements.
 */
export async function exportRows(order: ExportOrder): Promise<void> {
  if (order.later !== null) await linkOrCopy(order.later, LATER_ROWS);
  const instance = await DuckDBInstance.create(':memory:', { ...SETTINGS, ...limitsFor(order.columns.length) });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`ATTACH ${quotedText(order.base)} AS rows (READ_ONLY)`);
  const sql = new ExportSql(order);
  const parts = await partsOf(connection, order, sql);
  const statements = statementsOf(sql, order, parts);
  switch (order.format) {
    case 'csv':
      for (const statement of [sql.header(), ...statements])
        await connection.run(`COPY (${statement}) TO '/dev/stdout' ${CSV}`);
      return;
    case 'xlsx':
      await writeWorkbook(order.columns, chunksOfAll(connection, statements), process.stdout);
      return;
    case 'parquet':
      await connection.run(`COPY (${inOne(sql, statements)}) TO '/dev/stdout' ${parquet(parts, order)}`);
  }
}

async function* chunksOfAll(
  connection: DuckDBConnection,
  statements: Iterable<string>,
): AsyncGenerator<DuckDBDataChunk> {
  for (const statement of statements) yield* chunksOf(await connection.stream(statement));
}

/** A file of Parquet is written at once; the database keeps the order of what it unites. */
function inOne(sql: ExportSql, statements: Iterable<string>): string {
  const all = [...statements].map((statement) => `(${statement})`);
  return all.length === 0 ? sql.nothing() : all.join(' UNION ALL ');
}

/** @throws AppError `invalid_input` when the fewest rows of a group would not fit: the database can't write fewer at once. */
function parquet({ rowBytes }: ExportParts, { columns }: ExportOrder): string {
  if (rowBytes * FEWEST_OF_A_GROUP > GROUP_BYTES)
    throw new AppError(
      'invalid_input',
      'the rows are too long for Parquet: leave out columns of long texts, or take CSV',
    );
  const fitting = Math.floor(GROUP_BYTES / Math.max(rowBytes, columns.length * BYTES_OF_A_CELL));
  const rows = Math.min(Math.max(fitting, FEWEST_OF_A_GROUP), MOST_OF_A_GROUP);
  return `(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rows}, USE_TMP_FILE false)`;
}

function limitsFor(columns: number): Readonly<Record<string, string>> {
  const memory = MEMORY_MB + Math.ceil(columns / COLUMNS_IN_A_MB);
  return { threads: columns > WIDE ? '1' : '2', memory_limit: `${memory}MB` };
}

interface ExportParts {
  /** Null: the base has no rows that are asked for. */
  readonly span: Span | null;
  readonly steps: readonly Span[];
  /** About how long a row is. */
  readonly rowBytes: number;
  /** When the later inserts of the one asset begin, as a literal; null: it has none, or all assets are asked for. */
  readonly since: string | null;
}

/** All that can be found out, and can fail, before the first row is written. */
async function partsOf(connection: DuckDBConnection, order: ExportOrder, sql: ExportSql): Promise<ExportParts> {
  const isLater = order.later !== null && order.asset !== null;
  const since = isLater ? await firstOf(connection, sql.firstLater()) : null;
  const span = await spanOf(connection, order);
  const rowBytes = span === null ? 0 : await rowLength(connection, order, span);
  // The database itself bounds what it holds of Parquet.
  const steps = span === null || order.format === 'parquet' ? [] : stepsOf(span, rowBytes);
  return { since, span, rowBytes, steps: span !== null && order.format === 'parquet' ? [span] : steps };
}

/** In the order in which their rows stand in the file. */
function* statementsOf(
  sql: ExportSql,
  { asset, later }: ExportOrder,
  { steps, span, since }: ExportParts,
): Generator<string> {
  for (const step of steps) yield sql.stored(step, since);
  if (later === null) return;
  if (asset === null) yield sql.later();
  // Later inserts of an asset are mostly younger than all that was imported: only what lies behind the first of them is sorted.
  else if (since !== null) yield sql.merged(span, since);
}

/** Where in the base the rows lie that are asked for: those of an asset lie together. */
async function spanOf(connection: DuckDBConnection, { asset }: ExportOrder): Promise<Span | null> {
  const sql =
    asset === null
      ? `SELECT 0, CAST(count(*) - 1 AS DOUBLE) FROM ${BASE}`
      : 'SELECT CAST(first_row AS DOUBLE), CAST(last_row AS DOUBLE) FROM rows.main.assets WHERE value = $1::VARCHAR';
  const [found] = await valuesOf(connection, sql, asset === null ? [] : [asset]);
  return found === undefined ? null : { first: Number(found[0]), last: Number(found[1]) };
}

async function firstOf(connection: DuckDBConnection, sql: string): Promise<string | null> {
  const [[first] = []] = await valuesOf(connection, sql);
  return typeof first === 'string' ? `TIMESTAMP ${quotedText(first)}` : null;
}
