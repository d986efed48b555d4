import type { LoadReport, LoadSource } from '../ports/row-engine.js';
import type { WireError } from './process-error.js';

/** However many processors there are: an import is background work. */
export const IMPORT_THREADS = 2;

/** What an import process is told; its working directory is the draft's folder. */
export interface ImportOrder {
  readonly source: Omit<LoadSource, 'importedAt'> & { readonly importedAt: string };
  readonly memoryMb: number;
}

export type ImportCommand = { readonly kind: 'begin'; readonly order: ImportOrder } | { readonly kind: 'cancel' };

export type ImportMessage =
  | { readonly kind: 'progress'; readonly percent: number | null; readonly rows: number }
  | { readonly kind: 'done'; readonly report: LoadReport }
  | { readonly kind: 'failed'; readonly error: WireError };
