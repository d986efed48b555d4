import type { mongo } from 'mongoose';
import type { StoredDocument } from '../../ports/document-store.js';
import { isAppError } from '../../shared/app-error.js';
import { literalPattern, type Conditions, type FieldTest } from '../documents/conditions.js';
import type { ExpiryRule, PlainChange, PlainDocument } from '../documents/schema-rules.js';
import { SchemaCollection, type Selection } from '../documents/schema-store.js';
import { documentError } from './mongo-errors.js';

/** A document as MongoDB has it: its id is `_id`. */
export interface MongoDocument {
  readonly _id: string;
  readonly [field: string]: unknown;
}

type Filter = mongo.Filter<MongoDocument>;

export type MongoPlace = mongo.Collection<MongoDocument>;

/** Documents of one kind in MongoDB, of one company or of all. */
export class MongoCollection<T extends StoredDocument> extends SchemaCollection<T, MongoPlace> {
  protected override async insertPlain(document: PlainDocument): Promise<void> {
    await this.#makingWay(async (collection) => {
      const { id, ...fields } = document;
      await collection.insertOne({ _id: id, ...fields });
    });
  }

  protected override async load(id: string): Promise<PlainDocument | null> {
    const filter = this.#filter([...this.own(), { field: 'id', test: { kind: 'in', values: [id] } }]);
    const found = await this.#ask((collection) => collection.findOne(filter));
    return found === null ? null : fromMongo(found);
  }

  protected override async search(
    conditions: Conditions,
    { sort, skip, limit }: Selection,
  ): Promise<readonly PlainDocument[]> {
    const order = sort.map(({ field, descending }): [string, 1 | -1] => [mongoName(field), descending ? -1 : 1]);
    // For MongoDB a limit of 0 means none.
    const options = { sort: order, skip, limit: Number.isFinite(limit) ? limit : 0 };
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

  async #ask<R>(question: (collection: MongoPlace) => Promise<R>): Promise<R> {
    try {
      return await question(await this.source.ready());
    } catch (error) {
      throw documentError(error);
    }
  }

  /** What has expired is gone, even while MongoDB has not removed it: it may not stand in the way of an id or a unique value. */
  async #makingWay<R>(write: (collection: MongoPlace) => Promise<R>): Promise<R> {
    try {
      return await this.#ask(write);
    } catch (error) {
      const { rules, clock } = this.source;
      if (rules.expiries.length === 0 || !isAppError(error, 'conflict')) throw error;
      const expired = endsOf(rules.expiries, clock.now()).map(([field, end]) => ({ [field]: { $lte: end } }));
      const { deletedCount } = await this.#ask((collection) => collection.deleteMany({ $or: expired }));
      if (deletedCount === 0) throw error;
      return this.#ask(write);
    }
  }
}

function fromMongo({ _id, ...fields }: MongoDocument): PlainDocument {
  return { ...fields, id: _id };
}

/**
 * The conditions, and that nothing has expired: MongoDB removes what expired only once a minute. Every value stands behind an operator
 * of ours, so that none can be taken for one.
 */
function filterOf(conditions: Conditions, expiries: readonly ExpiryRule[], now: Date): Filter {
  const all = conditions.map(({ field, test }) => ({ [mongoName(field)]: operatorOf(test) }));
  const alive = endsOf(expiries, now).map(([field, end]) => ({ [field]: { $not: { $lte: end } } }));
  return all.length + alive.length === 0 ? {} : { $and: [...all, ...alive] };
}

/** What was before has expired. */
function endsOf(expiries: readonly ExpiryRule[], now: Date): (readonly [field: string, end: Date])[] {
  return expiries.map(({ field, seconds }) => [field, new Date(now.getTime() - seconds * 1000)]);
}

/** `null`: nothing changes. */
function changeOf({ set, increment }: PlainChange): mongo.UpdateFilter<MongoDocument> | null {
  const parts = { $set: set, $inc: increment };
  const given = Object.entries(parts).filter(([, fields]) => Object.keys(fields).length > 0);
  return given.length === 0 ? null : Object.fromEntries(given);
}

export function mongoName(field: string): string {
  return field === 'id' ? '_id' : field;
}

function operatorOf(test: FieldTest): object {
  switch (test.kind) {
    case 'in':
      return { $in: test.values };
    case 'notIn':
      return { $nin: test.values };
    case 'range':
      return Object.fromEntries(Object.entries(test.bounds).map(([operator, value]) => [`$${operator}`, value]));
    case 'contains':
      return { $regex: literalPattern(test.text), $options: 'i' };
  }
}
