import type { Cell } from '../../src/ports/table.js';

/** A query of an analyst, how many rows it gives, and the cells with which the first row begins, found without a database. */
export type LegitimateQuery = readonly [sql: string, rows: number, first?: readonly Cell[]];

export function count<Row>(rows: readonly Row[], claim: (row: Row) => boolean): number {
  return rows.filter(claim).length;
}

/** Values that are null count as none. */
export function sum<Row>(rows: readonly Row[], value: (row: Row) => number | null): number {
  return rows.reduce((total, row) => total + (value(row) ?? 0), 0);
}

export function values<Row, T>(rows: readonly Row[], value: (row: Row) => T | null): readonly T[] {
  return rows.map(value).filter((one) => one !== null);
}

export function mean<Row>(rows: readonly Row[], value: (row: Row) => number | null): number {
  const all = values(rows, value);
  return all.reduce((total, one) => total + one, 0) / all.length;
}

/** The value below which a share of all values lies, interpolated. */
export function quantile<Row>(rows: readonly Row[], share: number, value: (row: Row) => number | null): number {
  const sorted = [...values(rows, value)].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return below + (above - below) * (at - Math.floor(at));
}

export function deviation<Row>(rows: readonly Row[], value: (row: Row) => number | null): number {
  const all = values(rows, value);
  const middle = mean(rows, value);
  return Math.sqrt(all.reduce((total, one) => total + (one - middle) ** 2, 0) / (all.length - 1));
}

/** Slope of the line through the points, and their correlation. */
export function line<Row>(rows: readonly Row[], x: (row: Row) => number, y: (row: Row) => number): readonly number[] {
  const [mx, my] = [mean(rows, x), mean(rows, y)];
  const sxy = sum(rows, (row) => (x(row) - mx) * (y(row) - my));
  const [sxx, syy] = [sum(rows, (row) => (x(row) - mx) ** 2), sum(rows, (row) => (y(row) - my) ** 2)];
  return [sxy / sxx, sxy / Math.sqrt(sxx * syy)];
}

export function distinct<Row, T>(rows: readonly Row[], by: (row: Row) => T): number {
  return new Set(rows.map(by)).size;
}

export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
