import type { Connection, mongo } from 'mongoose';
import type { Clock } from '../../ports/clock.js';
import { DocumentStore } from '../../ports/document-store.js';
import type {
  Collection,
  CollectionDefinition,
  StoredDocument,
  TenantCollection,
  TenantDocument,
} from '../../ports/document-store.js';
import { AppError } from '../../shared/app-error.js';
import { SchemaRules } from '../documents/schema-rules.js';
import { openConnection, withinTime } from './mongo-connection.js';
import { MongoCollection, MongoTenantCollection, type OpenKind } from './mongo-collection.js';
import { documentError, unavailable } from './mongo-errors.js';
import { mongoName, type MongoDocument } from './mongo-queries.js';

/**
 * Documents in MongoDB. They are checked and cast by their mongoose schema here, with nothing unknown allowed, and questions are built
 * from checked conditions; so what reaches the driver is typed values alone.
 */
export class MongoDocumentStore extends DocumentStore {
  readonly #kinds = new Map<string, OpenedKind>();
  #connection: Connection | null = null;

  constructor(
    private readonly uri: string,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** @throws AppError `unavailable` after about two seconds when the server is not there. Can be tried again. */
  async open(): Promise<void> {
    if (this.#connection !== null) return;
    this.#connection = await openConnection(this.uri);
    await Promise.all([...this.#kinds.values()].map((kind) => kind.ready()));
  }

  override collection<T extends StoredDocument>(definition: CollectionDefinition<T>): Collection<T> {
    return new MongoCollection<T>(this.#kindOf(definition), null);
  }

  override tenantCollection<T extends TenantDocument>(definition: CollectionDefinition<T>): TenantCollection<T> {
    const opened = this.#kindOf(definition);
    if (!opened.rules.kinds.has('companyId')) throw new Error(`The schema of ${definition.name} has no companyId`);
    return new MongoTenantCollection<T>(opened);
  }

  override async check(): Promise<void> {
    try {
      await withinTime(this.#database().command({ ping: 1 }));
    } catch (error) {
      throw error instanceof AppError ? error : unavailable(error);
    }
  }

  async close(): Promise<void> {
    await this.#connection?.close();
    this.#connection = null;
  }

  #kindOf(definition: CollectionDefinition<StoredDocument>): OpenedKind {
    const known = this.#kinds.get(definition.name);
    if (known !== undefined) {
      if (known.schema !== definition.schema)
        throw new Error(`There are two kinds of document named ${definition.name}`);
      return known;
    }
    const opened = new OpenedKind(definition, this.clock, () => this.#database());
    this.#kinds.set(definition.name, opened);
    return opened;
  }

  #database(): mongo.Db {
    const database = this.#connection?.db;
    if (database === undefined) throw unavailable(new Error('the document store is not open'));
    return database;
  }
}

/** A kind of document whose indexes are made when the store is opened, or when it is first used after that. */
class OpenedKind implements OpenKind {
  readonly rules: SchemaRules;
  readonly schema: object;
  #ready: Promise<mongo.Collection<MongoDocument>> | null = null;

  constructor(
    private readonly definition: CollectionDefinition<StoredDocument>,
    readonly clock: Clock,
    private readonly database: () => mongo.Db,
  ) {
    this.rules = new SchemaRules(definition);
    this.schema = definition.schema;
  }

  ready(): Promise<mongo.Collection<MongoDocument>> {
    this.#ready ??= this.prepare().catch((error: unknown) => {
      this.#ready = null;
      throw documentError(error);
    });
    return this.#ready;
  }

  private async prepare(): Promise<mongo.Collection<MongoDocument>> {
    const collection = this.database().collection<MongoDocument>(this.definition.name);
    const indexes = this.rules.indexes.map(({ fields, unique, sparse, expireAfterSeconds }) => ({
      key: new Map(fields.map(([field, direction]) => [mongoName(field), direction])),
      ...(unique ? { unique } : {}),
      ...(sparse ? { sparse } : {}),
      ...(expireAfterSeconds === null ? {} : { expireAfterSeconds }),
    }));
    if (indexes.length > 0) await collection.createIndexes(indexes);
    return collection;
  }
}
