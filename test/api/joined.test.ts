import { beforeEach, describe, expect, it } from 'vitest';
import type { TestResponse } from '../support/test-client.js';
import { aService } from './a-service.js';
import { BY_CITY, CITIES, madeCustomers, madeOrders } from './relations.builder.js';
import { type Answer, answerTo, idOf, insert } from './world.builder.js';

const ONE = "SELECT sum(revenue) AS total FROM data JOIN customers ON customer_id = id WHERE city = 'Hamburg'";
const NOT_JOINED = '"Orders" can\'t be joined with "Customers": there is no confirmed relation between them any more';

const api = await aService();
const ada = await api.signIn('acme');
const manager = await api.signIn('acme', { role: 'manager' });
const eve = await api.signIn('globex', { role: 'manager' });
/** Of another company. */
const own = await madeCustomers(api, eve, 'Own');

const [orders, customers] = [await madeOrders(api, ada), await madeCustomers(api, ada)];
const { body: proposed } = await ada.post('/secure/relations/propose', { datasource_ids: [orders, customers] });
const relation = (proposed['relations'] as { id: string }[])[0]!.id;
beforeEach(async () => {
  await decide('confirm');
  await rename('Customers');
  const { body } = await manager.get(`/secure/verified?id=${orders}`);
  for (const { id } of body['questions'] as { id: string }[]) await manager.delete(`/secure/verified/${id}`);
});

const rename = (name: string): Promise<TestResponse> => ada.patch('/secure/datasource', { id: customers, name });

const decide = (what: 'confirm' | 'dismiss'): Promise<TestResponse> =>
  ada.post(`/secure/relations/${what}`, { id: relation });

const JOINED = {
  ...{ kind: 'aggregate', measures: [{ aggregate: 'sum', column: 'revenue', label: 'revenue' }] },
  ...{ join: { relation, table: 'customers' }, having: [], limit: null },
};
const PLAN = {
  ...JOINED,
  ...{ dimensions: [{ kind: 'column', column: 'city', label: 'city' }], filters: [] },
  order: [{ by: 'city', direction: 'asc' }],
};
const HAMBURG = { kind: 'in', column: 'city', values: ['Hamburg'], negated: false };
const ONE_FIGURE = { ...JOINED, dimensions: [], order: [], filters: [HAMBURG] };

async function open(ids: readonly string[]): Promise<string> {
  const { body } = await ada.post('/secure/assistant/conversation', { title: 'Both', datasource_ids: ids });
  return String(body['id']);
}

/** An answer of a conversation about both, and where it stands. */
async function answered(message: string): Promise<{ conversation_id: string; message_id: string; response: Answer }> {
  const conversation_id = await open([orders, customers]);
  const response = await answerTo(ada, conversation_id, message);
  const { body: told } = await ada.get(`/secure/assistant/history?conversation_id=${conversation_id}`);
  return { conversation_id, message_id: (told['history'] as { _id: string }[]).at(-1)!._id, response };
}

const BOTH = { datasource_id: orders, datasource_ids: [customers] };
const ASKED = 'What is the total revenue by city?';
const board = idOf(await ada.post('/secure/board', { title: 'Sales' }), 'board');

const pin = (fields: object, by = ada): Promise<TestResponse> =>
  by.post(`/secure/board/${board}/tile`, { ...BOTH, plan: PLAN, ...fields });
const watch = (fields: object, by = ada): Promise<TestResponse> =>
  by.post('/secure/alerts', { ...BOTH, name: 'Hamburg', condition: { type: 'above', value: 30 }, ...fields });
const verify = (fields: object = {}, by = manager): Promise<TestResponse> =>
  by.post('/secure/verified', { ...BOTH, question: ASKED, wording: 'By city.', sql: BY_CITY, ...fields });

it.each<[string, (fields: object, by?: typeof ada) => Promise<TestResponse>]>([
  ['a tile of a board', pin],
  ['an alert on a plan', (fields, by) => watch({ plan: ONE_FIGURE, ...fields }, by)],
  ['an alert on a query', (fields, by) => watch({ dbquery: ONE, ...fields }, by)],
  ['a verified answer', verify],
])('%s joins nothing without a relation, and nothing of another company', async (_, create) => {
  for (const [datasource_ids, status] of [
    [[own], 404],
    [['a'.repeat(24)], 404],
    [['x'], 400],
    [[], 400],
  ])
    expect(await create({ datasource_ids }), JSON.stringify(datasource_ids)).toMatchObject({ status });
  expect(await create({ datasource_id: own }, eve)).toMatchObject({ status: 404 });
  await decide('dismiss');
  expect(await create({})).toMatchObject({ status: 400, body: { error: true } });
});

describe('a tile of a board', () => {
  async function figure(tile: string, view: object = {}): Promise<Answer> {
    const { status, body } = await ada.post(`/secure/board/${board}/tile/${tile}/figure`, view);
    expect(status, JSON.stringify(body)).toBe(200);
    return body['figure'] as Answer;
  }
  /** As the board has it. */
  async function shown(tile: string): Promise<unknown> {
    const { tiles } = (await ada.get(`/secure/board/${board}`)).body['board'] as { tiles: Answer[] };
    return tiles.find(({ id }) => id === tile)?.['figure'];
  }
  const data = { rows: expect.arrayContaining(CITIES) as unknown };

  it('is an answer over joined datasources, read along their relation while that is confirmed', async () => {
    const { conversation_id, message_id } = await answered('total revenue by city');
    const pinned = await ada.post(`/secure/board/${board}/tile`, { conversation_id, message_id });
    expect(pinned).toMatchObject({ status: 200, body: { tile: BOTH } });
    const tile = idOf(pinned, 'tile');
    const warnings = ['1 of 5 rows of Orders have no row in Customers.'];
    expect(await figure(tile)).toMatchObject({ data, warnings });
    expect(await shown(tile)).toMatchObject({ is_current: true, problem: null });
    await decide('dismiss');
    expect(await shown(tile)).toMatchObject({ data: null, problem: NOT_JOINED });
    expect(await figure(tile)).toMatchObject({ data: null, problem: NOT_JOINED });
    const again = await ada.post(`/secure/board/${board}/tile`, { conversation_id, message_id });
    expect(again).toMatchObject({ status: 400 });
    await decide('confirm');
    expect(await figure(tile)).toMatchObject({ problem: null });
  });

  it('is a plan that joins, looked at through filters on columns of both, read anew, and says what is gone', async () => {
    const tile = idOf(await pin({}), 'tile');
    expect(await figure(tile)).toMatchObject({ data });
    const filters = [
      { column: 'segment', values: ['retail'] },
      { column: 'channel', values: ['online'] },
    ];
    const read = await figure(tile, { range: { from: '2024-01-01', to: '2024-01-03' }, filters });
    expect(read).toMatchObject({ data: { rows: [['Hamburg', 10.5]] }, unfiltered: [] });

    await rename('Clients');
    await insert(ada, customers, [{ id: 7, city: 'Kiel', segment: 'trade', since: '2020-01-05' }]);
    expect(await shown(tile)).toMatchObject({ is_current: false });
    expect(await figure(tile)).toMatchObject({ data });
    expect(await shown(tile)).toMatchObject({ is_current: true });

    await ada.delete('/secure/datasource', { id: customers });
    const problem = 'the datasource that is joined as customers was deleted';
    expect(await figure(tile)).toMatchObject({ problem });
    await ada.post(`/secure/bin/${customers}/restore`, {});
    expect(await figure(tile)).toMatchObject({ problem: null });
  });
});

describe('an alert', () => {
  const check = async (id: string): Promise<unknown> =>
    (await ada.post(`/secure/alerts/${id}/check`, {})).body['alert'];

  it.each([{ plan: ONE_FIGURE }, { dbquery: ONE }])(
    'watches a joined figure, and says when it can’t any more: %o',
    async (of) => {
      const created = await watch(of);
      expect(created).toMatchObject({ status: 200, body: { alert: { value: 38, datasource_ids: [customers] } } });
      const id = idOf(created, 'alert');
      await rename('Clients');
      expect(await check(id)).toMatchObject({ state: 'firing', value: 38, error: null });
      await decide('dismiss');
      expect(await check(id)).toMatchObject({ state: 'firing', error: NOT_JOINED.replace('Customers', 'Clients') });
      await decide('confirm');
      expect(await check(id)).toMatchObject({ state: 'firing', error: null });
    },
  );

  it('says that its join counts rows more than once, also after a check', async () => {
    const dbquery = 'SELECT count(*) FROM data JOIN orders ON id = customer_id';
    const created = await watch({ datasource_id: customers, datasource_ids: [orders], dbquery });
    const warnings = [
      expect.stringMatching(/^A row of Customers can belong to several rows of Orders/),
      expect.stringMatching(/rows of Customers have no row in Orders/),
    ];
    expect(created.body['alert']).toMatchObject({ warnings });
    expect(await check(idOf(created, 'alert'))).toMatchObject({ warnings });
  });
});

describe('a verified answer', () => {
  it('runs along a relation in conversations that hold both, whatever the datasource is called, while there is one', async () => {
    const kept = await verify();
    expect(kept).toMatchObject({ status: 200, body: { question: BOTH } });
    await rename('Clients');
    const { response } = await answered(ASKED);
    expect(response).toMatchObject({ response: 'By city.', data: { rows: CITIES }, verified: true });
    expect(await answerTo(ada, await open([orders]), ASKED)).not.toHaveProperty('verified');
    const edit = (fields: object): Promise<TestResponse> =>
      manager.patch(`/secure/verified/${idOf(kept, 'question')}`, fields);
    expect(await edit({ datasource_ids: [own] })).toMatchObject({ status: 404 });
    await rename('Customers');
    await decide('dismiss');
    expect((await answered(ASKED)).response).not.toHaveProperty('verified');
    expect(await edit({ wording: 'Anew.' })).toMatchObject({ body: { message: NOT_JOINED } });
  });

  it('comes from an answer that joined, with what that joined, and is asked in evaluations so', async () => {
    const { conversation_id, message_id, response } = await answered(ASKED);
    await ada.post('/secure/assistant/feedback', { conversation_id, message_id, rating: 'up' });
    const { body } = await manager.get(`/secure/verified?id=${orders}&state=candidate`);
    expect(body['questions']).toMatchObject([{ id: message_id, datasource_ids: [customers] }]);
    const verified = await manager.patch(`/secure/verified/${message_id}`, { state: 'verified' });
    expect(verified).toMatchObject({ status: 200 });
    expect((await answered(ASKED)).response).toMatchObject({ data: response['data'], verified: true });
    expect(await manager.post('/secure/evaluation/run', { id: orders })).toMatchObject({ status: 200 });
    await api.drain();
    const { body: runs } = await manager.get(`/secure/evaluation/runs?id=${orders}`);
    expect(runs['evaluations']).toMatchObject([{ state: 'done', models: [{ right: 1, failed: 0 }] }]);
  });
});
