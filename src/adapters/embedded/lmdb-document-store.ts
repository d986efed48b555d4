import { DocumentStore } from '../../ports/document-store.js';
import type {
  Collection,
  CollectionDefinition,
  StoredDocument,
  TenantCollection,
  TenantDocument,
} from '../../ports/document-store.js';
import type { Clock } from '../../ports/clock.js';
import { AppError } from '../../shared/app-error.js';
import { idKey } from './document-keys.js';
import { DocumentKind } from './document-kind.js';
import { LmdbCollection, LmdbTenantCollection, type OpenKind } from './lmdb-collection.js';
import { LmdbFiles } from './lmdb-files.js';
import { LmdbWriter } from './lmdb-writer.js';

const SWEEP_EVERY_MS = 60_000;

/**
 * Documents in an LMDB file in one folder. An acknowledged write is flushed to the disk: it survives a killed process and a power
 * cut. Several processes may use the folder at once. Unique and expiry rules are kept by the store itself, inside the write transaction.
 */
export class LmdbDocumentStore extends DocumentStore {
  readonly #kinds = new Map<string, OpenedKind>();
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

  override collection<T extends StoredDocument>(definition: CollectionDefinition<T>): Collection<T> {
    return new LmdbCollection<T>(this.#kindOf(definition), null);
  }

  override tenantCollection<T extends TenantDocument>(definition: CollectionDefinition<T>): TenantCollection<T> {
    const opened = this.#kindOf(definition);
    if (!opened.kind.tenant) throw new Error(`The schema of ${definition.name} has no companyId`);
    return new LmdbTenantCollection<T>(opened);
  }

  override async check(): Promise<void> {
    await this.#openFiles().check();
  }

  /** Removes the documents that have expired, of the kinds in use, and says how many they were. */
  async sweep(): Promise<number> {
    let removed = 0;
    for (const opened of this.#kinds.values()) {
      if (opened.kind.rules.expiries.length === 0) continue;
      removed += await new LmdbCollection<StoredDocument>(opened, null).removeExpired();
    }
    return removed;
  }

  /** Waits for writes under way. Further calls are refused. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#files?.close();
  }

  #kindOf(definition: CollectionDefinition<StoredDocument>): OpenedKind {
    const known = this.#kinds.get(definition.name);
    if (known !== undefined) {
      if (known.schema !== definition.schema)
        throw new Error(`There are two kinds of document named ${definition.name}`);
      return known;
    }
    const opened = new OpenedKind(definition, this.clock, () => this.#openFiles());
    this.#kinds.set(definition.name, opened);
    return opened;
  }

  #openFiles(): LmdbFiles {
    if (this.#files === null) throw new AppError('unavailable', 'the document store is not open');
    return this.#files;
  }
}

/** A kind of document whose indexes are brought up to date when it is first used. */
class OpenedKind implements OpenKind {
  readonly kind: DocumentKind;
  readonly schema: object;
  #ready: Promise<LmdbFiles> | null = null;

  constructor(
    definition: CollectionDefinition<StoredDocument>,
    readonly clock: Clock,
    private readonly files: () => LmdbFiles,
  ) {
    this.kind = new DocumentKind(definition);
    this.schema = definition.schema;
  }

  async ready(): Promise<LmdbFiles> {
    this.#ready ??= this.prepare().catch((error: unknown) => {
      this.#ready = null;
      throw error;
    });
    const files = await this.#ready;
    files.assertOpen();
    return files;
  }

  private async prepare(): Promise<LmdbFiles> {
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
