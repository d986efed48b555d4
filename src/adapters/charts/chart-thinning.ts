import type { Cell } from '../../ports/table.js';
import type { ChartRow } from './chart-rows.js';

export const MAX_POINTS = 2000;

export interface Thinned {
  readonly rows: readonly ChartRow[];
  readonly notes: readonly string[];
}

/** At most 2,000 rows, evenly chosen from each series, with its first and its last. */
export function thinOut(rows: readonly ChartRow[]): Thinned {
  if (rows.length <= MAX_POINTS) return { rows, notes: [] };
  const kept = [...bySeries(rows).values()].flatMap((series) =>
    evenly(series, Math.max(2, Math.floor((series.length / rows.length) * MAX_POINTS))),
  );
  const [shown, all] = [kept.length.toLocaleString('en-US'), rows.length.toLocaleString('en-US')];
  return { rows: kept, notes: [`${shown} of ${all} points, evenly chosen`] };
}

export function bySeries(rows: readonly ChartRow[]): ReadonlyMap<Cell, readonly ChartRow[]> {
  const series = new Map<Cell, ChartRow[]>();
  for (const row of rows) {
    const known = series.get(row.s);
    if (known) known.push(row);
    else series.set(row.s, [row]);
  }
  return series;
}

function evenly(rows: readonly ChartRow[], count: number): readonly ChartRow[] {
  if (rows.length <= count) return rows;
  const sorted = [...rows].sort((one, other) => place(one) - place(other));
  return Array.from(
    { length: count },
    (_, index) => sorted[Math.round((index * (sorted.length - 1)) / (count - 1))],
  ).filter((row) => row !== undefined);
}

/** Texts keep the order in which they came. */
function place(row: ChartRow): number {
  return typeof row.x === 'number' ? row.x : 0;
}
