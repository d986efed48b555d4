import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { TableProfile, TableRef } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { AttachedTable, pairsOf, shapeOf, valuesOf } from './attached-table.js';
import { numbersOfDelta, tablesIn } from './delta-file.js';
import { cellsOf, type DraftRows } from './draft-rows.js';
import { cut, inSpan, type Span, stepsOf } from './export-steps.js';
import { basePath, deltaPath, generationFiles, presentName } from './row-file-names.js';
import { namesIn } from './row-files.js';
import { quotedText } from './sandbox-names.js';

/** Rows that are read one after the other out of one file. */
export interface StoredPart {
  readonly path: string;
  /** Its table, for a statement. */
  readonly relation: string;
  readonly span: Span;
}

/** A key under which rows were inserted. */
export interface StoredBatch {
  readonly key: string;
  readonly note: string;
  readonly at: Date;
}

const OPTIONS = {
  threads: '1',
  memory_limit: '512MB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};
const ROWS_IN_A_PART = 50_000;

/**
 * All rows of a generation in files that no service works on: the base, and the later inserts that belong to it. Nothing of the files is changed, not
 * even a log that a killed service has left. The same files have the same parts, with the same rows in them, each time they are opened.
 */
export class StoredRows implements Disposable {
  private constructor(
    private readonly connection: DuckDBConnection,
    private readonly close: () => void,
    private readonly table: AttachedTable,
    readonly parts: readonly StoredPart[],
    /** What is known of all rows: counts and times of now, the rest as it was imported. */
    readonly profile: TableProfile,
  ) {}

  /** @throws AppError `not_found` when the generation has no base, `unavailable` when its files can't be read. */
  static async open(folder: string, generation: TableRef['generation']): Promise<StoredRows> {
    const paths = await pathsOf(folder, generation);
    const instance = await DuckDBInstance.create(':memory:', OPTIONS);
    const connection = await instance.connect();
    const close = (): void => {
      connection.closeSync();
      instance.closeSync();
    };
    try {
      await connection.run("SET TimeZone = 'UTC'");
      const table = await attached(connection, paths);
      const parts: StoredPart[] = [];
      for (const file of [table.basePart, ...table.deltas]) parts.push(...(await partsOf(connection, file)));
      return new StoredRows(connection, close, table, parts, await profileNow(connection, table));
    } catch (error) {
      close();
      if (error instanceof AppError) throw error;
      throw new AppError('unavailable', 'the rows of this datasource can not be read', { cause: error });
    }
  }

  get columns(): AttachedTable['shape']['columns'] {
    return this.table.shape.columns;
  }

  /** What these rows are known by: the import that made them, and how many there are. */
  get origin(): string {
    return `${this.table.shape.id} ${this.profile.rowCount}`;
  }

  /** The rows of a part, in bounded memory whatever is in them. */
  async *rowsOf({ path, relation, span }: StoredPart): AsyncGenerator<DraftRows> {
    const { connection, columns } = this;
    const cells = (await cellsOf(connection, `${relation} WHERE ${inSpan(span)}`, columns)).join(', ');
    for (const step of await stepsOf(connection, { path, data: relation, width: columns.length, columns }, span)) {
      const result = await connection.stream(`SELECT ${cells} FROM ${relation} WHERE ${inSpan(step)}`);
      for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk())
        yield chunk.getColumns() as DraftRows;
    }
  }

  /** The keys that rows were inserted under since a moment. */
  async batchesSince(since: Date): Promise<readonly StoredBatch[]> {
    const found: StoredBatch[] = [];
    for (const name of [this.table.base, ...this.table.deltas.map((delta) => delta.name)]) {
      if (!(await tablesIn(this.connection, name)).has('batches')) continue;
      const asked = `SELECT key, note, CAST(epoch_ms(sent) AS DOUBLE) FROM ${name}.batches WHERE epoch_ms(sent) > ${since.getTime()}`;
      for (const [key, note, sent] of await valuesOf(this.connection, asked))
        found.push({ key: String(key), note: String(note), at: new Date(Number(sent)) });
    }
    return found;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

interface TablePaths {
  readonly base: { readonly path: string; readonly merged: number };
  readonly deltas: readonly { readonly path: string; readonly number: number }[];
}

/** Files of an older version have older names, which only the service changes. */
async function pathsOf(folder: string, generation: number): Promise<TablePaths> {
  const names = await namesIn(folder);
  const stored = new Map(names.map((name) => [join(folder, presentName(name) ?? name), join(folder, name)]));
  const found = generationFiles(
    names.map((name) => presentName(name) ?? name),
    generation,
  );
  if (found.merged === null) throw new AppError('not_found', 'the rows of this datasource are not there');
  const path = (present: string): string => stored.get(present) ?? present;
  return {
    base: { path: path(basePath(folder, generation, found.merged)), merged: found.merged },
    deltas: found.deltas.map((number) => ({ path: path(deltaPath(folder, generation, number)), number })),
  };
}

async function attached(connection: DuckDBConnection, { base, deltas }: TablePaths): Promise<AttachedTable> {
  await connection.run(`ATTACH ${quotedText(base.path)} AS base (READ_ONLY)`);
  let table = new AttachedTable({ ...base, name: 'base', hasBatches: true }, [], await shapeOf(connection, 'base'));
  for (const { path, number } of deltas) {
    const name = `delta_${number}`;
    await connection.run(`ATTACH ${quotedText(path)} AS ${name} (READ_ONLY)`);
    // What lies beside a base that was made anew belongs to the one before.
    if (!(await belongsTo(connection, name, table.shape.id))) continue;
    table = table.withDelta({ name, path, number, rows: 0 }).widened(await numbersOfDelta(connection, name));
  }
  return table;
}

async function belongsTo(connection: DuckDBConnection, name: string, origin: string): Promise<boolean> {
  const tables = await tablesIn(connection, name);
  if (!tables.has('data') || !tables.has('facts')) return false;
  return new Map(await pairsOf(connection, `SELECT key, value FROM ${name}.facts`)).get('base') === origin;
}

/** By the places that rows have in their file, which need not be without gaps. */
async function partsOf(
  connection: DuckDBConnection,
  { name, path }: { readonly name: string; readonly path: string },
): Promise<readonly StoredPart[]> {
  const relation = `${name}.data`;
  const [found] = await valuesOf(connection, `SELECT CAST(max(rowid) AS DOUBLE) FROM ${relation}`);
  if (typeof found?.[0] !== 'number') return [];
  return cut({ first: 0, last: found[0] }, ROWS_IN_A_PART).map((span) => ({ path, relation, span }));
}

async function profileNow(connection: DuckDBConnection, table: AttachedTable): Promise<TableProfile> {
  const { time, profileJson } = table.shape;
  const asked = `SELECT CAST(count(*) AS DOUBLE), CAST(epoch_ms(min(${time.physical})) AS DOUBLE), CAST(epoch_ms(max(${time.physical})) AS DOUBLE) FROM visible`;
  const [found] = await valuesOf(connection, table.reading(asked, null, 0).sql);
  const [rows, first, last] = (found ?? []).map((value) => (value === null ? null : Number(value)));
  const timeRange =
    typeof first !== 'number' || typeof last !== 'number'
      ? null
      : { from: new Date(first).toISOString(), to: new Date(last).toISOString() };
  return { ...(JSON.parse(profileJson) as TableProfile), rowCount: rows ?? 0, timeRange };
}
