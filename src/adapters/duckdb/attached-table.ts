import type { DuckDBConnection } from '@duckdb/node-api';
import { COLUMN_TYPES } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import type { TableColumn } from './plan-compiler.columns.js';
import { quotedText } from './sandbox-names.js';
import { physicalList, STORED_TYPES, type TableShape } from './table-shape.js';
import { Turns } from './turns.js';

/** A table whose files are open. */
export class AttachedTable {
  /** One writer at a time. */
  readonly writers = new Turns(1);
  deltaRows = 0;
  /** The name of the later inserts' database, once there are any. */
  delta: string | null = null;

  private described: TableShape & StoredFacts;

  constructor(
    readonly base: string,
    readonly deltaPath: string,
    shape: TableShape & StoredFacts,
  ) {
    this.described = shape;
  }

  /** What the table is now: later inserts may have made columns of whole numbers columns of numbers. */
  get shape(): TableShape & StoredFacts {
    return this.described;
  }

  /** Columns of whole numbers, by their physical names, hold other numbers from now on. */
  widen(wider: ReadonlySet<string>): void {
    if (wider.size === 0) return;
    const widened = (column: TableColumn): TableColumn =>
      wider.has(column.physical) && column.type === 'integer' ? { ...column, type: 'number' } : column;
    const { columns, time, meta } = this.described;
    const wide = columns.map(widened);
    const same = ({ physical }: TableColumn): TableColumn =>
      wide.find((column) => column.physical === physical) ?? time;
    this.described = { ...this.described, columns: wide, time: same(time), meta: same(meta) };
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
    if (this.delta !== null) parts.push(this.part(this.delta, [only.delta, still]));
    return {
      sql: `WITH visible AS NOT MATERIALIZED (${parts.join(' UNION ALL ')}) ${statement}`,
      params: visibleFrom === null ? [] : [sqlTime(visibleFrom)],
    };
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
  /** Tells this file from any other of the same name. */
  readonly id: string;
  readonly profileJson: string;
}

/** A timestamp for SQL from ISO 8601 in UTC. */
export function sqlTime(iso: string): string {
  return new Date(iso).toISOString().slice(0, -1);
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
    id: fact('id'),
    profileJson: fact('profile'),
  };
}

/** Makes the tables of a new file of later inserts; it names the base that it belongs to. */
export async function createDelta(keeper: DuckDBConnection, name: string, { shape }: AttachedTable): Promise<void> {
  const fields = shape.columns.map(({ physical, type }) => `${physical} ${STORED_TYPES[type]}`).join(', ');
  await keeper.run('BEGIN');
  try {
    await keeper.run(`CREATE TABLE ${name}.data (${fields})`);
    await keeper.run(`CREATE TABLE ${name}.facts AS SELECT 'base' AS key, ${quotedText(shape.id)} AS value`);
    await keeper.run('COMMIT');
  } catch (error) {
    await keeper.run('ROLLBACK');
    throw error;
  }
  await keeper.run(`CHECKPOINT ${name}`);
}

/** Which base a file of later inserts belongs to; `null` when the process died before the file was made, and so before anything was acknowledged. */
export async function baseOfDelta(keeper: DuckDBConnection, name: string): Promise<string | null> {
  const tables = `duckdb_tables() WHERE database_name = '${name}' AND table_name IN ('data', 'facts')`;
  if ((await countOf(keeper, tables)) < 2) return null;
  return new Map(await pairsOf(keeper, `SELECT key, value FROM ${name}.facts`)).get('base') ?? null;
}

/** Columns that later inserts store as numbers, whatever the base stores. */
export async function numbersOfDelta(keeper: DuckDBConnection, name: string): Promise<ReadonlySet<string>> {
  const stored = await valuesOf(
    keeper,
    `SELECT column_name FROM duckdb_columns()
     WHERE database_name = '${name}' AND table_name = 'data' AND data_type = '${STORED_TYPES.number}'`,
  );
  return new Set(stored.map(([column]) => String(column)));
}

export async function countOf(connection: DuckDBConnection, relation: string): Promise<number> {
  const [row] = await valuesOf(connection, `SELECT count(*) FROM ${relation}`);
  return Number(row?.[0] ?? 0);
}

async function pairsOf(connection: DuckDBConnection, sql: string): Promise<readonly (readonly [string, string])[]> {
  return (await valuesOf(connection, sql)).map(([key, value]) => [String(key), String(value)] as const);
}

async function valuesOf(connection: DuckDBConnection, sql: string): Promise<readonly (readonly unknown[])[]> {
  return (await connection.runAndReadAll(sql)).getRows();
}

function columnOf([physical, name, type]: readonly unknown[]): TableColumn {
  return { physical: String(physical), name: String(name), type: COLUMN_TYPES.find((one) => one === type) ?? 'text' };
}

function columnNamed(columns: readonly TableColumn[], name: string): TableColumn {
  const column = columns.find((one) => one.name === name);
  if (column) return column;
  throw new AppError('unavailable', 'the rows of this datasource can not be read');
}
