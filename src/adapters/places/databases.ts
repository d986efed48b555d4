import { Socket, connect, type LookupFunction } from 'node:net';
import mysql, { type Connection, type FieldPacket } from 'mysql2';
import pg from 'pg';
import type { Place } from '../../ports/place-reader.js';
import type { ColumnType } from '../../ports/table.js';
import { AppError, messageOf } from '../../shared/app-error.js';
import { hostOf, isLiteralAddress } from '../../shared/public-address.js';
import type { AllowedAddresses } from './allowed-addresses.js';
import { type PlaceOrder, type PlaceSink, shown, unreachable } from './place-protocol.js';

const CONNECT_MS = 15_000;
/** Rows are asked for in parts of about so many bytes. */
const PART_BYTES = 4 * 1024 ** 2;
const FIRST_ROWS = 50;
const MOST_ROWS = 2000;
const MOST_COLUMNS = 2000;
const NAME = 'data-analytics-service';

/** What is asked, and how long that may take. */
type Asked = Pick<PlaceOrder, 'place' | 'rules'>;

/** A column of a result, and how its texts are written. */
interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly written: (text: string) => string | null;
}

type Row = readonly (string | null)[];

/**
 * Asks PostgreSQL through a cursor, which takes one SELECT alone, in a transaction that only reads.
 *
 * @throws AppError as the port says.
 */
export async function fetchPostgresql(
  { place, rules }: Asked,
  addresses: AllowedAddresses,
  sink: PlaceSink,
): Promise<void> {
  const { host, port, database, lookup } = await targetOf(place, addresses, 5432);
  const client = new pg.Client({
    ...{ host, port, database, user: place.user, password: place.secret, application_name: NAME },
    ssl: place.tls ? { rejectUnauthorized: true, ...(place.ca === '' ? {} : { ca: place.ca }) } : false,
    stream: () => socketTo(lookup),
    connectionTimeoutMillis: CONNECT_MS,
    types: { getTypeParser: () => (text: string) => text },
  });
  // What is wrong with the connection is told by the query that waits.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(
      `BEGIN TRANSACTION READ ONLY;
      SET LOCAL statement_timeout = ${rules.queryMs}; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL cursor_tuple_fraction = 1`,
    );
    // What has a name is prepared, and there several statements at once are refused.
    await client.query({ name: 'place', text: `DECLARE place NO SCROLL CURSOR FOR ${place.query}` });
    const writer = new RowWriter(sink);
    for (let rows = FIRST_ROWS, isOver = false; !isOver; rows = writer.rowsOf(PART_BYTES)) {
      const part = await client.query<(string | null)[]>({ text: `FETCH ${rows} FROM place`, rowMode: 'array' });
      writer.begin(part.fields.map(({ name, dataTypeID: id }) => ({ name, ...(POSTGRESQL.get(id) ?? TEXT) })));
      await writer.write(part.rows);
      isOver = part.rows.length < rows;
    }
    await writer.flush();
  } catch (error) {
    throw refusalOf(error);
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** @throws AppError as the port says. */
export async function fetchMysql({ place, rules }: Asked, addresses: AllowedAddresses, sink: PlaceSink): Promise<void> {
  const { host, port, database, lookup } = await targetOf(place, addresses, 3306);
  if (place.tls && isLiteralAddress(host)) {
    throw new AppError('invalid_input', 'the server must be named: its certificate is checked against its name');
  }
  const connection = mysql.createConnection({
    ...{ host, port, database, user: place.user, password: place.secret, connectTimeout: CONNECT_MS },
    ...(place.tls
      ? { ssl: { rejectUnauthorized: true, verifyIdentity: true, ...(place.ca === '' ? {} : { ca: place.ca }) } }
      : {}),
    stream: () => connect({ host, port, lookup, autoSelectFamily: true }),
    // A server must not ask for files of ours.
    flags: ['-LOCAL_FILES'],
    multipleStatements: false,
    rowsAsArray: true,
    typeCast: (field) => field.buffer(),
  });
  connection.on('error', () => undefined);
  try {
    await connection.promise().connect();
    await beginReading(connection, rules.queryMs);
    // As a table within a query nothing but a query is possible, and no file is written.
    const sql = `SELECT * FROM (${place.query.replace(/[;\s]+$/, '')}\n) AS place`;
    await writeRows(connection, sql, new RowWriter(sink));
  } catch (error) {
    throw refusalOf(error);
  } finally {
    connection.destroy();
  }
}

async function targetOf({ address, tls }: Place, addresses: AllowedAddresses, usualPort: number) {
  const url = new URL(address);
  const host = hostOf(url);
  const port = url.port === '' ? usualPort : Number(url.port);
  return {
    host,
    port,
    database: decodeURIComponent(url.pathname.slice(1)),
    lookup: await addresses.lookupOf(host, tls),
  };
}

/** The driver connects by itself; where to, is known already. */
function socketTo(lookup: LookupFunction): Socket {
  const socket = new Socket();
  const open = socket.connect.bind(socket);
  return Object.assign(socket, {
    connect: (port: number, host: string) => open({ port, host, lookup, autoSelectFamily: true }),
  });
}

async function beginReading(connection: Connection, queryMs: number): Promise<void> {
  const run = connection.promise();
  await run.query("SET time_zone = '+00:00', net_write_timeout = 600");
  // MySQL knows the one, MariaDB the other.
  for (const limit of [`max_execution_time = ${queryMs}`, `max_statement_time = ${queryMs / 1000}`]) {
    await run.query(`SET SESSION ${limit}`).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ER_UNKNOWN_SYSTEM_VARIABLE')) throw error;
    });
  }
  await run.query('START TRANSACTION READ ONLY');
}

async function writeRows(connection: Connection, sql: string, writer: RowWriter): Promise<void> {
  const query = connection.query(sql);
  let encodings: readonly BufferEncoding[] = [];
  query.on('fields', (fields: FieldPacket[]) => {
    // Bytes that are no text are written as hexadecimal digits.
    const isBinary = (field: FieldPacket): boolean => field.characterSet === BINARY_CHARSET && isOf(TEXTS, field);
    encodings = fields.map((field) => (isBinary(field) ? 'hex' : 'utf8'));
    writer.begin(fields.map((field) => ({ name: field.name, ...mysqlType(field) })));
  });
  for await (const row of query.stream({ highWaterMark: 500 })) {
    await writer.write([(row as (Buffer | null)[]).map((bytes, index) => bytes?.toString(encodings[index]) ?? null)]);
  }
  await writer.flush();
}

class RowWriter {
  private columns: readonly Column[] | null = null;
  private lines: string[] = [];
  private waiting = 0;
  private written = { rows: 0, letters: 0 };

  constructor(private readonly sink: PlaceSink) {}

  /** @throws AppError `invalid_input` when a table can't have these columns. */
  begin(columns: readonly Column[]): void {
    if (this.columns !== null) return;
    const names = columns.map(({ name }) => name.toLowerCase());
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      throw new AppError('invalid_input', `the query has two columns named ${shown(twice)}: rename one with AS`);
    if (columns.length === 0 || columns.length > MOST_COLUMNS) {
      throw new AppError('invalid_input', `the query has ${columns.length} columns; 1 to ${MOST_COLUMNS} are possible`);
    }
    this.columns = columns;
    this.sink.open({ written: { isTable: true, types: columns.map(({ type }) => type) }, version: null });
    this.lines.push(csvLine(columns.map(({ name }) => name)));
  }

  async write(rows: readonly Row[]): Promise<void> {
    const columns = this.columns ?? [];
    for (const row of rows) {
      const line = csvLine(columns.map(({ written }, index) => (row[index] == null ? null : written(row[index]))));
      this.lines.push(line);
      this.waiting += line.length;
      this.written = { rows: this.written.rows + 1, letters: this.written.letters + line.length };
    }
    if (this.waiting > 64 * 1024) await this.flush();
  }

  async flush(): Promise<void> {
    const text = this.lines.join('');
    [this.lines, this.waiting] = [[], 0];
    if (text !== '') await this.sink.write(text);
  }

  /** How many rows have about so many letters, as far as is known. */
  rowsOf(letters: number): number {
    const { rows, letters: known } = this.written;
    return rows === 0 ? FIRST_ROWS : Math.min(MOST_ROWS, Math.max(1, Math.floor((letters * rows) / known)));
  }
}

function csvLine(fields: Row): string {
  // A line without anything would be no record.
  if (fields.length === 1 && (fields[0] ?? '') === '') return '""\n';
  return `${fields.map(csvField).join(',')}\n`;
}

function csvField(text: string | null): string {
  if (text === null) return '';
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Written = Omit<Column, 'name'>;

const asItIs = (text: string): string => text;
const TEXT: Written = { type: 'text', written: asItIs };
/** Not a number and the infinite are no values of a table. */
const finite = (text: string): string | null => (/^[-+]?\d/.test(text) ? text : null);
/** With six digits behind the second, so that all times of a column are written alike. */
const postgresqlTime = (text: string): string | null => {
  const [, time, fraction = ''] = /^(\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d+))?(?:\+00)?$/.exec(text) ?? [];
  return time === undefined ? null : `${time}.${fraction.padEnd(6, '0')}`;
};
const postgresqlDate = (text: string): string | null => (/^\d{4}-\d\d-\d\d$/.test(text) ? text : null);

/** By the number that PostgreSQL gives a type. */
const POSTGRESQL: ReadonlyMap<number, Written> = new Map<number, Written>([
  ...[20, 21, 23, 26].map((id) => [id, { type: 'integer', written: asItIs }] as const),
  ...[700, 701, 1700].map((id) => [id, { type: 'number', written: finite }] as const),
  [16, { type: 'boolean', written: (text) => (text === 't' ? 'true' : 'false') }],
  [1082, { type: 'time', written: postgresqlDate }],
  ...[1114, 1184].map((id) => [id, { type: 'time', written: postgresqlTime }] as const),
]);

type MysqlType = keyof typeof mysql.Types;
const INTEGERS: readonly MysqlType[] = ['TINY', 'SHORT', 'INT24', 'LONG', 'LONGLONG', 'YEAR'];
const NUMBERS: readonly MysqlType[] = ['DECIMAL', 'NEWDECIMAL', 'FLOAT', 'DOUBLE'];
const TIMES: readonly MysqlType[] = ['DATE', 'NEWDATE', 'DATETIME', 'TIMESTAMP'];
const TEXTS: readonly MysqlType[] = ['STRING', 'VAR_STRING', 'VARCHAR', 'BLOB', 'BIT', 'GEOMETRY'];

function isOf(types: readonly MysqlType[], { columnType }: FieldPacket): boolean {
  return types.some((type) => mysql.Types[type] === columnType);
}

function mysqlType(field: FieldPacket): Written {
  if (isOf(INTEGERS, field)) return { type: 'integer', written: asItIs };
  if (isOf(NUMBERS, field)) return { type: 'number', written: asItIs };
  // A day that is none, such as 0000-00-00, is how it says that there is no value.
  if (isOf(TIMES, field)) return { type: 'time', written: (text) => (/-00|^0000/.test(text) ? null : text) };
  return TEXT;
}

const BINARY_CHARSET = 63;

/** What the server says helps whoever wrote the query. It never says a password. */
function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (['57014', 'ER_QUERY_TIMEOUT', 'ER_STATEMENT_TIMEOUT'].includes(code))
    return new AppError('timed_out', 'the query took too long');
  const isOfServer = error instanceof pg.DatabaseError || (error instanceof Error && 'sqlState' in error);
  const said = shown(messageOf(error));
  if (!isOfServer)
    return code === '' ? new AppError('unavailable', `the database can't be reached: ${said}`) : unreachable(error);
  // The server starts, stops or is full.
  const isForLater = /^(57P0|53|08|ER_CON_COUNT_ERROR$|ER_SERVER_SHUTDOWN$)/.test(code);
  return new AppError(isForLater ? 'unavailable' : 'invalid_input', `the database answered: ${said}`);
}
