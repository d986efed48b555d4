import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenAiChatModel } from '../../src/adapters/openai/openai-chat-model.js';
import { answeringWith, aQuestion, foldAnswer } from '../../src/answering/answering.fixture.js';
import type { Question } from '../../src/answering/question.js';
import type { AggregatePlan, RowsPlan } from '../../src/ports/analysis-plan.js';
import type { Cell, ColumnPair, ColumnType, QueryResult, TableRef } from '../../src/ports/table.js';
import { type DoubleCall, OpenAiDouble, type DoubleStep } from '../support/openai-double.js';
import { type DuckDbStore, openDuckDb } from './duckdb-store.fixture.js';
import { aFolder, aSource, aTable, QUIET } from './row-engine.fixture.js';

const LIMITS = { maxRows: 1000, timeoutMs: 30_000 };
const DAY = '2024-01-01 00:00:00';

type Columns = Readonly<Record<string, ColumnType>>;

/** How two columns or more of LEFT and RIGHT are joined, and what that has to give. */
interface Pair {
  readonly on: readonly ColumnPair[];
  /** The same by hand, over `data` and `other`. */
  readonly byHand: string;
  /** Rows, and those of the left without a partner. */
  readonly counts: readonly [number, number];
}

const LEFT: Columns = {
  ...{ amount: 'number', customer: 'integer', tag: 'text', buyer: 'integer', number: 'integer', code: 'text' },
  ...{ whole: 'integer', shop: 'text', year: 'integer', 'order day': 'time' },
};
// prettier-ignore
const LEFT_ROWS: readonly (readonly Cell[])[] = [
  [1, 1, 'x', null, 7, '7', 1, 'a', 2023, '2024-03-01 00:00:00'],
  [2, 1, 'x', null, 8, '007', 2, 'a', 2024, '2024-03-02 00:00:00'],
  [4, 2, 'y', 1, 9, 'Ä', null, 'b', 2024, null],
  [8, 3, 'z', null, null, 'none', null, 'c', null, null],
];
const RIGHT: Columns = {
  ...{ region: 'text', id: 'integer', label: 'text', person: 'integer', digits: 'text', sign: 'text' },
  ...{ fraction: 'number', branch: 'text', year: 'integer', select: 'text' },
};
// prettier-ignore
const RIGHT_ROWS: readonly (readonly Cell[])[] = [
  ['A', 1, 'x', null, '007', '007', 1, 'a', 2023, '2024-03-01'],
  ['B', 2, 'x', 1, ' 8', 'ä', 2.5, 'a', 2024, 'no day'],
  ['C', 3, 'y', null, 'nine', 'x', null, 'b', 2023, 'never'],
  ['D', 4, 'y', null, '9.5', 'y', null, 'd', null, 'none'],
];

const MANY_TO_ONE: Pair = { on: [['customer', 'id']], byHand: 'data.customer = other.id', counts: [4, 0] };
const SEVERAL_COLUMNS: Pair = {
  on: [
    ['shop', 'branch'],
    ['year', 'year'],
  ],
  byHand: 'data.shop = other.branch AND data.year = other.year',
  counts: [4, 2],
};
const PAIRS: Readonly<Record<string, Pair>> = {
  'many to one': MANY_TO_ONE,
  'many to many, which multiplies rows': { on: [['tag', 'label']], byHand: 'data.tag = other.label', counts: [7, 1] },
  'empty keys, which equal nothing': { on: [['buyer', 'person']], byHand: 'data.buyer = other.person', counts: [4, 3] },
  'numbers with texts of numbers: 7 is 007': {
    on: [['number', 'digits']],
    byHand: 'data.number = TRY_CAST(other.digits AS DECIMAL(38, 9))',
    counts: [4, 2],
  },
  'texts are equal by every letter: 7 is not 007': {
    on: [['code', 'sign']],
    byHand: 'data.code = other.sign',
    counts: [4, 3],
  },
  'several columns': SEVERAL_COLUMNS,
  'times and names that SQL has a meaning for': {
    on: [['order day', 'select']],
    byHand: 'data."order day" = TRY_CAST(other."select" AS TIMESTAMP)',
    counts: [4, 3],
  },
};
const ORDERS: Columns = { customer: 'integer', amount: 'number' };
const CUSTOMERS: Columns = { id: 'integer', region: 'text' };

const PLAN: AggregatePlan = {
  kind: 'aggregate',
  join: { relation: 'r', table: 'others' },
  measures: [
    { aggregate: 'count', column: null, label: 'n' },
    { aggregate: 'sum', column: 'amount', label: 'total' },
  ],
  dimensions: [{ kind: 'column', column: 'region', label: 'region' }],
  filters: [],
  having: [],
  order: [],
  limit: null,
};

let store: DuckDbStore;
let folder: Awaited<ReturnType<typeof aFolder>>;
beforeAll(async () => {
  [store, folder] = [await openDuckDb(), await aFolder()];
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function loaded(columns: Columns, rows: readonly (readonly Cell[])[], ref = aTable()): Promise<TableRef> {
  const names = Object.keys(columns);
  const all = [...names.map((name) => ({ name, type: columns[name] ?? 'text' })), ...OWN];
  const lines = rows.map((row) => [...row.map((cell) => `"${String(cell ?? '')}"`), DAY, 'm'].join(','));
  const text = [all.map(({ name }) => `"${name}"`).join(','), ...lines, ''].join('\n');
  const values = names.filter((name) => columns[name] === 'number');
  const source = { columns: all, timeField: 'at', metaField: 'meta', values };
  await store.engine.load(ref, await aSource(folder.path, [{ text }], source), QUIET);
  return ref;
}

const listed = (...rows: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] => rows;

const OWN = [
  { name: 'at', type: 'time' },
  { name: 'meta', type: 'text' },
] as const;

function related(left: TableRef, right: TableRef, on: readonly ColumnPair[], name = 'other'): TableRef {
  const relations = [{ id: 'r', left: 'data', right: name, on }];
  return { ...left, joinable: { tables: [{ name, table: right }], relations } };
}

const query = (table: TableRef, statement: string): Promise<QueryResult> =>
  store.reader.query(table, statement, LIMITS);
const sorted = ({ rows }: QueryResult): readonly string[] => rows.map((row) => JSON.stringify(row)).sort();

describe('a plan that joins two tables gives what is written by hand', () => {
  let left: TableRef;
  let right: TableRef;
  beforeAll(async () => {
    [left, right] = [await loaded(LEFT, LEFT_ROWS), await loaded(RIGHT, RIGHT_ROWS)];
  });

  it.each(Object.entries(PAIRS))('%s', async (_, pair) => {
    const table = related(left, right, pair.on);
    const byHand = `SELECT region, count(*), sum(amount) FROM data LEFT JOIN other ON ${pair.byHand} GROUP BY region`;
    const [planned, written] = [await store.reader.analyze(table, PLAN, LIMITS), await query(table, byHand)];
    expect(planned.rows.length).toBeGreaterThan(0);
    expect(sorted(planned)).toEqual(sorted(written));
    const [rows, alone] = pair.counts;
    const counts = [{ left: 'data', right: 'other', of: LEFT_ROWS.length, rows, alone }];
    expect(planned.joins).toEqual(counts);
    expect(written.joins).toEqual(counts);
    expect(planned.rows.reduce((sum, [, n]) => sum + Number(n), 0)).toBe(rows);
    // What is shown is what has run.
    expect(sorted(await query(table, planned.dbquery))).toEqual(sorted(planned));
  });

  it('lists rows with columns of both, a name of both with the table before it', async () => {
    const table = related(left, right, SEVERAL_COLUMNS.on);
    const list: RowsPlan = {
      ...{ kind: 'rows', join: PLAN.join, columns: ['shop', 'year', 'others.year', 'others.region'] },
      filters: [{ kind: 'in', column: 'Region', values: ['A', 'B'], negated: false }],
      order: [{ by: 'year', direction: 'asc' }],
      limit: null,
    };
    const { columns, rows } = await store.reader.analyze(table, list, LIMITS);
    expect(columns.map(({ name }) => name)).toEqual(['shop', 'year', 'others.year', 'region']);
    expect(rows).toEqual([
      ['a', 2023, 2023, 'A'],
      ['a', 2024, 2024, 'B'],
    ]);
    const page = await store.downloads.resultPage(table, list, {
      ...LIMITS,
      ...{ skip: 1, maxRows: 1, signal: new AbortController().signal },
    });
    expect(page).toMatchObject({ rows: [['a', 2024, 2024, 'B']], total: 2, joins: [{ of: 4, rows: 4, alone: 2 }] });
  });

  it('derives, compares with figures over all rows, and tests', async () => {
    const table = related(left, right, MANY_TO_ONE.on);
    const amount = { kind: 'column', column: 'amount' } as const;
    const twice = { kind: 'arithmetic', operator: '*', left: amount, right: { kind: 'number', value: 2 } } as const;
    const doubled: AggregatePlan = {
      ...PLAN,
      derived: [{ name: 'double', expression: twice }],
      measures: [{ aggregate: 'sum', column: 'double', label: 'sum' }],
      filters: [{ kind: 'against', column: 'amount', operator: '>', aggregate: 'avg', reach: 'all' }],
    };
    const above = await store.reader.analyze(table, doubled, LIMITS);
    expect(sorted(above)).toEqual(['["B",8]', '["C",16]']);
    const described = await store.reader.analyze(
      table,
      { kind: 'statistic', join: PLAN.join, method: 'describe', columns: ['amount'], by: null, filters: [] },
      LIMITS,
    );
    expect(described.rows[0]).toContain(4);
  });

  it('refuses a relation that is not confirmed, and columns that neither has', async () => {
    const table = related(left, right, MANY_TO_ONE.on);
    const other: AggregatePlan = { ...PLAN, join: { relation: 'x', table: 'others' } };
    await expect(store.reader.analyze(table, other, LIMITS)).rejects.toMatchObject({ kind: 'invalid_input' });
    const none: AggregatePlan = { ...PLAN, dimensions: [{ kind: 'column', column: 'colour', label: 'colour' }] };
    await expect(store.reader.analyze(table, none, LIMITS)).rejects.toThrow('there is no column "colour"');
    await expect(store.reader.analyze({ ...table, joinable: undefined }, PLAN, LIMITS)).rejects.toThrow(
      'no confirmed relation',
    );
  });
});

it('rows that come later are seen in both tables, and those that outlive the lifespan of their own in neither', async () => {
  const [left, right] = [await loaded(ORDERS, [[1, 10]]), await loaded(CUSTOMERS, [[1, 'North']])];
  const at = new Date('2024-02-01T00:00:00Z');
  await store.engine.append(left, [{ customer: 2, amount: 5, at, meta: 'm' }]);
  await store.engine.append(right, [
    { id: 2, region: 'South', at, meta: 'm' },
    { id: 2, region: 'West', at, meta: 'm' },
  ]);
  const on: readonly ColumnPair[] = [['customer', 'id']];
  const { rows, joins } = await store.reader.analyze(related(left, right, on), PLAN, LIMITS);
  expect(rows.map((row) => row.join(' '))).toEqual(['North 1 10', 'South 1 5', 'West 1 5']);
  expect(joins).toEqual([{ left: 'data', right: 'other', of: 2, rows: 3, alone: 0 }]);

  const visibleFrom = new Date('2024-01-15T00:00:00Z');
  const regions = async (one: TableRef, other: TableRef): Promise<readonly unknown[]> => {
    const all = 'SELECT region FROM data LEFT JOIN other ON data.customer = other.id ORDER BY 1 NULLS LAST';
    return (await query(related(one, other, on), all)).rows.flat();
  };
  expect(await regions(left, right)).toEqual(['North', 'South', 'West']);
  expect(await regions({ ...left, visibleFrom }, right)).toEqual(['South', 'West']);
  expect(await regions(left, { ...right, visibleFrom })).toEqual(['South', 'West', null]);
});

/** Four orders, of which one has no customer, and two customers. */
let orders: TableRef;
let customers: TableRef;
beforeAll(async () => {
  orders = await loaded(ORDERS, listed([1, 10.5], [1, 20.5], [2, 5], [9, 1]));
  customers = await loaded({ ...CUSTOMERS, country: 'text' }, listed([1, 'Hamburg', 'x'], [2, 'Munich', 'y']));
});

describe('a statement over several tables', () => {
  let table: TableRef;
  beforeAll(async () => {
    const countries = await loaded({ code: 'text', people: 'integer' }, listed(['x', 7], ['y', 9]));
    const lonely = await loaded({ id: 'integer', secret: 'text' }, [[1, 's']]);
    table = {
      ...orders,
      joinable: {
        tables: [
          { name: 'customers', table: customers },
          { name: 'countries', table: countries },
          { name: 'lonely', table: lonely },
        ],
        relations: [
          { id: 'r', left: 'data', right: 'customers', on: [['customer', 'id']] },
          { id: 's', left: 'customers', right: 'countries', on: [['country', 'code']] },
        ],
      },
    };
  });

  it.each([
    'SELECT sum(people) FROM data, customers c, countries AS k WHERE data.customer = c.id AND c.country = k.code',
    'SELECT sum(people) FROM data JOIN (SELECT id AS customer, country AS code FROM customers) USING (customer) JOIN countries USING (code)',
    'WITH k(a, b) AS (SELECT code, people FROM countries), c AS (SELECT * FROM customers JOIN k ON country = a) SELECT sum(b) FROM data d JOIN c ON c.id = d.customer',
    'SELECT sum(people) FROM data SEMI JOIN customers ON customer = id, customers JOIN countries ON lower(trim(country)) = CAST(code AS VARCHAR) WHERE data.customer = customers.id',
    'SELECT sum(p) FROM (SELECT (SELECT sum(people) FROM countries JOIN customers ON country = code WHERE id = customer) AS p FROM data)',
  ])('may join along relations: %s', async (statement) => {
    expect((await query(table, statement)).rows).toEqual([[23]]);
  });

  it.each([
    'SELECT * FROM data, customers',
    'SELECT * FROM data JOIN customers ON customer >= id',
    'SELECT * FROM data JOIN customers ON customer = id OR true',
    'SELECT * FROM data JOIN customers ON customer = id + 0',
    'SELECT * FROM data NATURAL JOIN customers',
    'SELECT * FROM data JOIN lonely ON customer = id',
    'SELECT * FROM data JOIN customers ON customer = id JOIN countries ON region = code',
    'SELECT * FROM data, (SELECT id + 0 AS id FROM customers) c WHERE customer = c.id',
    'WITH c AS (SELECT country AS id FROM customers) SELECT * FROM data JOIN c ON customer = id',
    'WITH c(country, region, id) AS (SELECT id, region, country FROM customers) SELECT * FROM data JOIN c ON customer = id',
    'SELECT * FROM data JOIN (SELECT id FROM customers UNION SELECT people FROM countries) c ON customer = c.id',
    'SELECT (SELECT count(*) FROM data, customers)',
    'SELECT * FROM (PIVOT (SELECT * FROM data, customers) ON region IN (1) USING sum(amount))',
    'FROM customers UNION ALL SELECT id, region, country, data.at, data.meta FROM customers, data',
    'SELECT * FROM data ASOF JOIN customers ON customer >= id',
    'WITH RECURSIVE r AS (SELECT id FROM customers UNION SELECT r.id FROM r, data) SELECT * FROM r',
  ])('is refused where it does not: %s', async (statement) => {
    await expect(query(table, statement)).rejects.toMatchObject({
      kind: 'invalid_input',
      message: expect.stringMatching(/confirmed relations alone|write the columns of the join/) as string,
    });
  });

  it('says how the tables can be joined, and which there are', async () => {
    await expect(query(table, 'SELECT * FROM data, customers')).rejects.toThrow('data."customer" = customers."id"');
    await expect(query(table, 'SELECT * FROM orders')).rejects.toThrow(
      'the tables are data, customers, countries, lonely',
    );
    await expect(query(table, 'WITH customers AS (FROM data) FROM customers')).rejects.toThrow(
      `can't be named "customers"`,
    );
  });

  it('counts each relation that it joins along', async () => {
    const statement = 'SELECT 1 FROM data JOIN customers ON customer = id JOIN countries ON country = code';
    expect((await query(table, statement)).joins).toEqual([
      { left: 'data', right: 'customers', of: 4, rows: 4, alone: 1 },
      { left: 'customers', right: 'countries', of: 2, rows: 2, alone: 0 },
    ]);
    expect((await query(table, 'SELECT 1 FROM data')).joins).toBeUndefined();
  });
});

describe('a model that is asked over two datasources', () => {
  const ON = [['customer', 'id']] as const;
  const BY_REGION = [
    ['Hamburg', 31],
    ['Munich', 5],
  ];
  const JOINED = { left: 'Orders', right: 'Customers', of: 4, rows: 4, alone: 1 };
  const SQL =
    'SELECT region, sum(amount) AS amount FROM data JOIN customers ON data.customer = customers.id GROUP BY region';
  let question: Question;

  beforeAll(async () => {
    const [left, right] = [await store.reader.profile(orders), await store.reader.profile(customers)];
    const named = { relation: 'r', table: 'customers', name: 'Customers', on: ON };
    const joined = { ...named, profile: right, semantics: null, isSingle: true };
    const asked = aQuestion(
      {
        question: 'amount by region',
        table: { name: 'Orders', context: '', profile: left, joined: [joined] },
        others: [{ name: 'Customers', context: '', profile: right }],
      },
      { queryTimeoutMs: 30_000 },
    );
    const relations = [{ id: 'r', left: 'data', right: 'customers', on: ON }];
    const joinable = { tables: [{ name: 'customers', table: customers }], relations };
    question = { ...asked, table: { ...orders, joinable }, others: [customers] };
  });

  const analyze = (fields: object): DoubleCall => ({
    name: 'analyze',
    arguments: JSON.stringify({
      ...{ datasource: 'Orders', purpose: 'amount by region' },
      ...{ measures: [{ aggregate: 'sum', column: 'amount', label: 'amount' }], group_by: [{ column: 'region' }] },
      ...fields,
    }),
  });
  const statement = (sql: string): DoubleCall => ({
    name: 'run_query',
    arguments: JSON.stringify({ datasource: 'Orders', sql, purpose: 'amount by region' }),
  });

  /** The answer of a model that does what the script says, what it was told of its calls, and what it was sent first. */
  async function answered(...script: readonly DoubleStep[]) {
    await using double = await OpenAiDouble.start(...script);
    const config = { apiKey: 'sk', baseUrl: double.baseUrl, model: 'double', temperature: 0, timeoutMs: 30_000 };
    const answering = answeringWith(new OpenAiChatModel(config, 5), store.reader);
    const { answer, plan } = await foldAnswer(answering.answer(question, new AbortController().signal));
    const messages = double.requests.at(-1)?.body.messages ?? [];
    const outcomes = messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');
    return { answer, plan, outcomes, first: JSON.stringify(double.requests[0]?.body) };
  }

  it('is told what may be joined and how, and joins in a plan, by the name of the table', async () => {
    const filters = [{ column: 'region', operator: 'in', values: ['Hamburg', 'Munich'] }];
    const joining = analyze({ join: 'customers', filters });
    const { answer, plan, outcomes, first } = await answered({ calls: [joining] }, { content: '**31**.' });
    expect(first).toContain('may join customers (datasource');
    expect(first).toMatch(/ON data\.\W+customer\W+ = customers\.\W+id/);
    expect(first).toContain('"enum":["customers"]');
    expect(answer.data?.rows).toEqual(expect.arrayContaining(BY_REGION));
    expect(answer).toMatchObject({ response: '**31**.', evidence: { joins: [JOINED] } });
    expect(plan).toMatchObject({ join: { relation: 'r', table: 'customers' } });
    expect(outcomes[0]).toContain('1 of 4 rows of Orders have no row in Customers');
  });

  it.each<[string, DoubleCall, RegExp]>([
    ['a table that is not related', analyze({ join: 'secrets' }), /join: must be one of customers/],
    [
      'other columns',
      statement(SQL.replace('customers.id', 'length(region)')),
      /confirmed relations alone: data\.\W+customer\W+ = customers\.\W+id/,
    ],
    ['an unknown table', statement('SELECT count(*) FROM secrets'), /secrets/],
  ])('is refused %s with a sentence, and joins in SQL then', async (_what, call, sentence) => {
    const { answer, outcomes } = await answered({ calls: [call] }, { calls: [statement(SQL)] }, { content: '**31**.' });
    expect(outcomes[0]).toMatch(sentence);
    expect(outcomes[0]).toContain('"error"');
    expect(answer.data?.rows).toEqual(expect.arrayContaining(BY_REGION));
    expect(answer).toMatchObject({ evidence: { joins: [JOINED] } });
  });
});
