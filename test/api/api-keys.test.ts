import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { API_KEYS } from '../../src/features/api-keys/api-key.schema.js';
import { RouteTable } from '../../src/http/route-table.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { startTestApi } from '../support/test-api.js';
import { type TestClient } from '../support/test-client.js';
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

const api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
afterAll(() => api[Symbol.asyncDispose]());

async function makeKey(client: TestClient, fields: object = {}): Promise<Made> {
  const { status, body } = await client.post('/secure/api-keys', { name: 'Reports', scopes: ['read'], ...fields });
  if (status !== 200) throw new Error(JSON.stringify(body));
  const key = String(body['key']);
  return { key, client: withToken(client, key), view: body['api_key'] as Made['view'] };
}

async function listed(client: TestClient): Promise<readonly Made['view'][]> {
  const { body } = await client.get('/secure/api-keys?page_size=100');
  return body['api_keys'] as Made['view'][];
}

describe('making a key', () => {
  it('shows it once, and keeps its hash alone', async () => {
    const ada = await api.signIn('acme');
    const { status, body } = await ada.post('/secure/api-keys', {
      name: ' Reports ',
      scopes: ['ask', 'read'],
      days: 30,
    });

    expect(status).toBe(200);
    expect(body['key']).toMatch(/^dk_[0-9a-f]{24}_[0-9a-f]{64}$/);
    const view = body['api_key'] as Record<string, unknown>;
    expect(view).toMatchObject({
      name: 'Reports',
      owner: { id: ada.id, type: 'user', email: ada.user?.['email'], role: 'user' },
      scopes: ['read', 'ask'],
      last_used_at: null,
      expires_at: new Date(api.clock.now().getTime() + 30 * DAY).toISOString(),
    });
    const secret = String(body['key']).split('_')[2]!;
    expect(JSON.stringify(await listed(ada))).not.toContain(secret);
    const stored = await api.get(DocumentStore).tenantCollection(API_KEYS).ofAll().get(String(view['id']));
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it.each([
    [{ scopes: [] }],
    [{ scopes: ['admin'] }],
    [{ name: '  ' }],
    [{ expires_at: '2020-01-01T00:00:00Z' }],
    [{ expires_at: '2099-01-01T00:00:00Z', days: 3 }],
    [{ expires_at: '2027-W10' }],
    [{ service_account: {} }],
  ])('refuses %j', async (fields) => {
    const boss = await api.signIn('acme', { role: 'manager' });
    const answer = await boss.post('/secure/api-keys', { name: 'Reports', scopes: ['read'], ...fields });
    expect(answer).toMatchObject({ status: 400, body: { error: true } });
  });

  it('ends at fifty for one person', async () => {
    const ada = await api.signIn('acme');
    for (let made = 0; made < 50; made += 1) await makeKey(ada);
    const one = { name: 'One more', scopes: ['read'] };
    expect((await ada.post('/secure/api-keys', one)).status).toBe(409);
    await ada.delete(`/secure/api-keys/${(await listed(ada))[0]!.id}`);
    expect((await ada.post('/secure/api-keys', one)).status).toBe(200);
  });
});

describe('a key', () => {
  it('asks as its user, with the role of the moment', async () => {
    const ada = await api.signIn('acme', { role: 'manager' });
    const { client } = await makeKey(ada);
    expect((await client.get('/secure/currentuser')).body['user']).toMatchObject({ id: ada.id, role: 'manager' });
    expect((await client.get('/secure/user/list')).status).toBe(200);

    await changeUser(api, ada, { role: 'user' });
    expect((await client.get('/secure/currentuser')).body['user']).toMatchObject({ role: 'user' });
    expect(await client.get('/secure/user/list')).toMatchObject({ status: 403, body: { message: 'forbidden' } });
  });

  it('is worth nothing when a digit of it is another, or it is not ours', async () => {
    const ada = await api.signIn('acme');
    const { key, view } = await makeKey(ada);
    const other = key.at(-1) === '0' ? '1' : '0';
    const forged = [
      `${key.slice(0, -1)}${other}`,
      key.toUpperCase(),
      `dk_${view.id}_`,
      `dk_${'f'.repeat(24)}_${randomBytes(32).toString('hex')}`,
    ];
    for (const text of forged)
      expect(await withToken(ada, text).get('/secure/currentuser'), text).toMatchObject(INVALID_TOKEN);
  });

  it('ends when it expires', async () => {
    const ada = await api.signIn('acme');
    const { client, view } = await makeKey(ada, { days: 1 });
    api.clock.advance(DAY - 1000);
    expect((await client.get('/secure/currentuser')).status).toBe(200);
    api.clock.advance(1000);
    expect(await client.get('/secure/currentuser')).toMatchObject(INVALID_TOKEN);
    const stored = await api.get(DocumentStore).tenantCollection(API_KEYS).ofAll().get(view.id);
    expect(stored).not.toBeNull();
  });

  it('ends with its user and its company', async () => {
    const ada = await api.signIn('initech');
    const { client } = await makeKey(ada);
    await changeUser(api, ada, { isActive: false });
    expect(await client.get('/secure/currentuser')).toMatchObject(INVALID_TOKEN);
    await changeUser(api, ada, { isActive: true });
    expect((await client.get('/secure/currentuser')).status).toBe(200);
    await changeCompany(api, ada, { isActive: false });
    expect(await client.get('/secure/currentuser')).toMatchObject(INVALID_TOKEN);
  });

  it('tells of its last use', async () => {
    const ada = await api.signIn('acme');
    const { client } = await makeKey(ada);
    expect((await listed(ada))[0]!.last_used_at).toBeNull();
    const first = api.clock.now().toISOString();
    for (const seconds of [0, 59]) {
      api.clock.advance(seconds * 1000);
      await client.get('/secure/currentuser');
      // Not noted again within a minute.
      expect((await listed(ada))[0]!.last_used_at).toBe(first);
    }
    api.clock.advance(1000);
    await client.get('/secure/currentuser');
    expect((await listed(ada))[0]!.last_used_at).toBe(api.clock.now().toISOString());
  });
});

describe('scopes', () => {
  it('keep a key to what it was made for', async () => {
    const ada = await api.signIn('acme');
    const datasource = await importedDatasource(api, ada);
    const conversation = await openConversation(ada, datasource);
    const [read, ask, write] = await Promise.all(
      [['read'], ['ask'], ['write']].map(async (scopes) => (await makeKey(ada, { scopes })).client),
    );
    const calls: Readonly<Record<string, (client: TestClient) => Promise<{ status: number }>>> = {
      list: (client) => client.get('/secure/datasources'),
      plot: (client) => client.post('/secure/data/plot', { datasource_id: datasource, value: 'temperature' }),
      history: (client) => client.get(`/secure/assistant/history?conversation_id=${conversation}`),
      chat: (client) =>
        client.post('/secure/assistant/chat', { conversation_id: conversation, message: 'how many rows' }),
      edit: (client) => client.patch('/secure/datasource', { id: datasource, context: 'indoors' }),
    };
    const outcomes = async (client: TestClient): Promise<readonly string[]> => {
      const allowed = [];
      for (const [name, call] of Object.entries(calls)) if ((await call(client)).status === 200) allowed.push(name);
      return allowed;
    };
    expect(await outcomes(read!)).toEqual(['list', 'plot', 'history']);
    expect(await outcomes(ask!)).toEqual(['history', 'chat']);
    expect(await outcomes(write!)).toEqual(['edit']);
    expect(await write!.get('/secure/datasources')).toMatchObject({
      status: 403,
      body: { error: true, message: 'forbidden: the API key needs the scope read' },
    });
  });

  it('never reach keys, users, sessions and settings', async () => {
    const boss = await api.signIn('acme', { role: 'manager' });
    const { client, view } = await makeKey(boss, { scopes: ['read', 'ask', 'write'] });
    expect(await client.get('/secure/api-keys')).toMatchObject(NOT_WITH_A_KEY);
    expect(await client.post('/secure/api-keys', { name: 'Child', scopes: ['read'] })).toMatchObject(NOT_WITH_A_KEY);
    expect(await client.delete(`/secure/api-keys/${view.id}`)).toMatchObject(NOT_WITH_A_KEY);
    expect(await client.patch('/secure/settings', { config: { theme: 'dark' } })).toMatchObject(NOT_WITH_A_KEY);
    expect(await client.post('/secure/logout')).toMatchObject(NOT_WITH_A_KEY);
    expect((await client.post('/refresh-token', { token: client.token })).status).toBe(401);
  });

  it('are known of every route: what people manage is closed to keys, what is not a GET is never open to those that read, but for looking', () => {
    const routes = api.get(RouteTable).routes();
    const named = (keys: string, method?: string): string[] =>
      routes
        .filter((route) => route.keys.join() === keys && (method === undefined || route.method === method))
        .map((route) => `${route.method} ${route.path}`)
        .sort();

    const managed = routes.filter(({ path }) =>
      /^secure\/(api-keys|user|currentuser|invitation|share|audit|settings|sign-in|logout)/.test(path),
    );
    const openAndManaged = managed.filter(({ method, keys }) => method !== 'GET' && keys.length > 0);
    expect(openAndManaged).toEqual([]);
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

describe('listing and revoking', () => {
  it('is for the owner and for managers of the company', async () => {
    const [ada, bob, boss, eve] = [
      await api.signIn('umbrella'),
      await api.signIn('umbrella'),
      await api.signIn('umbrella', { role: 'manager' }),
      await api.signIn('globex', { role: 'manager' }),
    ];
    const [first, second] = [await makeKey(ada), await makeKey(ada)];
    const ids = async (client: TestClient): Promise<readonly string[]> => (await listed(client)).map(({ id }) => id);
    expect(await ids(ada)).toEqual([second.view.id, first.view.id]);
    expect(await ids(boss)).toEqual([second.view.id, first.view.id]);
    expect(await ids(bob)).toEqual([]);
    expect(await ids(eve)).not.toContain(first.view.id);

    for (const other of [bob, eve])
      expect(await other.delete(`/secure/api-keys/${first.view.id}`)).toMatchObject(NOT_FOUND);
    expect((await first.client.get('/secure/currentuser')).status).toBe(200);

    expect((await ada.delete(`/secure/api-keys/${first.view.id}`)).status).toBe(200);
    expect((await boss.delete(`/secure/api-keys/${second.view.id}`)).status).toBe(200);
    expect(await first.client.get('/secure/currentuser')).toMatchObject(INVALID_TOKEN);
    expect(await second.client.get('/secure/currentuser')).toMatchObject(INVALID_TOKEN);
    expect(await ada.delete(`/secure/api-keys/${first.view.id}`)).toMatchObject(NOT_FOUND);
  });
});

describe('a service account', () => {
  it('is somebody of its own, whoever made it', async () => {
    const boss = await api.signIn('acme', { role: 'manager' });
    const { client, view } = await makeKey(boss, {
      name: 'Nightly import',
      scopes: ['read', 'ask'],
      service_account: { role: 'user' },
    });
    expect(view.owner).toMatchObject({ type: 'service_account', role: 'user', email: '' });
    expect((await client.get('/secure/currentuser')).body['user']).toMatchObject({
      id: view.owner.id,
      first_name: 'Nightly import',
      role: 'user',
      company_id: boss.companyId,
    });
    expect((await client.get('/secure/user/list')).status).toBe(403);

    const datasource = await importedDatasource(api, boss);
    const conversation = await openConversation(client, datasource);
    expect((await boss.get(`/secure/assistant/conversation/${conversation}`)).status).toBe(404);
    await changeUser(api, boss, { isActive: false });
    expect((await client.get(`/secure/assistant/conversation/${conversation}`)).status).toBe(200);
  });

  it('can have another key, of the same account', async () => {
    const [boss, eve] = [
      await api.signIn('acme', { role: 'manager' }),
      await api.signIn('globex', { role: 'manager' }),
    ];
    const first = await makeKey(boss, { service_account: { role: 'manager' } });
    const account = first.view.owner.id;
    const second = await makeKey(boss, { service_account: { id: account } });
    expect(second.view.owner).toMatchObject({ id: account, role: 'manager' });
    for (const id of [account, boss.id]) {
      const body = { name: 'x', scopes: ['read'], service_account: { id } };
      const by = id === account ? eve : boss;
      expect(await by.post('/secure/api-keys', body)).toMatchObject({
        status: 404,
        body: { message: 'service account not found' },
      });
    }
  });

  it('is made by managers alone, and never above them', async () => {
    const [ada, boss] = [await api.signIn('acme'), await api.signIn('acme', { role: 'manager' })];
    const body = { name: 'x', scopes: ['read'], service_account: { role: 'user' } };
    expect((await ada.post('/secure/api-keys', body)).status).toBe(403);
    expect((await boss.post('/secure/api-keys', { ...body, service_account: { role: 'system' } })).status).toBe(403);
  });
});

describe('a socket', () => {
  it('opens with a key, and closes when the key is revoked', async () => {
    const ada = await api.signIn('acme');
    const { key, view } = await makeKey(ada);
    await using socket = await StreamClient.open(streamUrl(api.url, 'me', key));
    await ada.delete(`/secure/api-keys/${view.id}`);
    expect((await socket.closed).code).toBe(4401);
    expect((await StreamClient.refused(streamUrl(api.url, 'me', key))).status).toBe(401);
  });

  it('stays open while its key lives, and does not open to one that only writes', async () => {
    const ada = await api.signIn('acme');
    const [asks, writes] = [await makeKey(ada, { scopes: ['ask'] }), await makeKey(ada, { scopes: ['write'] })];
    await using socket = await StreamClient.open(streamUrl(api.url, 'me', asks.key));
    const conversation = await openConversation(asks.client, await importedDatasource(api, ada));
    await asks.client.post('/secure/assistant/chatstream', { conversation_id: conversation, message: 'how many rows' });
    await socket.hears({ event: 'chat-complete' });
    expect((await StreamClient.refused(streamUrl(api.url, 'me', writes.key))).status).toBe(403);
  });
});
