import type { TableRef } from '../../ports/table.js';
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
