import { expect, it } from 'vitest';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { HistoryTurn, TableBriefing } from '../ports/chat-model.js';
import { type AskedMessage, readMessage } from './asked-table.js';
import { readHere } from './reading-process.js';
import { aScene, numberColumn, textColumn, timeColumn } from './profiles.fixture.js';

const NOW = '2024-06-01T12:00:00.000Z';
const CUSTOMERS = aScene({
  ...{ name: 'Customers', rowCount: 200, timeField: 'since', metaField: 'city', now: NOW },
  columns: [
    numberColumn('id', { min: 1, max: 200, distinct: 200 }),
    textColumn('city', ['Hamburg', 'Munich', 'Berlin']),
    textColumn('segment', ['retail', 'wholesale']),
    numberColumn('credit limit', { min: 100, max: 9000 }),
    timeColumn('since', '2010-01-01T00:00:00.000Z', '2023-12-31T00:00:00.000Z', 190),
  ],
});
const ORDERS = aScene({
  ...{ name: 'Orders', rowCount: 5000, timeField: 'day', metaField: 'channel', now: NOW },
  columns: [
    numberColumn('customer_id', { min: 1, max: 200, distinct: 200 }),
    textColumn('channel', ['online', 'shop']),
    numberColumn('revenue', { min: 1, max: 900.5, mean: 80.2 }),
    timeColumn('day', '2024-01-01T00:00:00.000Z', '2024-05-31T00:00:00.000Z', 150),
  ],
});

/** What is read of a question about orders, whose customers can be joined. */
function read(
  question: string,
  isSingle = true,
  history: readonly HistoryTurn[] = [],
  orders = ORDERS.table,
): Promise<AskedMessage> {
  const { profile } = CUSTOMERS.table;
  const relation = { relation: 'r', table: 'customers', name: 'Customers', on: [['customer_id', 'id']] as const };
  const table: TableBriefing = { ...orders, joined: [{ ...relation, isSingle, profile, semantics: null }] };
  const briefing = { question, history, table, others: [CUSTOMERS.table], passages: [], now: ORDERS.now };
  return readMessage(briefing, table, (message) => readHere(message, new AbortController().signal));
}

function planOf({ parts: [part] }: AskedMessage): AnalysisPlan | null {
  return part?.understanding.kind === 'plan' ? part.understanding.plan : null;
}

it('a question is asked of both, joined, when its words name columns of both, and goes on with that', async () => {
  const message = await read('total revenue by city');
  expect(message.asked).toMatchObject({ datasource: 'Orders', told: 'Orders, joined with Customers' });
  const plan = planOf(message);
  expect(plan).toMatchObject({
    join: { relation: 'r', table: 'customers' },
    measures: [{ aggregate: 'sum', column: 'revenue' }],
    dimensions: [{ column: 'city' }],
  });
  expect(planOf(await read('total revenue in Hamburg'))).toMatchObject({ join: { relation: 'r' } });
  const before = { question: 'total revenue by city', answer: '…', dbquery: '', plan };
  expect(planOf(await read('only for online', true, [before]))).toMatchObject({
    join: { relation: 'r' },
    dimensions: [{ column: 'city' }],
    filters: [{ column: 'channel', values: ['online'] }],
  });
});

it('a question is asked of both where that is much surer than what one could be asked with all its words', async () => {
  const { table } = ORDERS;
  const columns = table.profile.columns.map((one) => (one.name === 'revenue' ? { ...one, name: 'total' } : one));
  const withTotal = { ...table, profile: { ...table.profile, columns } };
  const planFor = async (question: string) => planOf(await read(question, true, [], withTotal));
  expect(await planFor('total by segment')).toMatchObject({ measures: [{ aggregate: 'sum', column: 'total' }] });
  expect(await planFor('number of customers by city')).not.toHaveProperty('join');
});

it('a question is not joined where that would multiply rows', async () => {
  const message = await read('total revenue by city', false);
  expect(message.asked.join).toBeNull();
  expect(planOf(message)?.join).toBeUndefined();
});
