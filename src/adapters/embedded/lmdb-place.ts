import { AppError } from '../../shared/app-error.js';
import { alreadyTaken, refused } from '../documents/document-errors.js';
import type { PlainChange, PlainDocument, SchemaRules } from '../documents/schema-rules.js';
import { after, idKey } from './document-keys.js';
import { entryKey, indexesOf, type StoredIndex, type Walk } from './stored-index.js';
import type { Matcher } from './document-matching.js';
import type { LmdbFiles } from './lmdb-files.js';

/**
 * Where the documents of one kind lie, which are written together with their index entries. What writes is called inside a write
 * transaction: what it reads nobody else can change before its own writes are in, in whatever process.
 */
export class LmdbPlace {
  readonly indexes: readonly StoredIndex[];
  /** All documents by id. */
  readonly byId: Walk;

  constructor(
    readonly files: LmdbFiles,
    readonly name: string,
    private readonly rules: SchemaRules,
  ) {
    this.byId = { fields: ['id'], prefix: idKey(name) };
    this.indexes = indexesOf(name, rules);
  }

  read(id: string): PlainDocument | undefined {
    return this.files.documents.get(this.keyOf(id));
  }

  /** @throws AppError `conflict` */
  insert(document: PlainDocument, now: Date): void {
    const holder = this.read(document.id);
    if (holder !== undefined) this.makeWay(holder, ['id'], now);
    this.replace(undefined, document, now);
  }

  /** @throws AppError `conflict` */
  change(id: string, fits: Matcher, change: PlainChange, now: Date): PlainDocument | null {
    const before = this.read(id);
    if (before === undefined || !fits(before)) return null;
    const changed = { ...before, ...change.set, ...increased(before, change.increment), id };
    this.replace(before, changed, now);
    return changed;
  }

  /** Whether it was there and fitted. */
  erase(id: string, fits: Matcher): boolean {
    const document = this.read(id);
    if (document === undefined || !fits(document)) return false;
    this.drop(document);
    return true;
  }

  /** Makes the entries of an index that was declared when documents were already there. */
  fill(index: StoredIndex): void {
    const { prefix } = this.byId;
    for (const { value } of this.files.documents.getRange({ start: prefix, end: after(prefix) })) {
      const key = entryKey(index, value);
      if (index.unique && this.files.entries.database.doesExist(key)) throw alreadyTaken(index.named);
      this.files.entries.putSync(key, value.id);
    }
  }

  /** Removes everything that begins like this from the indexes. */
  clear(prefix: Buffer): void {
    for (const key of this.files.entries.database.getKeys({ start: prefix, end: after(prefix) })) {
      this.files.entries.database.removeSync(key);
    }
  }

  private replace(before: PlainDocument | undefined, document: PlainDocument, now: Date): void {
    for (const index of this.indexes) {
      const key = entryKey(index, document);
      const old = before === undefined ? null : entryKey(index, before);
      if (old?.equals(key) === true) continue;
      if (old !== null) this.files.entries.database.removeSync(old);
      this.enter(index, key, document.id, now);
    }
    this.files.documents.putSync(this.keyOf(document.id), document);
  }

  private enter(index: StoredIndex, key: Buffer, id: string, now: Date): void {
    const holder = index.unique ? this.files.entries.get(key) : undefined;
    const document = holder === undefined ? undefined : this.read(holder);
    if (document !== undefined) this.makeWay(document, index.named, now);
    this.files.entries.putSync(key, id);
  }

  /** What has expired is gone, even while it still lies there. */
  private makeWay(holder: PlainDocument, fields: readonly string[], now: Date): void {
    if (!this.rules.isExpired(holder, now)) throw alreadyTaken(fields);
    this.drop(holder);
  }

  private drop(document: PlainDocument): void {
    for (const index of this.indexes) this.files.entries.database.removeSync(entryKey(index, document));
    this.files.documents.database.removeSync(this.keyOf(document.id));
  }

  private keyOf(id: string): Buffer {
    return Buffer.concat([this.byId.prefix, idKey(id)]);
  }
}

function increased(before: PlainDocument, increment: PlainChange['increment']): Record<string, number> {
  const entries = Object.entries(increment).map(([field, by]) => {
    const value = before[field] === undefined ? 0 : before[field];
    if (typeof value !== 'number') throw refused(field, "is no number and can't be incremented");
    if (!Number.isFinite(value + by)) throw new AppError('invalid_input', `${field} would grow without end`);
    return [field, value + by] as const;
  });
  return Object.fromEntries(entries);
}
