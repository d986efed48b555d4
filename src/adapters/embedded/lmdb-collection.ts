import { setImmediate } from 'node:timers/promises';
import type { StoredDocument } from '../../ports/document-store.js';
import type { Conditions, SortKey } from '../documents/conditions.js';
import { SchemaCollection, type Selection } from '../documents/schema-store.js';
import type { PlainChange, PlainDocument } from '../documents/schema-rules.js';
import { type Comparator, comparatorOf, type Matcher, matcherOf } from './document-matching.js';
import { endOfValues } from './document-keys.js';
import type { LmdbPlace } from './lmdb-place.js';
import { damagedStore } from './lmdb-table.js';
import { planFor, type QueryPlan, type WalkPlan } from './query-plan.js';

/** How many documents one transaction removes: others wait for it. */
const REMOVE_AT_ONCE = 200;

/** Documents of one kind in LMDB, of one company or of all. */
export class LmdbCollection<T extends StoredDocument> extends SchemaCollection<T, LmdbPlace> {
  /** Removes what expired. Nobody has seen it since. */
  async removeExpired(): Promise<number> {
    let removed = 0;
    for (const { field, seconds } of this.source.rules.expiries) {
      const until = new Date(this.source.clock.now().getTime() - seconds * 1000);
      const conditions: Conditions = [{ field, test: { kind: 'range', bounds: { lte: until } } }];
      removed += await this.removeFitting(conditions, matcherOf(conditions));
    }
    return removed;
  }

  protected override async insertPlain(document: PlainDocument): Promise<void> {
    const place = await this.place();
    await place.files.write(() => {
      place.insert(document, this.source.clock.now());
    });
  }

  protected override async load(id: string): Promise<PlainDocument | null> {
    const place = await this.place();
    const document = id.length > 200 ? undefined : place.read(id);
    return document !== undefined && this.fits(this.own())(document) ? document : null;
  }

  protected override async search(
    conditions: Conditions,
    { sort, skip, limit }: Selection,
  ): Promise<readonly PlainDocument[]> {
    const place = await this.place();
    const plan = this.planFor(place, conditions, sort);
    const grouped = plan.kind === 'walk' && plan.orderedValues > 0;
    const order = sort.length === 0 ? null : comparatorOf(sort);
    const first = await firstOf(this.fitting(place, conditions, plan), { wanted: skip + limit, order, grouped });
    return first.slice(skip);
  }

  protected override async countFitting(conditions: Conditions): Promise<number> {
    const place = await this.place();
    const plan = this.planFor(place, conditions);
    if (plan.kind === 'walk' && plan.exact && this.source.rules.expiries.length === 0) {
      const table = plan.walk === place.byId ? place.files.documents : place.files.entries;
      return table.database.getKeysCount({ start: plan.lower, end: plan.upper });
    }
    let count = 0;
    for await (const _candidate of this.fitting(place, conditions, plan)) count += 1;
    return count;
  }

  protected override async changeFirst(conditions: Conditions, change: PlainChange): Promise<PlainDocument | null> {
    const place = await this.place();
    const fits = this.fits(conditions);
    // Found outside the transaction, which all writers wait for; whether it still fits is looked at inside.
    for await (const { document } of this.fitting(place, conditions, this.planFor(place, conditions))) {
      const changed = await place.files.write(() => place.change(document.id, fits, change, this.source.clock.now()));
      if (changed !== null) return changed;
    }
    return null;
  }

  protected override async removeFitting(conditions: Conditions, expired?: Matcher): Promise<number> {
    const place = await this.place();
    const fits = expired ?? this.fits(conditions);
    let removed = 0;
    for await (const slice of candidatesOf(place, this.planFor(place, conditions))) {
      const ids = slice.filter(({ document }) => fits(document)).map(({ document }) => document.id);
      for (let at = 0; at < ids.length; at += REMOVE_AT_ONCE) {
        const some = ids.slice(at, at + REMOVE_AT_ONCE);
        removed += await place.files.write(() => some.filter((id) => place.erase(id, fits)).length);
      }
    }
    return removed;
  }

  private async *fitting(
    place: LmdbPlace,
    conditions: Conditions,
    plan: QueryPlan,
  ): AsyncGenerator<Candidate, void, void> {
    const fits = this.fits(conditions);
    for await (const slice of candidatesOf(place, plan)) {
      for (const candidate of slice) if (fits(candidate.document)) yield candidate;
    }
  }

  private planFor(place: LmdbPlace, conditions: Conditions, sort: readonly SortKey[] = []): QueryPlan {
    return planFor(place, conditions, sort, this.companyId !== null);
  }

  private fits(conditions: Conditions): Matcher {
    const matches = matcherOf(conditions);
    return (document) => matches(document) && !this.source.rules.isExpired(document, this.source.clock.now());
  }

  private async place(): Promise<LmdbPlace> {
    const place = await this.source.ready();
    place.files.assertOpen();
    return place;
  }
}

interface Harvest {
  /** How many documents, the first of the order. */
  readonly wanted: number;
  /** `null`: any order will do. */
  readonly order: Comparator | null;
  /** The candidates come group by group in the order asked for; only within a group it is left to do. */
  readonly grouped: boolean;
}

/** The first documents of an order out of many, with no more of them in memory than there must be. */
async function firstOf(
  candidates: AsyncIterable<Candidate>,
  { wanted, order, grouped }: Harvest,
): Promise<readonly PlainDocument[]> {
  const done: PlainDocument[] = [];
  /** Of a group that goes on. */
  let open: PlainDocument[] = [];
  let last = '';
  const close = (): void => {
    if (order !== null) open.sort(order);
    for (const document of open) done.push(document);
    open = [];
  };
  for await (const { document, group } of candidates) {
    if (order === null) {
      done.push(document);
      if (done.length >= wanted) break;
      continue;
    }
    if (grouped && group !== last) close();
    last = group;
    const missing = wanted - done.length;
    if (missing <= 0 && open.length === 0) break;
    open.push(document);
    if (open.length < missing * 2 + 1000) continue;
    open.sort(order);
    open.length = Math.max(missing, 0);
  }
  close();
  return done.slice(0, wanted);
}

/** A document that was come upon. Those of one group have the same place in the order asked for. */
interface Candidate {
  readonly document: PlainDocument;
  readonly group: string;
}

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
async function* candidatesOf(place: LmdbPlace, plan: QueryPlan): AsyncGenerator<readonly Candidate[]> {
  if (plan.kind === 'ids') {
    yield* byIds(place, plan.ids);
    return;
  }
  let from: Buffer | null = null;
  let turnEnds = performance.now() + TURN_MS;
  for (let size = FIRST_SLICE; ; size = Math.min(size * 2, LAST_SLICE)) {
    place.files.assertOpen();
    const found: Candidate[] = [];
    let last: Buffer | null = null;
    for (const { key, document } of walk(place, plan, from)) {
      found.push({ document, group: groupOf(key, plan) });
      const isLate = found.length % LOOK_AT_THE_TIME_EVERY === 0 && performance.now() > turnEnds;
      if (!isLate && found.length < size) continue;
      last = key;
      break;
    }
    yield found;
    if (last === null) return;
    from = last;
    if (performance.now() < turnEnds) continue;
    await setImmediate();
    turnEnds = performance.now() + TURN_MS;
  }
}

async function* byIds(place: LmdbPlace, ids: readonly string[]): AsyncGenerator<readonly Candidate[]> {
  for (let at = 0; at < ids.length; at += 500) {
    place.files.assertOpen();
    if (at > 0) await setImmediate();
    const documents = ids.slice(at, at + 500).map((id) => place.read(id));
    yield documents.filter((document) => document !== undefined).map((document) => ({ document, group: '' }));
  }
}

function* walk(
  place: LmdbPlace,
  plan: WalkPlan,
  from: Buffer | null,
): Generator<{ readonly key: Buffer; readonly document: PlainDocument }> {
  const { documents, entries } = place.files;
  const [first, last] = plan.reverse ? [plan.upper, plan.lower] : [plan.lower, plan.upper];
  const range = {
    start: from ?? first,
    end: last,
    exclusiveStart: from !== null,
    reverse: plan.reverse,
    inclusiveEnd: true,
  };
  if (plan.walk === place.byId) {
    for (const { key, value } of documents.getRange(range)) yield { key, document: value };
    return;
  }
  for (const { key, value } of entries.getRange(range)) {
    const document = place.read(value);
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
