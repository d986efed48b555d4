import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import type { TableColumn } from '../../src/plan/plan-columns.js';
import { compilePlan } from '../../src/rows/plans/plan-compiler.js';
import { cellFrom } from '../../src/rows/cells.js';
import { profileOf } from '../../src/rows/table-profile.js';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import type { TableBriefing } from '../../src/ports/chat-model.js';
import type { ColumnType, QueryResult } from '../../src/ports/table.js';
import { isSameCell, plainCell, type RawCell } from './cells.js';
import { gradeRows, type Rows, type RowsGrade, type RowsWanted } from './grade-rows.js';
import { PlanEvaluator } from './plan-evaluator.js';

/** Where tables, questions and their authors stand. */
export const CORPUS = new URL('../../src/analyst/corpus/', import.meta.url);
/** Where the words and the learned weights stand. */
export const READING = new URL('../../src/analyst/reading/', import.meta.url);

export const SPLITS = ['train', 'development', 'test'] as const;
export type Split = (typeof SPLITS)[number];

/** A table of the corpus: its file holds what is true. */
export interface CorpusTable {
  readonly name: string;
  readonly about: string;
  /** The day on which it is asked about. */
  readonly today: string;
  readonly time: string | null;
  readonly meta: string;
  readonly columns: readonly { readonly name: string; readonly type: CorpusType }[];
}

type CorpusType = 'number' | 'integer' | 'text' | 'boolean' | 'date' | 'timestamp';

/** One message; `sql` is what it asks for (several for several questions), `none` why the table can't tell. */
export interface CorpusQuestion {
  readonly id: string;
  readonly table: string;
  readonly q: string;
  readonly family: string;
  readonly sql?: string | readonly string[];
  readonly none?: string;
  readonly after?: string;
  readonly order?: boolean;
  readonly chart?: string;
  readonly empty?: boolean;
  readonly percent?: boolean;
}

async function linesOf<T>(file: URL): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const line of createInterface({ input: createReadStream(file) }))
    if (line.trim() !== '') found.push(JSON.parse(line) as T);
  return found;
}

export async function corpusTables(): Promise<ReadonlyMap<string, CorpusTable>> {
  const tables = await linesOf<CorpusTable>(new URL('tables.jsonl', CORPUS));
  return new Map(tables.map((table) => [table.name, table]));
}

/** The questions of a split, by author. */
export async function corpusQuestions(split: Split): Promise<ReadonlyMap<string, readonly CorpusQuestion[]>> {
  const folder = new URL(`${split}/`, CORPUS);
  if (!existsSync(folder)) return new Map();
  const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort();
  const all = await Promise.all(
    files.map(
      async (name) => [name.replace('.jsonl', ''), await linesOf<CorpusQuestion>(new URL(name, folder))] as const,
    ),
  );
  return new Map(all);
}

/** What the weights are made of: the questions of the training, their tables and the words. */
export async function sourceSum(): Promise<string> {
  const hash = createHash('sha256');
  const folder = new URL('train/', CORPUS);
  for (const name of (await readdir(folder)).sort()) hash.update(await readFile(new URL(name, folder)));
  for (const table of [...tablesIn(await corpusQuestions('train'))].sort())
    hash.update(await readFile(new URL(`tables/${table}.csv`, CORPUS)));
  for (const name of ['synonyms.txt', 'values.txt']) hash.update(await readFile(new URL(name, READING)));
  return hash.digest('hex');
}

const SQL_TYPES: Readonly<Record<CorpusType, string>> = {
  number: 'DOUBLE',
  integer: 'BIGINT',
  text: 'VARCHAR',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
};
const TYPES: Readonly<Record<CorpusType, ColumnType>> = {
  number: 'number',
  integer: 'integer',
  text: 'text',
  boolean: 'boolean',
  date: 'time',
  timestamp: 'time',
};

/** The file of a table, read with its types, as a part of a query. */
export function relationOf({ name, columns }: CorpusTable): string {
  const path = new URL(`tables/${name}.csv`, CORPUS).pathname;
  const types = columns
    .map((column) => `'${column.name.replaceAll("'", "''")}': '${SQL_TYPES[column.type]}'`)
    .join(', ');
  return `read_csv('${path}', header = true, delim = ',', quote = '"', escape = '"', nullstr = '', columns = {${types}})`;
}

/** An answer has no more rows. */
const MAX_ROWS = 1000;

/** `listed`: rows whose number was asked for, which the sentence above them tells. */
export type PlanGrade = RowsGrade | 'listed';

/** What a gold query gives. */
export interface Gold extends RowsWanted {
  /** It is nothing but a number of rows. */
  readonly isCount: boolean;
}

/** What is asked about, by name. */
export function tablesIn(sets: ReadonlyMap<string, readonly CorpusQuestion[]>): ReadonlySet<string> {
  return new Set([...sets.values()].flat().map(({ table }) => table));
}

export async function openTables(
  names: ReadonlySet<string>,
  all: ReadonlyMap<string, CorpusTable>,
): Promise<ReadonlyMap<string, TrueTable>> {
  const opened = new Map<string, TrueTable>();
  for (const name of names) {
    const table = all.get(name);
    if (table !== undefined) opened.set(name, await TrueTable.open(table));
  }
  return opened;
}

/** Half of the tables are called after their rows, such as orders; the rest says as little as the names of many files do. */
function isCalledByItsRows({ name }: CorpusTable): boolean {
  return (createHash('md5').update(name).digest()[0] ?? 0) % 2 === 0;
}

/** A table in a database of its own, which answers gold queries and plans. */
export class TrueTable {
  private readonly golds = new Map<string, Promise<Gold>>();

  private constructor(
    readonly table: CorpusTable,
    readonly briefing: TableBriefing,
    private readonly connection: DuckDBConnection,
    private readonly columns: readonly TableColumn[],
    private readonly quick: PlanEvaluator,
  ) {}

  static async open(table: CorpusTable): Promise<TrueTable> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    await connection.run(`CREATE TABLE t AS SELECT * FROM ${relationOf(table)}`);
    const columns = table.columns.map(({ name, type }, index) => ({ physical: `c${index}`, name, type: TYPES[type] }));
    const casts = table.columns.map(
      ({ name, type }, index) => `"${name.replaceAll('"', '""')}"${type === 'date' ? '::TIMESTAMP' : ''} AS c${index}`,
    );
    await connection.run(`CREATE TABLE stored AS SELECT ${casts.join(', ')} FROM t`);
    const time =
      columns.find(({ name }) => name === table.time) ?? columns.find(({ type }) => type === 'time') ?? columns[0];
    const meta = columns.find(({ name }) => name === table.meta) ?? columns[0];
    if (time === undefined || meta === undefined) throw new Error(`${table.name} has no columns`);
    const profile = await profileOf(connection, { relation: 'stored', isTable: true, columns, time, meta, values: [] });
    const timed = time.type === 'time' ? profile : { ...profile, timeRange: null };
    const rows = (await connection.runAndReadAll('SELECT * FROM stored')).getRows().map((row) => row.map(cellFrom));
    const quick = new PlanEvaluator(
      columns.map(({ name }) => name),
      rows,
    );
    return new TrueTable(
      table,
      { name: isCalledByItsRows(table) ? table.name.replace(/^m\d-/, '') : 'data', context: '', profile: timed },
      connection,
      columns,
      quick,
    );
  }

  /** The moment at which it is asked about. */
  get moment(): Date {
    return new Date(`${this.table.today}T12:00:00Z`);
  }

  /** What a gold query gives; kept. */
  gold(sql: string, { order = false, percent = false }: Pick<CorpusQuestion, 'order' | 'percent'> = {}): Promise<Gold> {
    const key = `${String(order)} ${String(percent)} ${sql}`;
    const known = this.golds.get(key) ?? this.askGold(sql, order, percent);
    this.golds.set(key, known);
    return known;
  }

  private async askGold(sql: string, isOrdered: boolean, isPercent: boolean): Promise<Gold> {
    const reader = await this.connection.runAndReadAll(sql);
    const rows = reader.getRows().map((row) => row.map((cell) => cellFrom(cell)));
    return {
      columns: reader.columnCount,
      rows,
      ordered: isOrdered ? sortedColumn(rows) : null,
      percent: sql.includes('100') || isPercent,
      isCount: /^select count\(\*\) from t\b/i.test(sql) && !/group by/i.test(sql),
    };
  }

  /** How a plan answers: as the service's own row engine does. */
  async grade(plan: AnalysisPlan, wanted: Gold): Promise<PlanGrade> {
    return gradeOf(plan, await this.run(plan), wanted);
  }

  /** How a plan answers as it is worked out in memory, where that can be told. One plan of 400 is graded otherwise: it lists one of several equal rows. */
  async quickGrade(plan: AnalysisPlan, wanted: Gold): Promise<PlanGrade> {
    return gradeOf(plan, this.guess(plan) ?? (await this.run(plan)), wanted);
  }

  /** What a plan gives, worked out in memory; `null` where that can't be told. */
  guess(plan: AnalysisPlan): Rows | null {
    return this.quick.run(plan);
  }

  async run(plan: AnalysisPlan): Promise<Rows | null> {
    const answer = await this.answer(plan);
    return answer === null ? null : { columns: answer.columns.length, rows: answer.rows };
  }

  /** What the service's row engine would give; `null` where the plan can't be run. */
  async answer(plan: AnalysisPlan): Promise<QueryResult | null> {
    try {
      const { sql, params, dbquery, finish } = compilePlan(plan, this.columns, { maxRows: MAX_ROWS });
      const found = await this.connection.runAndReadAll(
        `WITH visible AS NOT MATERIALIZED (SELECT * FROM stored) ${sql}`,
        [...params],
      );
      const { columns, rows } = finish(found.getRows().map((row) => row.map(cellFrom)));
      const rowsScanned = this.briefing.profile.rowCount;
      return { columns, rows: rows.slice(0, MAX_ROWS), truncated: rows.length > MAX_ROWS, dbquery, rowsScanned };
    } catch {
      // A plan that does not fit the table is no answer.
      return null;
    }
  }
}

function gradeOf(plan: AnalysisPlan, found: Rows | null, wanted: Gold): PlanGrade {
  if (found === null) return 'wrong';
  return isListOf(plan, found, wanted) ? 'listed' : graded(found, wanted);
}

/** Whether rows are those that were to be counted, as far as their number tells, and all of them. */
function isListOf(plan: AnalysisPlan, { rows }: Rows, wanted: Gold): boolean {
  if (!wanted.isCount || plan.kind !== 'rows' || plan.limit !== null) return false;
  return rows.length < MAX_ROWS && rows.length === wanted.rows[0]?.[0];
}

/** A group of rows that lack the value is more than was asked, but not wrong, and so are empty cells of a single column. */
function graded(found: Rows, wanted: RowsWanted): RowsGrade {
  const whole = gradeRows([found], wanted);
  const more = found.rows.length - wanted.rows.length;
  if (whole !== 'wrong' || more <= 0 || (more > 1 && found.columns > 1)) return whole;
  const rows = found.rows.filter(([label]) => label !== null && label !== undefined);
  return gradeRows([{ columns: found.columns, rows }], wanted) === 'wrong' ? 'wrong' : 'surplus';
}

/** The column of an ordered result that its order can be seen by: the last that only rises or only falls. */
function sortedColumn(rows: readonly (readonly RawCell[])[]): number | null {
  const width = rows[0]?.length ?? 0;
  for (let column = width - 1; column >= 0; column--) {
    const cells = rows.map((row) => plainCell(row[column] ?? null));
    const known = cells.filter((cell) => cell !== null);
    if (known.length < cells.length || known.length < 2 || isSameCell(known[0] ?? null, known.at(-1) ?? null)) continue;
    const rises = known.every((cell, index) => index === 0 || (known[index - 1] ?? cell) <= cell);
    const falls = known.every((cell, index) => index === 0 || (known[index - 1] ?? cell) >= cell);
    if (rises || falls) return column;
  }
  return null;
}
