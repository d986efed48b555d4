import { randomBytes } from 'node:crypto';
import type { TableRef } from '../../../ports/table.js';
import type { MongoColumn, TableTimes } from './mongo-table.js';

/** Where what is known about tables lies. */
export const TABLES = 'row_tables';
/** Names of rows that were sent together, with what is answered when they are sent again. */
export const BATCHES = 'row_batches';
/** Lines that imports have left out. */
export const REJECTS = 'row_rejects';
/** Imports that are at work. */
export const LOADS = 'row_loads';

/** Generations that are being moved here from files. */
export const MOVES = 'row_moves';

/** Rows of an import; those that come later count from 1. */
export const IMPORTED = 0;

/** Rows that are being inserted, or that nobody finished; whoever reads passes over them. */
export interface PendingBatch {
  readonly number: number;
  readonly at: Date;
  /** It will never be complete. Its number stays here for a while, because the server may still be busy with its rows. */
  readonly over: boolean;
}

/** A generation that can be read. That this is there, and says which collection, is what makes it so. */
export interface TableDocument {
  /** The company, the datasource and the generation, with colons between them. */
  readonly _id: string;
  readonly companyId: string;
  readonly datasourceId: string;
  readonly generation: number;
  /** Which import of the generation made it. */
  readonly load: string;
  /** The name of the collection of its rows. */
  readonly collection: string;
  /** Rows are removed by the server itself when they have outlived the lifespan. */
  readonly expires: boolean;
  /** The collection is no time series: its times lie outside the years that one can hold. */
  readonly plain: boolean;
  readonly columns: readonly MongoColumn[];
  /** Names of columns. */
  readonly time: string;
  readonly meta: string;
  readonly values: readonly string[];
  /** Of those rows; null where it is not known. */
  readonly times?: TableTimes | null;
  /** Rows of the import and of complete batches. */
  readonly rows: number;
  /** The number of the next batch. */
  readonly next: number;
  readonly pending: readonly PendingBatch[];
}

/** A name for rows that were sent together. As long as its number is pending nobody knows whether they are there. */
export interface BatchDocument {
  /** The import and the key. */
  readonly _id: string;
  readonly load: string;
  readonly number: number;
  readonly note: string;
  readonly at: Date;
  /** When the server may remove it. */
  readonly until: Date;
}

/** Some of the lines that an import has left out, in their order. */
export interface RejectsDocument {
  readonly load: string;
  readonly number: number;
  readonly lines: readonly {
    readonly file: string;
    readonly line: number | null;
    readonly reason: string;
    readonly text: string;
  }[];
}

/** An import at work; one that has not been heard of for a while is gone. */
export interface LoadDocument {
  /** The collection it fills. */
  readonly _id: string;
  readonly heard: Date;
}

/** How far a generation's move from files is. It goes on from here, whatever has ended it. */
export interface MoveDocument {
  /** As of the table that it becomes. */
  readonly _id: string;
  /** What the rows in the files are known by: with others it begins anew. */
  readonly origin: string;
  readonly load: string;
  readonly collection: string;
  /** Parts of the files that are stored whole. */
  readonly parts: number;
  /** The batch of the part that is being stored; it has not become one until the next change. */
  readonly working: number | null;
  /** The number of the next batch. */
  readonly next: number;
  /** Batches that did not come to their end. */
  readonly abandoned: readonly number[];
  /** Of the parts that are stored, as they stand in the files. */
  readonly rows: number;
  readonly checksum: string;
}

export function tableId({ companyId, datasourceId, generation }: TableRef): string {
  return `${companyId}:${datasourceId}:${generation}`;
}

export function newLoad(): string {
  return randomBytes(8).toString('hex');
}

export function collectionName({ datasourceId, generation }: TableRef, load: string): string {
  return `${collectionsOf(datasourceId)}${generation}.${load}`;
}

/** What the names of all collections of a datasource begin with. */
export function collectionsOf(datasourceId: string): string {
  return `rows.${datasourceId}.`;
}

/** The import that filled, or was to fill, a collection; null when it is none of ours. */
export function loadOf(collection: string): string | null {
  return /^rows\.[0-9a-f]{24}\.\d+\.([0-9a-f]{16})$/.exec(collection)?.[1] ?? null;
}
