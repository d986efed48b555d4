import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBValue,
} from '@duckdb/node-api';
import { type PlanColumn, PlanColumns, type TableColumn } from '../../plan/plan-columns.js';
import { type Cell, type JoinCount, MAIN_TABLE, type TableRelation } from '../../ports/table.js';
import { AppError, isAppError, messageOf } from '../../shared/app-error.js';
import { csvRecord } from '../../shared/csv-text.js';
import { cellFrom, chunksOf, columnTypeOf, countOf, sizeOf, valuesOf } from '../cells.js';
import { columnsIn } from '../engine/attached-table.js';
import { isDamage } from '../process-error.js';
import { writeWorkbook } from '../export/workbook-writer.js';
import { QueryClock } from '../query-clock.js';
import { type ColumnTypes, joinCountSql, typesOf } from '../join-sql.js';
import { quotedName, quotedText, whereClause } from '../sql-text.js';
import { visibleSince } from '../table-shape.js';
import { Gate, LONGEST_STATEMENT, type ReadableTables } from './gate.js';
import {
  RESULT_FILE,
  type SandboxReply,
  type SandboxRequest,
  type SandboxRows,
  type SandboxTable,
  tellable,
} from './sandbox-protocol.js';

/** The engine's words for a statement that it does not understand, and so does not run. */
const UNRUN = /^(?:Parser|Binder|Catalog) Error/;

/** Runs one statement after the other on the rows of the same datasources. */
export class SandboxSession {
  private readonly gate: Gate;

  /** @param folder for a result that is written */
  constructor(
    private readonly database: SandboxDatabase,
    private readonly folder: string,
  ) {
    this.gate = new Gate(database.catalog, database.visible);
  }

  async run(request: SandboxRequest): Promise<SandboxReply> {
    using clock = new QueryClock(this.database.connection, request.timeoutMs);
    try {
      return await this.answer(request, clock);
    } catch (error) {
      if (clock.isOver) return { kind: 'timed_out' };
      if (isDamage(error)) return { kind: 'unavailable', message: messageOf(error) };
      if (isAppError(error, 'invalid_input')) return { kind: 'refused', message: error.message };
      const message = messageOf(error);
      return { kind: UNRUN.test(message) ? 'refused' : 'failed', message: tellable(message, this.database.internal) };
    }
  }

  private async answer(request: SandboxRequest, clock: QueryClock): Promise<SandboxReply> {
    const along = await this.assertAllowed(request);
    clock.assertTime();
    const rowsScanned = await this.database.show(request.tables);
    clock.assertTime();
    if (request.output.kind === 'file' && request.output.format === 'parquet') {
      await this.database.writeParquet(request.statement, join(this.folder, RESULT_FILE));
      return { kind: 'written' };
    }
    const reply = await this.reply(request, clock, rowsScanned);
    if (reply.kind !== 'rows' || along.length === 0) return reply;
    return { ...reply, result: { ...reply.result, joins: await this.database.countJoins(along) } };
  }

  private async reply(request: SandboxRequest, clock: QueryClock, rowsScanned: number): Promise<SandboxReply> {
    const prepared = await this.prepare(request.statement);
    try {
      clock.assertTime();
      return await this.result(await prepared.stream(), request, rowsScanned);
    } finally {
      prepared.destroySync();
    }
  }

  private async result(
    stream: DuckDBResult,
    { output, maxRows }: SandboxRequest,
    rowsScanned: number,
  ): Promise<SandboxReply> {
    if (output.kind === 'file') {
      const path = join(this.folder, RESULT_FILE);
      await (output.format === 'csv'
        ? pipeline(csvText(stream), withinLimit(), createWriteStream(path))
        : writeExcel(stream, path));
      return { kind: 'written' };
    }
    const result = await readRows(stream, maxRows, output.kind === 'page' ? output.skip : null);
    return { kind: 'rows', result: { ...result, rowsScanned } };
  }

  private async assertAllowed({ statement, relations }: SandboxRequest): Promise<readonly TableRelation[]> {
    if (statement.length > LONGEST_STATEMENT) {
      throw new AppError('invalid_input', `the statement is longer than ${LONGEST_STATEMENT} characters`);
    }
    // The engine reads no further than this character; what follows it would never have been looked at.
    if (statement.includes('\0'))
      throw new AppError('invalid_input', 'the statement has a character that is not allowed');
    // The cast is needed: without it the parameter has no type and the function refuses it.
    const parsed = await valuesOf(this.database.connection, 'SELECT json_serialize_sql($1::VARCHAR)', [statement]);
    const serialized = parsed[0]?.[0];
    return this.gate.assertAllowed(typeof serialized === 'string' ? serialized : '{}', relations);
  }

  /** What was looked at is one statement; that what runs is one too is the engine's own word. */
  private async prepare(statement: string): Promise<DuckDBPreparedStatement> {
    const extracted = await this.database.connection.extractStatements(statement);
    if (extracted.count !== 1) throw new AppError('invalid_input', 'only one statement is allowed');
    return extracted.prepare(0);
  }
}

const SETTINGS: Readonly<Record<string, string>> = {
  threads: '2',
  max_temp_directory_size: '1GB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_unsigned_extensions: 'false',
};

/** What the process takes beside what its database may. */
const OVERHEAD_MB = 200;
const MOST_MB = 512;

/** Where a sandbox may spill, and what its process may take. */
interface SandboxRoom {
  readonly tempDir: string;
  readonly memoryMb: number;
}

interface ShownTable {
  readonly name: string;
  /** A query for all its rows, by their physical names. */
  readonly rows: string;
  readonly columns: readonly PlanColumn[];
  /** The column of its time field. */
  readonly time: PlanColumn | undefined;
}

/**
 * The rows of one datasource, or of several, in a locked engine: the tables have the headers' names, nothing else has a name to reach it
 * by, no file, no network, no setting to change.
 */
export class SandboxDatabase {
  private constructor(
    readonly connection: DuckDBConnection,
    /** Names of the engine's own tables and views. */
    readonly catalog: readonly string[],
    /** What no message may show. */
    readonly internal: readonly string[],
    private readonly shown: readonly ShownTable[],
  ) {}

  static async open(tables: readonly SandboxTable[], { tempDir, memoryMb }: SandboxRoom): Promise<SandboxDatabase> {
    const instance = await DuckDBInstance.create(':memory:', {
      ...SETTINGS,
      memory_limit: `${Math.min(memoryMb - OVERHEAD_MB, MOST_MB)}MB`,
      temp_directory: tempDir,
    });
    const connection = await instance.connect();
    const shown: ShownTable[] = [];
    const bases: string[] = [];
    for (const { name, basePath, deltaPath } of tables) {
      // A name that can't be guessed: the tables beside `data` in the file are the service's own.
      const base = `rows_${randomBytes(16).toString('hex')}`;
      await connection.run(`ATTACH ${quotedText(basePath)} AS ${base} (READ_ONLY)`);
      bases.push(base);
      const columns = PlanColumns.of(await columnsIn(connection, base)).all;
      const [[timeField] = []] = await valuesOf(connection, `SELECT value FROM ${base}.facts WHERE key = 'timeField'`);
      const time = columns.find((column) => column.name === timeField);
      shown.push({ name, rows: rowsIn(base, deltaPath, columns), columns, time });
    }
    const catalog = await namesIn(connection);
    const paths = tables.flatMap(({ basePath, deltaPath }) => [basePath, deltaPath]).filter((path) => path !== null);
    await lock(connection, [...tables.map(({ deltaPath }) => deltaPath), join(tempDir, RESULT_FILE)]);
    return new SandboxDatabase(connection, catalog, [...paths, tempDir, ...bases], shown);
  }

  /** The tables that a statement can name, with their columns. */
  get visible(): ReadableTables {
    return new Map(this.shown.map(({ name, columns }) => [name, columns.map(({ visible }) => visible)]));
  }

  /** What joins along relations come to on the rows that are shown. */
  async countJoins(along: readonly TableRelation[]): Promise<readonly JoinCount[]> {
    const types = (table: string): ColumnTypes => typesOf(this.shown.find(({ name }) => name === table)?.columns ?? []);
    const counts: JoinCount[] = [];
    for (const relation of along) {
      const [counted = []] = await valuesOf(this.connection, joinCountSql(relation, types));
      const [of = 0, rows = 0, alone = 0] = counted.map(Number);
      counts.push({ left: relation.left, right: relation.right, of, rows, alone });
    }
    return counts;
  }

  /**
   * Writes all rows of a statement that the gate has let through. What runs is the statement as the engine has understood it, so that its text can not
   * end the parenthesis.
   */
  async writeParquet(statement: string, path: string): Promise<void> {
    const parsed = 'SELECT json_deserialize_sql(json_serialize_sql($1::VARCHAR))';
    const [[understood] = []] = await valuesOf(this.connection, parsed, [statement]);
    const watch = setInterval(() => {
      void isTooLarge(path).then((isOver) => {
        if (isOver) this.connection.interrupt();
      });
    }, WATCH_EVERY_MS);
    try {
      await this.connection.run(`COPY (${String(understood)}) TO ${quotedText(path)} ${PARQUET}`);
    } catch (error) {
      throw (await isTooLarge(path)) ? tooLarge() : error;
    } finally {
      clearInterval(watch);
    }
    if (await isTooLarge(path)) throw tooLarge();
  }

  /** Makes each table show the rows from an instant on, and counts those of the first. */
  async show(tables: readonly SandboxTable[]): Promise<number> {
    for (const [at, { name, rows, columns, time }] of this.shown.entries()) {
      const listed = columns.map(({ physical, visible }) => `${quotedName(physical)} AS ${quotedName(visible)}`);
      const since = whereClause([time ? visibleSince(time, tables[at]?.visibleFrom ?? null) : null]);
      const view = `SELECT ${listed.join(', ')} FROM (${rows})${since}`;
      await this.connection.run(`CREATE OR REPLACE TEMP VIEW ${quotedName(name)} AS ${view}`);
    }
    return countOf(this.connection, MAIN_TABLE);
  }
}

/** What can be named without saying where it is. */
async function namesIn(connection: DuckDBConnection): Promise<readonly string[]> {
  const views = await valuesOf(
    connection,
    `SELECT DISTINCT view_name FROM duckdb_views() WHERE database_name IN ('system', 'temp', 'memory') AND schema_name IN ('main', 'pg_catalog')`,
  );
  return views.map(([name]) => String(name));
}

/** The engine itself may read the later rows and write a result; the gate lets no statement name a file. */
async function lock(connection: DuckDBConnection, paths: readonly (string | null)[]): Promise<void> {
  await connection.run("SET TimeZone = 'UTC'");
  const allowed = paths.filter((path) => path !== null).map(quotedText);
  await connection.run(`SET allowed_paths = [${allowed.join(', ')}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
}

function rowsIn(base: string, deltaPath: string | null, columns: readonly TableColumn[]): string {
  const listed = columns.map(({ physical }) => quotedName(physical)).join(', ');
  const stored = `SELECT ${listed} FROM ${base}.main.data`;
  return deltaPath === null
    ? stored
    : `${stored} UNION ALL SELECT ${listed} FROM read_parquet(${quotedText(deltaPath)})`;
}

/** Characters of JSON that a result may have. */
const LARGEST_RESULT = 1_000_000;
/** Characters of texts and lists that may be read for it, cells being cut after they are read. */
const MOST_TEXT_READ = 32_000_000;
/** Bytes of a result as a file. */
const LARGEST_FILE = 1_000_000_000;
const WATCH_EVERY_MS = 200;
const PARQUET = '(FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)';
/** Characters that are written at once. */
const PIECE = 256 * 1024;

/** Takes rows off a stream until the result is full; of a page it passes over those before, and counts all. */
async function readRows(
  stream: DuckDBResult,
  maxRows: number,
  skip: number | null,
): Promise<Omit<SandboxRows, 'rowsScanned'>> {
  const columns = columnsOf(stream);
  const taken = new TakenRows(maxRows, JSON.stringify(columns).length);
  const { rows } = taken;
  let total = 0;
  let isFull = false;
  for await (const chunk of chunksOf(stream)) {
    const before = Math.max(0, (skip ?? 0) - total);
    if (!isFull && chunk.rowCount > before) isFull = !taken.take(chunk, before);
    if (isFull && skip === null) return { columns, rows, truncated: true };
    total += chunk.rowCount;
  }
  return skip === null
    ? { columns, rows, truncated: false }
    : { columns, rows, truncated: skip + rows.length < total, total };
}

/** Ends in an error what becomes too large. */
function withinLimit(): Transform {
  let bytes = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done): void {
      bytes += piece.length;
      if (bytes > LARGEST_FILE) done(tooLarge());
      else done(null, piece);
    },
  });
}

function isTooLarge(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size > LARGEST_FILE,
    () => false,
  );
}

function tooLarge(): AppError {
  return new AppError('invalid_input', 'the result is larger than 1 GB: ask for less');
}

async function writeExcel(stream: DuckDBResult, path: string): Promise<void> {
  const limit = withinLimit();
  const written = pipeline(limit, createWriteStream(path));
  // What breaks one end breaks the other; the first error is told.
  await Promise.all([writeWorkbook(columnsOf(stream), chunksOf(stream), limit), written]);
}

/** All rows, with a header line. Texts are whole. */
async function* csvText(stream: DuckDBResult): AsyncGenerator<string> {
  yield csvRecord(columnsOf(stream).map(({ name }) => name));
  for await (const chunk of chunksOf(stream)) yield* csvOf(chunk);
}

/** A chunk's records, some at a time: its texts may be long. */
function* csvOf(chunk: DuckDBDataChunk): Generator<string> {
  let piece = '';
  for (let row = 0; row < chunk.rowCount; row++) {
    piece += csvRecord(cellsAt(chunk, row).map(textOf));
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function textOf(value: DuckDBValue): string {
  return typeof value === 'string' || typeof value === 'bigint' ? String(value) : String(cellFrom(value) ?? '');
}

function columnsOf(stream: DuckDBResult): SandboxRows['columns'] {
  const types = stream.columnTypes();
  return stream
    .deduplicatedColumnNames()
    .map((name, index) => ({ name, type: columnTypeOf(types[index] ?? stream.columnType(index)) }));
}

/** Cell by cell: asking for all values of a chunk would turn 2,048 rows of long texts into strings at once. */
function cellsAt(chunk: DuckDBDataChunk, row: number): readonly DuckDBValue[] {
  return Array.from({ length: chunk.columnCount }, (_, column) => chunk.getColumnVector(column).getItem(row));
}

class TakenRows {
  readonly rows: (readonly Cell[])[] = [];
  private read = 0;

  constructor(
    private readonly maxRows: number,
    private size: number,
  ) {}

  /** False when a row did not fit. */
  take(chunk: DuckDBDataChunk, from: number): boolean {
    for (let row = from; row < chunk.rowCount; row++) {
      if (this.rows.length >= this.maxRows || this.read > MOST_TEXT_READ) return false;
      const values = cellsAt(chunk, row);
      for (const value of values) this.read += sizeOf(value);
      const cells = values.map(cellFrom);
      this.size += JSON.stringify(cells).length + 1;
      if (this.size > LARGEST_RESULT) return false;
      this.rows.push(cells);
    }
    return true;
  }
}
