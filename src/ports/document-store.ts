import { AppError } from '../shared/app-error.js';
import type { CompanyId } from '../shared/ids.js';

/** What every stored document has. Fields that a query or an index names are at the top level. */
export interface StoredDocument {
  readonly id: string;
}

/** A document that belongs to a company. */
export interface TenantDocument extends StoredDocument {
  readonly companyId: CompanyId;
}

/**
 * Names a kind of document. `schema` is a mongoose Schema, the one definition of its fields, required fields, defaults, enums,
 * unique and TTL indexes; it has no `_id` of its own: `id` is stored as `_id`, a string.
 */
export interface CollectionDefinition<T extends StoredDocument> {
  readonly name: string;
  readonly schema: object;
  /** Carries the document's type; never set. */
  readonly document?: T;
}

type Scalar = string | number | boolean | Date | null;

/** What a field must be: a value (equality; `null` also fits a missing field) or one condition. */
export type Condition =
  | Scalar
  | { readonly in: readonly Scalar[] }
  | { readonly notIn: readonly Scalar[] }
  | { readonly not: Scalar }
  | {
      readonly gt?: number | Date | string;
      readonly gte?: number | Date | string;
      readonly lt?: number | Date | string;
      readonly lte?: number | Date | string;
    }
  /** A literal part of the text, upper and lower case alike. */
  | { readonly contains: string };

/** Conditions on top-level fields, all of which must hold. */
export type Where<T> = { readonly [K in keyof T]?: Condition };

export interface FindOptions<T> {
  /** Most significant first: `[['createdAt', 'desc'], ['id', 'desc']]`. */
  readonly sort?: readonly (readonly [keyof T & string, 'asc' | 'desc'])[];
  readonly skip?: number;
  readonly limit?: number;
}

/** A change of one document. A field in `set` is replaced whole. */
export interface Change<T> {
  readonly set?: Partial<Omit<T, 'id' | 'companyId'>>;
  readonly increment?: { readonly [K in keyof T]?: number };
}

/** The store can't be reached. What has begun may have been written or not. */
export class StoreAway extends AppError {
  constructor(cause: unknown) {
    super('unavailable', 'the document store is not available', { retryAfter: 5, cause });
  }
}

/**
 * Documents of one kind. Every write is durable before its promise resolves, and atomic for one document.
 *
 * All methods throw StoreAway when the store is away, and `invalid_input` when a document or a change does not fit the schema.
 */
export abstract class Collection<T extends StoredDocument> {
  /** @throws AppError `conflict` when the id or a unique field is taken. */
  abstract insert(document: T): Promise<void>;
  abstract get(id: string): Promise<T | null>;
  abstract find(where: Where<T>, options?: FindOptions<T>): Promise<readonly T[]>;
  abstract count(where: Where<T>): Promise<number>;
  /**
   * Changes the first document that fits all conditions, by compare-and-set, and returns it as changed; `null` when none fits.
   * Without `where.id` it is any one that fits.
   */
  abstract update(where: Where<T>, change: Change<T>): Promise<T | null>;
  /** Removes every document that fits and returns how many they were. */
  abstract remove(where: Where<T>): Promise<number>;
}

/** Documents that belong to companies. There is no way to them but through a company, or by saying that all are meant. */
export abstract class TenantCollection<T extends TenantDocument> {
  /** Sees and writes this company's documents alone, whatever `where` or the document says. */
  abstract of(companyId: CompanyId): Collection<T>;
  /** For background work and administration alone; never with an id from a request. */
  abstract ofAll(): Collection<T>;
}

/** Where documents live. Opening one kind twice gives the same collection. */
export abstract class DocumentStore {
  abstract collection<T extends StoredDocument>(definition: CollectionDefinition<T>): Collection<T>;
  abstract tenantCollection<T extends TenantDocument>(definition: CollectionDefinition<T>): TenantCollection<T>;
  /** @throws StoreAway when the store can't be reached within two seconds. */
  abstract check(): Promise<void>;
}
