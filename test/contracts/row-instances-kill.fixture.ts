import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import type { TypedRow } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import type { RowStore } from './row-engine.fixture.js';

/** So few that there is nearly always a compaction at work. */
export const RULES = { afterRows: 12, keepMs: 3000 };
export const TOGETHER = 3;

/** How often the rows of each batch are there, by its key. */
export type Counts = Readonly<Record<string, number>>;

const BY_BATCH: AnalysisPlan = {
  ...{ kind: 'aggregate', filters: [], having: [], order: [], limit: null },
  dimensions: [{ kind: 'column', column: 'note', label: 'note' }],
  measures: [{ aggregate: 'count', column: null, label: 'rows' }],
};

export async function countsOf({ reader }: RowStore, table: TableRef): Promise<Counts> {
  const { rows, truncated } = await reader.analyze(table, BY_BATCH, { maxRows: 100_000, timeoutMs: 20_000 });
  if (truncated) throw new Error('there are more batches than can be listed');
  return Object.fromEntries(rows.map(([note, count]) => [String(note), Number(count)]));
}

export function rowsOf(life: string, table: number, batch: number): { key: string; rows: readonly TypedRow[] } {
  const key = `${life}/${table}/${batch}`;
  const time = new Date(Date.UTC(2024, 1, 1) + batch * 1000);
  const rows = Array.from({ length: TOGETHER }, (_, row) => ({ time, device: `d${row}`, value: batch, note: key }));
  return { key, rows };
}
