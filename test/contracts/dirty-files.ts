import { dirtyRows } from './dirty-files.rows.js';
import { dirtyStructures } from './dirty-files.structures.js';
import { dirtyTables } from './dirty-files.whole.js';
import type { DirtyFile } from './dirty-files.writer.js';

export type { DirtyFile, ExpectedTable } from './dirty-files.writer.js';

/**
 * Files made dirty in every way we know, one way each, from two clean tables: what is around the table, how the whole is written, and what is
 * wrong with single rows. A row that can't be read in one way only is rejected with its line, and nothing else is lost.
 */
export function dirtyFiles(): readonly DirtyFile[] {
  return [...dirtyTables(), ...dirtyStructures(), ...dirtyRows()];
}
