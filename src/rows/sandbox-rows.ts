import type { DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api';
import type { Cell } from '../ports/table.js';
import { cellFrom, columnTypeOf, sizeOf } from './sandbox-cells.js';
import type { SandboxRows } from './sandbox-protocol.js';

/** Characters of JSON that a result may have. */
const LARGEST_RESULT = 1_000_000;
/** Characters of texts and lists that may be read for it, cells being cut after they are read. */
const MOST_TEXT_READ = 32_000_000;

/** Takes rows off a stream until the result is full. */
export async function readRows(stream: DuckDBResult, maxRows: number): Promise<Omit<SandboxRows, 'rowsScanned'>> {
  const types = stream.columnTypes();
  const columns = stream
    .deduplicatedColumnNames()
    .map((name, index) => ({ name, type: columnTypeOf(types[index] ?? stream.columnType(index)) }));
  const taken = new TakenRows(maxRows, JSON.stringify(columns).length);
  for (let chunk = await stream.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await stream.fetchChunk()) {
    if (!taken.take(chunk)) return { columns, rows: taken.rows, truncated: true };
  }
  return { columns, rows: taken.rows, truncated: false };
}

class TakenRows {
  readonly rows: (readonly Cell[])[] = [];
  private read = 0;

  constructor(
    private readonly maxRows: number,
    private size: number,
  ) {}

  /** False when a row did not fit. */
  take(chunk: DuckDBDataChunk): boolean {
    for (let row = 0; row < chunk.rowCount; row++) {
      if (this.rows.length >= this.maxRows || this.read > MOST_TEXT_READ) return false;
      const cells = this.cellsOf(chunk, row);
      this.size += JSON.stringify(cells).length + 1;
      if (this.size > LARGEST_RESULT) return false;
      this.rows.push(cells);
    }
    return true;
  }

  /** Cell by cell: asking for all values of a chunk would turn 2,048 rows of long texts into strings at once. */
  private cellsOf(chunk: DuckDBDataChunk, row: number): readonly Cell[] {
    return Array.from({ length: chunk.columnCount }, (_, column) => {
      const value = chunk.getColumnVector(column).getItem(row);
      this.read += sizeOf(value);
      return cellFrom(value);
    });
  }
}
