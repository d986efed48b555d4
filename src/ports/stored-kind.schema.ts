import { Schema } from 'mongoose';
import type { BinDocument } from './bin-repository.js';
import type { CollectionDefinition, TenantDocument } from './document-store.js';

/** A value that mongoose does not look into. */
export const MIXED = Schema.Types.Mixed;

type FieldType = typeof String | typeof Number | typeof Boolean | typeof Date | typeof MIXED | Schema;
type Types = Readonly<Record<string, FieldType>>;
type Fields<N extends string> = Readonly<Record<N, object>>;
/** A field that is forgotten, or that no document has, is an error of types. */
type FieldsOf<T> = Fields<Exclude<keyof T, 'id' | 'companyId'> & string>;

type Keys<T> = Readonly<Partial<Record<keyof T | '_id', 1 | -1>>>;
/** Its fields, the most significant first; what is unique, and what ends so many seconds after its one time. */
type Index<T> = Keys<T> | readonly [Keys<T>, { readonly unique?: true; readonly expireAfterSeconds?: number }];

export function required<T extends Types>(types: T): Fields<keyof T & string> {
  return fieldsOf(types, (type) => ({ type, required: true }));
}

export function nullable<T extends Types>(types: T): Fields<keyof T & string> {
  return fieldsOf(types, (type) => ({ type, default: null }));
}

export function lists<T extends Types>(types: T): Fields<keyof T & string> {
  return fieldsOf(types, (type) => ({ type: [type], default: [] }));
}

/** Empty where nothing is said. */
export function texts<N extends string>(...names: readonly N[]): Fields<N> {
  return alike(names, { type: String, default: '' });
}

/** 0 where nothing is said. */
export function counts<N extends string>(...names: readonly N[]): Fields<N> {
  return alike(names, { type: Number, default: 0 });
}

export const LEASE_FIELDS = nullable({ leaseOwner: String, leaseUntil: Date });

/** Fields that every document has, and that may be null. */
type Blank<T> = { readonly [K in keyof T as undefined extends T[K] ? never : null extends T[K] ? K : never]: null };

export interface StoredKind<T extends TenantDocument> extends CollectionDefinition<T> {
  /** What a new document does not say yet. */
  readonly blank: Blank<T>;
}

/** Documents of companies. */
export function tenantKind<T extends TenantDocument>(
  name: string,
  fields: FieldsOf<T>,
  indexes: readonly Index<T>[],
): StoredKind<T> {
  const schema = new Schema({ ...required({ companyId: String }), ...fields });
  for (const index of indexes) {
    const [keys, options = {}] = isKeys(index) ? [index] : index;
    schema.index(keys as Record<string, 1 | -1>, options);
  }
  const unsaid = Object.entries<object>(fields).filter(([, field]) => 'default' in field && field.default === null);
  return { name, schema, blank: Object.fromEntries(unsaid.map(([field]) => [field, null])) as Blank<T> };
}

/** Documents of companies that go to the bin when they are deleted. */
export function binKind<T extends BinDocument>(
  name: string,
  fields: Omit<FieldsOf<T>, keyof BinDocument>,
  indexes: readonly Index<T>[],
): StoredKind<T> {
  const whole = { ...fields, ...nullable({ deletedAt: Date, restorableUntil: Date }) } as unknown as FieldsOf<T>;
  const inBin = [
    { restorableUntil: 1, deletedAt: 1 },
    { companyId: 1, restorableUntil: 1 },
  ] as unknown as readonly Index<T>[];
  return tenantKind(name, whole, [...indexes, ...inBin]);
}

function fieldsOf<T extends Types>(types: T, fieldOf: (type: FieldType) => object): Fields<keyof T & string> {
  const fields = Object.entries(types).map(([name, type]) => [name, fieldOf(type)]);
  return Object.fromEntries(fields) as Fields<keyof T & string>;
}

function alike<N extends string>(names: readonly N[], field: object): Fields<N> {
  return Object.fromEntries(names.map((name) => [name, { ...field }])) as Fields<N>;
}

function isKeys<T>(index: Index<T>): index is Keys<T> {
  return !Array.isArray(index);
}
