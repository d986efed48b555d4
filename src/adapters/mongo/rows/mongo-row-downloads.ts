import { Readable } from 'node:stream';
import { type ExportQuery, RowDownloads } from '../../../ports/row-downloads.js';
import type { RejectedLine } from '../../../ports/row-engine.js';
import type { TableRef } from '../../../ports/table.js';
import { AppError } from '../../../shared/app-error.js';
import { parseLayout } from '../../../shared/time-format/time-format.js';
import { ExportTurns } from '../../../rows/export-turns.js';
import { assetMatch } from './asset-value.js';
import { headerRecord, recordWriter } from './export-cells.js';
import type { MongoColumn, MongoRow, MongoTable, Stage } from './mongo-table.js';
import type { MongoTables } from './mongo-tables.js';
import type { RowDatabase } from './row-database.js';
import { tableId } from './row-documents.js';
import { rowsError } from './row-errors.js';

export interface DownloadLimits {
  /** How long an export may take. */
  readonly wholeMs: number;
  /** How long somebody who was sent all they took so far may take no more. */
  readonly stalledMs: number;
}

/** So much is written between two looks at whether others wait for the process. */
const CELLS_AT_ONCE = 20_000;
const MOST_ROWS_AT_ONCE = 1000;
const READ_AHEAD = 256 * 1024;

interface RowsOrder {
  readonly rows: AsyncIterable<MongoRow> & { close(): Promise<void> };
  readonly columns: readonly MongoColumn[];
  readonly write: (row: MongoRow) => string;
  readonly atOnce: number;
}

/** Rows as CSV, read from the server as fast as they are taken, and the lines that an import has left out. */
export class MongoRowDownloads extends RowDownloads {
  private readonly turns = new ExportTurns();

  constructor(
    private readonly database: RowDatabase,
    private readonly tables: MongoTables,
    private readonly limits: DownloadLimits,
  ) {
    super();
  }

  override async exportCsv(table: TableRef, query: ExportQuery): Promise<Readable> {
    const end = this.turns.take(table.companyId);
    try {
      const order = this.orderFor(await this.tables.open(table), query);
      return limited(order, this.limits, end);
    } catch (error) {
      end();
      throw error;
    }
  }

  override rejectedLines(table: TableRef): Promise<AsyncIterable<RejectedLine>> {
    return Promise.resolve(this.linesOf(table));
  }

  private async *linesOf(table: TableRef): AsyncGenerator<RejectedLine> {
    try {
      const known = await this.database.tables.findOne({ _id: tableId(table) }, { projection: { load: 1 } });
      if (known === null) return;
      const found = this.database.rejects.find({ load: known.load }, { sort: { number: 1 }, batchSize: 1 });
      for await (const { lines } of found) yield* lines;
    } catch (error) {
      throw rowsError(error);
    }
  }

  private orderFor(table: MongoTable, query: ExportQuery): RowsOrder {
    if (query.timeFormat !== null) parseLayout(query.timeFormat);
    const columns = query.columns.map((name) => columnNamed(table.columns, name));
    const fields = Object.fromEntries(columns.map(({ field }) => [field, 1]));
    const atOnce = Math.max(1, Math.min(MOST_ROWS_AT_ONCE, Math.floor(CELLS_AT_ONCE / Math.max(columns.length, 1))));
    const stages: readonly Stage[] = [
      ...table.visible,
      ...conditionsOf(table, query),
      { $sort: query.asset === null ? { [table.meta.field]: 1, t: 1 } : { t: 1 } },
      { $project: { _id: 0, ...fields } },
    ];
    // Sorting is done by the index where there is one for it, and on the server's disk where it is not.
    const options = { batchSize: atOnce, allowDiskUse: true, maxTimeMS: this.limits.wholeMs };
    const rows = table.collection.aggregate<MongoRow>([...stages], options);
    return { rows, columns, atOnce, write: recordWriter({ columns, timeFormat: query.timeFormat }) };
  }
}

function conditionsOf({ meta }: MongoTable, { asset, from, to }: ExportQuery): readonly Stage[] {
  const range = { ...(from === null ? {} : { $gte: from }), ...(to === null ? {} : { $lt: to }) };
  const conditions = [
    ...(Object.keys(range).length === 0 ? [] : [{ t: range }]),
    // No value has such a text: no row has it.
    ...(asset === null ? [] : [assetMatch(meta, asset) ?? { $expr: false }]),
  ];
  return conditions.map((condition) => ({ $match: condition }));
}

function columnNamed(columns: readonly MongoColumn[], name: string): MongoColumn {
  const column = columns.find((one) => one.name === name);
  if (column) return column;
  const problem = `there is no column "${name}"`;
  throw new AppError('invalid_input', problem, { details: [{ field: 'columns', problem }] });
}

/** A stream that ends, with an error, when it takes too long or nobody reads on. `end` is called when it is over, however. */
function limited(order: RowsOrder, { wholeMs, stalledMs }: DownloadLimits, end: () => void): Readable {
  let patience: NodeJS.Timeout | undefined;
  const deadline = setTimeout(() => {
    stream.destroy(new AppError('timed_out', 'the export took too long: ask for less at once'));
  }, wholeMs);
  const written = csvOf(order, {
    waits: () => {
      patience = setTimeout(() => {
        stream.destroy(new AppError('timed_out', 'the export was not read any further'));
      }, stalledMs);
    },
    goesOn: () => {
      clearTimeout(patience);
    },
  });
  const stream = Readable.from(written, { objectMode: false, highWaterMark: READ_AHEAD });
  // Whoever reads it hears of a failure too; one that happens while nobody does must not end the service.
  stream.on('error', () => undefined);
  stream.once('close', () => {
    clearTimeout(deadline);
    clearTimeout(patience);
    end();
    // A cursor that waits for the server hears of it only so.
    void order.rows.close().catch(() => undefined);
  });
  return stream;
}

async function* csvOf(
  { rows, columns, write, atOnce }: RowsOrder,
  reader: { waits(): void; goesOn(): void },
): AsyncGenerator<Buffer> {
  let [text, count] = [headerRecord(columns), 0];
  const take = function* (): Generator<Buffer> {
    reader.waits();
    yield Buffer.from(text);
    reader.goesOn();
    [text, count] = ['', 0];
  };
  try {
    for await (const row of rows) {
      text += write(row);
      count += 1;
      if (count >= atOnce || text.length >= READ_AHEAD) yield* take();
    }
    if (text !== '') yield* take();
  } catch (error) {
    throw brokenOff(rowsError(error));
  }
}

function brokenOff(error: unknown): unknown {
  return error instanceof AppError
    ? error
    : new AppError('unavailable', 'the export broke off: try again', { cause: error });
}
