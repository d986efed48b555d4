import type { Connection, mongo } from 'mongoose';
import { AppError } from '../../../shared/app-error.js';
import { openConnection, withinTime } from '../mongo-connection.js';
import { rowsError, rowsUnavailable } from './row-errors.js';
import {
  type BatchDocument,
  BATCHES,
  type LoadDocument,
  LOADS,
  type MoveDocument,
  MOVES,
  REJECTS,
  type RejectsDocument,
  type TableDocument,
  TABLES,
} from './row-documents.js';
import type { MongoRow } from './mongo-table.js';

/** The database that rows lie in, over a connection of its own. */
export class RowDatabase {
  #connection: Connection | null = null;

  constructor(readonly uri: string) {}

  /** @throws AppError `unavailable` after about two seconds when the server is not there. Can be tried again. */
  async open(): Promise<void> {
    if (this.#connection !== null) return;
    await this.connect();
    try {
      await Promise.all([
        this.tables.createIndexes([{ key: { datasourceId: 1 } }, { key: { collection: 1 } }]),
        this.batches.createIndexes([{ key: { load: 1, number: 1 } }, { key: { until: 1 }, expireAfterSeconds: 0 }]),
        this.rejects.createIndexes([{ key: { load: 1, number: 1 }, unique: true }]),
      ]);
    } catch (error) {
      await this.close();
      throw rowsError(error);
    }
  }

  /** Opens the connection, without the indexes: for whoever comes after the first. */
  async connect(): Promise<void> {
    this.#connection ??= await openConnection(this.uri);
  }

  /** @throws AppError `unavailable` when the server does not answer within two seconds. */
  async check(): Promise<void> {
    try {
      await withinTime(this.db.command({ ping: 1 }));
    } catch (error) {
      throw error instanceof AppError ? error : rowsUnavailable(error);
    }
  }

  async close(): Promise<void> {
    await this.#connection?.close();
    this.#connection = null;
  }

  get db(): mongo.Db {
    const database = this.#connection?.db;
    if (database === undefined) throw rowsUnavailable(new Error('the database of the rows is not open'));
    return database;
  }

  rows(collection: string): mongo.Collection<MongoRow> {
    return this.db.collection<MongoRow>(collection);
  }

  get tables(): mongo.Collection<TableDocument> {
    return this.db.collection<TableDocument>(TABLES);
  }

  get batches(): mongo.Collection<BatchDocument> {
    return this.db.collection<BatchDocument>(BATCHES);
  }

  get rejects(): mongo.Collection<RejectsDocument> {
    return this.db.collection<RejectsDocument>(REJECTS);
  }

  get loads(): mongo.Collection<LoadDocument> {
    return this.db.collection<LoadDocument>(LOADS);
  }

  get moves(): mongo.Collection<MoveDocument> {
    return this.db.collection<MoveDocument>(MOVES);
  }
}
