import { mongo } from 'mongoose';
import type { AnalysisPlan, RowsPlan } from '../../src/ports/analysis-plan.js';
import type { Cell, ColumnType } from '../../src/ports/table.js';
import { AppError, isAppError, messageOf } from '../../src/shared/app-error.js';
import { PlanTable } from '../../src/rows/plan-compiler.fixture.js';
import type { PlanAnswer } from '../../src/rows/plan-compiler.js';
import { namedColumns } from '../../src/adapters/mongo/rows/gate-names.js';
import type { MongoColumn, MongoRow } from '../../src/adapters/mongo/rows/mongo-table.js';
import { compilePipeline } from '../../src/adapters/mongo/rows/pipeline-compiler.js';

const MAX_ROWS = 100;

export type Value = string | number | bigint | boolean | Date | null;

/** The same rows in both stores, to see that a plan finds the same in them. */
export class BothTables implements AsyncDisposable {
  private constructor(
    readonly duck: PlanTable,
    readonly columns: readonly MongoColumn[],
    private readonly client: mongo.MongoClient,
    private readonly database: mongo.Db,
  ) {}

  static async of(
    uri: string,
    columns: readonly (readonly [string, ColumnType])[],
    rows: readonly (readonly Value[])[],
    isScaled = false,
  ): Promise<BothTables> {
    const duck = await PlanTable.of(
      columns,
      `VALUES ${rows.map((row) => `(${row.map(literal).join(', ')})`).join(', ')}`,
    );
    const known = columns.map(([name, type], index) => {
      const scale = isScaled ? scaleOf(rows.map((row) => row[index] ?? null)) : {};
      return { name, type, field: `c${index}`, ...scale };
    });
    const client = await new mongo.MongoClient(uri).connect();
    const database = client.db(`plans_${String(new mongo.ObjectId())}`);
    const stored = rows.map((row, index) =>
      documentOf(
        known.map(({ field }) => field),
        row,
        index,
      ),
    );
    const visible = namedColumns(known).map((column) => column.visible);
    const named = rows.map((row, index) => documentOf(visible, row, index));
    await database.collection<MongoRow>('stored').insertMany(stored);
    await database.collection<MongoRow>('data').insertMany(named);
    return new BothTables(duck, known, client, database);
  }

  async inDuckDb(plan: AnalysisPlan): Promise<PlanAnswer> {
    return this.duck.careful(plan);
  }

  async inMongo(plan: AnalysisPlan): Promise<PlanAnswer> {
    const source = { collection: 'stored', visible: [{ $match: { b: { $gte: 0 } } }] };
    const { stages, finish } = compilePipeline(plan, this.columns, { maxRows: MAX_ROWS, source });
    const found = this.database
      .collection<MongoRow>('stored')
      .aggregate<MongoRow>([...source.visible, ...stages], { allowDiskUse: false, promoteLongs: false });
    return finish(await found.toArray());
  }

  /** What the pipeline that is shown gives to whoever sends it. */
  async shown(plan: AnalysisPlan): Promise<Rows> {
    const source = { collection: 'stored', visible: [] };
    const { dbquery } = compilePipeline(plan, this.columns, { maxRows: MAX_ROWS, source });
    const [, text = ''] = /^db\.data\.aggregate\(([^]*)\)$/.exec(dbquery) ?? [];
    const stages = mongo.BSON.EJSON.parse(text) as mongo.Document[];
    const found = await this.database.collection('data').aggregate(stages, { allowDiskUse: false }).toArray();
    return found.map((document) => Object.values(document).map((value: unknown) => shownCell(value)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database.dropDatabase();
    await this.client.close();
  }
}

function documentOf(names: readonly string[], row: readonly Value[], index: number): MongoRow {
  const given = names.map((name, at) => [name, stored(row[at] ?? null)] as const);
  return Object.fromEntries([...given.filter(([, value]) => value !== null), ['b', index]]);
}

/** As an import knows it. */
function scaleOf(values: readonly Value[]): Pick<MongoColumn, 'scale'> {
  const numbers = values.filter((value) => typeof value === 'number' || typeof value === 'bigint').map(Number);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  if (numbers.length === 0 || low === high) return {};
  return { scale: { middle: numbers.reduce((sum, one) => sum + one, 0) / numbers.length, spread: high - low } };
}

function stored(value: Value): unknown {
  return typeof value === 'bigint' ? mongo.Long.fromBigInt(value) : value;
}

function literal(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (value instanceof Date) return `TIMESTAMP '${value.toISOString().replace('T', ' ').replace('Z', '')}'`;
  return typeof value === 'number' ? `${value}::DOUBLE` : String(value);
}

function shownCell(value: unknown): Cell {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof mongo.Decimal128 || value instanceof mongo.Long) return Number(String(value));
  return value === undefined ? null : (value as Cell);
}

/** What comes of a plan: an answer, or the sentence that it is refused with. */
export async function endOf(answering: Promise<PlanAnswer>): Promise<PlanAnswer | string> {
  try {
    return await answering;
  } catch (error) {
    if (isAppError(error, 'invalid_input')) return messageOf(error);
    throw error instanceof AppError ? error : new Error(messageOf(error), { cause: error });
  }
}

/** Figures of a fourth power lose digits on both sides. */
function precisionOf(plan: AnalysisPlan): number {
  return /skewness|kurtosis|normality|jarque/.test(JSON.stringify(plan)) ? 1e-6 : 1e-9;
}

type Rows = readonly (readonly Cell[])[];

/** How two answers of a plan differ; null when they are the same, rows that come as they are stored in any order. */
export function differenceOf(plan: AnalysisPlan, expected: PlanAnswer, found: PlanAnswer): string | null {
  const columns = [expected, found].map((answer) => JSON.stringify(answer.columns));
  if (columns[0] !== columns[1]) return columns.join(' against ');
  if (plan.kind !== 'rows' || !isAsStored(plan)) return differenceOfRows(expected.rows, found.rows, precisionOf(plan));
  if (plan.limit !== null || (plan.skip ?? 0) > 0) {
    return expected.rows.length === found.rows.length ? null : 'not as many rows';
  }
  return differenceOfRows(inOneOrder(expected.rows), inOneOrder(found.rows), precisionOf(plan));
}

/** Without an order the rows may come in any. */
function isAsStored({ order, distinct, each = [] }: RowsPlan): boolean {
  return order.length === 0 && distinct !== true && each.length === 0;
}

export function differenceOfRows(expected: Rows, found: Rows, precision: number): string | null {
  if (expected.length !== found.length) return `${expected.length} rows against ${found.length}`;
  for (const [index, row] of expected.entries()) {
    const other = found[index] ?? [];
    const isOther = row.some((cell, column) => !isSame(cell, other[column] ?? null, precision));
    if (isOther || row.length !== other.length) {
      return `row ${index}: ${JSON.stringify(row)} against ${JSON.stringify(other)}`;
    }
  }
  return null;
}

function inOneOrder(rows: Rows): Rows {
  return rows.toSorted((one, other) => (rough(one) < rough(other) ? -1 : 1));
}

function rough(row: readonly Cell[]): string {
  return JSON.stringify(row.map((cell) => (typeof cell === 'number' ? Number(cell.toPrecision(6)) : cell)));
}

function isSame(one: Cell, other: Cell, precision: number): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other;
  return Math.abs(one - other) <= precision * Math.max(Math.abs(one), Math.abs(other), 1e-3);
}
