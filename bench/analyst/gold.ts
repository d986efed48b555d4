import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import type { RawCell } from './cells.js';
import type { BenchTable } from './bench-table.js';
import type { FiguresWanted } from './grade-figures.js';
import type { Rows, RowsWanted } from './grade-rows.js';
import type { Question } from './question.js';
import { STATISTICS } from './statistics.js';

export type Gold =
  | { readonly kind: 'rows'; readonly wanted: RowsWanted }
  | { readonly kind: 'figures'; readonly wanted: FiguresWanted }
  | { readonly kind: 'refuse' };

type RowsExpected = Extract<Question['expect'], { kind: 'rows' }>;
type FiguresExpected = Extract<Question['expect'], { kind: 'figures' }>;

/** Works out gold answers with a DuckDB of its own, straight from the CSV files. */
export class GoldAnswers {
  private constructor(private readonly connection: DuckDBConnection) {}

  static async open(): Promise<GoldAnswers> {
    const instance = await DuckDBInstance.create(':memory:');
    return new GoldAnswers(await instance.connect());
  }

  /** Questions from here on are about this file. */
  async use(table: Pick<BenchTable, 'columns' | 'missing'>, path: string): Promise<void> {
    const columns = Object.entries(table.columns).map(([name, type]) => `'${name}': '${type}'`);
    const from = `read_csv('${path}', header = true, nullstr = '${table.missing ?? ''}', columns = {${columns.join(', ')}})`;
    await this.connection.run(`CREATE OR REPLACE TABLE t AS SELECT * FROM ${from}`);
  }

  /** @throws an Error that names the question when its SQL is wrong or gives nothing. */
  async of({ id, expect }: Question): Promise<Gold> {
    if (expect.kind === 'refuse') return { kind: 'refuse' };
    try {
      const found = await this.rowsOf(expect.sql);
      if (found.rows.length === 0) throw new Error('there are no rows');
      if (expect.kind === 'rows') return { kind: 'rows', wanted: rowsWanted(expect, found) };
      return { kind: 'figures', wanted: figuresWanted(expect, found.rows) };
    } catch (error) {
      throw new Error(`the gold answer of ${id} fails: ${messageOf(error)}`, { cause: error });
    }
  }

  async rowsOf(sql: string): Promise<Rows> {
    const reader = await this.connection.runAndReadAll(sql);
    const rows = reader.getRowsJson().map((row) => row.map(cellOf));
    return { columns: reader.columnCount, rows };
  }
}

function cellOf(cell: unknown): RawCell {
  if (cell === null || typeof cell === 'number' || typeof cell === 'boolean' || typeof cell === 'string') return cell;
  return JSON.stringify(cell);
}

function rowsWanted({ ordered, decimals, percent }: RowsExpected, found: Rows): RowsWanted {
  return { ...found, ordered: ordered ?? null, decimals: decimals ?? null, percent: percent ?? false };
}

function figuresWanted(expect: FiguresExpected, rows: Rows['rows']): FiguresWanted {
  const { percent = false, unsigned = false } = expect;
  const told = { decimals: expect.decimals ?? null, percent, unsigned };
  if (expect.statistic !== undefined) return { ...told, ...statisticWanted(expect, expect.statistic, rows) };
  const all = rows.flat();
  const holds = all.find((cell) => typeof cell === 'boolean');
  if ((holds === undefined) !== (expect.verdict === undefined)) throw new Error('a verdict needs one boolean cell');
  const verdict = holds === undefined ? null : { about: expect.verdict ?? 'yes', holds };
  return { ...told, cells: all.filter((cell) => typeof cell !== 'boolean'), verdict };
}

function statisticWanted(
  { figures = [], verdict, alpha = 0.05 }: FiguresExpected,
  statistic: string,
  rows: Rows['rows'],
): Pick<FiguresWanted, 'cells' | 'verdict'> {
  const found = STATISTICS[statistic]?.(rows.flatMap(pairOf));
  if (found === undefined) throw new Error(`there is no statistic ${statistic}`);
  const cells = figures.map((name) => found[name] ?? Number.NaN);
  if (cells.some((cell) => !Number.isFinite(cell))) throw new Error(`${statistic} lacks one of ${figures.join(', ')}`);
  if (verdict === undefined) return { cells, verdict: null };
  return { cells, verdict: { about: verdict, holds: (found['p'] ?? 1) < alpha } };
}

/** Rows that lack one of their two values are left out. */
function pairOf([one = null, other = null]: readonly RawCell[]): readonly (readonly [
  string | number,
  string | number,
])[] {
  return one === null || other === null ? [] : [[plain(one), plain(other)]];
}

function plain(cell: string | number | boolean): string | number {
  return typeof cell === 'boolean' ? String(cell) : cell;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
