import type { TableRef } from '../../ports/table.js';
import type { Datasource } from './datasource.types.js';

/** The rows that may be read now; null as long as no import is done. */
export function visibleTable({ companyId, id, generation, config }: Datasource, now: Date): TableRef | null {
  if (generation === 0) return null;
  const visibleFrom = config.lifespan === 0 ? null : new Date(now.getTime() - config.lifespan * 1000);
  return { companyId, datasourceId: id, generation, visibleFrom };
}
