import type { mongo } from 'mongoose';
import type { Clock } from '../../ports/clock.js';
import { Collection, TenantCollection } from '../../ports/document-store.js';
import type { Change, FindOptions, StoredDocument, TenantDocument, Where } from '../../ports/document-store.js';
import { isAppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import { conditionsOf, sortKeysOf, wholeCount, type FieldCondition } from '../documents/conditions.js';
import { refused } from '../documents/document-errors.js';
import type { SchemaRules } from '../documents/schema-rules.js';
import { documentError } from './mongo-errors.js';
import {
  changeOf,
  expiredFilter,
  filterOf,
  fromMongo,
  sortOf,
  toMongo,
  type Filter,
  type MongoDocument,
} from './mongo-queries.js';

/** A kind of document in an open store. */
export interface OpenKind {
  readonly rules: SchemaRules;
  readonly clock: Clock;
  /** Resolves when the server is there and the kind's indexes are made. */
  ready(): Promise<mongo.Collection<MongoDocument>>;
}

/** Documents of one kind in MongoDB, of one company or of all. */
export class MongoCollection<T extends StoredDocument> extends Collection<T> {
  constructor(
    private readonly source: OpenKind,
    private readonly companyId: CompanyId | null,
  ) {
    super();
  }

  override async insert(document: T): Promise<void> {
    const plain = await this.source.rules.document(document);
    if (this.companyId !== null && plain['companyId'] !== this.companyId) {
      throw refused('companyId', 'is not the company that this document is stored for');
    }
    await this.#makingWay(async (collection) => {
      await collection.insertOne(toMongo(plain));
    });
  }

  override async get(id: string): Promise<T | null> {
    if (typeof id !== 'string') throw refused('id', 'is no text');
    const [found] = await this.#find([{ field: 'id', test: { kind: 'equal', value: id } }], { limit: 1 });
    return found ?? null;
  }

  override async find(where: Where<T>, options: FindOptions<T> = {}): Promise<readonly T[]> {
    const sort = sortOf(sortKeysOf(this.source.rules.kinds, options.sort ?? []));
    const skip = wholeCount('skip', options.skip, 0);
    // For MongoDB a limit of 0 means none.
    const limit = wholeCount('limit', options.limit, 0);
    const conditions = conditionsOf(this.source.rules.kinds, where);
    return options.limit === 0 ? [] : this.#find(conditions, { sort, skip, limit });
  }

  override async count(where: Where<T>): Promise<number> {
    const filter = this.#filter(where);
    return this.#ask((collection) => collection.countDocuments(filter));
  }

  override async update(where: Where<T>, change: Change<T>): Promise<T | null> {
    const filter = this.#filter(where);
    const update = changeOf(await this.source.rules.change(change));
    const found = await this.#makingWay((collection) =>
      update === null
        ? collection.findOne(filter)
        : collection.findOneAndUpdate(filter, update, { returnDocument: 'after' }),
    );
    return found === null ? null : this.#stored(found);
  }

  override async remove(where: Where<T>): Promise<number> {
    const filter = this.#filter(where);
    const { deletedCount } = await this.#ask((collection) => collection.deleteMany(filter));
    return deletedCount;
  }

  #find(conditions: readonly FieldCondition[], options: mongo.FindOptions): Promise<readonly T[]> {
    const filter = this.#filterOf(conditions);
    return this.#ask(async (collection) => {
      const found = await collection.find(filter, options).toArray();
      return found.map((document) => this.#stored(document));
    });
  }

  #filter(where: Where<T>): Filter {
    return this.#filterOf(conditionsOf(this.source.rules.kinds, where));
  }

  #filterOf(given: readonly FieldCondition[]): Filter {
    const { rules, clock } = this.source;
    const own: readonly FieldCondition[] =
      this.companyId === null ? [] : [{ field: 'companyId', test: { kind: 'equal', value: this.companyId } }];
    return filterOf([...own, ...given], rules.expiries, clock.now());
  }

  /** What was checked by the kind's schema when it was written has the kind's type; reading does not check again. */
  #stored(document: MongoDocument): T {
    return this.source.rules.whole(fromMongo(document)) as unknown as T;
  }

  async #ask<R>(question: (collection: mongo.Collection<MongoDocument>) => Promise<R>): Promise<R> {
    try {
      return await question(await this.source.ready());
    } catch (error) {
      throw documentError(error);
    }
  }

  /** What has expired is gone, even while MongoDB has not removed it: it may not stand in the way of an id or a unique value. */
  async #makingWay<R>(write: (collection: mongo.Collection<MongoDocument>) => Promise<R>): Promise<R> {
    try {
      return await this.#ask(write);
    } catch (error) {
      const expired = expiredFilter(this.source.rules.expiries, this.source.clock.now());
      if (expired === null || !isAppError(error, 'conflict')) throw error;
      const { deletedCount } = await this.#ask((collection) => collection.deleteMany(expired));
      if (deletedCount === 0) throw error;
      return this.#ask(write);
    }
  }
}

/** The documents of one kind, company by company. */
export class MongoTenantCollection<T extends TenantDocument> extends TenantCollection<T> {
  constructor(private readonly source: OpenKind) {
    super();
  }

  override of(companyId: CompanyId): Collection<T> {
    if (typeof companyId !== 'string' || companyId === '') throw refused('companyId', 'is required');
    return new MongoCollection<T>(this.source, companyId);
  }

  override ofAll(): Collection<T> {
    return new MongoCollection<T>(this.source, null);
  }
}
