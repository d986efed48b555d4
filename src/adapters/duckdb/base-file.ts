import { IMPORT_THREADS } from './import-protocol.js';
import { DRAFT_SPILL } from './row-files.js';

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

/** What is set before rows are written. */
export const BASE_SETTINGS: readonly string[] = [
  "SET TimeZone = 'UTC'",
  // The rows are sorted anyway.
  'SET preserve_insertion_order = false',
  // Dictionaries are packed in the same way; to try both costs more than it saves.
  "SET disabled_compression_methods = 'fsst'",
];
