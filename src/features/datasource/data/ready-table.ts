import type { TableProfile, TableRef } from '../../../ports/table.js';
import { hasNoRows, isUpdating } from '../datasource.errors.js';
import type { Datasource } from '../datasource.types.js';
import { visibleTable } from '../visible-table.js';

/**
 * The rows and what is known about them, when nothing is being done to them.
 *
 * @throws AppError `conflict` while they are imported, or when they never were.
 */
export function readyTable(
  datasource: Datasource,
  now: Date,
): { readonly table: TableRef; readonly profile: TableProfile } {
  if (datasource.updating) throw isUpdating();
  const table = visibleTable(datasource, now);
  if (table === null || datasource.profile === null) throw hasNoRows();
  return { table, profile: datasource.profile };
}
