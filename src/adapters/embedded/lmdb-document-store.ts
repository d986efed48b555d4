import type { StoredDocument } from '../../ports/document-store.js';
import type { Clock } from '../../ports/clock.js';
import { AppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import type { SchemaRules } from '../documents/schema-rules.js';
import { type OpenedKind, SchemaDocumentStore } from '../documents/schema-store.js';
import { idKey } from './document-keys.js';
import { LmdbCollection } from './lmdb-collection.js';
import { LmdbFiles } from './lmdb-files.js';
import { LmdbPlace } from './lmdb-place.js';

const SWEEP_EVERY_MS = 60_000;

/**
 * Documents in an LMDB file in one folder. An acknowledged write is flushed to the disk: it survives a killed process and a power
 * cut. Several processes may use the folder at once. Unique and expiry rules are kept by the store itself, inside the write transaction.
 */
export class LmdbDocumentStore extends SchemaDocumentStore<LmdbPlace> {
  #files: LmdbFiles | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly folder: string,
    clock: Clock,
  ) {
    super(clock);
  }

  /** @throws AppError `unavailable`, naming the folder and the reason. */
  async open(): Promise<void> {
    if (this.#files !== null) return;
    this.#files = await LmdbFiles.open(this.folder);
    this.#timer = setInterval(() => {
      // What expired is not shown anyway; a sweep that failed is made up for a minute later.
      this.sweep().catch(() => undefined);
    }, SWEEP_EVERY_MS).unref();
  }

  override async check(): Promise<void> {
    await this.#openFiles().check();
  }

  /** Removes the documents that have expired, of the kinds in use, and says how many they were. */
  async sweep(): Promise<number> {
    let removed = 0;
    for (const kind of this.kinds.values()) {
      if (kind.rules.expiries.length > 0) removed += await this.documentsOf(kind, null).removeExpired();
    }
    return removed;
  }

  /** Waits for writes under way. Further calls are refused. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#files?.close();
  }

  /** Brings the indexes up to date. */
  protected override async prepare(name: string, rules: SchemaRules): Promise<LmdbPlace> {
    const files = this.#openFiles();
    const place = new LmdbPlace(files, name, rules);
    const wanted = place.indexes.map(({ signature }) => signature);
    const noted = files.notes.get(place.byId.prefix);
    if (noted?.length !== wanted.length || !wanted.every((index) => noted.includes(index)))
      await files.write(() => {
        rebuild(place, wanted);
      });
    return place;
  }

  protected override documentsOf<T extends StoredDocument>(
    kind: OpenedKind<LmdbPlace>,
    companyId: CompanyId | null,
  ): LmdbCollection<T> {
    return new LmdbCollection<T>(kind, companyId);
  }

  #openFiles(): LmdbFiles {
    if (this.#files === null) throw new AppError('unavailable', 'the document store is not open');
    return this.#files;
  }
}

/** Inside a transaction: another process may have done it meanwhile. */
function rebuild(place: LmdbPlace, wanted: readonly string[]): void {
  const { byId, indexes, files } = place;
  const complete = files.notes.get(byId.prefix) ?? [];
  for (const signature of complete.filter((name) => !wanted.includes(name))) {
    place.clear(Buffer.concat([byId.prefix, idKey(signature)]));
  }
  for (const index of indexes.filter(({ signature }) => !complete.includes(signature))) place.fill(index);
  files.notes.putSync(byId.prefix, wanted);
}
