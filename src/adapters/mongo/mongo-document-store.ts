import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { type Connection, createConnection, mongo } from 'mongoose';
import type { Clock } from '../../ports/clock.js';
import { type Collection, StoreAway, type StoredDocument } from '../../ports/document-store.js';
import { AppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import { within } from '../../shared/within.js';
import type { SchemaRules } from '../documents/schema-rules.js';
import { type OpenedKind, SchemaDocumentStore } from '../documents/schema-store.js';
import { MongoCollection, type MongoDocument, mongoName, type MongoPlace } from './mongo-collection.js';
import { documentError } from './mongo-errors.js';

/**
 * Documents in MongoDB. They are checked and cast by their mongoose schema here, with nothing unknown allowed, and questions are built
 * from checked conditions; so what reaches the driver is typed values alone.
 */
export class MongoDocumentStore extends SchemaDocumentStore<MongoPlace> {
  #connection: Connection | null = null;

  constructor(
    private readonly uri: string,
    clock: Clock,
  ) {
    super(clock);
  }

  /** @throws AppError `unavailable` after about ten seconds when the server is not there. Can be tried again. */
  async open(): Promise<void> {
    if (this.#connection !== null) return;
    this.#connection = await openConnection(this.uri);
    await Promise.all([...this.kinds.values()].map((kind) => kind.ready()));
  }

  override async check(): Promise<void> {
    try {
      // The driver waits for an answer far longer than somebody who asks whether the server is there.
      await within(this.#database().command({ ping: 1 }), ANSWER_WITHIN_MS, () => {
        throw new Error(`no answer within ${ANSWER_WITHIN_MS} ms`);
      });
    } catch (error) {
      throw error instanceof AppError ? error : new StoreAway(error);
    }
  }

  async close(): Promise<void> {
    await this.#connection?.close();
    this.#connection = null;
  }

  /** Makes the indexes when the store is opened, or when the kind is first used after that. */
  protected override async prepare(name: string, rules: SchemaRules): Promise<MongoPlace> {
    const collection = this.#database().collection<MongoDocument>(name);
    const indexes = rules.indexes.map(({ fields, unique, expireAfterSeconds }) => ({
      key: new Map(fields.map(([field, direction]) => [mongoName(field), direction])),
      ...(unique ? { unique } : {}),
      ...(expireAfterSeconds === null ? {} : { expireAfterSeconds }),
    }));
    try {
      if (indexes.length > 0) await collection.createIndexes(indexes);
    } catch (error) {
      throw documentError(error);
    }
    return collection;
  }

  protected override documentsOf<T extends StoredDocument>(
    kind: OpenedKind<MongoPlace>,
    companyId: CompanyId | null,
  ): Collection<T> {
    return new MongoCollection<T>(kind, companyId);
  }

  #database(): mongo.Db {
    const database = this.#connection?.db;
    if (database === undefined) throw new StoreAway(new Error('the document store is not open'));
    return database;
  }
}

const ANSWER_WITHIN_MS = 2_000;
/** A server, or this process, that is busy for a moment is not away: what is under way would be broken off. */
const SILENT_MS = 5_000;
/** A server that starts together with the service is waited for. */
const OPEN_WITHIN_MS = 10_000;

/**
 * Opens a connection of its own to the server, on which every write is acknowledged by a majority.
 *
 * @throws AppError `unavailable` after about ten seconds when the server is not there.
 */
export async function openConnection(uri: string): Promise<Connection> {
  endWritesWithTheirSocket();
  const end = performance.now() + OPEN_WITHIN_MS;
  for (;;) {
    try {
      return await connectionTo(uri);
    } catch (error) {
      // Each try takes the two seconds in which no server was found.
      const isNotFound = error instanceof Error && error.name === 'MongooseServerSelectionError';
      if (!isNotFound || performance.now() >= end) throw notReached(error);
    }
  }
}

async function connectionTo(uri: string): Promise<Connection> {
  const connection = createConnection();
  // The driver goes on by itself; each question that fails says so to whoever asked.
  connection.on('error', () => undefined);
  try {
    await connection.openUri(uri, {
      serverSelectionTimeoutMS: ANSWER_WITHIN_MS,
      connectTimeoutMS: SILENT_MS,
      // A server that has fallen silent is given up after this time and the one above.
      heartbeatFrequencyMS: 5_000,
      socketTimeoutMS: 60_000,
      writeConcern: { w: 'majority' },
      bufferCommands: false,
      autoIndex: false,
      autoCreate: false,
    });
    return connection;
  } catch (error) {
    // A connection that was never open has nothing to close but its timers.
    await connection.destroy().catch(() => undefined);
    throw error;
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

type WriteCommand = (this: DriverConnection, command: unknown, options: { signal?: AbortSignal }) => Promise<void>;

interface DriverConnection {
  readonly socket: Socket;
  writeCommand: WriteCommand;
  onError(error: Error): void;
}

interface DriverModule {
  readonly Connection?: { readonly prototype: Partial<DriverConnection> };
}

const mended = new WeakSet<object>();

/**
 * Lets every write of the driver end with its socket.
 *
 * The driver (mongodb 7.8 and 7.9, `Connection.writeCommand`) waits for the socket's 'drain' when a write was not taken
 * at once, and a socket that closes without an error never drains. Whatever was being written then hangs for ever: an
 * insert, or the question of the driver's own monitor, after which the server is never looked for again.
 */
function endWritesWithTheirSocket(): void {
  const connection = driverConnection();
  if (mended.has(connection)) return;
  mended.add(connection);
  const { writeCommand } = connection;
  connection.writeCommand = function (command, options) {
    return untilClosed(this, options.signal, () => writeCommand.call(this, command, options));
  };
}

async function untilClosed(
  connection: DriverConnection,
  signal: AbortSignal | undefined,
  write: () => Promise<void>,
): Promise<void> {
  const { socket } = connection;
  if (socket.destroyed) throw lost(connection);
  let onClose: () => void = () => undefined;
  const closed = new Promise<never>((_resolve, reject) => {
    onClose = () => {
      reject(lost(connection));
    };
    socket.once('close', onClose);
  });
  try {
    await Promise.race([write(), closed]);
  } catch (error) {
    throw isBreak(error, socket, signal) ? lost(connection, error) : error;
  } finally {
    socket.off('close', onClose);
  }
}

/** What Node says of a broken socket, the driver passes on as it is, and takes it for no error of the network. */
function isBreak(error: unknown, socket: Socket, signal: AbortSignal | undefined): boolean {
  return socket.destroyed && signal?.aborted !== true && !(error instanceof mongo.MongoError);
}

function lost(connection: DriverConnection, cause?: unknown): mongo.MongoNetworkError {
  const error = new mongo.MongoNetworkError('the connection was closed', cause instanceof Error ? { cause } : {});
  connection.onError(error);
  return error;
}

/** The driver that mongoose uses; the class is no part of what it exports. */
function driverConnection(): DriverConnection {
  const ofMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const { Connection } = ofMongoose('mongodb/lib/cmap/connection.js') as DriverModule;
  if (Connection?.prototype.writeCommand === undefined) {
    throw new Error('The MongoDB driver has changed: see whether `endWritesWithTheirSocket` is still needed');
  }
  return Connection.prototype as DriverConnection;
}
