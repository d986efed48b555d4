import type { StoredDocument } from '../../ports/document-store.js';
import type { Conditions, FieldCondition, SortKey } from '../documents/conditions.js';
import { type OpenedKind, SchemaCollection, type Selection } from '../documents/schema-store.js';
import type { PlainChange, PlainDocument } from '../documents/schema-rules.js';
import type { DocumentKind } from './document-kind.js';
import { type Comparator, comparatorOf, type Matcher, matcherOf } from './document-matching.js';
import { type Candidate, candidatesOf, entriesOn } from './document-scanner.js';
import type { LmdbFiles } from './lmdb-files.js';
import { LmdbWriter } from './lmdb-writer.js';
import { planFor, type QueryPlan } from './query-plan.js';

interface HarvestOptions {
  readonly skip: number;
  readonly limit: number;
  /** `null`: any order will do. */
  readonly order: Comparator | null;
  /** The candidates come group by group in the order asked for; only within a group it is left to do. */
  readonly grouped: boolean;
}

/** Keeps the first documents of an order out of many, and no more of them in memory than it must. */
class Harvest {
  readonly #options: HarvestOptions;
  readonly #wanted: number;
  readonly #done: PlainDocument[] = [];
  #open: PlainDocument[] = [];
  #group = '';

  constructor(options: HarvestOptions) {
    this.#options = options;
    this.#wanted = options.skip + options.limit;
  }

  /** Takes the next one. `false`: enough, no further one can matter. */
  take({ document, group }: Candidate): boolean {
    if (this.#options.order === null) {
      this.#done.push(document);
      return this.#done.length < this.#wanted;
    }
    if (this.#options.grouped && group !== this.#group) {
      this.#closeGroup();
      this.#group = group;
      if (this.#done.length >= this.#wanted) return false;
    }
    this.#open.push(document);
    this.#dropSurplus();
    return true;
  }

  result(): readonly PlainDocument[] {
    this.#closeGroup();
    return this.#done.slice(this.#options.skip, this.#wanted);
  }

  #closeGroup(): void {
    this.#sortOpen();
    for (const document of this.#open) this.#done.push(document);
    this.#open = [];
  }

  #dropSurplus(): void {
    const missing = this.#wanted - this.#done.length;
    if (this.#open.length < missing * 2 + 1000) return;
    this.#sortOpen();
    this.#open.length = Math.max(missing, 0);
  }

  #sortOpen(): void {
    if (this.#options.order !== null && this.#open.length > 1) this.#open.sort(this.#options.order);
  }
}

/** How many documents one transaction removes: others wait for it. */
const REMOVE_AT_ONCE = 200;

/** A kind of document in an open folder. */
export interface LmdbKind extends OpenedKind<LmdbFiles> {
  readonly kind: DocumentKind;
}

/** Documents of one kind in LMDB, of one company or of all. */
export class LmdbCollection<T extends StoredDocument> extends SchemaCollection<T, LmdbKind> {
  /** Removes what expired. Nobody has seen it since. */
  async removeExpired(): Promise<number> {
    const { rules, clock } = this.source;
    let removed = 0;
    for (const { field, seconds } of rules.expiries) {
      const until = new Date(clock.now().getTime() - seconds * 1000);
      const conditions: FieldCondition[] = [{ field, test: { kind: 'range', bounds: { lte: until } } }];
      removed += await this.removeFitting(conditions, matcherOf(conditions));
    }
    return removed;
  }

  protected override async insertPlain(document: PlainDocument): Promise<void> {
    const { kind, clock } = this.source;
    const files = await this.source.ready();
    await files.write(() => {
      new LmdbWriter(files, kind).insert(document, clock.now());
    });
  }

  protected override async load(id: string): Promise<PlainDocument | null> {
    const files = await this.source.ready();
    const document = id.length > 200 ? undefined : files.documents.get(this.source.kind.documentKey(id));
    return document !== undefined && this.fits(this.own())(document) ? document : null;
  }

  protected override async search(
    conditions: Conditions,
    { sort, skip, limit }: Selection,
  ): Promise<readonly PlainDocument[]> {
    const plan = this.planFor(conditions, sort);
    const grouped = plan.kind === 'walk' && plan.orderedValues > 0;
    const harvest = new Harvest({ skip, limit, order: sort.length === 0 ? null : comparatorOf(sort), grouped });
    for await (const candidate of this.fitting(conditions, plan)) {
      if (!harvest.take(candidate)) break;
    }
    return harvest.result();
  }

  protected override async countFitting(conditions: Conditions): Promise<number> {
    const { kind, rules } = this.source;
    const plan = this.planFor(conditions);
    if (plan.kind === 'walk' && plan.exact && rules.expiries.length === 0) {
      return entriesOn(await this.source.ready(), plan, kind);
    }
    let count = 0;
    for await (const _candidate of this.fitting(conditions, plan)) count += 1;
    return count;
  }

  protected override async changeFirst(conditions: Conditions, change: PlainChange): Promise<PlainDocument | null> {
    const { kind, clock } = this.source;
    const files = await this.source.ready();
    const fits = this.fits(conditions);
    // Found outside the transaction, which all writers wait for; whether it still fits is looked at inside.
    for await (const id of this.candidateIds(conditions)) {
      const changed = await files.write(() => new LmdbWriter(files, kind).change(id, fits, change, clock.now()));
      if (changed !== null) return changed;
    }
    return null;
  }

  protected override async removeFitting(conditions: Conditions, fits = this.fits(conditions)): Promise<number> {
    const { kind } = this.source;
    const files = await this.source.ready();
    const writer = new LmdbWriter(files, kind);
    let removed = 0;
    for await (const slice of candidatesOf(files, kind, this.planFor(conditions))) {
      const ids = slice.filter(({ document }) => fits(document)).map(({ document }) => document.id);
      for (let at = 0; at < ids.length; at += REMOVE_AT_ONCE) {
        const some = ids.slice(at, at + REMOVE_AT_ONCE);
        removed += await files.write(() => some.filter((id) => writer.erase(id, fits)).length);
      }
    }
    return removed;
  }

  private async *candidateIds(conditions: Conditions): AsyncGenerator<string, void, void> {
    const plan = this.planFor(conditions);
    if (plan.kind === 'ids') yield* plan.ids;
    else for await (const { document } of this.fitting(conditions, plan)) yield document.id;
  }

  private async *fitting(conditions: Conditions, plan: QueryPlan): AsyncGenerator<Candidate, void, void> {
    const fits = this.fits(conditions);
    const files = await this.source.ready();
    for await (const slice of candidatesOf(files, this.source.kind, plan)) {
      for (const candidate of slice) if (fits(candidate.document)) yield candidate;
    }
  }

  private planFor(conditions: Conditions, sort: readonly SortKey[] = []): QueryPlan {
    return planFor(this.source.kind, conditions, sort, this.companyId !== null);
  }

  private fits(conditions: Conditions): Matcher {
    const { kind, clock } = this.source;
    const matches = matcherOf(conditions);
    return (document) => matches(document) && !kind.isExpired(document, clock.now());
  }
}
