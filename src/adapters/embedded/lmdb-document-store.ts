import type { CollectionDefinition, StoredDocument } from '../../ports/document-store.js';
import type { Clock } from '../../ports/clock.js';
import { AppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import { OpenedKind, SchemaDocumentStore } from '../documents/schema-store.js';
import { idKey } from './document-keys.js';
import { DocumentKind } from './document-kind.js';
import { LmdbCollection, type LmdbKind } from './lmdb-collection.js';
import { LmdbFiles } from './lmdb-files.js';
import { LmdbWriter } from './lmdb-writer.js';

const SWEEP_EVERY_MS = 60_000;

/**
 * Documents in an LMDB file in one folder. An acknowledged write is flushed to the disk: it survives a killed process and a power
 * cut. Several processes may use the folder at once. Unique and expiry rules are kept by the store itself, inside the write transaction.
 */
export class LmdbDocumentStore extends SchemaDocumentStore<IndexedKind> {
  #files: LmdbFiles | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly folder: string,
    private readonly clock: Clock,
  ) {
    super();
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
      if (kind.rules.expiries.length > 0) removed += await kind.collection(null).removeExpired();
    }
    return removed;
  }

  /** Waits for writes under way. Further calls are refused. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#files?.close();
  }

  protected override openKind(definition: CollectionDefinition<StoredDocument>): IndexedKind {
    return new IndexedKind(definition, this.clock, () => this.#openFiles());
  }

  #openFiles(): LmdbFiles {
    if (this.#files === null) throw new AppError('unavailable', 'the document store is not open');
    return this.#files;
  }
}

/** A kind of document whose indexes are brought up to date when it is first used. */
class IndexedKind extends OpenedKind<LmdbFiles> implements LmdbKind {
  readonly kind: DocumentKind;

  constructor(
    definition: CollectionDefinition<StoredDocument>,
    clock: Clock,
    private readonly files: () => LmdbFiles,
  ) {
    super(definition, clock);
    this.kind = new DocumentKind(this.name, this.rules);
  }

  override async ready(): Promise<LmdbFiles> {
    const files = await super.ready();
    files.assertOpen();
    return files;
  }

  override collection<T extends StoredDocument>(companyId: CompanyId | null): LmdbCollection<T> {
    return new LmdbCollection<T>(this, companyId);
  }

  protected override async prepare(): Promise<LmdbFiles> {
    const files = this.files();
    const wanted = this.kind.indexes.map(({ signature }) => signature);
    if (!sameNames(files.notes.get(this.noteKey()), wanted))
      await files.write(() => {
        this.rebuild(files, wanted);
      });
    return files;
  }

  /** Inside a transaction: another process may have done it meanwhile. */
  private rebuild(files: LmdbFiles, wanted: readonly string[]): void {
    const complete = files.notes.get(this.noteKey()) ?? [];
    const writer = new LmdbWriter(files, this.kind);
    for (const signature of complete.filter((name) => !wanted.includes(name))) {
      writer.clear(Buffer.concat([this.kind.byId.prefix, idKey(signature)]));
    }
    for (const index of this.kind.indexes.filter(({ signature }) => !complete.includes(signature))) writer.fill(index);
    files.notes.putSync(this.noteKey(), wanted);
  }

  private noteKey(): Buffer {
    return this.kind.byId.prefix;
  }
}

function sameNames(noted: readonly string[] | undefined, wanted: readonly string[]): boolean {
  return noted?.length === wanted.length && wanted.every((name) => noted.includes(name));
}
