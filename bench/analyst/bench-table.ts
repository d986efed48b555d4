import type { Random } from './random.js';

export type TableCell = string | number | boolean | null;

/** A table that questions are asked about, made anew from a seed in every run. */
export interface BenchTable {
  readonly name: string;
  /** The column that a time series goes by; `null`: it is none. */
  readonly timeField: string | null;
  /** A column that every row has a value in. */
  readonly metaField: string;
  /** By name, the type that the SQL of the gold answers sees. */
  readonly columns: Readonly<Record<string, 'VARCHAR' | 'DOUBLE' | 'BIGINT' | 'BOOLEAN' | 'DATE' | 'TIMESTAMP'>>;
  /** How a missing value is written; empty when it is not said. */
  readonly missing?: string;
  readonly rows: (random: Random) => readonly (readonly TableCell[])[];
}

/** The table as a CSV file. */
export function csvOf(table: BenchTable, random: Random): string {
  const lines = [Object.keys(table.columns), ...table.rows(random)];
  return `${lines.map((cells) => cells.map((cell) => field(cell ?? table.missing ?? '')).join(',')).join('\n')}\n`;
}

function field(cell: string | number | boolean): string {
  const text = String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** So many rows, each from its number. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
