import type { Clock } from '../../ports/clock.js';
import {
  type Change,
  Collection,
  type CollectionDefinition,
  DocumentStore,
  type FindOptions,
  type StoredDocument,
  type TenantCollection,
  type TenantDocument,
  type Where,
} from '../../ports/document-store.js';
import type { CompanyId } from '../../shared/ids.js';
import { madeOnce } from '../../shared/made-once.js';
import { conditionsOf, type Conditions, type SortKey, sortKeysOf, wholeCount } from './conditions.js';
import { refused } from './document-errors.js';
import { type PlainChange, type PlainDocument, SchemaRules } from './schema-rules.js';

/** A kind of document in a store. */
export interface OpenedKind<Place> {
  readonly schema: object;
  readonly rules: SchemaRules;
  readonly clock: Clock;
  /** Resolves when the store is open and the kind's indexes are complete. */
  readonly ready: () => Promise<Place>;
}

/** Which of the documents that fit, in which order. */
export interface Selection {
  readonly sort: readonly SortKey[];
  readonly skip: number;
  /** From 1; infinite without one. */
  readonly limit: number;
}

/** Documents of one kind, of one company or of all: what is asked and written is checked here, the same for every store. */
export abstract class SchemaCollection<T extends StoredDocument, Place> extends Collection<T> {
  constructor(
    protected readonly source: OpenedKind<Place>,
    protected readonly companyId: CompanyId | null,
  ) {
    super();
  }

  override async insert(document: T): Promise<void> {
    const plain = await this.source.rules.document(document);
    if (this.companyId !== null && plain['companyId'] !== this.companyId) {
      throw refused('companyId', 'is not the company that this document is stored for');
    }
    await this.insertPlain(plain);
  }

  override async get(id: string): Promise<T | null> {
    if (typeof id !== 'string') throw refused('id', 'is no text');
    const found = await this.load(id);
    return found && this.stored(found);
  }

  override async find(where: Where<T>, options: FindOptions<T> = {}): Promise<readonly T[]> {
    const sort = sortKeysOf(this.source.rules.kinds, options.sort ?? []);
    const skip = wholeCount('skip', options.skip, 0);
    const limit = wholeCount('limit', options.limit, Number.POSITIVE_INFINITY);
    const conditions = this.conditions(where);
    const found = limit === 0 ? [] : await this.search(conditions, { sort, skip, limit });
    return found.map((document) => this.stored(document));
  }

  override async count(where: Where<T>): Promise<number> {
    return this.countFitting(this.conditions(where));
  }

  override async update(where: Where<T>, change: Change<T>): Promise<T | null> {
    const conditions = this.conditions(where);
    const changed = await this.changeFirst(conditions, await this.source.rules.change(change));
    return changed && this.stored(changed);
  }

  override async remove(where: Where<T>): Promise<number> {
    return this.removeFitting(this.conditions(where));
  }

  protected abstract insertPlain(document: PlainDocument): Promise<void>;
  /** Null as well when it is another company's, or has expired. */
  protected abstract load(id: string): Promise<PlainDocument | null>;
  protected abstract search(conditions: Conditions, selection: Selection): Promise<readonly PlainDocument[]>;
  protected abstract countFitting(conditions: Conditions): Promise<number>;
  protected abstract changeFirst(conditions: Conditions, change: PlainChange): Promise<PlainDocument | null>;
  protected abstract removeFitting(conditions: Conditions): Promise<number>;

  /** The company comes first, so that a foreign one in `where` finds nothing instead of leading somewhere else. */
  private conditions(where: Where<T>): Conditions {
    return [...this.own(), ...conditionsOf(this.source.rules.kinds, where)];
  }

  /** That it is the company's. */
  protected own(): Conditions {
    return this.companyId === null ? [] : [{ field: 'companyId', test: { kind: 'in', values: [this.companyId] } }];
  }

  /** What was checked by the kind's schema when it was written has the kind's type; reading does not check again. */
  private stored(document: PlainDocument): T {
    return this.source.rules.whole(document) as unknown as T;
  }
}

/** A store whose kinds of document are each opened once. */
export abstract class SchemaDocumentStore<Place> extends DocumentStore {
  protected readonly kinds = new Map<string, OpenedKind<Place>>();

  constructor(private readonly clock: Clock) {
    super();
  }

  override collection<T extends StoredDocument>(definition: CollectionDefinition<T>): Collection<T> {
    return this.documentsOf<T>(this.kindOf(definition), null);
  }

  override tenantCollection<T extends TenantDocument>(definition: CollectionDefinition<T>): TenantCollection<T> {
    const kind = this.kindOf(definition);
    if (!kind.rules.kinds.has('companyId')) throw new Error(`The schema of ${definition.name} has no companyId`);
    return {
      of: (companyId) => {
        if (typeof companyId !== 'string' || companyId === '') throw refused('companyId', 'is required');
        return this.documentsOf<T>(kind, companyId);
      },
      ofAll: () => this.documentsOf<T>(kind, null),
    };
  }

  /** Completes the indexes of a kind. */
  protected abstract prepare(name: string, rules: SchemaRules): Promise<Place>;

  /** Of one company or of all. */
  protected abstract documentsOf<T extends StoredDocument>(
    kind: OpenedKind<Place>,
    companyId: CompanyId | null,
  ): Collection<T>;

  private kindOf(definition: CollectionDefinition<StoredDocument>): OpenedKind<Place> {
    const { name, schema } = definition;
    const known = this.kinds.get(name);
    if (known?.schema === schema) return known;
    if (known !== undefined) throw new Error(`There are two kinds of document named ${name}`);
    const rules = new SchemaRules(definition);
    const kind = { schema, rules, clock: this.clock, ready: madeOnce(() => this.prepare(name, rules)) };
    this.kinds.set(name, kind);
    return kind;
  }
}
