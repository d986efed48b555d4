import { readFile } from 'node:fs/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { ApiDocument } from '../support/api-document.js';
import { startTestApi } from '../support/test-api.js';
import { TestClient } from '../support/test-client.js';
import { importedDatasource, openConversation } from './world.builder.js';

interface Entry {
  readonly email: string;
  readonly action: string;
  readonly succeeded: boolean;
  readonly details: Readonly<Record<string, string>>;
  readonly address: string;
}

const api = await startTestApi({ environment: { LOGIN_RATE_LIMIT: '0' } });
const boss = await api.signIn('acme', { role: 'manager', email: 'boss@acme.example', password: 'correct horse' });
const ada = await api.signIn('acme', { email: 'ada@acme.example', password: 'correct horse' });
afterAll(() => api[Symbol.asyncDispose]());

async function entries(by: TestClient, query = ''): Promise<readonly Entry[]> {
  const { body } = await by.get(`/secure/audit?page_size=100${query}`);
  return body['entries'] as Entry[];
}

/** Nobody waits for an entry to be kept. */
function kept(by: TestClient, wanted: Partial<Entry>, query = ''): Promise<void> {
  return vi.waitFor(async () => {
    expect(await entries(by, query)).toContainEqual(expect.objectContaining(wanted));
  });
}

it('keeps changes, questions with the datasource that they read, and sign-ins, also those that failed', async () => {
  const datasource = await importedDatasource(api, ada);
  const conversation = await openConversation(ada, datasource);
  const message = 'average temperature by device';
  await ada.post('/secure/assistant/chat', { conversation_id: conversation, message });
  await api.stranger().post('/login', { email: 'ada@acme.example', password: 'a guess' });

  await kept(boss, {
    email: 'ada@acme.example',
    action: 'POST secure/assistant/chat',
    succeeded: true,
    details: { conversation_id: conversation, message, datasource_id: datasource },
  });
  await kept(boss, { action: 'POST login', succeeded: true, email: 'boss@acme.example' });
  await kept(boss, { action: 'POST login', succeeded: false, email: 'ada@acme.example' }, '&email=ADA@acme.example');
});

it('keeps no passwords and tokens, and not what only looks', async () => {
  const right = { current_password: 'correct horse', new_password: 'battery staple' };
  await ada.post('/secure/currentuser/password', right);
  await ada.get('/secure/datasources');
  await kept(boss, { action: 'POST secure/currentuser/password', details: {} });
  const all = JSON.stringify(await entries(boss));
  expect(all).not.toMatch(/correct horse|battery staple|GET secure\/datasources/);
});

it('is filtered, and comes whole as CSV', async () => {
  await kept(boss, { action: 'POST secure/currentuser/password' }, '&action=POST%20secure/currentuser/password');
  const passwords = await entries(boss, '&action=POST%20secure/currentuser/password');
  expect(new Set(passwords.map(({ action }) => action))).toEqual(new Set(['POST secure/currentuser/password']));
  expect(await entries(boss, '&to=2020-01-01T00:00:00Z')).toEqual([]);
  const answer = await fetch(`${api.url}/api/v1/secure/audit/csv?email=ada@acme.example`, {
    headers: { authorization: `Bearer ${String(boss.token)}` },
  });
  const lines = (await answer.text()).trim().split('\r\n');
  expect(lines[0]).toBe('time,email,user_id,action,succeeded,address,details');
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.slice(1).every((line) => line.includes('ada@acme.example'))).toBe(true);
});

it('keeps how many rows were inserted within an hour, as one entry and without a value of them', async () => {
  const datasource = await importedDatasource(api, ada);
  const row = { device: 'a-value-of-a-row', at: '2026-01-01 00:00:00', temperature: '1', note: 'x' };
  for (const data of [[row], [row, row], [{ ...row, at: 'never' }]])
    await ada.patch('/secure/datasource/insert', { datasource_id: datasource, data });
  const action = 'PATCH secure/datasource/insert';
  const query = `&action=${encodeURIComponent(action)}`;
  await vi.waitFor(async () => {
    const details = (await entries(boss, query)).map((entry) => entry.details);
    const rows = details.reduce((sum, entry) => sum + Number(entry['inserted_rows']), 0);
    expect({ rows, datasources: new Set(details.map((entry) => entry['datasource_id'])) }).toEqual({
      rows: 3,
      datasources: new Set([datasource]),
    });
  });
  await ada.patch('/secure/datasource/insert', { datasource_id: datasource, data: [row] });
  await vi.waitFor(async () => {
    const found = await entries(boss, query);
    expect(found.some(({ details }) => Number(details['times'] ?? 1) > 1)).toBe(true);
  });
  expect(JSON.stringify(await entries(boss, query))).not.toContain('a-value-of-a-row');
});

it('keeps who was refused by their role, or by the scopes of their key', async () => {
  const bob = await api.signIn('acme', { email: 'bob@acme.example' });
  expect(await bob.get('/secure/audit')).toMatchObject({ status: 403 });
  expect(await bob.delete(`/secure/user/${ada.id}`)).toMatchObject({ status: 403 });
  await kept(boss, { email: 'bob@acme.example', action: 'GET secure/audit', succeeded: false });
  await kept(boss, { email: 'bob@acme.example', action: 'DELETE secure/user/:id', succeeded: false });
  const { body } = await bob.post('/secure/api-keys', { name: 'reads', scopes: ['read'] });
  const key = new TestClient(api.url, String(body['key']), null);
  expect(await key.post('/secure/datasource/sample')).toMatchObject({ status: 403 });
  await kept(boss, { email: 'bob@acme.example', action: 'POST secure/datasource/sample', succeeded: false });
  // Who is let in is no refusal, and who has no token is nobody.
  await api.stranger().get('/secure/audit');
  const refused = (await entries(boss)).filter(({ action, succeeded }) => action.includes('audit') && !succeeded);
  expect(new Set(refused.map(({ email }) => email))).toEqual(new Set(['bob@acme.example']));
});

it('is for the managers of the company alone', async () => {
  const eve = await api.signIn('globex', { role: 'manager', email: 'eve@globex.example' });
  await kept(eve, { email: 'eve@globex.example', action: 'POST login' });
  expect(JSON.stringify(await entries(eve))).not.toContain('acme.example');
});

/** What only looks, or belongs to nobody who is signed in. */
const NOT_KEPT =
  /^GET|datasources\/plain|distinct-metadata|detect-timeformat|data\/(?:plot|query)|\/figure$|^POST shared|refresh-token|invitation\/look|sign-in\/begin|forgotten-password/;

it('is told by the console in words, whatever the route', async () => {
  const page = await readFile(new URL('../../web/src/pages/company/audit.page.tsx', import.meta.url), 'utf8');
  const kept = (await ApiDocument.of(api.url)).routes.filter((route) => !NOT_KEPT.test(route));
  expect(kept.length).toBeGreaterThan(60);
  expect(kept.filter((route) => !page.includes(`'${route}': msg`))).toEqual([]);
});
