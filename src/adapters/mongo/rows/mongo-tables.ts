import { AppError } from '../../../shared/app-error.js';
import type { TableRef } from '../../../ports/table.js';
import type { MongoColumn, MongoTable, Stage } from './mongo-table.js';
import type { RowDatabase } from './row-database.js';
import { type TableDocument, tableId } from './row-documents.js';
import { inDatabase } from './row-errors.js';

/** Finds the collections that rows lie in. */
export class MongoTables {
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
      visible: [{ $match: { ...completeBatches(known), ...alive(table) } }] satisfies readonly Stage[],
      rows: known.rows,
    };
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
function completeBatches({ next, pending }: TableDocument): Stage {
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
