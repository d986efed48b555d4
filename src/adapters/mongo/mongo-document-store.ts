import { createConnection, type Connection, type mongo } from 'mongoose';
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
import { MongoCollection, MongoTenantCollection, type OpenKind } from './mongo-collection.js';
import { documentError, unavailable } from './mongo-errors.js';
import { mongoName, type MongoDocument } from './mongo-queries.js';

const ANSWER_WITHIN_MS = 2_000;

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
    const connection = createConnection();
    // The driver goes on by itself; each question that fails says so to whoever asked.
    connection.on('error', () => undefined);
    try {
      await connection.openUri(this.uri, {
        serverSelectionTimeoutMS: ANSWER_WITHIN_MS,
        connectTimeoutMS: ANSWER_WITHIN_MS,
        // A server that has fallen silent is given up after this time and the one above.
        heartbeatFrequencyMS: 5_000,
        socketTimeoutMS: 60_000,
        writeConcern: { w: 'majority' },
        bufferCommands: false,
        autoIndex: false,
        autoCreate: false,
      });
    } catch (error) {
      // A connection that was never open has nothing to close but its timers.
      await connection.destroy().catch(() => undefined);
      throw notReached(error);
    }
    this.#connection = connection;
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

/** The driver waits for an answer far longer than somebody who asks whether the server is there. */
async function withinTime(answer: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`));
    }, ANSWER_WITHIN_MS);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Without the driver's own message where it may repeat a part of the address. */
function notReached(error: unknown): AppError {
  const isForm =
    error instanceof Error &&
    ['MongoParseError', 'MongoInvalidArgumentError', 'TypeError', 'URIError'].includes(error.name);
  if (isForm) return new AppError('unavailable', "MONGODB_URI can't be used: it is no valid connection string");
  const reason = error instanceof Error ? error.name : 'unknown';
  return new AppError('unavailable', `the document store can't be reached (${reason})`, { retryAfter: 5 });
}
