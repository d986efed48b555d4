import type { TableProfile, TableRef } from '../../ports/table.js';
import { hasNoRows, isUpdating } from './datasource.errors.js';
import type { AppError } from '../../shared/app-error.js';
import type { Datasource } from './datasource.types.js';

/** The rows that may be read now; null as long as no import is done. */
export function visibleTable({ companyId, id, generation, config }: Datasource, now: Date): TableRef | null {
  if (generation === 0) return null;
  return { companyId, datasourceId: id, generation, visibleFrom: lifespanStart(config.lifespan, now) };
}

/** Null when no row can be that old. */
function lifespanStart(lifespan: number, now: Date): Date | null {
  const start = new Date(now.getTime() - lifespan * 1000);
  return lifespan === 0 || Number.isNaN(start.getTime()) ? null : start;
}

/** The rows alone. @throws AppError `conflict` before the first import is done. */
export function importedTable(datasource: Datasource, now: Date): TableRef {
  const table = visibleTable(datasource, now);
  if (table === null) throw noRowsYet(datasource);
  return table;
}

/** Why there are no rows that could be read. */
export function noRowsYet({ updating }: Datasource): AppError {
  return updating ? isUpdating() : hasNoRows();
}

export interface KnownTable {
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
  const table = importedTable(datasource, now);
  if (datasource.profile === null) throw noRowsYet(datasource);
  return { table, profile: datasource.profile };
}

/** The columns of the files, in their order; a time that was made up for a table that is no time series is none of them. */
export function ownColumns({ profile, config }: Datasource): readonly string[] {
  const names = (profile?.columns ?? []).map(({ name }) => name);
  return config.isTimeseries ? names : names.filter((name) => name !== config.timeField);
}
