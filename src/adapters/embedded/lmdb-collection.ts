import type { Clock } from '../../ports/clock.js';
import {
  type Change,
  Collection,
  type FindOptions,
  type StoredDocument,
  TenantCollection,
  type TenantDocument,
  type Where,
} from '../../ports/document-store.js';
import type { CompanyId } from '../../shared/ids.js';
import { conditionsOf, type FieldCondition, type SortKey, sortKeysOf, wholeCount } from '../documents/conditions.js';
import { refused } from '../documents/document-errors.js';
import type { PlainDocument } from '../documents/schema-rules.js';
import type { DocumentKind } from './document-kind.js';
import { type Comparator, comparatorOf, type Matcher, matcherOf } from './document-matching.js';
import { type Candidate, candidatesOf, entriesOn } from './document-scanner.js';
import type { LmdbFiles } from './lmdb-files.js';
import { LmdbWriter } from './lmdb-writer.js';
import { planFor } from './query-plan.js';

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

/** A kind of document in an open store. */
export interface OpenKind {
  readonly kind: DocumentKind;
  readonly clock: Clock;
  /** Resolves when the folder is open and the kind's indexes are complete. */
  ready(): Promise<LmdbFiles>;
}

/** How many documents one transaction removes: others wait for it. */
const REMOVE_AT_ONCE = 200;

/** Documents of one kind in LMDB, of one company or of all. */
export class LmdbCollection<T extends StoredDocument> extends Collection<T> {
  constructor(
    private readonly source: OpenKind,
    private readonly companyId: CompanyId | null,
  ) {
    super();
  }

  override async insert(document: T): Promise<void> {
    const { kind, clock } = this.source;
    const plain = await kind.rules.document(document);
    if (this.companyId !== null && plain['companyId'] !== this.companyId) {
      throw refused('companyId', 'is not the company that this document is stored for');
    }
    const files = await this.source.ready();
    await files.write(() => {
      new LmdbWriter(files, kind).insert(plain, clock.now());
    });
  }

  override async get(id: string): Promise<T | null> {
    const { kind, clock } = this.source;
    if (typeof id !== 'string') throw refused('id', 'is no text');
    const files = await this.source.ready();
    const document = id.length > 200 ? undefined : files.documents.get(kind.documentKey(id));
    if (document === undefined || kind.isExpired(document, clock.now())) return null;
    return this.companyId === null || document['companyId'] === this.companyId ? this.stored(document) : null;
  }

  override async find(where: Where<T>, options: FindOptions<T> = {}): Promise<readonly T[]> {
    const sort = sortKeysOf(this.source.kind.rules.kinds, options.sort ?? []);
    const skip = wholeCount('skip', options.skip, 0);
    const limit = wholeCount('limit', options.limit, Number.POSITIVE_INFINITY);
    const conditions = this.conditions(where);
    if (limit === 0) return [];
    const plan = planFor(this.source.kind, conditions, sort, this.companyId !== null);
    const grouped = plan.kind === 'walk' && plan.orderedValues > 0;
    const harvest = new Harvest({ skip, limit, order: sort.length === 0 ? null : comparatorOf(sort), grouped });
    for await (const candidate of this.fitting(conditions, sort)) {
      if (!harvest.take(candidate)) break;
    }
    return harvest.result().map((document) => this.stored(document));
  }

  override async count(where: Where<T>): Promise<number> {
    const { kind } = this.source;
    const conditions = this.conditions(where);
    const plan = planFor(kind, conditions, [], this.companyId !== null);
    if (plan.kind === 'walk' && plan.exact && kind.rules.expiries.length === 0) {
      return entriesOn(await this.source.ready(), plan, kind);
    }
    let count = 0;
    for await (const _candidate of this.fitting(conditions, [])) count += 1;
    return count;
  }

  override async update(where: Where<T>, change: Change<T>): Promise<T | null> {
    const { kind, clock } = this.source;
    const conditions = this.conditions(where);
    const plain = await kind.rules.change(change);
    const files = await this.source.ready();
    const fits = this.fits(conditions);
    // Found outside the transaction, which all writers wait for; whether it still fits is looked at inside.
    for await (const id of this.candidateIds(conditions)) {
      const changed = await files.write(() => new LmdbWriter(files, kind).change(id, fits, plain, clock.now()));
      if (changed !== null) return this.stored(changed);
    }
    return null;
  }

  override remove(where: Where<T>): Promise<number> {
    const conditions = this.conditions(where);
    return this.removeFitting(conditions, this.fits(conditions));
  }

  /** Removes what expired. Nobody has seen it since. */
  async removeExpired(): Promise<number> {
    const { kind, clock } = this.source;
    let removed = 0;
    for (const { field, seconds } of kind.rules.expiries) {
      const until = new Date(clock.now().getTime() - seconds * 1000);
      const conditions: FieldCondition[] = [{ field, test: { kind: 'range', bounds: { lte: until } } }];
      removed += await this.removeFitting(conditions, matcherOf(conditions));
    }
    return removed;
  }

  private async removeFitting(conditions: readonly FieldCondition[], fits: Matcher): Promise<number> {
    const { kind } = this.source;
    const files = await this.source.ready();
    const writer = new LmdbWriter(files, kind);
    const plan = planFor(kind, conditions, [], this.companyId !== null);
    let removed = 0;
    for await (const slice of candidatesOf(files, kind, plan)) {
      const ids = slice.filter(({ document }) => fits(document)).map(({ document }) => document.id);
      for (let at = 0; at < ids.length; at += REMOVE_AT_ONCE) {
        const some = ids.slice(at, at + REMOVE_AT_ONCE);
        removed += await files.write(() => some.filter((id) => writer.erase(id, fits)).length);
      }
    }
    return removed;
  }

  private async *candidateIds(conditions: readonly FieldCondition[]): AsyncGenerator<string, void, void> {
    const plan = planFor(this.source.kind, conditions, [], this.companyId !== null);
    if (plan.kind === 'ids') yield* plan.ids;
    else for await (const { document } of this.fitting(conditions, [])) yield document.id;
  }

  private async *fitting(
    conditions: readonly FieldCondition[],
    sort: readonly SortKey[],
  ): AsyncGenerator<Candidate, void, void> {
    const { kind } = this.source;
    const fits = this.fits(conditions);
    const files = await this.source.ready();
    const plan = planFor(kind, conditions, sort, this.companyId !== null);
    for await (const slice of candidatesOf(files, kind, plan)) {
      for (const candidate of slice) if (fits(candidate.document)) yield candidate;
    }
  }

  private fits(conditions: readonly FieldCondition[]): Matcher {
    const { kind, clock } = this.source;
    const matches = matcherOf(conditions);
    return (document) => matches(document) && !kind.isExpired(document, clock.now());
  }

  /** The company comes first, so that a foreign one in `where` finds nothing instead of leading somewhere else. */
  private conditions(where: Where<T>): readonly FieldCondition[] {
    const given = conditionsOf(this.source.kind.rules.kinds, where);
    if (this.companyId === null) return given;
    return [{ field: 'companyId', test: { kind: 'equal', value: this.companyId } }, ...given];
  }

  /** What was checked by the kind's schema when it was written has the kind's type; reading does not check again. */
  private stored(document: PlainDocument): T {
    return this.source.kind.rules.whole(document) as unknown as T;
  }
}

/** The documents of one kind, company by company. */
export class LmdbTenantCollection<T extends TenantDocument> extends TenantCollection<T> {
  constructor(private readonly source: OpenKind) {
    super();
  }

  override of(companyId: CompanyId): Collection<T> {
    if (typeof companyId !== 'string' || companyId === '') throw refused('companyId', 'is required');
    return new LmdbCollection<T>(this.source, companyId);
  }

  override ofAll(): Collection<T> {
    return new LmdbCollection<T>(this.source, null);
  }
}
