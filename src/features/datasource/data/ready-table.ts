import type { TableProfile, TableRef } from '../../../ports/table.js';
import { hasNoRows, isUpdating } from '../datasource.errors.js';
import type { Datasource } from '../datasource.types.js';
import { visibleTable } from '../visible-table.js';

interface KnownTable {
  readonly table: TableRef;
  readonly profile: TableProfile;
}

/**
 * The rows and what is known about them, when nothing is being done to them.
 *
 * @throws AppError `conflict` while they are imported, or when they never were.
 */
export function readyTable(datasource: Datasource, now: Date): KnownTable {
  if (datasource.updating) throw isUpdating();
  return knownTable(datasource, now);
}

/** The same, also while others are on their way. @throws AppError `conflict` when there are no rows yet. */
export function knownTable(datasource: Datasource, now: Date): KnownTable {
  const table = visibleTable(datasource, now);
  if (table !== null && datasource.profile !== null) return { table, profile: datasource.profile };
  throw datasource.updating ? isUpdating() : hasNoRows();
}
