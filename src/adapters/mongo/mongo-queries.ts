import type { mongo } from 'mongoose';
import { literalPattern, type Conditions, type FieldTest, type SortKey } from '../documents/conditions.js';
import type { PlainChange, PlainDocument } from '../documents/schema-rules.js';
import type { ExpiryRule } from '../documents/schema-indexes.js';

/** A document as MongoDB has it: its id is `_id`. */
export interface MongoDocument {
  readonly _id: string;
  readonly [field: string]: unknown;
}

export type Filter = mongo.Filter<MongoDocument>;

export function toMongo({ id, ...fields }: PlainDocument): MongoDocument {
  return { _id: id, ...fields };
}

export function fromMongo({ _id, ...fields }: MongoDocument): PlainDocument {
  return { ...fields, id: _id };
}

/**
 * The conditions, and that nothing has expired: MongoDB removes what expired only once a minute. Every value stands behind an operator
 * of ours, so that none can be taken for one.
 */
export function filterOf(conditions: Conditions, expiries: readonly ExpiryRule[], now: Date): Filter {
  const all = conditions.map(({ field, test }) => ({ [mongoName(field)]: operatorOf(test) }));
  const alive = expiries.map(({ field, seconds }) => ({ [field]: { $not: { $lte: before(now, seconds) } } }));
  return all.length + alive.length === 0 ? {} : { $and: [...all, ...alive] };
}

/** What has expired; `null` when nothing of this kind can. */
export function expiredFilter(expiries: readonly ExpiryRule[], now: Date): Filter | null {
  if (expiries.length === 0) return null;
  return { $or: expiries.map(({ field, seconds }) => ({ [field]: { $lte: before(now, seconds) } })) };
}

export function sortOf(sort: readonly SortKey[]): [string, 1 | -1][] {
  return sort.map(({ field, descending }) => [mongoName(field), descending ? -1 : 1]);
}

/** `null`: nothing changes. */
export function changeOf({ set, increment }: PlainChange): mongo.UpdateFilter<MongoDocument> | null {
  const parts = { $set: set, $inc: increment };
  const given = Object.entries(parts).filter(([, fields]) => Object.keys(fields).length > 0);
  return given.length === 0 ? null : Object.fromEntries(given);
}

export function mongoName(field: string): string {
  return field === 'id' ? '_id' : field;
}

function operatorOf(test: FieldTest): object {
  switch (test.kind) {
    case 'equal':
      return { $eq: test.value };
    case 'not':
      return { $ne: test.value };
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

function before(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1000);
}
