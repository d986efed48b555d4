import type { mongo } from 'mongoose';
import type { StoredDocument } from '../../ports/document-store.js';
import { isAppError } from '../../shared/app-error.js';
import type { Conditions } from '../documents/conditions.js';
import type { PlainChange, PlainDocument } from '../documents/schema-rules.js';
import { type OpenedKind, SchemaCollection, type Selection } from '../documents/schema-store.js';
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

export type MongoKind = OpenedKind<mongo.Collection<MongoDocument>>;

/** Documents of one kind in MongoDB, of one company or of all. */
export class MongoCollection<T extends StoredDocument> extends SchemaCollection<T, MongoKind> {
  protected override async insertPlain(document: PlainDocument): Promise<void> {
    await this.#makingWay(async (collection) => {
      await collection.insertOne(toMongo(document));
    });
  }

  protected override async load(id: string): Promise<PlainDocument | null> {
    const filter = this.#filter([...this.own(), { field: 'id', test: { kind: 'equal', value: id } }]);
    const found = await this.#ask((collection) => collection.findOne(filter));
    return found === null ? null : fromMongo(found);
  }

  protected override async search(
    conditions: Conditions,
    { sort, skip, limit }: Selection,
  ): Promise<readonly PlainDocument[]> {
    // For MongoDB a limit of 0 means none.
    const options = { sort: sortOf(sort), skip, limit: Number.isFinite(limit) ? limit : 0 };
    const filter = this.#filter(conditions);
    const found = await this.#ask((collection) => collection.find(filter, options).toArray());
    return found.map(fromMongo);
  }

  protected override countFitting(conditions: Conditions): Promise<number> {
    const filter = this.#filter(conditions);
    return this.#ask((collection) => collection.countDocuments(filter));
  }

  protected override async changeFirst(conditions: Conditions, change: PlainChange): Promise<PlainDocument | null> {
    const filter = this.#filter(conditions);
    const update = changeOf(change);
    const found = await this.#makingWay((collection) =>
      update === null
        ? collection.findOne(filter)
        : collection.findOneAndUpdate(filter, update, { returnDocument: 'after' }),
    );
    return found === null ? null : fromMongo(found);
  }

  protected override async removeFitting(conditions: Conditions): Promise<number> {
    const filter = this.#filter(conditions);
    const { deletedCount } = await this.#ask((collection) => collection.deleteMany(filter));
    return deletedCount;
  }

  #filter(conditions: Conditions): Filter {
    const { rules, clock } = this.source;
    return filterOf(conditions, rules.expiries, clock.now());
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
