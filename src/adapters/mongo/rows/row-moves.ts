import type { Clock } from '../../../ports/clock.js';
import type { TableProfile, TableRef } from '../../../ports/table.js';
import { Checksum } from '../../../shared/checksum.js';
import type { DraftRows } from '../../../rows/draft-rows.js';
import type { StoredRows } from '../../../rows/stored-rows.js';
import { createRows, shapeFor } from './collection-shape.js';
import { inParallel } from './in-parallel.js';
import { AT_ONCE, documentsOf, loadRejects, storeRows } from './load-rows.js';
import { MongoLoads } from './mongo-loads.js';
import { batchDocument } from './mongo-batches.js';
import { completeBatches } from './mongo-tables.js';
import type { MongoColumn } from './mongo-table.js';
import { addDrafted, sumOfFiles, sumOfStored } from './row-checksum.js';
import type { RowDatabase } from './row-database.js';
import { collectionName, IMPORTED, type MoveDocument, newLoad, type TableDocument, tableId } from './row-documents.js';
import { inDatabase } from './row-errors.js';
import { fieldsOf, scaled, timesOf } from './row-fields.js';

const DAY_MS = 86_400_000;
/** All rows of a generation can be compared in this time. */
const COMPARING_MS = 6 * 3_600_000;

/** A generation that is to be moved here. */
export interface MovedTable {
  readonly ref: TableRef;
  readonly rows: StoredRows;
  readonly lifespanSeconds: number | null;
  /** The file of the lines that its import left out; it need not be there. */
  readonly rejects: string;
}

/** What is found of a generation when all of it is read again. */
export interface MovedRows {
  readonly count: number;
  readonly checksum: string;
  /** What is wrong, in sentences; empty when nothing is. */
  readonly problems: readonly string[];
}

/**
 * Moves generations from files into collections. Each part of the files is a batch: one that did not come to its end is passed over, as with
 * inserted rows, so that a move goes on wherever it was killed. A table is there when all of its rows were stored, and read again and found to be
 * the same.
 */
export class RowMoves {
  private readonly loads: MongoLoads;

  constructor(
    private readonly database: RowDatabase,
    private readonly clock: Clock,
  ) {
    this.loads = new MongoLoads(database, clock);
  }

  /** Whether there are rows, or what is left of some. */
  async hasRows(): Promise<boolean> {
    return inDatabase(async () => {
      const collections = await this.database.db.listCollections({ name: /^rows\./ }, { nameOnly: true }).toArray();
      return collections.length > 0 || (await this.database.tables.countDocuments({}, { limit: 1 })) > 0;
    });
  }

  /**
   * Copies what is not there yet, reads all of it again, and makes it a table when it is the same.
   *
   * @param tell hears how many rows are stored
   */
  async move(table: MovedTable, tell: (rows: number) => void): Promise<MovedRows> {
    return inDatabase(async () => {
      let move = await this.begun(table);
      for (let part = move.parts; part < table.rows.parts.length; part++) {
        move = await this.copyPart(move, table, part);
        tell(move.rows);
      }
      const document = this.tableOf(move, table);
      const found = await this.verified(move, document, table);
      if (found.problems.length > 0) return found;
      await this.copyBeside(move, table);
      const { _id, ...fields } = document;
      await this.database.tables.replaceOne({ _id }, fields, { upsert: true });
      return found;
    });
  }

  /** Forgets how the moves went, after the last of them. */
  async forget(): Promise<void> {
    await inDatabase(() => this.database.moves.drop());
  }

  /** A move of these rows, from the beginning or from where it was. */
  private async begun(table: MovedTable): Promise<MoveDocument> {
    const known = await this.database.moves.findOne({ _id: tableId(table.ref) });
    // As long as nothing is stored whole, its collection may be half made.
    if (known?.origin === table.rows.origin && known.parts > 0 && (await this.isThere(known)))
      return this.resumed(known);
    if (known !== null) await this.discard(known);
    return this.beginAnew(table);
  }

  private async beginAnew({ ref, rows, lifespanSeconds }: MovedTable): Promise<MoveDocument> {
    const load = newLoad();
    const move: MoveDocument = {
      ...{ _id: tableId(ref), origin: rows.origin, load, collection: collectionName(ref, load) },
      // The first number is for keys that were moved too.
      ...{ parts: 0, working: null, next: IMPORTED + 1, abandoned: [], rows: 0, checksum: new Checksum().digits },
    };
    const { _id, ...fields } = move;
    await this.database.moves.replaceOne({ _id }, fields, { upsert: true });
    await createRows(this.database.db, move.collection, shapeFor(rows.profile, lifespanSeconds));
    return move;
  }

  private async resumed(move: MoveDocument): Promise<MoveDocument> {
    const { working } = move;
    if (working === null) return move;
    const next = await this.changed(move, { working: null, abandoned: [...move.abandoned, working] });
    // Nobody sees them. What the server does not get to now goes with a later sweep.
    await this.database
      .rows(move.collection)
      .deleteMany({ b: working })
      .catch(() => undefined);
    return next;
  }

  private async copyPart(move: MoveDocument, table: MovedTable, index: number): Promise<MoveDocument> {
    const part = table.rows.parts[index];
    if (part === undefined) return move;
    const batch = move.next;
    const begun = await this.changed(move, { working: batch, next: batch + 1 });
    const columns = columnsOf(table.rows);
    const sum = new Checksum(move.checksum, move.rows);
    const collection = this.database.rows(move.collection);
    await inParallel<DraftRows>(table.rows.rowsOf(part), AT_ONCE, async (chunk) => {
      addDrafted(sum, columns, chunk);
      await storeRows(collection, documentsOf(columns, chunk, batch));
    });
    return this.changed(begun, { working: null, parts: index + 1, rows: sum.count, checksum: sum.digits });
  }

  /** Lines that the import left out, and keys of rows that somebody may send again. */
  private async copyBeside({ load }: MoveDocument, { rows, rejects }: MovedTable): Promise<void> {
    await this.database.rejects.deleteMany({ load });
    await loadRejects(this.database, load, rejects);
    const now = this.clock.now();
    for (const batch of await rows.batchesSince(new Date(now.getTime() - DAY_MS))) {
      const { _id, ...fields } = batchDocument(load, { number: IMPORTED, batch, now });
      await this.database.batches.replaceOne({ _id }, fields, { upsert: true });
    }
  }

  private async verified(
    move: MoveDocument,
    table: TableDocument,
    { rows, lifespanSeconds }: MovedTable,
  ): Promise<MovedRows> {
    const { columns } = table;
    const since = this.comparedSince(table, lifespanSeconds);
    const wanted = since === null ? new Checksum(move.checksum, move.rows) : await sumOfFiles(rows, columns, since);
    const visible = [{ $match: { ...completeBatches(table), ...(since === null ? {} : { t: { $gte: since } }) } }];
    const found = await sumOfStored({ collection: this.database.rows(move.collection), columns, visible });
    const problems: string[] = [];
    if (found.count !== wanted.count) problems.push(`${found.count} rows are there instead of ${wanted.count}`);
    else if (found.digits !== wanted.digits) problems.push('some rows differ: the checksums are not the same');
    return { count: found.count, checksum: found.digits, problems };
  }

  /** The server removes rows that have outlived the lifespan; those that may go while they are compared are left out of it. Null: all stay. */
  private comparedSince({ expires }: TableDocument, lifespanSeconds: number | null): Date | null {
    if (!expires || lifespanSeconds === null) return null;
    return new Date(this.clock.now().getTime() - lifespanSeconds * 1000 + COMPARING_MS);
  }

  private tableOf(move: MoveDocument, { ref, rows, lifespanSeconds }: MovedTable): TableDocument {
    const { companyId, datasourceId, generation } = ref;
    const { granularity, lifespanSeconds: lifespan } = shapeFor(rows.profile, lifespanSeconds);
    const { timeField: time, metaField: meta, values } = rows.profile;
    const at = this.clock.now();
    return {
      ...{ _id: move._id, companyId, datasourceId, generation, load: move.load, collection: move.collection },
      ...{ expires: lifespan !== null, plain: granularity === null },
      ...{ columns: scaled(columnsOf(rows), rows.profile), times: timesOf(rows.profile) },
      ...{ time, meta, values, rows: move.rows, next: move.next },
      pending: move.abandoned.map((number) => ({ number, at, over: true })),
    };
  }

  private async changed(move: MoveDocument, change: Partial<Omit<MoveDocument, '_id'>>): Promise<MoveDocument> {
    await this.database.moves.updateOne({ _id: move._id }, { $set: change });
    return { ...move, ...change };
  }

  private async isThere({ collection }: MoveDocument): Promise<boolean> {
    return (await this.database.db.listCollections({ name: collection }, { nameOnly: true }).toArray()).length > 0;
  }

  private async discard({ _id, collection }: MoveDocument): Promise<void> {
    await this.database.tables.deleteOne({ _id, collection });
    await this.loads.discard(collection);
  }
}

function columnsOf({ columns, profile }: StoredRows): readonly MongoColumn[] {
  const { timeField, metaField }: TableProfile = profile;
  return fieldsOf(columns, { timeField, metaField });
}
