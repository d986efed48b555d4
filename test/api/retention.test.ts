import { describe, expect, it, vi } from 'vitest';
import { API_KEYS } from '../../src/features/api-keys/api-key.schema.js';
import { CONVERSATIONS } from '../../src/features/assistant/conversations/conversation.schema.js';
import { MessageRepository } from '../../src/features/assistant/history/message.repository.js';
import { MESSAGES } from '../../src/features/assistant/history/message.schema.js';
import { AUDIT_ENTRIES } from '../../src/features/audit/audit-entry.schema.js';
import { SESSIONS } from '../../src/features/auth/session.schema.js';
import { SHARE_LINKS } from '../../src/features/boards/board.schema.js';
import { UPLOADS } from '../../src/features/datasource/upload/upload.schema.js';
import { RetentionSweeper } from '../../src/features/members/retention.sweeper.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { ObjectStore } from '../../src/ports/object-store.js';
import { AppError } from '../../src/shared/app-error.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import type { TestClient } from '../support/test-client.js';
import { theService } from './a-service.js';
import { importedDatasource, openConversation, ROWS_CSV } from './world.builder.js';

const DAY = 24 * 60 * 60 * 1000;
const SECRET = 'average temperature by device where device is d1';

const api = await theService();

type Kept = Readonly<Record<'id' | 'userId', string>>;

/** All that there is of a kind in the company of somebody. */
const keptOf = async (kind: object, { companyId }: TestClient): Promise<readonly Kept[]> => {
  const collection = api.get(DocumentStore).tenantCollection(kind as typeof CONVERSATIONS);
  return collection.of(asId<CompanyId>(companyId)).find({});
};
const idsOf = async (kind: object, by: TestClient): Promise<string[]> => (await keptOf(kind, by)).map(({ id }) => id);
const textOf = async (kind: object, by: TestClient): Promise<string> => JSON.stringify(await keptOf(kind, by));
const aManager = (company: string): Promise<TestClient> => api.signIn(company, { role: 'manager' });

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

describe('what a company keeps', () => {
  it.each([{ conversations_days: 0 }, { audit_days: 366 }, 'for ever'])('is refused as %j', async (retention) => {
    const boss = await aManager('refused');
    expect(await boss.patch('/secure/settings', { config: { retention } })).toMatchObject({ status: 400 });
  });

  it('goes when it is too old, whatever breaks the sweep off, and another company’s stays', async () => {
    const [boss, eve] = [await aManager('acme'), await aManager('globex')];
    const [mine, theirs] = [await importedDatasource(api, boss), await importedDatasource(api, eve)];
    const [old, binned, others] = [await asked(boss, mine), await asked(boss, mine), await asked(eve, theirs)];
    await boss.delete('/secure/assistant/conversation', { id: binned });
    await logged(boss, SECRET);
    const retention = { conversations_days: 30, audit_days: 10 };
    expect(await boss.patch('/secure/settings', { config: { retention } })).toMatchObject({ status: 200 });
    const sweep = (): Promise<void> => api.get(RetentionSweeper).sweep();

    api.clock.advance(29 * DAY);
    const young = await asked(await aManager('acme'), mine);
    await sweep();
    expect(await idsOf(CONVERSATIONS, boss)).toHaveLength(3);
    expect(await textOf(AUDIT_ENTRIES, boss)).not.toContain(boss.id);

    api.clock.advance(2 * DAY);
    vi.spyOn(api.get(MessageRepository), 'removeWhere').mockRejectedValueOnce(new AppError('unavailable', 'away'));
    await expect(sweep()).rejects.toThrow('away');
    await sweep();
    expect(await idsOf(CONVERSATIONS, boss)).toEqual([young]);
    expect(await textOf(MESSAGES, boss)).not.toMatch(new RegExp(`${old}|${binned}`));
    expect(await idsOf(CONVERSATIONS, eve)).toEqual([others]);
    expect(await textOf(AUDIT_ENTRIES, eve)).toContain(eve.id);
  });
});

describe('a person’s data', () => {
  it('is gone for good when a manager erases them: conversations, sessions, keys, unused uploads, their name in the log', async () => {
    const boss = await aManager('umbrella');
    const ada = await api.signIn('umbrella', { email: 'ada@umbrella.example' });
    const datasource = await importedDatasource(api, ada);
    await asked(ada, datasource);
    await ada.post('/secure/api-keys', { name: 'Mine', scopes: ['read'] });
    const { body: upload } = await ada.upload(ROWS_CSV);
    const second = 'second.ada@umbrella.example';
    await boss.post('/secure/invitation', { email: second, role: 'user' });
    for (const text of [SECRET, second]) await logged(boss, text);

    const erase = async (by: TestClient, id: string, word = 'true'): Promise<number> =>
      (await by.delete(`/secure/user/${id}?erase=${word}`)).status;
    expect(await erase(ada, boss.id)).toBe(403);
    expect(await erase(boss, ada.id, 'perhaps')).toBe(400);
    for (const kind of [CONVERSATIONS, API_KEYS, UPLOADS, SESSIONS]) expect(await textOf(kind, boss)).toContain(ada.id);
    expect(await erase(boss, ada.id)).toBe(200);

    for (const kind of [CONVERSATIONS, API_KEYS, UPLOADS, SESSIONS])
      expect(await textOf(kind, boss)).not.toContain(ada.id);
    expect(await textOf(MESSAGES, boss)).not.toContain(SECRET);
    const files: string[] = [];
    for await (const { key } of api.get(ObjectStore).list('uploads')) files.push(key.name);
    expect(files).not.toContain(upload['filename']);
    // The manager's own entry of this removal names the id alone.
    const others = (await keptOf(AUDIT_ENTRIES, boss)).filter(({ userId }) => userId !== boss.id);
    expect(others.length).toBeGreaterThan(0);
    expect(JSON.stringify(others)).not.toMatch(new RegExp(`${ada.id}|ada@umbrella.example|average temperature`));
    expect(await textOf(AUDIT_ENTRIES, boss)).toContain(second);
    // What was made for the company stays.
    expect(await boss.get(`/secure/datasource?id=${datasource}`)).toMatchObject({ status: 200 });
    expect(await boss.get(`/secure/user/${ada.id}`)).toMatchObject({ status: 404 });
  });

  it('leaves no name on boards and verified answers, and no link that they have made', async () => {
    const boss = await aManager('initech');
    const carl = await api.signIn('initech', { email: 'carl@initech.example', role: 'manager' });
    const datasource = await importedDatasource(api, carl);
    const { body: made } = await carl.post('/secure/board', { title: 'Weather' });
    const { body: shared } = await carl.post('/secure/share', { board_id: (made['board'] as { id: string }).id });
    const golden = { datasource_id: datasource, question: 'How many rows?', wording: 'So many.' };
    await carl.post('/secure/verified', { ...golden, sql: 'SELECT count(*) AS rows FROM data' });
    expect(await boss.delete(`/secure/user/${carl.id}?erase=true`)).toMatchObject({ status: 200 });

    const { body: boards } = await boss.get('/secure/board/list');
    expect(boards['boards']).toMatchObject([{ created_by: { name: 'somebody who was removed' } }]);
    const { body: verified } = await boss.get(`/secure/verified?id=${datasource}`);
    expect(verified['questions']).toMatchObject([{ verified_by: 'somebody who was removed' }]);
    expect(await keptOf(SHARE_LINKS, boss)).toEqual([]);
    expect(await boss.post('/shared/look', { token: shared['token'] })).toMatchObject({ status: 404 });
  });

  it('stays in the log when they are only removed', async () => {
    const boss = await aManager('hooli');
    const bob = await api.signIn('hooli', { email: 'bob@hooli.example' });
    await bob.patch('/secure/currentuser', { first_name: 'Bob', last_name: 'Byron' });
    await logged(boss, 'bob@hooli.example');
    expect(await boss.delete(`/secure/user/${bob.id}`)).toMatchObject({ status: 200 });
    await logged(boss, 'bob@hooli.example');
  });
});
