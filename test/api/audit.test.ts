import { readFile } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { ApiDocument } from '../support/api-document.js';
import { TestClient } from '../support/test-client.js';
import { theService } from './a-service.js';
import { importedDatasource, openConversation } from './world.builder.js';

interface Entry {
  readonly email: string;
  readonly action: string;
  readonly succeeded: boolean;
  readonly details: Readonly<Record<string, string>>;
}

const [PASSWORD, NEW] = ['correct horse', 'battery staple'];

const api = await theService();
const boss = await api.signIn('acme', { role: 'manager', email: 'boss@acme.example', password: PASSWORD });
const ada = await api.signIn('acme', { email: 'ada@acme.example', password: PASSWORD });
const datasource = await importedDatasource(api, ada);

const entries = async (by: TestClient, query = ''): Promise<readonly Entry[]> =>
  (await by.get(`/secure/audit?page_size=100${query}`)).body['entries'] as Entry[];

/** Nobody waits for an entry to be kept. */
function kept(by: TestClient, wanted: Partial<Entry>, query = ''): Promise<void> {
  return vi.waitFor(async () => {
    expect(await entries(by, query)).toContainEqual(expect.objectContaining(wanted));
  });
}

it('keeps changes, questions with the datasource that they read, and sign-ins, also those that failed', async () => {
  const conversation_id = await openConversation(ada, datasource);
  const message = 'average temperature by device';
  await ada.post('/secure/assistant/chat', { conversation_id, message });
  await api.stranger().post('/login', { email: 'ada@acme.example', password: 'a guess' });

  const details = { conversation_id, message, datasource_id: datasource };
  await kept(boss, { email: 'ada@acme.example', action: 'POST secure/assistant/chat', succeeded: true, details });
  await kept(boss, { action: 'POST login', succeeded: true, email: 'boss@acme.example' });
  await kept(boss, { action: 'POST login', succeeded: false, email: 'ada@acme.example' }, '&email=ADA@acme.example');
});

it('keeps no passwords, and not what only looks, is filtered, and comes whole as CSV', async () => {
  await ada.get('/secure/datasources');
  await ada.post('/secure/currentuser/password', { current_password: PASSWORD, new_password: NEW });
  const action = 'POST secure/currentuser/password';
  await kept(boss, { action, details: {} });
  expect(JSON.stringify(await entries(boss))).not.toMatch(/correct horse|battery staple|GET secure\/datasources/);

  const passwords = await entries(boss, `&action=${encodeURIComponent(action)}`);
  expect(new Set(passwords.map((entry) => entry.action))).toEqual(new Set([action]));
  expect(await entries(boss, '&to=2020-01-01T00:00:00Z')).toEqual([]);
  const { bytes } = await boss.bytes('/secure/audit/csv?email=ada@acme.example');
  const [head, ...lines] = bytes.toString().trim().split('\r\n');
  expect(head).toBe('time,email,user_id,action,succeeded,address,details');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.every((line) => line.includes('ada@acme.example'))).toBe(true);
});

it('keeps how many rows were inserted within an hour, as one entry and without a value of them', async () => {
  const row = { device: 'a-value-of-a-row', at: '2026-01-01 00:00:00', temperature: '1', note: 'x' };
  for (const data of [[row], [row, row], [{ ...row, at: 'never' }]])
    await ada.patch('/secure/datasource/insert', { datasource_id: datasource, data });
  const query = '&action=PATCH%20secure/datasource/insert';
  const told = async (): Promise<Entry['details'][]> => (await entries(boss, query)).map(({ details }) => details);
  await vi.waitFor(async () => {
    const details = await told();
    const rows = details.reduce((sum, { inserted_rows }) => sum + Number(inserted_rows), 0);
    const datasources = new Set(details.map(({ datasource_id }) => datasource_id));
    expect({ rows, datasources }).toEqual({ rows: 3, datasources: new Set([datasource]) });
  });
  await ada.patch('/secure/datasource/insert', { datasource_id: datasource, data: [row] });
  await vi.waitFor(async () => {
    expect((await told()).some(({ times }) => Number(times ?? 1) > 1)).toBe(true);
  });
  expect(JSON.stringify(await told())).not.toContain('a-value-of-a-row');
});

it('keeps who was refused by their role, or by the scopes of their key', async () => {
  const bob = await api.signIn('acme', { email: 'bob@acme.example' });
  const { body } = await bob.post('/secure/api-keys', { name: 'reads', scopes: ['read'] });
  const key = new TestClient(api.url, String(body['key']), null);
  const refused = [
    [bob.get('/secure/audit'), 'GET secure/audit'],
    [bob.delete(`/secure/user/${ada.id}`), 'DELETE secure/user/:id'],
    [key.post('/secure/datasource/sample'), 'POST secure/datasource/sample'],
  ] as const;
  for (const [answer, action] of refused) {
    expect(await answer).toMatchObject({ status: 403 });
    await kept(boss, { email: 'bob@acme.example', action, succeeded: false });
  }
  // Who is let in is no refusal, and who has no token is nobody.
  await api.stranger().get('/secure/audit');
  const audits = (await entries(boss)).filter(({ action, succeeded }) => action.includes('audit') && !succeeded);
  expect(new Set(audits.map(({ email }) => email))).toEqual(new Set(['bob@acme.example']));
});

/** What only looks, or belongs to nobody who is signed in. */
const NOT_KEPT =
  /^GET|datasources\/plain|distinct-metadata|detect-timeformat|data\/(?:plot|query)|\/figure$|^POST shared|refresh-token|invitation\/look|sign-in\/begin|forgotten-password/;

it('is told by the console in words, whatever the route', async () => {
  const page = await readFile(new URL('../../web/src/pages/company/audit.page.tsx', import.meta.url), 'utf8');
  const routes = (await ApiDocument.of(api.url)).routes.filter((route) => !NOT_KEPT.test(route));
  expect(routes.length).toBeGreaterThan(60);
  expect(routes.filter((route) => !page.includes(`'${route}': msg`))).toEqual([]);
});
