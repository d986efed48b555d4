import { beforeAll, describe, expect, it } from 'vitest';
import type { TestResponse } from '../support/test-client.js';
import { theService } from './a-service.js';
import { BY_CITY, CITIES, madeCustomers, madeOrders } from './relations.builder.js';
import { answerTo } from './world.builder.js';

const api = await theService();
const [ada, eve] = [await api.signIn('acme'), await api.signIn('globex')];
const [orders, customers] = [await madeOrders(api, ada), await madeCustomers(api, ada)];
const both = [orders, customers];

type Relation = Readonly<Record<'id' | 'state', string>>;

const propose = (ids: readonly string[], columns?: readonly object[], by = ada): Promise<TestResponse> =>
  by.post('/secure/relations/propose', { datasource_ids: ids, ...(columns === undefined ? {} : { columns }) });
const decide = (what: 'confirm' | 'dismiss', id: string): Promise<TestResponse> =>
  ada.post(`/secure/relations/${what}`, { id });
const relationsOf = async (id: string): Promise<readonly string[]> => {
  const { body } = await ada.get(`/secure/relations?datasource_id=${id}`);
  return (body['relations'] as readonly Relation[]).map((relation) => relation.id);
};
const sql = (query: string, [id, ...others]: readonly string[], by = ada): Promise<TestResponse> =>
  by.post('/secure/data/query', { datasource_id: id, datasource_ids: others, query });

async function proposed(first: string, second: string): Promise<Relation> {
  const { body } = await propose([first, second]);
  const [relation] = body['relations'] as readonly Relation[];
  if (relation === undefined) throw new Error(`nothing was proposed: ${JSON.stringify(body)}`);
  return relation;
}

async function open(ids: readonly string[]): Promise<string> {
  const { status, body } = await ada.post('/secure/assistant/conversation', { title: 'Both', datasource_ids: ids });
  expect(status, JSON.stringify(body)).toBe(200);
  return String(body['id']);
}

describe('relations between datasources', () => {
  it('are measured on the rows and proposed, once, however often and in whatever order', async () => {
    const { body } = await propose([customers, orders]);
    const [relation] = body['relations'] as readonly Readonly<Record<string, unknown>>[];
    const left = { datasource_name: 'Orders', columns: ['customer_id'], rows: 5, distinct: 4, most: 2, paired: 4 };
    const right = { datasource_name: 'Customers', columns: ['id'], rows: 4, distinct: 4, most: 1, paired: 3 };
    const same = { overlap: 75, state: 'proposed', decided_by: null, decidable: true };
    expect(relation).toMatchObject(
      orders > customers
        ? { ...same, left: right, right: left, cardinality: 'one-many', missing: ['4'] }
        : { ...same, left, right, cardinality: 'many-one', missing: ['9'] },
    );
    expect(relation?.['examples']).toEqual(expect.arrayContaining(['1', '2', '3']));
    const { id } = await proposed(orders, customers);
    expect(id).toBe(relation?.['id']);
    for (const one of both) expect(await relationsOf(one)).toEqual([id]);
  });

  it('are measured for columns that a person names, and refused for others', async () => {
    const { body } = await propose(both, [{ first: 'channel', second: 'segment' }]);
    expect(body['relations']).toMatchObject([{ cardinality: 'many-many', overlap: 0 }]);
    const unknown = await propose(both, [{ first: 'colour', second: 'id' }]);
    expect(unknown).toMatchObject({ status: 400, body: { message: 'columns: "Orders" has no column "colour"' } });
    const apart = await propose(both, [{ first: 'revenue', second: 'since' }]);
    for (const refused of [apart, await propose([orders, orders]), await propose([orders])])
      expect(refused).toMatchObject({ status: 400 });
  });

  it('are joined along only while they are confirmed', async () => {
    const { id } = await proposed(orders, customers);
    expect(await sql(BY_CITY, both)).toMatchObject({ status: 400 });
    expect(await decide('confirm', id)).toMatchObject({ status: 200, body: { relation: { state: 'confirmed' } } });
    const joins = [{ left: 'data', right: 'customers', of: 5, rows: 5, alone: 1 }];
    expect(await sql(BY_CITY, both)).toMatchObject({ status: 200, body: { rows: CITIES, joins } });
    expect(await sql(BY_CITY, [orders])).toMatchObject({ status: 400 });
    // From the other side, which multiplies rows.
    const turned = await sql('SELECT count(*) FROM data LEFT JOIN orders ON customer_id = id', [customers, orders]);
    expect(turned).toMatchObject({
      body: { rows: [[5]], joins: [{ left: 'data', right: 'orders', of: 4, rows: 5, alone: 1 }] },
    });
    expect(await decide('dismiss', id)).toMatchObject({ body: { relation: { state: 'dismissed' } } });
    expect(await sql(BY_CITY, both)).toMatchObject({ status: 400 });
    expect(await proposed(orders, customers)).toMatchObject({ state: 'dismissed' });
  });

  it('are another company’s as little as unknown ones', async () => {
    const ids = [await madeCustomers(api, eve), orders];
    const opened = await eve.post('/secure/assistant/conversation', { title: 'x', datasource_ids: ids });
    for (const answered of [opened, await propose(ids, undefined, eve), await sql('SELECT 1 FROM data', ids, eve)])
      expect(answered).toMatchObject({ status: 404 });
    expect((await eve.get('/secure/relations')).body).toMatchObject({ relations: [], total: 0 });
  });

  it('go when they are deleted, or one of their datasources is', async () => {
    const other = await madeCustomers(api, ada);
    const { id } = await proposed(orders, other);
    expect(await ada.delete('/secure/relations', { id })).toMatchObject({ status: 200 });
    expect(await ada.delete('/secure/relations', { id })).toMatchObject({ status: 404 });
    expect(await proposed(orders, other)).toMatchObject({ id });
    await decide('confirm', id);
    const conversation = await open([orders, other]);
    await ada.delete('/secure/datasource', { id: other });
    await api.drain();
    expect(await relationsOf(orders)).not.toContain(id);
    const { body } = await ada.get(`/secure/assistant/conversation/${conversation}`);
    expect(body['conversation']).toMatchObject({ datasources: [{ id: orders, name: 'Orders' }] });
    expect(await answerTo(ada, conversation, 'total revenue by channel')).toMatchObject({ kind: 'answer' });
  });
});

describe('a conversation over several datasources', () => {
  let conversation: string;
  beforeAll(async () => {
    await decide('confirm', (await proposed(orders, customers)).id);
    conversation = await open(both);
  });

  it('tells which it asks, and can be given others', async () => {
    const told = async (edit: object): Promise<unknown> => {
      await ada.put('/secure/assistant/conversation', { id: conversation, ...edit });
      return (await ada.get(`/secure/assistant/conversation/${conversation}`)).body['conversation'];
    };
    const first = { id: orders, name: 'Orders' };
    const second = { id: customers, name: 'Customers' };
    const whole = { datasource_id: orders, datasource_name: 'Orders', datasources: [first, second] };
    expect(await told({ title: 'Two', datasource_id: orders })).toMatchObject({ title: 'Two', ...whole });
    expect(await told({ datasource_id: customers })).toMatchObject({ datasource_id: customers, datasources: [second] });
    expect(await told({ datasource_ids: both })).toMatchObject(whole);
  });

  it.each([
    [{ datasource_ids: Array.from({ length: 6 }, () => 'a'.repeat(24)) }],
    [{}],
    [{ datasource_id: 'b'.repeat(24), datasource_ids: ['a'.repeat(24)] }],
  ])('is refused with %j', async (body) => {
    expect(await ada.post('/secure/assistant/conversation', { title: 'x', ...body })).toMatchObject({ status: 400 });
  });

  it('joins where the words name columns of both, and says so', async () => {
    const answer = await answerTo(ada, conversation, 'total revenue by city');
    expect(answer).toMatchObject({
      ...{ kind: 'answer', datasource_id: orders },
      evidence: { joins: [{ left: 'Orders', right: 'Customers', of: 5, rows: 5, alone: 1 }] },
      understood: { plan: { join: { table: 'customers' } } },
    });
    expect((answer['data'] as { rows: unknown[] }).rows).toEqual(expect.arrayContaining(CITIES));
    expect(answer['response']).toContain('Orders, joined with Customers');
    expect(answer['response']).toContain('1 of 5 rows of Orders have no row in Customers');
    // What is shown runs as it is.
    expect(await sql(String(answer['dbquery']), both)).toMatchObject({ status: 200 });
    const { plan } = answer['understood'] as { plan: object };
    const again = await answerTo(ada, conversation, { plan, datasource_id: orders });
    expect(again['data']).toEqual(answer['data']);
  });

  it('asks the one that explains all the words', async () => {
    const one = { datasource_id: orders, evidence: { joins: [] } };
    expect(await answerTo(ada, conversation, 'total revenue by channel')).toMatchObject(one);
    const other = await answerTo(ada, conversation, 'how many rows by segment');
    expect(other).toMatchObject({ datasource_id: customers, evidence: { joins: [], rows_scanned: 4 } });
    const { plan } = other['understood'] as { plan: object };
    const again = await answerTo(ada, conversation, { plan, datasource_id: customers });
    expect(again['data']).toEqual(other['data']);
    const asked = { conversation_id: conversation, plan };
    expect(await ada.post('/secure/assistant/chat', asked)).toMatchObject({ status: 400 });
    const strange = { ...asked, datasource_id: 'a'.repeat(24) };
    expect(await ada.post('/secure/assistant/chat', strange)).toMatchObject({ status: 404 });
  });
});
