import type { WireError } from '../../../rows/process-error.js';
import type { MongoColumn } from './mongo-table.js';

/** What a process that fills a collection is told; its working directory is the draft's folder. */
export interface LoadOrder {
  /** Holds a password, perhaps: it goes from process to process, and nowhere else. */
  readonly uri: string;
  readonly collection: string;
  readonly load: string;
  readonly timeField: string;
  readonly metaField: string;
}

export interface Loaded {
  readonly columns: readonly MongoColumn[];
  readonly rows: number;
}

export type LoadMessage =
  | { readonly kind: 'progress'; readonly rows: number }
  | { readonly kind: 'done'; readonly loaded: Loaded }
  | { readonly kind: 'failed'; readonly error: WireError };
