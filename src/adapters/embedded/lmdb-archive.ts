import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as lmdb from 'lmdb';
import type { RootDatabase } from 'lmdb';
import type { CollectionDefinition, StoredDocument } from '../../ports/document-store.js';
import { AppError, messageOf } from '../../shared/app-error.js';
import { SchemaRules, type PlainDocument } from '../documents/schema-rules.js';
import { after, endOfValues, idKey } from './document-keys.js';
import { BINARY, DATA_FILE } from './lmdb-files.js';
import { survey } from './lmdb-survey.js';
import { damagedStore, LmdbTable, values } from './lmdb-table.js';

/** The documents of an embedded installation that nobody works on, to be read from end to end. Changes nothing, not even an index. */
export class LmdbArchive implements AsyncDisposable {
  private constructor(
    private readonly root: RootDatabase<unknown, Buffer>,
    private readonly documents: LmdbTable<PlainDocument>,
  ) {}

  /** @throws AppError `not_found` when there are no documents in the folder, `unavailable` when they can't be read. */
  static async open(folder: string): Promise<LmdbArchive> {
    const file = join(folder, DATA_FILE);
    if (!existsSync(file))
      throw new AppError('not_found', `there are no documents in ${folder}: is it in a data folder of the service?`);
    try {
      const { damage } = await survey(file);
      if (damage !== null) throw damagedStore(damage);
      const root = lmdb.open<unknown, Buffer>({ path: folder, maxDbs: 8, keyEncoding: 'binary', readOnly: true });
      return new LmdbArchive(root, new LmdbTable(root.openDB<Buffer, Buffer>('documents', BINARY), values()));
    } catch (error) {
      const problem = `the documents in ${folder} can't be read: ${messageOf(error)}`;
      throw new AppError('unavailable', problem, { cause: error });
    }
  }

  /** The names of the kinds that there are documents of. */
  kinds(): readonly string[] {
    const names: string[] = [];
    let from: Buffer = Buffer.alloc(1);
    for (;;) {
      const [key] = [...this.documents.database.getKeys({ start: from, limit: 1 })];
      if (key === undefined) return names;
      const prefix = Buffer.from(key.subarray(0, endOfValues(key, 0, 1)));
      // Between the byte that says what it is and the one that ends it.
      names.push(prefix.subarray(1, -1).toString());
      from = after(prefix);
    }
  }

  /** Every document of the kind in the order of the ids, checked and completed as if it was stored now. */
  async *documentsOf(definition: CollectionDefinition<StoredDocument>): AsyncGenerator<PlainDocument> {
    const rules = new SchemaRules(definition);
    const prefix = idKey(definition.name);
    for (const { value } of this.documents.getRange({ start: prefix, end: after(prefix), snapshot: false })) {
      yield await rules.document(value);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.root.close();
  }
}
