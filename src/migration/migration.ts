import { createHash } from 'node:crypto';
import type { LmdbArchive } from '../adapters/embedded/lmdb-archive.js';
import { SchemaRules } from '../adapters/documents/schema-rules.js';
import { COMPANIES } from '../features/company/company.schema.js';
import type { Clock } from '../ports/clock.js';
import type { Collection, DocumentStore, StoredDocument } from '../ports/document-store.js';
import { OBJECT_AREAS, type ObjectKey, type ObjectStore, type StoredObject } from '../ports/object-store.js';
import { AppError, isAppError } from '../shared/app-error.js';
import { Checksum, digestOf } from '../shared/checksum.js';
import { type AnyKind, DOCUMENT_KINDS, FORGOTTEN_KINDS } from './document-kinds.js';
import { MIGRATIONS, type MigrationState } from './migration-state.schema.js';

interface KindReport {
  readonly name: string;
  readonly count: number;
  readonly checksum: string;
  /** What is wrong with the copy, in sentences; empty when nothing is. */
  readonly problems: readonly string[];
}

/** Both ends of a move. Nothing is ever written to the source. */
export interface MigrationEnds {
  readonly from: LmdbArchive;
  readonly to: DocumentStore;
  /** `null`: files stay where they are. */
  readonly objects: { readonly from: ObjectStore; readonly to: ObjectStore } | null;
  readonly clock: Clock;
}

export interface MigrationReport {
  readonly resumed: boolean;
  readonly kinds: readonly KindReport[];
  /** Nothing is missing, differs or is too much. */
  readonly sound: boolean;
}

const ID = 'embedded';

/**
 * Moves an embedded installation's documents, and its files when asked, those of rows among them. Can be killed at any moment and be begun
 * again; what was moved is not moved twice, and all of it is verified at the end.
 */
export class Migration {
  private readonly states: Collection<MigrationState>;

  constructor(
    private readonly ends: MigrationEnds,
    private readonly tell: (progress: string) => void,
  ) {
    this.states = ends.to.collection(MIGRATIONS);
  }

  /** @throws AppError `conflict` when the target is somebody else's, `invalid_input` when the source has what this version does not know. */
  async run(): Promise<MigrationReport> {
    const resumed = await this.begin();
    for (const kind of DOCUMENT_KINDS) {
      const copied = await copyDocuments(this.ends.from, this.ends.to, kind);
      this.tell(`${kind.name}: ${copied} copied`);
    }
    if (this.ends.objects !== null) {
      this.tell(`files: ${await copyObjects(this.ends.objects.from, this.ends.objects.to)} copied`);
    }
    const kinds = await this.verified();
    const sound = kinds.every(({ problems }) => problems.length === 0);
    if (sound) await this.states.update({ id: ID }, { set: { finishedAt: this.ends.clock.now() } });
    return { resumed, kinds, sound };
  }

  /** True when it goes on with what was begun earlier. */
  private async begin(): Promise<boolean> {
    const source = await this.sourceName();
    const state = await this.states.get(ID);
    if (state !== null) {
      assertOwn(state, source);
      return true;
    }
    await this.assertEmpty();
    await this.states.insert({ id: ID, source, startedAt: this.ends.clock.now(), finishedAt: null });
    return false;
  }

  /** An installation is known by its companies: their ids never change. */
  private async sourceName(): Promise<string> {
    const known = [...DOCUMENT_KINDS.map(({ name }) => name), ...FORGOTTEN_KINDS];
    const unknown = this.ends.from.kinds().filter((name) => !known.includes(name));
    if (unknown.length > 0) {
      throw new AppError('invalid_input', `this version does not know these documents: ${unknown.join(', ')}`);
    }
    const hash = createHash('sha256');
    let companies = 0;
    for await (const { id } of this.ends.from.documentsOf(COMPANIES)) {
      hash.update(`${id} `);
      companies += 1;
    }
    if (companies === 0) throw new AppError('not_found', 'there is no company in the source: nothing is to be moved');
    return hash.digest('hex');
  }

  private async assertEmpty(): Promise<void> {
    const there = await kindsThere(this.ends.to);
    if (there.length > 0) {
      throw new AppError('conflict', `the target is not empty, it has ${there.join(', ')}: choose another database`);
    }
    if (this.ends.objects !== null && (await hasObjects(this.ends.objects.to))) {
      throw new AppError('conflict', 'the bucket is not empty: choose another one, or another prefix');
    }
  }

  private async verified(): Promise<readonly KindReport[]> {
    const reports: KindReport[] = [];
    for (const kind of DOCUMENT_KINDS) {
      reports.push(await verifyDocuments(this.ends, kind));
    }
    if (this.ends.objects !== null) reports.push(await verifyObjects(this.ends.objects.from, this.ends.objects.to));
    return reports;
  }
}

function assertOwn({ source, finishedAt }: MigrationState, own: string): void {
  if (finishedAt !== null) {
    const problem = `the target was migrated to on ${finishedAt.toISOString()} and is in use since`;
    throw new AppError('conflict', `${problem}: choose another database`);
  }
  if (source !== own) {
    throw new AppError('conflict', 'the target has the unfinished migration of another installation');
  }
}

const PAGE = 200;
const AT_ONCE = 16;
/** So many ids are named of a kind that went wrong. */
const NAMED = 5;

/** Copies what the target does not have yet, in any order of starts and stops. Returns how many it copied now. */
async function copyDocuments(from: LmdbArchive, to: DocumentStore, kind: AnyKind): Promise<number> {
  const target = to.collection(kind);
  let copied = 0;
  for await (const page of pagesOf(from.documentsOf(kind))) {
    const there = await target.find({ id: { in: page.map(({ id }) => id) } });
    const known = new Set(there.map(({ id }) => id));
    const missing = page.filter(({ id }) => !known.has(id));
    copied += missing.length;
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      await Promise.all(missing.slice(at, at + AT_ONCE).map((document) => insert(target, document)));
    }
  }
  return copied;
}

/** Reads both sides again, every document of them. */
async function verifyDocuments({ from, to, clock }: MigrationEnds, kind: AnyKind): Promise<KindReport> {
  const rules = new SchemaRules(kind);
  const target = to.collection(kind);
  const [wanted, found] = [new Checksum(), new Checksum()];
  const differing: string[] = [];
  for await (const page of pagesOf(from.documentsOf(kind))) {
    const copies = await target.find({ id: { in: page.map(({ id }) => id) } });
    const digests = new Map(copies.map((copy) => [copy.id, digestOf(copy)]));
    for (const document of page) {
      const copy = digests.get(document.id);
      // What has outlived its time meanwhile is gone on purpose.
      if (copy === undefined && rules.isExpired(document, clock.now())) continue;
      const digest = digestOf(document);
      wanted.add(digest);
      if (copy !== undefined) found.add(copy);
      if (copy !== digest) differing.push(document.id);
    }
  }
  const problems = problemsOf(differing, (await target.count({})) - found.count);
  if (problems.length === 0 && wanted.digits !== found.digits) problems.push('the checksums differ');
  return { name: kind.name, count: found.count, checksum: found.digits, problems };
}

async function kindsThere(to: DocumentStore): Promise<readonly string[]> {
  const counts = DOCUMENT_KINDS.map(async (kind) => [kind.name, await to.collection(kind).count({})] as const);
  return (await Promise.all(counts)).filter(([, count]) => count > 0).map(([name]) => name);
}

function problemsOf(differing: readonly string[], extra: number): string[] {
  const problems: string[] = [];
  if (differing.length > 0) {
    const named = differing.slice(0, NAMED).join(', ');
    const more = differing.length > NAMED ? ` and ${differing.length - NAMED} more` : '';
    problems.push(`${differing.length} are missing or differ: ${named}${more}`);
  }
  if (extra > 0) problems.push(`${extra} are there that the source does not have`);
  return problems;
}

async function insert(target: Collection<StoredDocument>, document: StoredDocument): Promise<void> {
  try {
    await target.insert(document);
  } catch (error) {
    // An attempt whose answer was lost; whether it is the same document is looked at when all are there.
    if (!isAppError(error, 'conflict') || (await target.get(document.id)) === null) throw error;
  }
}

async function* pagesOf<T>(all: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  let page: T[] = [];
  for await (const each of all) {
    page.push(each);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Copies the files that the target does not have yet, and those of another size anew. */
async function copyObjects(from: ObjectStore, to: ObjectStore): Promise<number> {
  let copied = 0;
  for await (const { key, size } of everyObject(from)) {
    const there = await to.stat(key);
    if (there?.size === size) continue;
    if (there !== null) await to.remove(key);
    await to.write(key, await from.read(key), Number.MAX_SAFE_INTEGER);
    copied += 1;
  }
  return copied;
}

/** Reads every file of both sides again. */
async function verifyObjects(from: ObjectStore, to: ObjectStore): Promise<KindReport> {
  const found = new Checksum();
  const problems: string[] = [];
  for await (const { key } of everyObject(from)) {
    const [wanted, copied] = [await digestAt(from, key), await digestAt(to, key)];
    if (copied !== null) found.add(copied);
    if (wanted !== copied) problems.push(`${key.companyId}/${key.area}/${key.name} is missing or differs`);
  }
  return { name: 'files', count: found.count, checksum: found.digits, problems };
}

async function hasObjects(store: ObjectStore): Promise<boolean> {
  for await (const _object of everyObject(store)) return true;
  return false;
}

async function* everyObject(store: ObjectStore): AsyncGenerator<StoredObject> {
  for (const area of OBJECT_AREAS) yield* store.list(area);
}

async function digestAt(store: ObjectStore, key: ObjectKey): Promise<string | null> {
  try {
    const hash = createHash('sha256');
    for await (const chunk of await store.read(key)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch (error) {
    if (isAppError(error, 'not_found')) return null;
    throw error;
  }
}
