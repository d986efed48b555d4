/**
 * What a join of orders with their customers costs through the sandbox, as SQL and as a plan, against DuckDB's bare query over the same rows, turn by
 * turn in one run. `npx tsx bench/joins.ts [orders] [customers] [turns]`: 1,000,000, 10,000 and 20 when nothing is said.
 */
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { plainDialect } from '../src/ports/csv-inspector.js';
import type { AggregatePlan } from '../src/ports/analysis-plan.js';
import type { ColumnType, TableRef } from '../src/ports/table.js';
import { openDuckDb } from '../test/contracts/duckdb-store.fixture.js';
import { aTable, QUIET } from '../test/contracts/row-engine.fixture.js';
import { AS_SERVED } from './device-rows.js';
import { line, ratio, timed } from './timing.js';

const [ORDERS = 1_000_000, CUSTOMERS = 10_000, TURNS = 20] = process.argv.slice(2).map(Number);
const LIMITS = { maxRows: 100, timeoutMs: 120_000 };
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

const DAY = "strftime(TIMESTAMP '2024-01-01' + to_hours(i % 8760), '%Y-%m-%d %H:%M:%S')";
/** One order in a thousand is of a customer that nobody knows. */
const TABLES = {
  data: {
    columns: { customer_id: 'integer', amount: 'number', channel: 'text', at: 'time' },
    fields: { timeField: 'at', metaField: 'channel', values: ['amount'] },
    rows: ORDERS,
    sql: `SELECT if(i % 1000 = 0, -1, i * 7919 % ${CUSTOMERS}) AS customer_id, i % 500 + 0.5 AS amount, 'c' || i % 5 AS channel, ${DAY} AS at`,
  },
  customers: {
    columns: { id: 'integer', region: 'text', since: 'time' },
    fields: { timeField: 'since', metaField: 'region', values: [] },
    rows: CUSTOMERS,
    sql: `SELECT i AS id, 'region-' || i % 20 AS region, ${DAY} AS since`,
  },
} as const;

await using store = await openDuckDb(AS_SERVED);
const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '1GB' });
const connection = await instance.connect();

/** Makes the rows, for the bare query too, and has the store import them. */
async function loaded(name: keyof typeof TABLES): Promise<TableRef> {
  const { columns, fields, rows, sql } = TABLES[name];
  const [path, table] = [join(store.folder, `${name}.csv`), aTable()];
  await connection.run(`COPY (${sql} FROM range(${rows}) AS numbers(i)) TO '${path}' (FORMAT csv, HEADER true)`);
  await connection.run(`CREATE TABLE ${name} AS SELECT * FROM read_csv('${path}')`);
  const names = Object.keys(columns);
  const source = {
    files: [{ path, name, dialect: plainDialect(names.length), columns: names }],
    columns: Object.entries<ColumnType>(columns).map(([column, type]) => ({ name: column, type })),
    ...{ timeFormat: '%Y-%m-%d %H:%M:%S', importedAt: new Date(), ...fields },
  };
  const report = await store.engine.load(table, source, QUIET);
  if (report.rows !== rows) throw new Error('the import lost rows');
  return table;
}

const [orders, customers] = [await loaded('data'), await loaded('customers')];
const relations = [{ id: 'r', left: 'data', right: 'customers', on: [['customer_id', 'id']] as const }];
const table = { ...orders, joinable: { tables: [{ name: 'customers', table: customers }], relations } };
const WAYS = {
  'bare DuckDB': async () => (await connection.runAndReadAll(SQL)).getRows(),
  'SQL through the sandbox': async () => (await store.reader.query(table, SQL, LIMITS)).rows,
  'plan through the sandbox': async () => (await store.reader.analyze(table, PLAN, LIMITS)).rows,
};
const times = new Map(Object.keys(WAYS).map((name) => [name, [] as number[]]));
// The first turn warms up.
for (let turn = 0; turn <= TURNS; turn += 1) {
  const given = new Set<string>();
  for (const [name, ask] of Object.entries(WAYS)) {
    const [rows, ms] = await timed<readonly (readonly unknown[])[]>(ask);
    given.add(JSON.stringify(rows.map((row) => row.map(String))));
    if (turn > 0) times.get(name)?.push(ms);
  }
  if (given.size > 1) throw new Error(`the ways differ: ${[...given].join('\n')}`);
}
console.log(`${ORDERS} orders with ${CUSTOMERS} customers, ${TURNS} turns`);
for (const [name, all] of times) console.log(`${line(name, all)}, ${ratio(all, times.get('bare DuckDB') ?? [])}`);
