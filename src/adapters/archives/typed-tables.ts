import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import {
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBListType,
  DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api';
import type { UnpackedFile } from '../../ports/archive-reader.js';
import type { ColumnType } from '../../ports/table.js';
import { AppError, messageOf } from '../../shared/app-error.js';
import { isRecord, parsedJson } from '../../shared/json.js';
import { tame } from '../../shared/tame.js';
import { MOST_BYTES, refused } from './entry-rules.js';
import { beginningOf, type Unpacking } from './format.js';
import { assertRoom } from './zip-unpacking.js';

const HEAD_ROWS = 2000;
const MOST_COLUMNS = 2000;
/** Lists and records within records beyond this stay what they are, as text. */
const DEEPEST = 4;
const LOOK_MS = 500;
const SPARE = 64 * 1024 ** 2;
/** A row takes at least so much time to be written as so many bytes. */
const BYTES_PER_CELL = 20;

/** To look through a file takes some times as long as to write it. */
const LOOKING_COST = 10;
/** The database reads nested values by calls within calls, and dies of too many. */
const DEEPEST_JSON = 500;
/** The database reads no larger object of JSON. */
const LARGEST_RECORD = 16 * 1024 ** 2;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

type TableFormat = 'parquet' | 'json';

type WrittenTable = Pick<UnpackedFile, 'size' | 'isWhole' | 'written'>;

interface TableOrder extends Unpacking {
  readonly path: string;
  readonly format: TableFormat;
  readonly to: string;
}

/** A column as it is written: a part of a record within the record has a name of both. */
interface WrittenColumn {
  readonly name: string;
  readonly expression: string;
  readonly type: DuckDBType;
}

/**
 * Writes a table that has types as CSV, of records within records each field as a column. Times are in UTC, and of one form throughout a column.
 *
 * @throws AppError `invalid_input` when it can't be read, `no_space`.
 */
export async function readTable(order: TableOrder): Promise<WrittenTable> {
  const instance = await DuckDBInstance.create(':memory:', SETTINGS);
  const connection = await instance.connect();
  const unmarked = `${order.to}.unmarked`;
  try {
    const path = await withoutMark(order, unmarked);
    return await readFrom(connection, { ...order, path });
  } catch (error) {
    throw problemOf(error, order.format);
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(unmarked, { force: true });
  }
}

/** The database reads no JSON behind a byte order mark: then a copy is made without it. */
async function withoutMark({ path, format, onPlan }: TableOrder, copy: string): Promise<string> {
  if (format !== 'json' || !(await beginningOf(path)).subarray(0, 3).equals(BYTE_ORDER_MARK)) return path;
  const { size } = await stat(path);
  onPlan(0, size);
  await assertRoom(dirname(copy), size);
  await pipeline(createReadStream(path, { start: BYTE_ORDER_MARK.length }), createWriteStream(copy));
  return copy;
}

async function readFrom(connection: DuckDBConnection, order: TableOrder): Promise<WrittenTable> {
  const { size } = await stat(order.path);
  const isObject = order.format === 'json' && (await beginsWithObject(order.path));
  if (order.format === 'json') await assertShallow(order.path);
  // To look for a table within takes as long as to look through the file.
  const mayHold = isObject && size <= LARGEST_RECORD;
  order.onPlan(0, size * LOOKING_COST);
  await connection.run(`SET temp_directory = ${text(`${dirname(order.to)}/temp`)}`);
  return await write(connection, order, mayHold).catch((error: unknown) => {
    if (order.format === 'json' && /Malformed JSON.* in line \d/.test(messageOf(error)))
      return withEmptyLines(connection, order, error);
    throw error;
  });
}

const SETTINGS: Record<string, string> = {
  threads: '2',
  memory_limit: '320MB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

const SOURCES: Readonly<Record<TableFormat, (path: string) => string>> = {
  parquet: (path) => `read_parquet(${text(path)})`,
  json: (path) =>
    `read_json(${text(path)}, sample_size = -1, maximum_depth = ${DEEPEST}, map_inference_threshold = -1, field_appearance_threshold = 0)`,
};

/** `mayHold`: the document may be one object, with the table as one of its fields. */
async function write(connection: DuckDBConnection, order: TableOrder, mayHold = false): Promise<WrittenTable> {
  const { headBytes, to, path, format, onPlan } = order;
  const document = SOURCES[format](path);
  const list = mayHold ? await tableWithin(connection, document) : null;
  const source =
    list === null
      ? document
      : `(SELECT * REPLACE (unnest(${identifier(list)}) AS ${identifier(list)}) FROM ${document})`;
  const columns = withoutPrefix(await columnsOf(connection, source, format), list);
  // Counts the rows, and looks at values whose form depends on all of a column.
  const asked = ['count(*)', ...columns.map(questionOf)];
  const looked = await connection.runAndReadAll(`SELECT ${asked.join(', ')} FROM ${source}`);
  const [counted, ...facts] = looked.getRows()[0] ?? [];
  const rows = Number(counted);
  const { size: packed } = await stat(path);
  const planned = rows * columns.length * BYTES_PER_CELL;
  if (planned > MOST_BYTES * BYTES_PER_CELL) throw refused('the file has too many rows');
  onPlan(planned, Math.max(planned, packed));
  const written = columns.map((column, index) => ({
    ...writtenAs(column, facts[index] === true, format),
    name: column.name,
  }));
  const isWhole = headBytes === null || rows <= HEAD_ROWS;
  const selected = written.map(({ sql, name }) => {
    // A line without anything would be no record.
    const shown = columns.length === 1 ? `coalesce(CAST(${sql} AS VARCHAR), '')` : sql;
    return `${shown} AS ${identifier(name)}`;
  });
  await copy(connection, `SELECT ${selected.join(', ')} FROM ${source}${isWhole ? '' : ` LIMIT ${HEAD_ROWS}`}`, order);
  const { size } = await stat(to);
  const types = written.map(({ type }) => type);
  return { size: isWhole ? size : Math.round((size / HEAD_ROWS) * rows), isWhole, written: { isTable: true, types } };
}

/** `{"count": 2, "data": [{…}, {…}]}`: the field of a lone object whose records are the rows; null: the objects of the document are. */
async function tableWithin(connection: DuckDBConnection, document: string): Promise<string | null> {
  const reader = await connection.runAndReadAll(`SELECT * FROM ${document} LIMIT 2`);
  const types = reader.columnTypes();
  const [list, another] = reader.columnNames().filter((_, index) => isTable(types[index]));
  return reader.currentRowCount === 1 && another === undefined ? (list ?? null) : null;
}

function isTable(type: DuckDBType | undefined): boolean {
  return type instanceof DuckDBListType && type.valueType instanceof DuckDBStructType;
}

/** The fields of the records have names of their own, but where the object around them has such a field. */
function withoutPrefix(columns: readonly WrittenColumn[], list: string | null): readonly WrittenColumn[] {
  if (list === null) return columns;
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  const bare = (name: string): string => (name.startsWith(`${list}.`) ? name.slice(list.length + 1) : name);
  return columns.map((column) =>
    taken.has(bare(column.name).toLowerCase()) ? column : { ...column, name: bare(column.name) },
  );
}

async function columnsOf(
  connection: DuckDBConnection,
  source: string,
  format: TableFormat,
): Promise<readonly WrittenColumn[]> {
  const reader = await connection.stream(`SELECT * FROM ${source} LIMIT 0`);
  const names = reader.columnNames();
  const types = reader.columnTypes();
  if (types.length > MOST_COLUMNS) throw tooWide(types.length);
  const columns = types.flatMap((type, index) => {
    const name = names[index] ?? '';
    return fieldsOf(name, identifier(name), type);
  });
  if (columns.length > MOST_COLUMNS) throw tooWide(columns.length);
  if (format === 'json' && names.length === 1 && names[0] === 'json') throw refused(NO_RECORDS);
  return columns;
}

/** The database does not tell what it has written: the file does. */
async function copy(connection: DuckDBConnection, query: string, { to, onBytes }: TableOrder): Promise<void> {
  let last = 0;
  let full: unknown = null;
  const timer = setInterval(() => {
    void Promise.all([stat(to), assertRoom(dirname(to), SPARE)])
      .then(([{ size }]) => {
        onBytes(size - last);
        last = size;
        if (size > MOST_BYTES) throw refused('the file unpacks to too much');
      })
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) return;
        full = error;
        connection.interrupt();
      });
  }, LOOK_MS);
  try {
    await connection.run(`COPY (${query}) TO ${text(to)} (FORMAT csv, HEADER)`);
  } catch (error) {
    throw full ?? error;
  } finally {
    clearInterval(timer);
  }
}

const NO_RECORDS = 'the JSON document has no records: an array of objects is needed, or one object on each line';

function tooWide(columns: number): AppError {
  return refused(`the file has ${columns} columns; at most ${MOST_COLUMNS} are possible`);
}

function fieldsOf(name: string, expression: string, type: DuckDBType): readonly WrittenColumn[] {
  if (!(type instanceof DuckDBStructType)) return [{ name, expression, type }];
  return type.entryNames.flatMap((field, index) => {
    const inner = type.entryTypes[index];
    if (inner === undefined) return [];
    return fieldsOf(`${name}.${field}`, `struct_extract(${expression}, ${text(field)})`, inner);
  });
}

/** Kinds of types by the database's own names. */
const INTEGER = /^U?(?:TINYINT|SMALLINT|INTEGER)$/;
/** They can hold more than answers can tell exactly. */
const LARGE_INTEGER = /^U?(?:BIGINT|HUGEINT)$/;
const FRACTION = /^(?:FLOAT|DOUBLE)$/;
const TIME = /^TIMESTAMP(?:_S|_MS|_NS|_TZ)?$/;
const NESTED = /^(?:LIST|ARRAY|MAP|UNION)$/;

function kindOf({ typeId }: DuckDBType): string {
  return DuckDBTypeId[typeId];
}

/** True of the column as a whole: its times have fractions of seconds, or its numbers are too large. */
function questionOf(column: WrittenColumn): string {
  const kind = kindOf(column.type);
  if (TIME.test(kind)) return `coalesce(bool_or(epoch_us(${timeOf(column)}) % 1000000 <> 0), false)`;
  const most = Number.MAX_SAFE_INTEGER;
  if (LARGE_INTEGER.test(kind))
    return `coalesce(bool_or(CAST(${column.expression} AS DOUBLE) NOT BETWEEN -${most} AND ${most}), false)`;
  return 'false';
}

function timeOf({ expression, type }: WrittenColumn): string {
  const time = type.typeId === DuckDBTypeId.TIMESTAMP_TZ ? `timezone('UTC', ${expression})` : expression;
  return `CAST(${time} AS TIMESTAMP)`;
}

function writtenAs(
  column: WrittenColumn,
  fact: boolean,
  format: TableFormat,
): { readonly sql: string; readonly type: ColumnType } {
  const { expression: sql, type } = column;
  const kind = kindOf(type);
  if (INTEGER.test(kind)) return { sql, type: 'integer' };
  if (LARGE_INTEGER.test(kind)) return { sql, type: fact ? 'text' : 'integer' };
  if (FRACTION.test(kind)) return { sql: fraction(sql, format), type: 'number' };
  if (kind === 'DECIMAL') return { sql, type: 'number' };
  if (kind === 'BOOLEAN') return { sql, type: 'boolean' };
  if (kind === 'DATE') return { sql: finite(sql, sql), type: 'time' };
  if (TIME.test(kind)) {
    const form = `%Y-%m-%d %H:%M:%S${fact ? '.%f' : ''}`;
    return { sql: finite(timeOf(column), `strftime(${timeOf(column)}, ${text(form)})`), type: 'time' };
  }
  if (NESTED.test(kind)) return { sql: `CAST(to_json(${sql}) AS VARCHAR)`, type: 'text' };
  if (type.alias === 'JSON') return { sql: `json_extract_string(${sql}, '$')`, type: 'text' };
  return { sql: `CAST(${sql} AS VARCHAR)`, type: 'text' };
}

/** A number of JSON that is not finite was written too large: the import rejects it. */
function fraction(sql: string, format: TableFormat): string {
  return format === 'json' ? sql : finite(sql, sql);
}

function finite(tested: string, value: string): string {
  return `CASE WHEN isfinite(${tested}) THEN ${value} END`;
}

/**
 * Reads what has an object on each line, but for some. Of those an empty record is made, which lacks what every row must have: the import rejects it,
 * by its place.
 */
async function withEmptyLines(
  connection: DuckDBConnection,
  order: TableOrder,
  problem: unknown,
): Promise<WrittenTable> {
  const path = `${order.to}.lines`;
  let [lines, broken] = [0, 0];
  const mended = async function* (): AsyncGenerator<string> {
    for await (const line of createInterface({ input: createReadStream(order.path), crlfDelay: Infinity })) {
      const isWhole = line.trim() === '' || isRecord(parsedJson(line));
      lines++;
      if (!isWhole) broken++;
      yield `${isWhole ? line : '{}'}\n`;
    }
  };
  try {
    await pipeline(mended, createWriteStream(path));
    // It is another kind of file.
    if (broken * 2 > lines) throw problem;
    return await write(connection, { ...order, path });
  } finally {
    await rm(path, { force: true });
  }
}

const [QUOTE, BACKSLASH, OPENING, CLOSING] = [0x22, 0x5c, [0x5b, 0x7b], [0x5d, 0x7d]];
/** How much deeper each byte leads. */
const STEPS = Int8Array.from(
  { length: 256 },
  (_, byte) => Number(OPENING.includes(byte)) - Number(CLOSING.includes(byte)),
);

async function beginsWithObject(path: string): Promise<boolean> {
  return /^\s*\{/.test((await beginningOf(path)).toString('latin1'));
}

async function assertShallow(path: string): Promise<void> {
  const pieces: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1024 ** 2 });
  let [depth, isText, isEscaped] = [0, false, false];
  for await (const piece of pieces) {
    for (const byte of piece) {
      if (byte === QUOTE && !isEscaped) isText = !isText;
      isEscaped = isText && byte === BACKSLASH && !isEscaped;
      // Brackets in texts are none.
      if (!isText) depth += STEPS[byte] ?? 0;
      if (depth > DEEPEST_JSON) throw refused('the JSON document is nested too deeply');
    }
  }
}

const KINDS: Readonly<Record<TableFormat, string>> = { parquet: 'Parquet file', json: 'JSON document' };

/** What the database says names files of ours. */
function problemOf(error: unknown, format: TableFormat): unknown {
  if (error instanceof AppError) return error;
  const message = messageOf(error);
  if (/No space left/i.test(message)) return new AppError('no_space', 'no room left on the storage', { cause: error });
  if (/Out of Memory/i.test(message)) return refused(`the ${KINDS[format]} takes too much memory to be read`, error);
  if (message.includes('maximum_object_size'))
    return refused('the JSON document has a record larger than 16 MiB', error);
  const [where = ''] = / in (?:line|record\/value) \d+/.exec(message) ?? [];
  const [, key] = / has duplicate key ("[^]*")/.exec(message) ?? [];
  if (key !== undefined) return refused(`the ${KINDS[format]} has the key ${tame(key, 100)} twice${where}`, error);
  return refused(`the ${KINDS[format]} is damaged or incomplete${where}`, error);
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
