import type { DuckDBConnection } from '@duckdb/node-api';
import { COLUMN_TYPES } from '../ports/table.js';
import { damagedRows } from './process-error.js';
import type { TableColumn } from '../plan/plan-columns.js';
import { physicalList, type TableShape } from './table-shape.js';

/** The base of an open table. */
export interface BasePart {
  /** The name that its database has in statements. */
  readonly name: string;
  readonly path: string;
  /** Later inserts up to the file of this number are in it. */
  readonly merged: number;
  /** It holds keys of later inserts too. */
  readonly hasBatches: boolean;
}

/** A file of later inserts. */
export interface DeltaPart {
  readonly name: string;
  readonly path: string;
  readonly number: number;
  readonly rows: number;
}

/** A table whose files are open, as it is at one moment: whoever reads it in several statements reads the same files each time. */
export class AttachedTable {
  constructor(
    readonly basePart: BasePart,
    readonly deltas: readonly DeltaPart[],
    /** What the table is now: later inserts may have made columns of whole numbers columns of numbers. */
    readonly shape: TableShape & StoredFacts,
  ) {}

  get base(): string {
    return this.basePart.name;
  }

  /** The database of the newest later inserts, once there are any. */
  get delta(): string | null {
    return this.deltas.at(-1)?.name ?? null;
  }

  /** Rows that were inserted later and are not in the base. */
  get deltaRows(): number {
    return this.deltas.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** Columns of whole numbers, by their physical names, hold other numbers from now on. */
  widened(wider: ReadonlySet<string>): AttachedTable {
    if (wider.size === 0) return this;
    const widen = (column: TableColumn): TableColumn =>
      wider.has(column.physical) && column.type === 'integer' ? { ...column, type: 'number' } : column;
    const { columns, time, meta } = this.shape;
    const wide = columns.map(widen);
    const same = ({ physical }: TableColumn): TableColumn =>
      wide.find((column) => column.physical === physical) ?? time;
    return new AttachedTable(this.basePart, this.deltas, {
      ...this.shape,
      columns: wide,
      time: same(time),
      meta: same(meta),
    });
  }

  /** With another file of later inserts. */
  withDelta(delta: DeltaPart): AttachedTable {
    return new AttachedTable(this.basePart, [...this.deltas, delta], this.shape);
  }

  /** With more rows in the newest of the later inserts' files. */
  withRows(rows: number): AttachedTable {
    const deltas = this.deltas.map((delta, index) =>
      index === this.deltas.length - 1 ? { ...delta, rows: delta.rows + rows } : delta,
    );
    return new AttachedTable(this.basePart, deltas, this.shape);
  }

  /**
   * Puts the relation `visible` before a statement: base and later inserts as one, without what has outlived the lifespan.
   * `bound` is how many parameters the statement has; what is returned comes after them.
   */
  reading(
    statement: string,
    visibleFrom: string | null,
    bound: number,
    only: PartConditions = ALL_ROWS,
  ): { readonly sql: string; readonly params: readonly string[] } {
    const still = visibleFrom === null ? null : `${this.shape.time.physical} >= $${bound + 1}::TIMESTAMP`;
    const parts = [this.part(this.base, [only.base, still])];
    for (const { name } of this.deltas) parts.push(this.part(name, [only.delta, still]));
    return {
      sql: `WITH visible AS NOT MATERIALIZED (${parts.join(' UNION ALL ')}) ${statement}`,
      params: visibleFrom === null ? [] : [sqlTime(visibleFrom)],
    };
  }

  /** The later inserts as one relation; null when there are none. */
  laterRows(): string | null {
    if (this.deltas.length === 0) return null;
    return this.deltas.map(({ name }) => this.part(name, [])).join(' UNION ALL ');
  }

  private part(name: string, conditions: readonly (string | null)[]): string {
    const holds = conditions.filter((condition) => condition !== null);
    const where = holds.length === 0 ? '' : ` WHERE ${holds.join(' AND ')}`;
    return `SELECT ${physicalList(this.shape.columns)} FROM ${name}.data${where}`;
  }
}

/** Which rows of base and later inserts are wanted; `null`: all. */
export interface PartConditions {
  readonly base: string | null;
  readonly delta: string | null;
}

const ALL_ROWS: PartConditions = { base: null, delta: null };

export interface StoredFacts {
  /** Which import the rows are from: what was inserted beside one never belongs to another. */
  readonly id: string;
  readonly profileJson: string;
}

/** A timestamp for SQL from ISO 8601 in UTC. */
export function sqlTime(iso: string): string {
  // Years after 9999 have a plus and zeros here, which the engine does not read.
  return new Date(iso).toISOString().slice(0, -1).replace(/^\+0*/, '');
}

/** Reads what a base file says about itself. */
export async function shapeOf(keeper: DuckDBConnection, name: string): Promise<TableShape & StoredFacts> {
  const rows = await valuesOf(keeper, `SELECT physical, name, type FROM ${name}.columns ORDER BY position`);
  const facts = new Map(await pairsOf(keeper, `SELECT key, value FROM ${name}.facts`));
  const fact = (key: string): string => facts.get(key) ?? '';
  const columns = rows.map(columnOf);
  return {
    columns,
    time: columnNamed(columns, fact('timeField')),
    meta: columnNamed(columns, fact('metaField')),
    values: JSON.parse(fact('values')) as readonly string[],
    rows: Number(fact('rows')),
    hasAssetKey: facts.has('assetKey'),
    id: fact('id'),
    profileJson: fact('profile'),
  };
}

export async function countOf(connection: DuckDBConnection, relation: string): Promise<number> {
  const [row] = await valuesOf(connection, `SELECT count(*) FROM ${relation}`);
  return Number(row?.[0] ?? 0);
}

export async function pairsOf(
  connection: DuckDBConnection,
  sql: string,
): Promise<readonly (readonly [string, string])[]> {
  return (await valuesOf(connection, sql)).map(([key, value]) => [String(key), String(value)] as const);
}

export async function valuesOf(connection: DuckDBConnection, sql: string): Promise<readonly (readonly unknown[])[]> {
  return (await connection.runAndReadAll(sql)).getRows();
}

function columnOf([physical, name, type]: readonly unknown[]): TableColumn {
  return { physical: String(physical), name: String(name), type: COLUMN_TYPES.find((one) => one === type) ?? 'text' };
}

function columnNamed(columns: readonly TableColumn[], name: string): TableColumn {
  const column = columns.find((one) => one.name === name);
  if (column) return column;
  throw damagedRows(new Error('a column is not there'));
}
