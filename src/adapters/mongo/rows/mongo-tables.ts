import { AppError } from '../../../shared/app-error.js';
import type { TableRef } from '../../../ports/table.js';
import type { MongoColumn, MongoTable, QuietTable, Stage } from './mongo-table.js';
import type { RowDatabase } from './row-database.js';
import { type TableDocument, tableId } from './row-documents.js';
import { inDatabase } from './row-errors.js';

/** So long a table that rows have come to while it was read is taken for one that they come to all the time. */
const DISTURBED_MS = 10_000;
const MOST_DISTURBED = 1000;

/** Finds the collections that rows lie in. */
export class MongoTables {
  private readonly disturbed = new Map<string, number>();

  constructor(private readonly database: RowDatabase) {}

  /**
   * The generation as it can be read now: who reads it in several pipelines sees the same batches each time.
   *
   * @throws AppError `not_found` when it is not there, `unavailable` when the server is not.
   */
  async open(table: TableRef): Promise<MongoTable> {
    const known = await this.describe(table);
    return {
      collection: this.database.rows(known.collection),
      columns: known.columns,
      time: columnNamed(known.columns, known.time),
      meta: columnNamed(known.columns, known.meta),
      values: known.values,
      times: known.times ?? null,
      visible: [{ $match: { ...completeBatches(known), ...alive(table) } }] satisfies readonly Stage[],
      quiet: known.pending.length === 0 ? this.quiet(table, known) : null,
      rows: known.rows,
    };
  }

  private quiet(table: TableRef, { _id, load, next }: TableDocument): QuietTable | null {
    if (performance.now() - (this.disturbed.get(_id) ?? -DISTURBED_MS) < DISTURBED_MS) return null;
    return {
      visible: table.visibleFrom === null ? [] : [{ $match: alive(table) }],
      isStill: async () => {
        const still = { _id, load, next };
        const count = await inDatabase(() => this.database.tables.countDocuments(still, { limit: 1 }));
        if (count === 0) this.disturb(_id);
        return count === 1;
      },
    };
  }

  private disturb(id: string): void {
    if (this.disturbed.size >= MOST_DISTURBED) this.disturbed.clear();
    this.disturbed.set(id, performance.now());
  }

  /** @throws AppError `not_found`, `unavailable`. */
  async describe(table: TableRef): Promise<TableDocument> {
    const known = await inDatabase(() => this.database.tables.findOne({ _id: tableId(table) }));
    if (known === null) throw notThere();
    return known;
  }
}

export function notThere(): AppError {
  return new AppError('not_found', 'the rows of this datasource are not there');
}

/** Rows of the import, and of batches that were complete at the moment at which the table was looked at. */
export function completeBatches({ next, pending }: TableDocument): Stage {
  const unfinished = pending.map(({ number }) => number);
  return { b: { $lt: next, ...(unfinished.length === 0 ? {} : { $nin: unfinished }) } };
}

function alive({ visibleFrom }: TableRef): Stage {
  return visibleFrom === null ? {} : { t: { $gte: visibleFrom } };
}

function columnNamed(columns: readonly MongoColumn[], name: string): MongoColumn {
  const column = columns.find((one) => one.name === name);
  if (column === undefined) throw new AppError('unavailable', 'the rows of this datasource can not be read');
  return column;
}
