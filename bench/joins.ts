/**
 * What a join of orders with their customers costs through the sandbox, as SQL and as a plan, against DuckDB's bare query over the same rows, turn by
 * turn in one run. `npx tsx bench/joins.ts [orders] [customers] [turns]`: 1,000,000, 10,000 and 20 when nothing is said.
 */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { AggregatePlan } from '../src/ports/analysis-plan.js';
import type { LoadSource } from '../src/ports/row-engine.js';
import type { ColumnType, QueryResult, TableRef } from '../src/ports/table.js';
import { asId, type DatasourceId } from '../src/shared/ids.js';
import { aTable, type BenchStore, openStore, quantile, sourceOf } from './device-rows.js';

const [ORDERS = 1_000_000, CUSTOMERS = 10_000, TURNS = 20] = process.argv.slice(2).map(Number);
const LIMITS = { maxRows: 100, timeoutMs: 120_000 };
const WATCH = { signal: new AbortController().signal, onProgress: (): void => undefined };
const ON = [['customer_id', 'id']] as const;
const SQL =
  'SELECT region, count(*) AS orders, sum(amount) AS revenue FROM data LEFT JOIN customers ON data.customer_id = customers.id GROUP BY region ORDER BY region';
const PLAN: AggregatePlan = {
  kind: 'aggregate',
  join: { relation: 'r', table: 'customers' },
  measures: [
    { aggregate: 'count', column: null, label: 'orders' },
    { aggregate: 'sum', column: 'amount', label: 'revenue' },
  ],
  dimensions: [{ kind: 'column', column: 'region', label: 'region' }],
  filters: [],
  having: [],
  order: [{ by: 'region', direction: 'asc' }],
  limit: null,
};

type Columns = Readonly<Record<string, ColumnType>>;
interface Written {
  readonly columns: Columns;
  readonly rows: number;
  readonly line: (row: number) => string;
}

const day = (row: number): string =>
  new Date(Date.UTC(2024, 0, 1, row % 8760)).toISOString().slice(0, 19).replace('T', ' ');
/** One order in a thousand is of a customer that nobody knows. */
const customerOf = (row: number): number => (row % 1000 === 0 ? -1 : (row * 7919) % CUSTOMERS);
const TABLES: Readonly<Record<'orders' | 'customers', Written>> = {
  orders: {
    columns: { customer_id: 'integer', amount: 'number', channel: 'text', at: 'time' },
    rows: ORDERS,
    line: (row) => `${customerOf(row)},${row % 500}.5,c${row % 5},${day(row)}`,
  },
  customers: {
    columns: { id: 'integer', region: 'text', since: 'time' },
    rows: CUSTOMERS,
    line: (row) => `${row},region-${row % 20},${day(row)}`,
  },
};

async function write(path: string, { columns, rows, line }: Written): Promise<void> {
  const file = createWriteStream(path);
  file.write(`${Object.keys(columns).join(',')}\n`);
  for (let row = 0; row < rows; row += 1) if (!file.write(`${line(row)}\n`)) await once(file, 'drain');
  file.end();
  await once(file, 'close');
}

async function load(store: BenchStore, name: keyof typeof TABLES): Promise<TableRef> {
  const path = join(store.folder, `${name}.csv`);
  const { columns, rows } = TABLES[name];
  await write(path, TABLES[name]);
  const table = { ...aTable(), datasourceId: asId<DatasourceId>((name === 'orders' ? 'b' : 'c').repeat(24)) };
  const { load: plain, names } = sourceWith(path, columns);
  const [timeField, metaField] = name === 'orders' ? ['at', 'channel'] : ['since', 'region'];
  const values = names.filter((one) => columns[one] === 'number');
  const report = await store.engine.load(table, { ...plain, timeField, metaField, values }, WATCH);
  if (report.rows !== rows) throw new Error('the import lost rows');
  return table;
}

function sourceWith(path: string, columns: Columns): { readonly load: LoadSource; readonly names: readonly string[] } {
  const names = Object.keys(columns);
  const plain = sourceOf(path);
  const files = plain.files.map((file) => ({ ...file, columns: names }));
  return { load: { ...plain, files, columns: Object.entries(columns).map(([name, type]) => ({ name, type })) }, names };
}

async function timed(ask: () => Promise<QueryResult | unknown[][]>): Promise<readonly [number, string]> {
  const begin = performance.now();
  const given = await ask();
  const rows = Array.isArray(given) ? given : given.rows;
  return [performance.now() - begin, JSON.stringify(rows.map((row) => row.map(String)))];
}

await using store = await openStore();
const [orders, customers] = [await load(store, 'orders'), await load(store, 'customers')];
const relations = [{ id: 'r', left: 'data', right: 'customers', on: ON }];
const table = { ...orders, joinable: { tables: [{ name: 'customers', table: customers }], relations } };
const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '1GB' });
const connection = await instance.connect();
for (const [name, ref] of [
  ['data', orders],
  ['customers', customers],
] as const)
  await connection.run(
    `CREATE TABLE ${name} AS SELECT * FROM read_csv('${join(store.folder, `${ref === orders ? 'orders' : name}.csv`)}')`,
  );

const WAYS = {
  'bare DuckDB': async () => (await connection.runAndReadAll(SQL)).getRows(),
  'SQL through the sandbox': () => store.reader.query(table, SQL, LIMITS),
  'plan through the sandbox': () => store.reader.analyze(table, PLAN, LIMITS),
};
const times = new Map(Object.keys(WAYS).map((name) => [name, [] as number[]]));
// The first turn warms up.
for (let turn = 0; turn <= TURNS; turn += 1) {
  const given = new Set<string>();
  for (const [name, ask] of Object.entries(WAYS)) {
    const [ms, rows] = await timed(ask);
    given.add(rows);
    if (turn > 0) times.get(name)?.push(ms);
  }
  if (given.size > 1) throw new Error(`the ways differ: ${[...given].join('\n')}`);
}
const bare = quantile(times.get('bare DuckDB') ?? [], 0.5);
console.log(`${ORDERS} orders with ${CUSTOMERS} customers, ${TURNS} turns`);
for (const [name, all] of times) {
  const [p50, p95] = [quantile(all, 0.5), quantile(all, 0.95)];
  console.log(
    `${name.padEnd(26)} p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, ${(p50 / bare).toFixed(2)} times`,
  );
}
connection.closeSync();
instance.closeSync();
