import type { Clock } from '../../../ports/clock.js';
import type { TableRef } from '../../../ports/table.js';
import { AppError, isAppError } from '../../../shared/app-error.js';
import { isId } from '../../../shared/ids.js';
import type { RowDatabase } from './row-database.js';
import { collectionName, collectionsOf, loadOf, newLoad, type TableDocument, tableId } from './row-documents.js';
import { rowsError } from './row-errors.js';

/** An import says so often that it is at work. */
const HEARD_EVERY_MS = 30_000;

/** An import that fills a collection which nobody sees yet. */
export interface RunningLoad extends AsyncDisposable {
  readonly load: string;
  readonly collection: string;
}

/** Brings collections into being, puts them in the place of others, and removes those that nobody needs. Several instances may do so at once. */
export class MongoLoads {
  /** `abandonedMs`: an import that was not heard of for so long is gone. */
  constructor(
    private readonly database: RowDatabase,
    private readonly clock: Clock,
    private readonly abandonedMs = 10 * 60_000,
  ) {}

  /** Begins an import: what it makes is left alone until it is disposed of, and is then nobody's unless it was published. */
  async begin(table: TableRef): Promise<RunningLoad> {
    const load = newLoad();
    const collection = collectionName(table, load);
    await this.database.loads.insertOne({ _id: collection, heard: this.clock.now() });
    // A server that is away for a moment hears of it the next time.
    const timer = setInterval(() => void this.isWanted(collection).catch(() => undefined), HEARD_EVERY_MS);
    return {
      load,
      collection,
      [Symbol.asyncDispose]: async () => {
        clearInterval(timer);
        await this.end(collection);
      },
    };
  }

  /**
   * From this moment on the generation is what the document says. What it was before is removed.
   *
   * @throws AppError `unavailable` when nothing was heard of the import for so long that another instance has taken it for dead.
   */
  async publish(document: TableDocument): Promise<void> {
    const { _id: id, ...table } = document;
    if (!(await this.isWanted(document.collection))) {
      throw new AppError('unavailable', 'the import was interrupted for too long', { retryAfter: 1 });
    }
    const before = await this.database.tables.findOneAndReplace({ _id: id }, table, { upsert: true });
    if (before !== null) await this.discard(before.collection);
  }

  /** Removes generations below a number; all, without one. */
  async remove(table: Pick<TableRef, 'companyId' | 'datasourceId'>, keepFrom?: number): Promise<void> {
    const { companyId, datasourceId } = table;
    // Names of collections are made of it.
    if (!isId(datasourceId)) return;
    const below = keepFrom === undefined ? {} : { generation: { $lt: keepFrom } };
    const found = await this.database.tables.find({ companyId, datasourceId, ...below }).toArray();
    for (const { _id, collection } of found) {
      // First nobody finds the rows any more, then they go; who dies between leaves a collection for the sweep.
      await this.database.tables.deleteOne({ _id, collection });
      await this.discard(collection);
    }
    await this.sweep(collectionsOf(datasourceId));
  }

  /** Removes collections that are no table's and that no import fills, among those whose names begin so. */
  async sweep(prefix = 'rows.'): Promise<void> {
    const names = await this.collections(prefix);
    if (names.length === 0) return;
    const published = new Set(await this.published(names));
    for (const name of names)
      if (!published.has(name) && (await this.isAbandoned(name))) await this.discardUnlessPublished(name);
  }

  /** Removes rows, keys and rejected lines of an import. May be called again when it was cut short. */
  async discard(collection: string): Promise<void> {
    const load = loadOf(collection);
    if (load === null) return;
    await this.database.rejects.deleteMany({ load });
    await this.database.batches.deleteMany({ load });
    await this.database.db.dropCollection(collection).catch(unlessMissing);
    await this.database.loads.deleteOne({ _id: collection });
  }

  private async end(collection: string): Promise<void> {
    try {
      await this.discardUnlessPublished(collection);
      await this.database.loads.deleteOne({ _id: collection });
    } catch (error) {
      // What can't be removed now is removed by a sweep; why the import failed is the error to be told.
      if (!isAppError(rowsError(error))) throw error;
    }
  }

  private async discardUnlessPublished(collection: string): Promise<void> {
    const table = await this.database.tables.findOne({ collection }, { projection: { _id: 1 } });
    if (table === null) await this.discard(collection);
  }

  private async collections(prefix: string): Promise<readonly string[]> {
    const name = new RegExp(`^${prefix.replaceAll('.', String.raw`\.`)}`);
    const found = await this.database.db.listCollections({ name }, { nameOnly: true }).toArray();
    const marked = await this.database.loads.find({ _id: name }).toArray();
    const names = [...found.map((one) => one.name), ...marked.map(({ _id }) => _id)];
    return [...new Set(names)].filter((one) => loadOf(one) !== null);
  }

  private async published(names: readonly string[]): Promise<readonly string[]> {
    const tables = await this.database.tables.find({ collection: { $in: [...names] } }).toArray();
    return tables.map(({ collection }) => collection);
  }

  /** Says that the import is at work. False: it was taken for dead. */
  private async isWanted(collection: string): Promise<boolean> {
    const { matchedCount } = await this.database.loads.updateOne(
      { _id: collection },
      { $set: { heard: this.clock.now() } },
    );
    return matchedCount === 1;
  }

  /** After this nobody publishes it any more, however long a process was held up. */
  private async isAbandoned(collection: string): Promise<boolean> {
    const since = new Date(this.clock.now().getTime() - this.abandonedMs);
    await this.database.loads.deleteOne({ _id: collection, heard: { $lt: since } });
    return (await this.database.loads.findOne({ _id: collection })) === null;
  }
}

/** The document of a generation that has just been loaded. */
export function tableDocument(
  table: TableRef,
  made: Omit<TableDocument, '_id' | 'companyId' | 'datasourceId' | 'generation' | 'next' | 'pending'>,
): TableDocument {
  const { companyId, datasourceId, generation } = table;
  return { _id: tableId(table), companyId, datasourceId, generation, ...made, next: 1, pending: [] };
}

const NAMESPACE_NOT_FOUND = 26;

function unlessMissing(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === NAMESPACE_NOT_FOUND) return;
  throw error;
}
