import { setImmediate } from 'node:timers/promises';
import type { PlainDocument } from '../documents/schema-rules.js';
import { endOfValues } from './document-keys.js';
import type { DocumentKind } from './document-kind.js';
import type { LmdbFiles } from './lmdb-files.js';
import { damagedStore } from './lmdb-table.js';
import type { QueryPlan } from './query-plan.js';

/** A document that was come upon. Those of one group have the same place in the order asked for. */
export interface Candidate {
  readonly document: PlainDocument;
  readonly group: string;
}

type WalkPlan = Extract<QueryPlan, { kind: 'walk' }>;

/** A question over many documents gives the event loop back this often, so that nobody else waits for it. */
const TURN_MS = 5;
const LOOK_AT_THE_TIME_EVERY = 16;
/** Whoever wants the first page only is not made to wait for more. */
const FIRST_SLICE = 32;
const LAST_SLICE = 2_048;

/**
 * Comes upon the documents of a plan, a slice at a time. Others may write between two slices: a document that they move in the order
 * can be missed, or seen twice.
 */
export async function* candidatesOf(
  files: LmdbFiles,
  kind: DocumentKind,
  plan: QueryPlan,
): AsyncGenerator<readonly Candidate[]> {
  if (plan.kind === 'ids') {
    yield* byIds(files, kind, plan.ids);
    return;
  }
  let from: Buffer | null = null;
  let turnEnds = performance.now() + TURN_MS;
  for (let size = FIRST_SLICE; ; size = Math.min(size * 2, LAST_SLICE)) {
    files.assertOpen();
    const { found, last }: Slice = sliceOf(walk(files, kind, plan, from), plan, { size, turnEnds });
    yield found;
    if (last === null) return;
    from = last;
    if (performance.now() < turnEnds) continue;
    await setImmediate();
    turnEnds = performance.now() + TURN_MS;
  }
}

/** How many entries a plan walks over, without looking at the documents. */
export function entriesOn(files: LmdbFiles, plan: WalkPlan, kind: DocumentKind): number {
  const database = plan.walk === kind.byId ? files.documents : files.entries;
  return database.getKeysCount({ start: plan.lower, end: plan.upper });
}

interface Walked {
  readonly key: Buffer;
  readonly document: PlainDocument;
}

interface Slice {
  readonly found: readonly Candidate[];
  /** Where the next slice goes on; `null` at the end. */
  readonly last: Buffer | null;
}

async function* byIds(
  files: LmdbFiles,
  kind: DocumentKind,
  ids: readonly string[],
): AsyncGenerator<readonly Candidate[]> {
  for (let at = 0; at < ids.length; at += 500) {
    files.assertOpen();
    if (at > 0) await setImmediate();
    const documents = ids.slice(at, at + 500).map((id) => files.documents.get(kind.documentKey(id)));
    yield documents.filter((document) => document !== undefined).map((document) => ({ document, group: '' }));
  }
}

function sliceOf(
  walked: Iterable<Walked>,
  plan: WalkPlan,
  { size, turnEnds }: { readonly size: number; readonly turnEnds: number },
): Slice {
  const found: Candidate[] = [];
  let seen = 0;
  for (const { key, document } of walked) {
    found.push({ document, group: groupOf(key, plan) });
    seen += 1;
    const late = seen % LOOK_AT_THE_TIME_EVERY === 0 && performance.now() > turnEnds;
    if (late || seen === size) return { found, last: key };
  }
  return { found, last: null };
}

function* walk(files: LmdbFiles, kind: DocumentKind, plan: WalkPlan, from: Buffer | null): Generator<Walked> {
  const [first, last] = plan.reverse ? [plan.upper, plan.lower] : [plan.lower, plan.upper];
  const range = {
    start: from ?? first,
    end: last,
    exclusiveStart: from !== null,
    reverse: plan.reverse,
    inclusiveEnd: true,
  };
  if (plan.walk === kind.byId) {
    for (const { key, value } of files.documents.getRange(range)) yield { key, document: value };
    return;
  }
  for (const { key, value } of files.entries.getRange(range)) {
    const document = files.documents.get(kind.documentKey(value));
    // Both are of one commit, so that none can be missing.
    if (document === undefined) throw damagedStore('an index names a record that is not there');
    yield { key, document };
  }
}

function groupOf(key: Uint8Array, plan: WalkPlan): string {
  if (plan.orderedValues === 0) return '';
  const start = plan.walk.prefix.length;
  return Buffer.from(key.subarray(start, endOfValues(key, start, plan.orderedValues))).toString('latin1');
}
