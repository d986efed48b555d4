import { afterAll, describe, expect, it, vi } from 'vitest';
import { API_KEYS } from '../../src/features/api-keys/api-key.schema.js';
import { CONVERSATIONS } from '../../src/features/assistant/conversations/conversation.schema.js';
import { MESSAGES } from '../../src/features/assistant/history/message.schema.js';
import { AUDIT_ENTRIES } from '../../src/features/audit/audit-entry.schema.js';
import { SESSIONS } from '../../src/features/auth/session.schema.js';
import { UPLOADS } from '../../src/features/datasource/upload/upload.schema.js';
import { RetentionSweeper } from '../../src/features/members/retention.sweeper.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { ObjectStore } from '../../src/ports/object-store.js';
import { AppError } from '../../src/shared/app-error.js';
import { MessageRepository } from '../../src/features/assistant/history/message.repository.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { startTestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { importedDatasource, openConversation, ROWS_CSV } from './world.builder.js';

const DAY = 24 * 60 * 60 * 1000;
const SECRET = 'average temperature by device where device is d1';

const api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
afterAll(() => api[Symbol.asyncDispose]());

const stored = (kind: typeof CONVERSATIONS, company: string): Promise<readonly object[]> =>
  api.get(DocumentStore).tenantCollection(kind).of(asId<CompanyId>(company)).find({});
const all = (kind: object, company: string): Promise<readonly object[]> =>
  stored(kind as typeof CONVERSATIONS, company);

async function asked(by: TestClient, datasource: string): Promise<string> {
  const id = await openConversation(by, datasource);
  await by.post('/secure/assistant/chat', { conversation_id: id, message: SECRET });
  return id;
}

/** Nobody waits for an entry to be kept. */
async function logged(boss: TestClient, text: string): Promise<void> {
  await vi.waitFor(async () => {
    expect(JSON.stringify((await boss.get('/secure/audit?page_size=100')).body)).toContain(text);
  });
}

const sweep = (): Promise<void> => api.get(RetentionSweeper).sweep();

describe('what a company keeps', () => {
  it.each([{ conversations_days: 0 }, { audit_days: 366 }, 'for ever'])('is refused as %j', async (retention) => {
    const boss = await api.signIn('refused', { role: 'manager' });
    expect(await boss.patch('/secure/settings', { config: { retention } })).toMatchObject({ status: 400 });
  });

  it('goes when it is too old, whatever breaks the sweep off, and another company’s stays', async () => {
    let boss = await api.signIn('acme', { role: 'manager', email: 'boss@acme.example', password: 'correct horse' });
    let eve = await api.signIn('globex', { role: 'manager', email: 'eve@globex.example', password: 'correct horse' });
    const [mine, theirs] = [await importedDatasource(api, boss), await importedDatasource(api, eve)];
    const old = await asked(boss, mine);
    const binned = await asked(boss, mine);
    await boss.delete('/secure/assistant/conversation', { id: binned });
    const others = await asked(eve, theirs);
    await logged(boss, SECRET);
    const retention = { conversations_days: 30, audit_days: 10 };
    expect(await boss.patch('/secure/settings', { config: { retention } })).toMatchObject({ status: 200 });

    api.clock.advance(29 * DAY);
    boss = await api.signIn('acme', { role: 'manager' });
    const young = await asked(boss, mine);
    await sweep();
    expect((await all(CONVERSATIONS, boss.companyId)).length).toBe(3);
    expect(JSON.stringify(await all(AUDIT_ENTRIES, boss.companyId))).not.toContain('boss@acme.example');

    api.clock.advance(2 * DAY);
    vi.spyOn(api.get(MessageRepository), 'removeWhere').mockRejectedValueOnce(new AppError('unavailable', 'away'));
    await expect(sweep()).rejects.toThrow('away');
    await sweep();
    expect((await all(CONVERSATIONS, boss.companyId)).map((one) => (one as { id: string }).id)).toEqual([young]);
    const left = JSON.stringify(await all(MESSAGES, boss.companyId));
    for (const id of [old, binned]) expect(left).not.toContain(id);
    eve = await api.signIn('globex', { role: 'manager' });
    expect((await all(CONVERSATIONS, eve.companyId)).map((one) => (one as { id: string }).id)).toEqual([others]);
    expect(JSON.stringify(await all(AUDIT_ENTRIES, eve.companyId))).toContain('eve@globex.example');
  });
});

describe('a person’s data', () => {
  it('is gone for good when a manager erases them: conversations, sessions, keys, unused uploads, their name in the log', async () => {
    const boss = await api.signIn('umbrella', { role: 'manager' });
    const ada = await api.signIn('umbrella', { email: 'ada@umbrella.example' });
    const datasource = await importedDatasource(api, ada);
    await asked(ada, datasource);
    await ada.post('/secure/api-keys', { name: 'Mine', scopes: ['read'] });
    const { body: upload } = await ada.upload(ROWS_CSV);
    await boss.post('/secure/invitation', { email: 'second.ada@umbrella.example', role: 'user' });
    await logged(boss, SECRET);
    await logged(boss, 'second.ada@umbrella.example');

    expect(await ada.delete(`/secure/user/${boss.id}?erase=true`)).toMatchObject({ status: 403 });
    expect(await boss.delete(`/secure/user/${ada.id}?erase=perhaps`)).toMatchObject({ status: 400 });
    expect(await boss.delete(`/secure/user/${ada.id}?erase=true`)).toMatchObject({ status: 200 });

    const kinds = { CONVERSATIONS, MESSAGES, API_KEYS, UPLOADS, SESSIONS };
    for (const [name, kind] of Object.entries(kinds))
      expect({ name, left: JSON.stringify(await all(kind, boss.companyId)).includes(ada.id) }).toEqual({
        name,
        left: false,
      });
    const files: string[] = [];
    for await (const { key } of api.get(ObjectStore).list('uploads')) files.push(key.name);
    expect(files).not.toContain(upload['filename']);
    const log = await all(AUDIT_ENTRIES, boss.companyId);
    // The manager's own entry of this removal names the id alone.
    const others = log.filter((entry) => (entry as { userId: string }).userId !== boss.id);
    expect(others.length).toBeGreaterThan(0);
    expect(JSON.stringify(others)).not.toMatch(new RegExp(`${ada.id}|ada@umbrella.example|average temperature`));
    expect(JSON.stringify(log)).toContain('second.ada@umbrella.example');
    // What was made for the company stays.
    expect(await boss.get(`/secure/datasource?id=${datasource}`)).toMatchObject({ status: 200 });
    expect(await boss.get(`/secure/user/${ada.id}`)).toMatchObject({ status: 404 });
  });

  it('stays in the log when they are only removed', async () => {
    const boss = await api.signIn('hooli', { role: 'manager' });
    const bob = await api.signIn('hooli', { email: 'bob@hooli.example' });
    await asked(bob, await importedDatasource(api, bob));
    await logged(boss, SECRET);
    expect(await boss.delete(`/secure/user/${bob.id}`)).toMatchObject({ status: 200 });
    await logged(boss, 'bob@hooli.example');
  });
});
