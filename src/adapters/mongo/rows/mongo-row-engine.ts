import type { Clock } from '../../../ports/clock.js';
import {
  type Appended,
  type Batch,
  type LoadReport,
  type LoadSource,
  type LoadWatch,
  RowEngine,
  type TypedRow,
} from '../../../ports/row-engine.js';
import type { TableProfile, TableRef } from '../../../ports/table.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import { runImport } from '../../../rows/import-run.js';
import { roomFor } from '../../../rows/import-room.js';
import type { RowFiles } from '../../../rows/row-files.js';
import { createRows, shapeFor } from './collection-shape.js';
import { partOf, runLoad } from './load-run.js';
import { MongoAppends } from './mongo-appends.js';
import { MongoLoads, type RunningLoad, tableDocument } from './mongo-loads.js';
import type { MongoTables } from './mongo-tables.js';
import type { RowDatabase } from './row-database.js';
import { inDatabase } from './row-errors.js';
import { scaled, timesOf } from './row-fields.js';

/** Reading, checking and sorting the files takes about this part of the time, in percent; the rest is their way to the server. */
const IMPORT_SHARE = 30;
/** From this part of the rows on it is worth it to remove those that have outlived the lifespan. */
const WORTH_REMOVING = 0.1;
const COUNT_MS = 60_000;

export interface ImportRoom {
  /** Where drafts lie until their rows are on the server. */
  readonly files: RowFiles;
  readonly importMemoryMb: number;
}

/**
 * Rows in MongoDB, in a collection for each datasource and generation: a time series where the times allow it. Files are read and checked by the
 * same import as for DuckDB, and the draft that it makes is copied to the server.
 */
export class MongoRowEngine extends RowEngine {
  private readonly loads: MongoLoads;
  private readonly appends: MongoAppends;

  constructor(
    private readonly database: RowDatabase,
    private readonly tables: MongoTables,
    private readonly room: ImportRoom,
    clock: Clock,
  ) {
    super();
    this.loads = new MongoLoads(database, clock);
    this.appends = new MongoAppends(database, clock);
  }

  /** Removes what imports of an earlier life have left in the database. */
  async clean(): Promise<void> {
    await inDatabase(() => this.loads.sweep());
  }

  override async load(table: TableRef, source: LoadSource, watch: LoadWatch): Promise<LoadReport> {
    watch.signal.throwIfAborted();
    const { files, importMemoryMb } = this.room;
    await files.assertRoom(await roomFor(source));
    const draft = await files.draft(table);
    try {
      const report = await runImport(draft.path, source, importMemoryMb, partOf(watch, 0, IMPORT_SHARE));
      await inDatabase(() => this.copy(table, draft.path, { source, report, watch }));
      return report;
    } finally {
      await files.discard(draft);
      // Nothing else of it stays on this machine.
      await files.removeIfEmpty(table);
    }
  }

  override append(table: TableRef, rows: readonly TypedRow[], batch?: Batch): Promise<Appended> {
    return inDatabase(() => this.appends.append(table, rows, batch));
  }

  /** There is nothing to be merged. The server removes rows that have outlived the lifespan; where it was not told to, this does. */
  override async compact(table: TableRef, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const known = await this.tables.describe(table);
    await inDatabase(() => this.appends.sweep(known));
    const { visibleFrom } = table;
    if (known.expires || visibleFrom === null) return false;
    return inDatabase(async () => {
      const rows = this.database.rows(known.collection);
      const gone = await rows.countDocuments({ t: { $lt: visibleFrom } }, { maxTimeMS: COUNT_MS });
      if (gone === 0 || gone < known.rows * WORTH_REMOVING) return false;
      signal.throwIfAborted();
      const { deletedCount } = await rows.deleteMany({ t: { $lt: visibleFrom } });
      await this.database.tables.updateOne({ _id: known._id, load: known.load }, { $inc: { rows: -deletedCount } });
      return true;
    });
  }

  override async count(table: TableRef): Promise<number> {
    const { collection, visible, rows } = await this.tables.open(table);
    // Whoever sees all rows need not have them counted.
    if (table.visibleFrom === null) return rows;
    return inDatabase(async () => {
      const counted = collection.aggregate([...visible, { $count: 'rows' }], { maxTimeMS: COUNT_MS });
      const [found] = await counted.toArray();
      return Number(found?.['rows'] ?? 0);
    });
  }

  override remove(companyId: CompanyId, datasourceId: DatasourceId, keepFrom?: number): Promise<void> {
    return inDatabase(() => this.loads.remove({ companyId, datasourceId }, keepFrom));
  }

  override check(): Promise<void> {
    return this.database.check();
  }

  private async copy(
    table: TableRef,
    folder: string,
    { source, report, watch }: { source: LoadSource; report: LoadReport; watch: LoadWatch },
  ): Promise<void> {
    const { timeField, metaField, values } = source;
    const shape = shapeFor(report.profile, source.lifespanSeconds ?? null);
    await using running: RunningLoad = await this.loads.begin(table);
    const { load, collection } = running;
    await createRows(this.database.db, collection, shape);
    const order = { uri: this.database.uri, collection, load, timeField, metaField };
    const loaded = await runLoad(folder, order, {
      signal: watch.signal,
      onRows: (rows) => {
        watch.onProgress(progressOf(rows, report.profile));
      },
    });
    watch.signal.throwIfAborted();
    await this.loads.publish(
      tableDocument(table, {
        ...{ load, collection, values, rows: loaded.rows, columns: scaled(loaded.columns, report.profile) },
        times: timesOf(report.profile),
        ...{ expires: shape.lifespanSeconds !== null, plain: shape.granularity === null },
        ...{ time: timeField, meta: metaField },
      }),
    );
  }
}

function progressOf(rows: number, { rowCount }: TableProfile): { readonly percent: number; readonly rows: number } {
  const share = Math.min(rows / Math.max(rowCount, 1), 1);
  return { percent: IMPORT_SHARE + share * (100 - IMPORT_SHARE), rows };
}
