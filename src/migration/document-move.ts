import type { Collection, DocumentStore, StoredDocument } from '../ports/document-store.js';
import { isAppError } from '../shared/app-error.js';
import { Checksum, digestOf } from '../shared/checksum.js';
import { DOCUMENT_KINDS, type AnyKind } from './document-kinds.js';

/** Where documents come from. */
export interface DocumentSource {
  kinds(): readonly string[];
  documentsOf(kind: AnyKind): AsyncIterable<StoredDocument>;
}

export interface KindReport {
  readonly name: string;
  readonly count: number;
  readonly checksum: string;
  /** What is wrong with the copy, in sentences; empty when nothing is. */
  readonly problems: readonly string[];
}

const PAGE = 200;
const AT_ONCE = 16;
/** So many ids are named of a kind that went wrong. */
const NAMED = 5;

/** Copies what the target does not have yet, in any order of starts and stops. Returns how many it copied now. */
export async function copyDocuments(from: DocumentSource, to: DocumentStore, kind: AnyKind): Promise<number> {
  const target = to.collection(kind);
  let copied = 0;
  for await (const page of pagesOf(from.documentsOf(kind))) {
    const there = await idsOf(target, page);
    const missing = page.filter(({ id }) => !there.has(id));
    copied += missing.length;
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      await Promise.all(missing.slice(at, at + AT_ONCE).map((document) => insert(target, document)));
    }
  }
  return copied;
}

/** Reads both sides again, every document of them. */
export async function verifyDocuments(
  from: DocumentSource,
  to: DocumentStore,
  { kind, isExpired }: { readonly kind: AnyKind; readonly isExpired: (document: StoredDocument) => boolean },
): Promise<KindReport> {
  const target = to.collection(kind);
  const [wanted, found] = [new Checksum(), new Checksum()];
  const differing: string[] = [];
  for await (const page of pagesOf(from.documentsOf(kind))) {
    const copies = await target.find({ id: { in: page.map(({ id }) => id) } });
    const digests = new Map(copies.map((copy) => [copy.id, digestOf(copy)]));
    for (const document of page) {
      const copy = digests.get(document.id);
      // What has outlived its time meanwhile is gone on purpose.
      if (copy === undefined && isExpired(document)) continue;
      if (!isCounted(digestOf(document), copy, { wanted, found })) differing.push(document.id);
    }
  }
  const problems = problemsOf(differing, (await target.count({})) - found.count);
  if (problems.length === 0 && wanted.digits !== found.digits) problems.push('the checksums differ');
  return { name: kind.name, count: found.count, checksum: found.digits, problems };
}

/** The kinds that the target has documents of. */
export async function kindsThere(to: DocumentStore): Promise<readonly string[]> {
  const counts = DOCUMENT_KINDS.map(async (kind) => [kind.name, await to.collection(kind).count({})] as const);
  return (await Promise.all(counts)).filter(([, count]) => count > 0).map(([name]) => name);
}

/** Adds to both sums; false when the copy is missing or differs. */
function isCounted(
  digest: string,
  copy: string | undefined,
  sums: { readonly wanted: Checksum; readonly found: Checksum },
): boolean {
  sums.wanted.add(digest);
  if (copy !== undefined) sums.found.add(copy);
  return copy === digest;
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

async function idsOf(
  target: Collection<StoredDocument>,
  page: readonly StoredDocument[],
): Promise<ReadonlySet<string>> {
  const found = await target.find({ id: { in: page.map(({ id }) => id) } });
  return new Set(found.map(({ id }) => id));
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
