import { open } from 'node:fs/promises';
import type { DuckDBDataChunk, DuckDBResult, DuckDBValue } from '@duckdb/node-api';
import type { Cell } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { csvRecord } from '../shared/csv-text.js';
import { cellFrom, columnTypeOf, sizeOf } from './sandbox-cells.js';
import type { SandboxRows } from './sandbox-protocol.js';

/** Characters of JSON that a result may have. */
const LARGEST_RESULT = 1_000_000;
/** Characters of texts and lists that may be read for it, cells being cut after they are read. */
const MOST_TEXT_READ = 32_000_000;
/** Bytes of a result as CSV. */
const LARGEST_FILE = 1_000_000_000;
/** Characters that are written at once. */
const PIECE = 256 * 1024;

type Result = Omit<SandboxRows, 'rowsScanned'>;

/** Takes rows off a stream until the result is full. */
export async function readRows(stream: DuckDBResult, maxRows: number): Promise<Result> {
  const columns = columnsOf(stream);
  const taken = new TakenRows(maxRows, JSON.stringify(columns).length);
  for await (const chunk of chunksOf(stream)) {
    if (!taken.take(chunk)) return { columns, rows: taken.rows, truncated: true };
  }
  return { columns, rows: taken.rows, truncated: false };
}

/** Passes over rows, takes those of the page, and counts the others. */
export async function readPage(stream: DuckDBResult, skip: number, maxRows: number): Promise<Result> {
  const columns = columnsOf(stream);
  const taken = new TakenRows(maxRows, JSON.stringify(columns).length);
  let total = 0;
  let isFull = false;
  for await (const chunk of chunksOf(stream)) {
    if (!isFull && total + chunk.rowCount > skip) isFull = !taken.take(chunk, Math.max(0, skip - total));
    total += chunk.rowCount;
  }
  return { columns, rows: taken.rows, truncated: skip + taken.rows.length < total, total };
}

/** Writes all rows, with a header line. Texts are whole. */
export async function writeCsv(stream: DuckDBResult, path: string): Promise<void> {
  const file = await open(path, 'w');
  let written = 0;
  const write = async (text: string): Promise<void> => {
    written += (await file.write(text)).bytesWritten;
    if (written > LARGEST_FILE) throw new AppError('invalid_input', 'the result is larger than 1 GB: ask for less');
  };
  try {
    await write(csvRecord(columnsOf(stream).map(({ name }) => name)));
    for await (const chunk of chunksOf(stream)) for (const piece of csvOf(chunk)) await write(piece);
  } finally {
    await file.close();
  }
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

async function* chunksOf(stream: DuckDBResult): AsyncGenerator<DuckDBDataChunk> {
  for (let chunk = await stream.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await stream.fetchChunk())
    yield chunk;
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
  take(chunk: DuckDBDataChunk, from = 0): boolean {
    for (let row = from; row < chunk.rowCount; row++) {
      if (this.rows.length >= this.maxRows || this.read > MOST_TEXT_READ) return false;
      const cells = this.cellsOf(cellsAt(chunk, row));
      this.size += JSON.stringify(cells).length + 1;
      if (this.size > LARGEST_RESULT) return false;
      this.rows.push(cells);
    }
    return true;
  }

  private cellsOf(values: readonly DuckDBValue[]): readonly Cell[] {
    return values.map((value) => {
      this.read += sizeOf(value);
      return cellFrom(value);
    });
  }
}
