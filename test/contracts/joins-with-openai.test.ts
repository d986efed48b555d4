import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenAiChatModel } from '../../src/adapters/openai/openai-chat-model.js';
import { answeringWith, aQuestion, foldAnswer } from '../../src/answering/answering.fixture.js';
import type { Question } from '../../src/answering/question.js';
import type { TableBriefing } from '../../src/ports/chat-model.js';
import type { ColumnType, TableProfile, TableRef } from '../../src/ports/table.js';
import { type DoubleCall, OpenAiDouble, type DoubleStep } from '../support/openai-double.js';
import { type DuckDbStore, openDuckDb } from './duckdb-store.fixture.js';
import { aFolder, aSource, aTable, QUIET } from './row-engine.fixture.js';

const ORDERS = { customer_id: 'integer', channel: 'text', revenue: 'number', day: 'time' } as const;
const CUSTOMERS = { id: 'integer', city: 'text', since: 'time' } as const;
const ORDER_ROWS = [
  '1,online,10.5,2024-01-01 00:00:00',
  '1,shop,20.5,2024-01-02 00:00:00',
  '2,online,5,2024-01-03 00:00:00',
  '9,shop,1,2024-01-05 00:00:00',
];
const CUSTOMER_ROWS = ['1,Hamburg,2020-01-01 00:00:00', '2,Munich,2020-01-02 00:00:00'];
const ON = [['customer_id', 'id']] as const;
const BY_CITY = [
  ['Hamburg', 31],
  ['Munich', 5],
];

let store: DuckDbStore;
let folder: Awaited<ReturnType<typeof aFolder>>;
let question: Question;
beforeAll(async () => {
  [store, folder] = [await openDuckDb(), await aFolder()];
  const orders = await loaded(ORDERS, ORDER_ROWS, { timeField: 'day', metaField: 'channel', values: ['revenue'] });
  const customers = await loaded(CUSTOMERS, CUSTOMER_ROWS, { timeField: 'since', metaField: 'city', values: [] });
  question = aQuestion({
    question: 'revenue by city',
    table: await briefingOf('Orders', orders, { joined: [await joinedWith(customers)] }),
    others: [await briefingOf('Customers', customers)],
  });
  const relations = [{ id: 'r', left: 'data', right: 'customers', on: ON }];
  const joinable = { tables: [{ name: 'customers', table: customers }], relations };
  question = { ...question, table: { ...orders, joinable }, others: [customers] };
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

type Columns = Readonly<Record<string, ColumnType>>;

async function loaded(
  columns: Columns,
  rows: readonly string[],
  roles: Pick<TableProfile, 'timeField' | 'metaField' | 'values'>,
): Promise<TableRef> {
  const table = aTable();
  const known = Object.entries(columns).map(([name, type]) => ({ name, type }));
  const text = [Object.keys(columns).join(','), ...rows, ''].join('\n');
  await store.engine.load(table, await aSource(folder.path, [{ text }], { columns: known, ...roles }), QUIET);
  return table;
}

async function briefingOf(name: string, table: TableRef, more: Partial<TableBriefing> = {}): Promise<TableBriefing> {
  return { name, context: '', profile: await store.reader.profile(table), ...more };
}

async function joinedWith(table: TableRef): Promise<NonNullable<TableBriefing['joined']>[number]> {
  const { profile } = await briefingOf('Customers', table);
  const named = { relation: 'r', table: 'customers', name: 'Customers', on: ON };
  return { ...named, profile, semantics: null, isSingle: true };
}

const analyze = (fields: object): DoubleCall => ({
  name: 'analyze',
  arguments: JSON.stringify({
    ...{ datasource: 'Orders', purpose: 'revenue by city' },
    ...{ measures: [{ aggregate: 'sum', column: 'revenue', label: 'revenue' }], group_by: [{ column: 'city' }] },
    ...fields,
  }),
});
const statement = (sql: string): DoubleCall => ({
  name: 'run_query',
  arguments: JSON.stringify({ datasource: 'Orders', sql, purpose: 'revenue by city' }),
});

/** The answer of a model that does what the script says, what it was told of its calls, and what it was sent first. */
async function asked(...script: readonly DoubleStep[]) {
  await using double = await OpenAiDouble.start(...script);
  const config = { apiKey: 'sk', baseUrl: double.baseUrl, model: 'double', temperature: 0, timeoutMs: 30_000 };
  const answering = answeringWith(new OpenAiChatModel(config, 5), store.reader);
  const patient = { ...question, limits: { ...question.limits, queryTimeoutMs: 30_000 } };
  const { answer, plan } = await foldAnswer(answering.answer(patient, new AbortController().signal));
  const messages = double.requests.at(-1)?.body.messages ?? [];
  const outcomes = messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');
  return { answer, plan, outcomes, first: JSON.stringify(double.requests[0]?.body) };
}

const JOINED = { left: 'Orders', right: 'Customers', of: 4, rows: 4, alone: 1 };
const SQL =
  'SELECT city, sum(revenue) AS revenue FROM data JOIN customers ON data.customer_id = customers.id GROUP BY city';

describe('a model that is asked over two datasources', () => {
  it('is told what may be joined and how, and joins in a plan, by the name of the table', async () => {
    const { answer, plan, outcomes, first } = await asked(
      {
        calls: [
          analyze({ join: 'customers', filters: [{ column: 'city', operator: 'in', values: ['Hamburg', 'Munich'] }] }),
        ],
      },
      { content: 'Hamburg leads with **31**.' },
    );
    expect(first).toContain('may join customers (datasource');
    expect(first).toMatch(/ON data\.\W+customer_id\W+ = customers\.\W+id/);
    expect(first).toContain('"enum":["customers"]');
    expect(answer.data?.rows).toEqual(expect.arrayContaining(BY_CITY));
    expect(answer).toMatchObject({ response: 'Hamburg leads with **31**.', evidence: { joins: [JOINED] } });
    expect(plan).toMatchObject({ join: { relation: 'r', table: 'customers' } });
    expect(outcomes[0]).toContain('1 of 4 rows of Orders have no row in Customers');
  });

  it.each<[string, DoubleCall, RegExp]>([
    ['a table that is not related', analyze({ join: 'secrets' }), /join: must be one of customers/],
    [
      'other columns',
      statement(SQL.replace('customers.id', 'length(city)')),
      /confirmed relations alone: data\.\W+customer_id\W+ = customers\.\W+id/,
    ],
    ['an unknown table', statement('SELECT count(*) FROM secrets'), /secrets/],
  ])('is refused %s with a sentence, and joins in SQL then', async (_what, call, sentence) => {
    const { answer, outcomes } = await asked({ calls: [call] }, { calls: [statement(SQL)] }, { content: '**31**.' });
    expect(outcomes[0]).toMatch(sentence);
    expect(outcomes[0]).toContain('"error"');
    expect(answer.data?.rows).toEqual(expect.arrayContaining(BY_CITY));
    expect(answer).toMatchObject({ error: null, evidence: { joins: [JOINED] } });
  });
});
