import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../support/test-api.js';
import type { TestResponse } from '../support/test-client.js';
import { BY_CITY, CITIES, madeCustomers, madeOrders } from './relations.builder.js';

const api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
const [ada, eve] = [await api.signIn('acme'), await api.signIn('globex')];
const [orders, customers] = [await madeOrders(api, ada), await madeCustomers(api, ada)];
afterAll(() => api[Symbol.asyncDispose]());

interface Relation {
  readonly id: string;
  readonly state: string;
  readonly cardinality: string;
  readonly left: { readonly datasource_id: string; readonly columns: readonly string[] };
}

const propose = (ids: readonly string[], by = ada, columns?: readonly object[]): Promise<TestResponse> =>
  by.post('/secure/relations/propose', { datasource_ids: ids, ...(columns === undefined ? {} : { columns }) });
const decide = (what: 'confirm' | 'dismiss', id: string, by = ada): Promise<TestResponse> =>
  by.post(`/secure/relations/${what}`, { id });
const relationsOf = async (id: string, by = ada): Promise<readonly Relation[]> =>
  (await by.get(`/secure/relations?datasource_id=${id}`)).body['relations'] as readonly Relation[];
const sql = (query: string, ids: readonly string[], by = ada): Promise<TestResponse> => {
  const [id, ...others] = ids;
  return by.post('/secure/data/query', { datasource_id: id, datasource_ids: others, query });
};

async function proposed(first: string, second: string): Promise<Relation> {
  const { status, body } = await propose([first, second]);
  expect(status, JSON.stringify(body)).toBe(200);
  const [relation] = body['relations'] as readonly Relation[];
  if (relation === undefined) throw new Error('nothing was proposed');
  return relation;
}

async function open(ids: readonly string[], by = ada): Promise<string> {
  const { status, body } = await by.post('/secure/assistant/conversation', { title: 'Both', datasource_ids: ids });
  expect(status, JSON.stringify(body)).toBe(200);
  return String(body['id']);
}

const ask = async (id: string, body: object): Promise<Record<string, unknown>> => {
  const answered = await ada.post('/secure/assistant/chat', { conversation_id: id, ...body });
  expect(answered.status, JSON.stringify(answered.body)).toBe(200);
  return answered.body['response'] as Record<string, unknown>;
};

describe('relations between datasources', () => {
  it('are measured on the rows and proposed, once, however often and in whatever order', async () => {
    const { body } = await propose([customers, orders]);
    const [relation] = body['relations'] as readonly Record<string, Record<string, unknown>>[];
    const isTurned = orders > customers;
    const sides = {
      orders: { datasource_name: 'Orders', columns: ['customer_id'], rows: 5, distinct: 4, most: 2, paired: 4 },
      customers: { datasource_name: 'Customers', columns: ['id'], rows: 4, distinct: 4, most: 1, paired: 3 },
    };
    expect(relation).toMatchObject({
      left: isTurned ? sides.customers : sides.orders,
      right: isTurned ? sides.orders : sides.customers,
      cardinality: isTurned ? 'one-many' : 'many-one',
      ...{ overlap: 75, state: 'proposed', decided_by: null, decidable: true },
      missing: [isTurned ? '4' : '9'],
    });
    expect(relation?.['examples']).toEqual(expect.arrayContaining(['1', '2', '3']));
    const again = await proposed(orders, customers);
    expect(again.id).toBe(relation?.['id']);
    for (const id of [orders, customers])
      expect((await relationsOf(id)).filter((one) => one.id === again.id)).toHaveLength(1);
  });

  it('are measured for columns that a person names, and refused for others', async () => {
    const { body } = await propose([orders, customers], ada, [{ first: 'channel', second: 'segment' }]);
    expect(body['relations']).toMatchObject([{ cardinality: 'many-many', overlap: 0 }]);
    const unknown = await propose([orders, customers], ada, [{ first: 'colour', second: 'id' }]);
    expect(unknown).toMatchObject({ status: 400, body: { message: 'columns: "Orders" has no column "colour"' } });
    const apart = await propose([orders, customers], ada, [{ first: 'revenue', second: 'since' }]);
    expect(apart).toMatchObject({ status: 400 });
    expect(await propose([orders, orders])).toMatchObject({ status: 400 });
    expect(await propose([orders])).toMatchObject({ status: 400 });
  });

  it('are joined along only while they are confirmed', async () => {
    const { id } = await proposed(orders, customers);
    expect(await sql(BY_CITY, [orders, customers])).toMatchObject({ status: 400 });
    expect(await decide('confirm', id)).toMatchObject({ status: 200, body: { relation: { state: 'confirmed' } } });
    expect(await sql(BY_CITY, [orders, customers])).toMatchObject({
      status: 200,
      body: {
        rows: CITIES,
        joins: [{ left: 'data', right: 'customers', of: 5, rows: 5, alone: 1 }],
      },
    });
    expect(await sql(BY_CITY, [orders])).toMatchObject({ status: 400 });
    // From the other side, which multiplies rows.
    const turned = await sql('SELECT count(*) FROM data LEFT JOIN orders ON customer_id = id', [customers, orders]);
    expect(turned).toMatchObject({
      body: { rows: [[5]], joins: [{ left: 'data', right: 'orders', of: 4, rows: 5, alone: 1 }] },
    });
    expect(await decide('dismiss', id)).toMatchObject({ body: { relation: { state: 'dismissed' } } });
    expect(await sql(BY_CITY, [orders, customers])).toMatchObject({ status: 400 });
    expect((await proposed(orders, customers)).state).toBe('dismissed');
  });

  it('are another company’s as little as unknown ones', async () => {
    const own = await madeCustomers(api, eve);
    for (const answered of [
      await propose([own, orders], eve),
      await sql('SELECT 1 FROM data', [own, orders], eve),
      await eve.post('/secure/assistant/conversation', { title: 'x', datasource_ids: [own, orders] }),
    ])
      expect(answered).toMatchObject({ status: 404 });
    expect((await eve.get('/secure/relations')).body).toMatchObject({ relations: [], total: 0 });
  });

  it('go when they are deleted, or one of their datasources is', async () => {
    const other = await madeCustomers(api, ada);
    const { id } = await proposed(orders, other);
    expect(await ada.delete('/secure/relations', { id })).toMatchObject({ status: 200 });
    expect(await ada.delete('/secure/relations', { id })).toMatchObject({ status: 404 });
    const again = await proposed(orders, other);
    expect(again.id).toBe(id);
    await decide('confirm', id);
    const conversation = await open([orders, other]);
    await ada.delete('/secure/datasource', { id: other });
    await api.drain();
    expect((await relationsOf(orders)).map((one) => one.id)).not.toContain(id);
    const { body } = await ada.get(`/secure/assistant/conversation/${conversation}`);
    expect(body['conversation']).toMatchObject({ datasources: [{ id: orders, name: 'Orders' }] });
    expect(await ask(conversation, { message: 'total revenue by channel' })).toMatchObject({ kind: 'answer' });
  });
});

describe('a conversation over several datasources', () => {
  let conversation: string;
  beforeAll(async () => {
    const { id } = await proposed(orders, customers);
    await decide('confirm', id);
    conversation = await open([orders, customers]);
  });

  it('tells which it asks, and can be given others', async () => {
    const told = async (): Promise<unknown> =>
      (await ada.get(`/secure/assistant/conversation/${conversation}`)).body['conversation'];
    const both = [
      { id: orders, name: 'Orders' },
      { id: customers, name: 'Customers' },
    ];
    expect(await told()).toMatchObject({ datasource_id: orders, datasource_name: 'Orders', datasources: both });
    await ada.put('/secure/assistant/conversation', { id: conversation, title: 'Two', datasource_id: orders });
    expect(await told()).toMatchObject({ title: 'Two', datasources: both });
    await ada.put('/secure/assistant/conversation', { id: conversation, datasource_id: customers });
    expect(await told()).toMatchObject({ datasource_id: customers, datasources: [both[1]] });
    await ada.put('/secure/assistant/conversation', { id: conversation, datasource_ids: [orders, customers] });
    expect(await told()).toMatchObject({ datasource_id: orders, datasources: both });
  });

  it.each([
    [{ datasource_ids: Array.from({ length: 6 }, () => 'a'.repeat(24)) }],
    [{}],
    [{ datasource_id: 'b'.repeat(24), datasource_ids: ['a'.repeat(24)] }],
  ])('is refused with %j', async (body) => {
    expect(await ada.post('/secure/assistant/conversation', { title: 'x', ...body })).toMatchObject({ status: 400 });
  });

  it('joins where the words name columns of both, and says so', async () => {
    const answer = await ask(conversation, { message: 'total revenue by city' });
    expect(answer).toMatchObject({
      kind: 'answer',
      datasource_id: orders,
      evidence: { joins: [{ left: 'Orders', right: 'Customers', of: 5, rows: 5, alone: 1 }] },
      understood: { plan: { join: { table: 'customers' } } },
    });
    expect((answer['data'] as { rows: unknown[] }).rows).toEqual(expect.arrayContaining(CITIES));
    expect(answer['response']).toContain('Orders, joined with Customers');
    expect(answer['response']).toContain('1 of 5 rows of Orders have no row in Customers');
    // What is shown runs as it is.
    expect(await sql(String(answer['dbquery']), [orders, customers])).toMatchObject({ status: 200 });
    const { plan } = answer['understood'] as { plan: object };
    const again = await ask(conversation, { plan, datasource_id: orders });
    expect(again['data']).toEqual(answer['data']);
  });

  it('asks the one that explains all the words', async () => {
    expect(await ask(conversation, { message: 'total revenue by channel' })).toMatchObject({
      datasource_id: orders,
      evidence: { joins: [] },
    });
    const other = await ask(conversation, { message: 'how many rows by segment' });
    expect(other).toMatchObject({ datasource_id: customers, evidence: { joins: [], rows_scanned: 4 } });
    const { plan } = other['understood'] as { plan: object };
    expect(await ask(conversation, { plan, datasource_id: customers })).toMatchObject({
      data: other['data'] as object,
    });
    const wrong = await ada.post('/secure/assistant/chat', { conversation_id: conversation, plan });
    expect(wrong).toMatchObject({ status: 400 });
    const strange = { conversation_id: conversation, plan, datasource_id: 'a'.repeat(24) };
    expect(await ada.post('/secure/assistant/chat', strange)).toMatchObject({ status: 404 });
  });
});
