import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApi } from '../support/test-api.js';
import type { TestResponse } from '../support/test-client.js';
import { BY_CITY, CITIES, madeCustomers, madeOrders } from './relations.builder.js';

const ONE = "SELECT sum(revenue) AS total FROM data JOIN customers ON customer_id = id WHERE city = 'Hamburg'";
const NOT_JOINED = '"Orders" can\'t be joined with "Customers": there is no confirmed relation between them any more';

let orders: string;
let customers: string;
let relation: string;

const api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
const ada = await api.signIn('acme');
const manager = await api.signIn('acme', { role: 'manager' });
const eve = await api.signIn('globex', { role: 'manager' });
/** Of another company. */
const own = await madeCustomers(api, eve, 'Own');
afterAll(() => api[Symbol.asyncDispose]());

/** Both, joined by a relation that is confirmed. */
async function madeBoth(): Promise<void> {
  [orders, customers] = [await madeOrders(api, ada), await madeCustomers(api, ada)];
  const { status, body } = await ada.post('/secure/relations/propose', { datasource_ids: [orders, customers] });
  expect(status, JSON.stringify(body)).toBe(200);
  relation = (body['relations'] as { id: string }[])[0]!.id;
}
beforeAll(madeBoth);
beforeEach(async () => {
  await decide('confirm');
  await rename('Customers');
});

const rename = (name: string): Promise<TestResponse> => ada.patch('/secure/datasource', { id: customers, name });

const decide = (what: 'confirm' | 'dismiss'): Promise<TestResponse> =>
  ada.post(`/secure/relations/${what}`, { id: relation });

function plan(fields: object = {}): object {
  return {
    ...{ kind: 'aggregate', measures: [{ aggregate: 'sum', column: 'revenue', label: 'revenue' }] },
    ...{
      dimensions: [{ kind: 'column', column: 'city', label: 'city' }],
      join: { relation, table: 'customers' },
      filters: [],
      having: [],
    },
    ...{ order: [{ by: 'city', direction: 'asc' }], limit: null },
    ...fields,
  };
}
const oneFigure = (): object => ({
  ...plan({ dimensions: [], order: [] }),
  filters: [{ kind: 'in', column: 'city', values: ['Hamburg'], negated: false }],
});

/** An answer of a conversation about both, and where it stands. */
async function answered(message: string): Promise<{ conversation_id: string; message_id: string; response: Answer }> {
  const ids = [orders, customers];
  const opened = await ada.post('/secure/assistant/conversation', { title: 'Both', datasource_ids: ids });
  const conversation_id = String(opened.body['id']);
  const { body } = await ada.post('/secure/assistant/chat', { conversation_id, message });
  const { body: told } = await ada.get(`/secure/assistant/history?conversation_id=${conversation_id}`);
  const message_id = (told['history'] as { _id: string }[]).at(-1)!._id;
  return { conversation_id, message_id, response: body['response'] as Answer };
}

interface Answer {
  readonly dbquery: string;
  readonly verified?: boolean;
  readonly response: string;
  readonly data: { readonly rows: readonly unknown[] };
}
interface Figure {
  readonly data: { readonly rows: readonly unknown[] } | null;
  readonly is_current: boolean;
  readonly problem: string | null;
  readonly unfiltered: readonly string[];
  readonly warnings: readonly string[];
}

describe('a tile of a board', () => {
  let board: string;
  beforeEach(async () => {
    board = ((await ada.post('/secure/board', { title: 'Sales' })).body['board'] as { id: string }).id;
  });

  const pin = (body: object, by = ada): Promise<TestResponse> => by.post(`/secure/board/${board}/tile`, body);
  async function pinned(body: object): Promise<string> {
    const { status, body: told } = await pin(body);
    expect(status, JSON.stringify(told)).toBe(200);
    expect(told['tile']).toMatchObject({ datasource_id: orders, datasource_ids: [customers] });
    return (told['tile'] as { id: string }).id;
  }
  async function figure(tile: string, view: object = {}): Promise<Figure> {
    const { status, body } = await ada.post(`/secure/board/${board}/tile/${tile}/figure`, view);
    expect(status, JSON.stringify(body)).toBe(200);
    return body['figure'] as Figure;
  }
  async function shown(tile: string): Promise<Figure | null> {
    const { body } = await ada.get(`/secure/board/${board}`);
    return (body['board'] as { tiles: { id: string; figure: Figure | null }[] }).tiles.find(({ id }) => id === tile)!
      .figure;
  }

  it('is an answer over joined datasources, read along their relation while that is confirmed', async () => {
    const { conversation_id, message_id } = await answered('total revenue by city');
    const tile = await pinned({ conversation_id, message_id });
    const read = await figure(tile);
    expect(read.data?.rows).toEqual(expect.arrayContaining(CITIES));
    expect(read.warnings).toEqual(['1 of 5 rows of Orders have no row in Customers.']);
    expect(await shown(tile)).toMatchObject({ is_current: true, problem: null });
    await decide('dismiss');
    expect(await shown(tile)).toMatchObject({ data: null, problem: NOT_JOINED });
    expect(await figure(tile)).toMatchObject({ data: null, problem: NOT_JOINED });
    expect(await pin({ conversation_id, message_id })).toMatchObject({ status: 400 });
    await decide('confirm');
    expect(await figure(tile)).toMatchObject({ problem: null });
  });

  it('is a plan that joins, and looked at through filters on columns of both', async () => {
    const tile = await pinned({ datasource_id: orders, datasource_ids: [customers], plan: plan() });
    expect((await figure(tile)).data?.rows).toEqual(expect.arrayContaining(CITIES));
    const filters = [
      { column: 'segment', values: ['retail'] },
      { column: 'channel', values: ['online'] },
    ];
    const read = await figure(tile, { range: { from: '2024-01-01', to: '2024-01-03' }, filters });
    expect(read).toMatchObject({ data: { rows: [['Hamburg', 10.5]] }, unfiltered: [] });
  });

  it('says that a datasource is gone', async () => {
    const tile = await pinned({ datasource_id: orders, datasource_ids: [customers], plan: plan() });
    await ada.delete('/secure/datasource', { id: customers });
    expect((await figure(tile)).problem).toBe('the datasource that is joined as customers was deleted');
    await ada.post(`/secure/bin/${customers}/restore`, {});
    expect((await figure(tile)).problem).toBeNull();
  });

  it('is read anew when rows of the joined datasource come in, and under its name when that changes', async () => {
    const tile = await pinned({ datasource_id: orders, datasource_ids: [customers], plan: plan() });
    await figure(tile);
    await rename('Clients');
    const row = { id: 7, city: 'Kiel', segment: 'trade', since: '2020-01-05' };
    await ada.patch('/secure/datasource/insert', { datasource_id: customers, data: [row] });
    expect((await shown(tile))?.is_current).toBe(false);
    expect((await figure(tile)).data?.rows).toEqual(expect.arrayContaining(CITIES));
    expect((await shown(tile))?.is_current).toBe(true);
  });

  it('joins nothing of another company', async () => {
    const strange = { datasource_id: orders, datasource_ids: [own], plan: plan() };
    expect(await pin(strange)).toMatchObject({ status: 404 });
    expect(await pin({ ...strange, datasource_ids: ['a'.repeat(24)] })).toMatchObject({ status: 404 });
    expect(await pin({ ...strange, datasource_ids: [] })).toMatchObject({ status: 400 });
    expect(await pin({ ...strange, datasource_ids: ['x'] })).toMatchObject({ status: 400 });
  });
});

describe('an alert', () => {
  const create = (fields: object, by = ada): Promise<TestResponse> =>
    by.post('/secure/alerts', {
      ...{ name: 'Hamburg', datasource_id: orders, datasource_ids: [customers] },
      condition: { type: 'above', value: 30 },
      ...fields,
    });

  it.each(['plan', 'dbquery'] as const)(
    'watches a joined figure of a %s, and says when it can’t any more',
    async (by) => {
      const { status, body } = await create(by === 'plan' ? { plan: oneFigure() } : { dbquery: ONE });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body['alert']).toMatchObject({ value: 38, datasource_ids: [customers] });
      const { id } = body['alert'] as { id: string };
      await rename('Clients');
      const check = async (): Promise<unknown> => (await ada.post(`/secure/alerts/${id}/check`, {})).body['alert'];
      expect(await check()).toMatchObject({ state: 'firing', value: 38, error: null });
      await decide('dismiss');
      expect(await check()).toMatchObject({ state: 'firing', error: NOT_JOINED.replace('Customers', 'Clients') });
      await decide('confirm');
      expect(await check()).toMatchObject({ state: 'firing', error: null });
    },
  );

  it('says that its join counts rows more than once, also after a check', async () => {
    const dbquery = 'SELECT count(*) FROM data JOIN orders ON id = customer_id';
    const { body } = await create({ datasource_id: customers, datasource_ids: [orders], dbquery });
    const warnings = [
      expect.stringMatching(/^A row of Customers can belong to several rows of Orders/),
      expect.stringMatching(/rows of Customers have no row in Orders/),
    ];
    expect(body['alert']).toMatchObject({ warnings });
    const { id } = body['alert'] as { id: string };
    expect((await ada.post(`/secure/alerts/${id}/check`, {})).body['alert']).toMatchObject({ warnings });
  });

  it('joins nothing without a relation, and nothing of another company', async () => {
    for (const query of [{ plan: oneFigure() }, { dbquery: ONE }]) {
      expect(await create({ ...query, datasource_ids: [] })).toMatchObject({ status: 400 });
      expect(await create({ ...query, datasource_ids: [own] })).toMatchObject({ status: 404 });
      expect(await create({ ...query, datasource_id: own }, eve)).toMatchObject({ status: 404 });
    }
    await decide('dismiss');
    expect(await create({ plan: oneFigure() })).toMatchObject({ status: 400 });
    expect(await create({ dbquery: ONE })).toMatchObject({ status: 400 });
  });
});

describe('a verified answer', () => {
  afterEach(async () => {
    const { body } = await manager.get(`/secure/verified?id=${orders}`);
    for (const { id } of body['questions'] as { id: string }[]) await manager.delete(`/secure/verified/${id}`);
  });

  const ASKED = 'What is the total revenue by city?';
  const verify = (fields: object = {}, by = manager): Promise<TestResponse> =>
    by.post('/secure/verified', {
      ...{ datasource_id: orders, datasource_ids: [customers], question: ASKED, wording: 'By city.', sql: BY_CITY },
      ...fields,
    });

  it('runs along a relation in conversations that hold both, whatever the datasource is called, while there is one', async () => {
    const { status, body } = await verify();
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body['question']).toMatchObject({ datasource_id: orders, datasource_ids: [customers] });
    await rename('Clients');
    const { response } = await answered(ASKED);
    expect(response).toMatchObject({ response: 'By city.', data: { rows: CITIES }, verified: true });
    const opened = await ada.post('/secure/assistant/conversation', { title: 'One', datasource_ids: [orders] });
    const one = { conversation_id: opened.body['id'], message: ASKED };
    const alone = (await ada.post('/secure/assistant/chat', one)).body['response'];
    expect(alone).not.toHaveProperty('verified');
    await decide('dismiss');
    expect((await answered(ASKED)).response).not.toHaveProperty('verified');
  });

  it('comes from an answer that joined, with what that joined', async () => {
    const { conversation_id, message_id, response } = await answered(ASKED);
    await ada.post('/secure/assistant/feedback', { conversation_id, message_id, rating: 'up' });
    const { body } = await manager.get(`/secure/verified?id=${orders}&state=candidate`);
    expect(body['questions']).toMatchObject([{ id: message_id, datasource_ids: [customers] }]);
    const verified = await manager.patch(`/secure/verified/${message_id}`, { state: 'verified' });
    expect(verified.status, JSON.stringify(verified.body)).toBe(200);
    expect((await answered(ASKED)).response).toMatchObject({ data: response.data, verified: true });
  });

  it('is asked in evaluations as one that joins', async () => {
    await verify({ plan: plan(), sql: undefined });
    const started = await manager.post('/secure/evaluation/run', { id: orders });
    expect(started.status, JSON.stringify(started.body)).toBe(200);
    await api.drain();
    const { body } = await manager.get(`/secure/evaluation/runs?id=${orders}`);
    expect(body['evaluations']).toMatchObject([{ state: 'done', models: [{ right: 1, failed: 0 }] }]);
  });

  it('joins nothing without a relation, and nothing of another company', async () => {
    expect(await verify({ datasource_ids: [own] })).toMatchObject({ status: 404 });
    expect(await verify({ datasource_id: own }, eve)).toMatchObject({ status: 404 });
    expect(await verify({ datasource_ids: [] })).toMatchObject({ status: 400 });
    const { id } = (await verify()).body['question'] as { id: string };
    expect(await manager.patch(`/secure/verified/${id}`, { datasource_ids: [own] })).toMatchObject({ status: 404 });
    expect(await eve.patch(`/secure/verified/${id}`, { wording: 'x' })).toMatchObject({ status: 404 });
    await decide('dismiss');
    expect(await manager.patch(`/secure/verified/${id}`, { wording: 'Anew.' })).toMatchObject({
      body: { message: NOT_JOINED },
    });
  });
});
