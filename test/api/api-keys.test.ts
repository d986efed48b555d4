import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { API_KEYS } from '../../src/features/api-keys/api-key.schema.js';
import { RouteTable } from '../../src/http/route-table.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { theService } from './a-service.js';
import { changeCompany, changeUser, INVALID_TOKEN, withToken } from './auth-world.js';
import { importedDatasource, openConversation } from './world.builder.js';

const DAY = 24 * 60 * 60 * 1000;
const NOT_FOUND = { status: 404, body: { error: true, message: 'API key not found' } };
const NOT_WITH_A_KEY = {
  status: 403,
  body: { error: true, message: 'forbidden: an API key can not do this, sign in' },
};

interface Made {
  readonly key: string;
  readonly client: TestClient;
  readonly view: { readonly id: string; readonly owner: { readonly id: string }; readonly last_used_at: string | null };
}

const api = await theService();
const stored = api.get(DocumentStore).tenantCollection(API_KEYS).ofAll();

const aManager = (company = 'acme'): Promise<TestClient> => api.signIn(company, { role: 'manager' });
const asking = (client: TestClient, fields: object = {}): Promise<TestResponse> =>
  client.post('/secure/api-keys', { name: 'Reports', scopes: ['read'], ...fields });
const userOf = (client: TestClient): Promise<TestResponse> => client.get('/secure/currentuser');
const revoke = (client: TestClient, { id }: Made['view']): Promise<TestResponse> =>
  client.delete(`/secure/api-keys/${id}`);

async function makeKey(client: TestClient, fields: object = {}): Promise<Made> {
  const { status, body } = await asking(client, fields);
  expect({ status, body }).toMatchObject({ status: 200 });
  const key = String(body['key']);
  return { key, client: withToken(client, key), view: body['api_key'] as Made['view'] };
}

async function listed(client: TestClient): Promise<readonly Made['view'][]> {
  return (await client.get('/secure/api-keys?page_size=100')).body['api_keys'] as Made['view'][];
}

describe('making a key', () => {
  it('shows it once, and keeps its hash alone', async () => {
    const ada = await api.signIn('acme');
    const { key, view } = await makeKey(ada, { name: ' Reports ', scopes: ['ask', 'read'], days: 30 });
    expect(key).toMatch(/^dk_[0-9a-f]{24}_[0-9a-f]{64}$/);
    expect(view).toMatchObject({
      name: 'Reports',
      owner: { id: ada.id, type: 'user', email: ada.user?.['email'], role: 'user' },
      scopes: ['read', 'ask'],
      last_used_at: null,
      expires_at: new Date(api.clock.now().getTime() + 30 * DAY).toISOString(),
    });
    expect(JSON.stringify([await listed(ada), await stored.get(view.id)])).not.toContain(key.split('_')[2]);
  });

  it('refuses what is no key', async () => {
    const boss = await aManager();
    for (const fields of [
      { scopes: [] },
      { scopes: ['admin'] },
      { name: '  ' },
      { name: 'bell\u0007' },
      { expires_at: '2020-01-01T00:00:00Z' },
      { expires_at: '2099-01-01T00:00:00Z', days: 3 },
      { expires_at: '2027-W10' },
      { service_account: {} },
    ])
      expect(await asking(boss, fields), JSON.stringify(fields)).toMatchObject({ status: 400, body: { error: true } });
  });

  it('ends at fifty for one person', async () => {
    const ada = await api.signIn('acme');
    for (let made = 0; made < 49; made += 1) await makeKey(ada);
    const atOnce = await Promise.all([asking(ada), asking(ada), asking(ada)]);
    expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    await revoke(ada, (await listed(ada))[0]!);
    expect((await asking(ada)).status).toBe(200);
  });
});

describe('a key', () => {
  it('asks as its user, with the role of the moment, and tells of its last use', async () => {
    const ada = await aManager();
    const { client } = await makeKey(ada);
    expect((await listed(ada))[0]!.last_used_at).toBeNull();
    expect((await userOf(client)).body['user']).toMatchObject({ id: ada.id, role: 'manager' });
    expect((await client.get('/secure/user/list')).status).toBe(200);
    const used = api.clock.now().toISOString();
    expect((await listed(ada))[0]!.last_used_at).toBe(used);

    await changeUser(api, ada, { role: 'user' });
    expect((await userOf(client)).body['user']).toMatchObject({ role: 'user' });
    expect(await client.get('/secure/user/list')).toMatchObject({ status: 403, body: { message: 'forbidden' } });
  });

  it('is worth nothing when a digit of it is another, or it is not ours', async () => {
    const ada = await api.signIn('acme');
    const { key, view } = await makeKey(ada);
    const other = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const unknown = `dk_${'f'.repeat(24)}_${randomBytes(32).toString('hex')}`;
    for (const text of [other, key.toUpperCase(), `dk_${view.id}_`, unknown])
      expect(await userOf(withToken(ada, text)), text).toMatchObject(INVALID_TOKEN);
  });

  it('ends with its user, its company and its time, after which it is still listed', async () => {
    const ada = await api.signIn('initech');
    const { client, view } = await makeKey(ada, { days: 1 });
    for (const [change, ends, begins] of [
      [changeUser, { isActive: false }, { isActive: true }],
      [changeCompany, { isActive: false }, { isActive: true }],
    ] as const) {
      await change(api, ada, ends);
      expect(await userOf(client)).toMatchObject(INVALID_TOKEN);
      await change(api, ada, begins);
      expect((await userOf(client)).status).toBe(200);
    }
    api.clock.advance(DAY - 1000);
    expect((await userOf(client)).status).toBe(200);
    api.clock.advance(1000);
    expect(await userOf(client)).toMatchObject(INVALID_TOKEN);
    expect(await stored.get(view.id)).not.toBeNull();
  });

  it('is listed to its owner and to managers of the company, who revoke it, and it ends then', async () => {
    const [ada, bob] = [await api.signIn('umbrella'), await api.signIn('umbrella')];
    const [boss, eve] = [await aManager('umbrella'), await aManager('globex')];
    const [first, second] = [await makeKey(ada), await makeKey(ada)];
    const ids = async (client: TestClient): Promise<readonly string[]> => (await listed(client)).map(({ id }) => id);
    for (const by of [ada, boss]) expect(await ids(by)).toEqual([second.view.id, first.view.id]);
    for (const by of [bob, eve]) {
      expect(await ids(by)).toEqual([]);
      expect(await revoke(by, first.view)).toMatchObject(NOT_FOUND);
    }
    expect((await userOf(first.client)).status).toBe(200);

    expect((await revoke(ada, first.view)).status).toBe(200);
    expect((await revoke(boss, second.view)).status).toBe(200);
    for (const { client } of [first, second]) expect(await userOf(client)).toMatchObject(INVALID_TOKEN);
    expect(await revoke(ada, first.view)).toMatchObject(NOT_FOUND);
  });
});

describe('scopes', () => {
  it('keep a key to what it was made for', async () => {
    const ada = await api.signIn('acme');
    const datasource_id = await importedDatasource(api, ada);
    const conversation_id = await openConversation(ada, datasource_id);
    const calls: Readonly<Record<string, (client: TestClient) => Promise<TestResponse>>> = {
      list: (client) => client.get('/secure/datasources'),
      plot: (client) => client.post('/secure/data/plot', { datasource_id, value: 'temperature' }),
      history: (client) => client.get(`/secure/assistant/history?conversation_id=${conversation_id}`),
      chat: (client) => client.post('/secure/assistant/chat', { conversation_id, message: 'how many rows' }),
      edit: (client) => client.patch('/secure/datasource', { id: datasource_id, context: 'indoors' }),
    };
    const allowed = async (scope: string): Promise<readonly string[]> => {
      const { client } = await makeKey(ada, { scopes: [scope] });
      const names = [];
      for (const [name, call] of Object.entries(calls)) if ((await call(client)).status === 200) names.push(name);
      return names;
    };
    expect(await allowed('read')).toEqual(['list', 'plot', 'history']);
    expect(await allowed('ask')).toEqual(['history', 'chat']);
    expect(await allowed('write')).toEqual(['edit']);
    const { client } = await makeKey(ada, { scopes: ['write'] });
    const body = { error: true, message: 'forbidden: the API key needs the scope read' };
    expect(await client.get('/secure/datasources')).toMatchObject({ status: 403, body });
  });

  it('never reach keys, users, sessions and settings', async () => {
    const { client, view } = await makeKey(await aManager(), { scopes: ['read', 'ask', 'write'] });
    for (const answer of [
      client.get('/secure/api-keys'),
      asking(client),
      revoke(client, view),
      client.patch('/secure/settings', { config: { theme: 'dark' } }),
      client.post('/secure/logout'),
    ])
      expect(await answer).toMatchObject(NOT_WITH_A_KEY);
    expect((await client.post('/refresh-token', { token: client.token })).status).toBe(401);
  });

  it('are known of every route: what people manage is closed to keys, and those that read do nothing but look', () => {
    const routes = api.get(RouteTable).routes();
    const named = (keys: string, method?: string): string[] =>
      routes
        .filter((route) => route.keys.join() === keys && (method === undefined || route.method === method))
        .map((route) => `${route.method} ${route.path}`)
        .sort();
    const managed = /^secure\/(api-keys|user|currentuser|invitation|share|audit|settings|sign-in|logout)/;
    const isOpenAndManaged = routes.filter(
      ({ method, path, keys }) => managed.test(path) && method !== 'GET' && keys.length > 0,
    );
    expect(isOpenAndManaged).toEqual([]);
    expect(named('read', 'POST')).toEqual([
      'POST secure/board/:id/tile/:tile/figure',
      'POST secure/data/plot',
      'POST secure/data/query',
      'POST secure/data/query/csv',
      'POST secure/datasource/detect-timeformat',
      'POST secure/datasource/distinct-metadata',
      'POST secure/datasources/plain',
    ]);
    expect(named('write', 'GET')).toEqual(['GET secure/agent/task/run/:task_id']);
    expect(named('ask')).toEqual([
      'DELETE secure/assistant/conversation',
      'GET secure/assistant/suggestionsquery/reload',
      'POST secure/assistant/chat',
      'POST secure/assistant/chatstream',
      'POST secure/assistant/conversation',
      'POST secure/assistant/feedback',
      'POST secure/assistant/stop',
      'PUT secure/assistant/conversation',
    ]);
  });
});

describe('a service account', () => {
  it('is somebody of its own, whoever made it', async () => {
    const boss = await aManager();
    const service = { name: 'Nightly import', scopes: ['read', 'ask'], service_account: { role: 'user' } };
    const { client, view } = await makeKey(boss, service);
    expect(view.owner).toMatchObject({ type: 'service_account', role: 'user', email: '' });
    const itself = { id: view.owner.id, first_name: 'Nightly import', role: 'user', company_id: boss.companyId };
    expect((await userOf(client)).body['user']).toMatchObject(itself);
    expect((await client.get('/secure/user/list')).status).toBe(403);

    const conversation = await openConversation(client, await importedDatasource(api, boss));
    const seenBy = async (by: TestClient): Promise<number> =>
      (await by.get(`/secure/assistant/conversation/${conversation}`)).status;
    expect(await seenBy(boss)).toBe(404);
    await changeUser(api, boss, { isActive: false });
    expect(await seenBy(client)).toBe(200);
  });

  it('can have another key, is made by managers of its company alone, and never above them', async () => {
    const [ada, boss, eve] = [await api.signIn('acme'), await aManager(), await aManager('globex')];
    const first = await makeKey(boss, { service_account: { role: 'manager' } });
    const { id } = first.view.owner;
    const second = await makeKey(boss, { service_account: { id } });
    expect(second.view.owner).toMatchObject({ id, role: 'manager' });
    const unknown = { status: 404, body: { message: 'service account not found' } };
    expect(await asking(eve, { service_account: { id } })).toMatchObject(unknown);
    expect(await asking(boss, { service_account: { id: boss.id } })).toMatchObject(unknown);
    expect((await asking(ada, { service_account: { role: 'user' } })).status).toBe(403);
    expect((await asking(boss, { service_account: { role: 'system' } })).status).toBe(403);
  });
});

it('a socket opens with a key that does not only write, stays open while it lives, and closes when it is revoked', async () => {
  const ada = await api.signIn('acme');
  const [asks, writes] = [await makeKey(ada, { scopes: ['ask'] }), await makeKey(ada, { scopes: ['write'] })];
  const refused = async ({ key }: Made): Promise<number> =>
    (await StreamClient.refused(streamUrl(api.url, 'me', key))).status;
  expect(await refused(writes)).toBe(403);
  await using socket = await StreamClient.open(streamUrl(api.url, 'me', asks.key));
  const conversation_id = await openConversation(asks.client, await importedDatasource(api, ada));
  await asks.client.post('/secure/assistant/chatstream', { conversation_id, message: 'how many rows' });
  await socket.hears({ event: 'chat-complete' });
  await revoke(ada, asks.view);
  expect((await socket.closed).code).toBe(4401);
  expect(await refused(asks)).toBe(401);
});
