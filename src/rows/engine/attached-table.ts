import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableColumn } from '../../plan/plan-columns.js';
import { COLUMN_TYPES } from '../../ports/table.js';
import { valuesOf } from '../cells.js';
import { damagedRows } from '../process-error.js';
import { whereClause } from '../sql-text.js';
import { physicalList, type TableShape, visibleSince, widened, withColumns } from '../table-shape.js';

export interface FilePart {
  /** The name that its database has in statements. */
  readonly name: string;
  readonly path: string;
  readonly rows: number;
  /** It has the numbers of metadata values by which rows are passed over: not one of an older version. */
  readonly hasAssetKey: boolean;
}

/** Batches of later rows, in a table in memory. */
export interface MemoryPart {
  readonly name: string;
  readonly rows: number;
}

/** A table whose files are open, as it is at one moment: whoever reads it in several statements reads the same parts each time. */
export class AttachedTable {
  constructor(
    readonly base: FilePart,
    /** Later rows that lie in a file. */
    readonly part: FilePart | null,
    readonly memory: readonly MemoryPart[],
    /** What the table is now: later rows may have made columns of whole numbers columns of numbers. */
    readonly shape: TableShape & StoredFacts,
    /** The last batch that it has. */
    readonly upTo: number,
  ) {}

  get files(): readonly FilePart[] {
    return this.part === null ? [this.base] : [this.base, this.part];
  }

  get laterRows(): number {
    return this.memory.reduce((sum, { rows }) => sum + rows, this.part?.rows ?? 0);
  }

  get rows(): number {
    return this.base.rows + this.laterRows;
  }

  /** Columns of whole numbers, by their physical names, hold other numbers from now on. */
  widened(wider: readonly string[]): AttachedTable {
    const shape = withColumns(this.shape, widened(this.shape.columns, wider));
    return new AttachedTable(this.base, this.part, this.memory, shape, this.upTo);
  }

  /** With other parts in memory. */
  withMemory(memory: readonly MemoryPart[], upTo: number): AttachedTable {
    return new AttachedTable(this.base, this.part, memory, this.shape, upTo);
  }

  /** Puts the relation `visible` before a statement: files and later batches as one, without what has outlived the lifespan. */
  reading(statement: string, visibleFrom: string | null, only: PartConditions = ALL_ROWS): string {
    const still = visibleSince(this.shape.time, visibleFrom);
    const parts = [
      ...this.files.map(({ name }) => this.selected(`${name}.data`, [only.file(name), still])),
      ...this.memory.map(({ name }) => this.selected(name, [only.memory, still])),
    ];
    return `WITH visible AS NOT MATERIALIZED (${parts.join(' UNION ALL ')}) ${statement}`;
  }

  /** The later rows up to the last batch as one relation; null when there are none. */
  later(): string | null {
    if (this.laterRows === 0) return null;
    const stored = this.part === null ? [] : [this.selected(`${this.part.name}.data`, [])];
    // Batches that came meanwhile lie behind those that are meant.
    const memory = this.memory.map(({ name, rows }) => this.selected(name, [`rowid < ${rows}`]));
    return [...stored, ...memory].join(' UNION ALL ');
  }

  private selected(relation: string, conditions: readonly (string | null)[]): string {
    return `SELECT ${physicalList(this.shape.columns)} FROM ${relation}${whereClause(conditions)}`;
  }
}

/** Which rows of files and of later batches are wanted; `null`: all. */
export interface PartConditions {
  readonly file: (name: string) => string | null;
  readonly memory: string | null;
}

const ALL_ROWS: PartConditions = { file: () => null, memory: null };

interface StoredFacts {
  readonly profileJson: string;
}

/** Reads what a file says about itself. */
export async function shapeOf(keeper: DuckDBConnection, name: string): Promise<TableShape & StoredFacts> {
  const columns = await columnsIn(keeper, name);
  const stored = await valuesOf(keeper, `SELECT key, value FROM ${name}.facts`);
  const facts = new Map(stored.map(([key, value]) => [String(key), String(value)]));
  const fact = (key: string): string => facts.get(key) ?? '';
  return {
    columns,
    time: columnNamed(columns, fact('timeField')),
    meta: columnNamed(columns, fact('metaField')),
    values: JSON.parse(fact('values')) as readonly string[],
    rows: Number(fact('rows')),
    hasAssetKey: facts.has('assetKey'),
    profileJson: fact('profile'),
  };
}

/** The columns that a file says it has. */
export async function columnsIn(connection: DuckDBConnection, name: string): Promise<readonly TableColumn[]> {
  const rows = await valuesOf(connection, `SELECT physical, name, type FROM ${name}.columns ORDER BY position`);
  return rows.map(([physical, column, type]) => ({
    physical: String(physical),
    name: String(column),
    type: COLUMN_TYPES.find((one) => one === type) ?? 'text',
  }));
}

function columnNamed(columns: readonly TableColumn[], name: string): TableColumn {
  const column = columns.find((one) => one.name === name);
  if (column) return column;
  throw damagedRows(new Error('a column is not there'));
}
