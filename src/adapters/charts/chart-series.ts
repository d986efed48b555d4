import { bandsOf, distinct, type ChartRow, type ChartRows } from './chart-rows.js';
import { labelOf } from './chart-text.js';
import { MAX_SERIES } from './chart-theme.js';
import type { Cell } from '../../ports/table.js';

export interface SeriesChoice {
  readonly rows: readonly ChartRow[];
  readonly labelOf: (cell: Cell) => string;
  readonly labels: readonly string[];
  readonly notes: readonly string[];
}

/** At most ten series; of more, the nine largest, and a note that says so. */
export function chooseSeries(table: ChartRows, name: string): SeriesChoice {
  const all = distinct(table.rows.map((row) => row.s));
  const kept = all.length <= MAX_SERIES ? all : largest(table.rows, all);
  const rows = kept.length === all.length ? table.rows : table.rows.filter((row) => kept.includes(row.s));
  const bands = bandsOf(kept, table.seriesType, Infinity);
  const labels = kept.map((cell) => bands.labelOf(cell));
  const notes = kept.length === all.length ? [] : [`the ${kept.length} largest of ${all.length} ${labelOf(name)}`];
  return { rows, labelOf: bands.labelOf, labels, notes };
}

function largest(rows: readonly ChartRow[], series: readonly Cell[]): readonly Cell[] {
  const totals = new Map<Cell, number>();
  for (const row of rows) totals.set(row.s, (totals.get(row.s) ?? 0) + Math.abs(row.y ?? 0));
  const size = (cell: Cell): number => totals.get(cell) ?? 0;
  const ranked = [...series].sort((one, other) => size(other) - size(one)).slice(0, MAX_SERIES - 1);
  return series.filter((cell) => ranked.includes(cell));
}

/** Rows that can be drawn, and a note about the others. */
export function withoutGaps(rows: readonly ChartRow[]): {
  readonly rows: readonly ChartRow[];
  readonly notes: readonly string[];
} {
  const kept = rows.filter((row) => row.y !== null);
  const lost = rows.length - kept.length;
  return { rows: kept, notes: leftOut(lost, 'without a value') };
}

/** The note about rows that could not be drawn, if there are any. */
export function leftOut(count: number, why: string): readonly string[] {
  if (count === 0) return [];
  return [`${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'} ${why} left out`];
}
