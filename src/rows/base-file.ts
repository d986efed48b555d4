import type { TableColumn } from '../plan/plan-columns.js';
import { DRAFT_SPILL } from './row-files.js';

/** However many processors there are: an import is background work. */
export const IMPORT_THREADS = 2;

/** How a draft's file is opened by the one process that writes it. */
export function baseOptions(memoryMb: number): Readonly<Record<string, string>> {
  return {
    memory_limit: `${memoryMb}MB`,
    threads: String(IMPORT_THREADS),
    temp_directory: DRAFT_SPILL,
    // Newer ways of storing are faster to write; only the service reads its files.
    storage_compatibility_version: 'latest',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  };
}

/** Beside the columns of a base: a number for each metadata value, by which the rows are sorted. Nearly always another for another value. */
export const ASSET_KEY = 'asset_key';

/**
 * Makes the table of rows. Those of one asset lie together, in time order. Their order by hash is as good as by name and half as dear to sort, and
 * kept as a column it lets a reader pass over the parts of the file that have none of them.
 */
export function createSorted(
  rows: string,
  { meta, time }: { readonly meta: TableColumn; readonly time: TableColumn },
): string {
  return `CREATE TABLE data AS SELECT *, hash(${meta.physical}) AS ${ASSET_KEY} FROM (${rows}) ORDER BY ${ASSET_KEY}, ${time.physical}`;
}

/** What is set before rows are written. */
export const BASE_SETTINGS: readonly string[] = [
  "SET TimeZone = 'UTC'",
  // The rows are sorted anyway.
  'SET preserve_insertion_order = false',
  // Dictionaries are packed in the same way; to try both costs more than it saves.
  "SET disabled_compression_methods = 'fsst'",
];
