import { afterEach, describe, expect, it, vi } from 'vitest';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import { ConversationRepository } from '../../src/features/assistant/conversations/conversation.repository.js';
import { MessageRepository } from '../../src/features/assistant/history/message.repository.js';
import { BinSweeper } from '../../src/features/bin/bin.module.js';
import { ContextFileRepository } from '../../src/features/context-files/context-file.repository.js';
import { DatasourceRepository } from '../../src/features/datasource/datasource.repository.js';
import { ImportReconciler } from '../../src/features/datasource/import/import-lease.js';
import { ObjectStore } from '../../src/ports/object-store.js';
import { RowEngine } from '../../src/ports/row-engine.js';
import { AppError } from '../../src/shared/app-error.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { theService } from './a-service.js';
import { processed } from './context-files.builder.js';
import { aDatasourceBody, createTask, importedDatasource, openConversation, ROWS_CSV } from './world.builder.js';

const DAY = 24 * 60 * 60 * 1000;
const GONE = { status: 404 };
const OK = { status: 200 };

interface Entry {
  readonly id: string;
  readonly deleted_at: string;
  readonly restorable_until: string;
}

const api = await theService();
const [ada, bob, boss, eve] = await Promise.all([
  api.signIn('acme'),
  api.signIn('acme'),
  api.signIn('acme', { role: 'manager' }),
  api.signIn('globex', { role: 'manager' }),
]);
afterEach(() => vi.restoreAllMocks());

const inBin = async (by: TestClient): Promise<readonly Entry[]> =>
  (await by.get('/secure/bin?page_size=100')).body['entries'] as Entry[];
const idsIn = async (by: TestClient): Promise<readonly string[]> => (await inBin(by)).map(({ id }) => id);
const restore = (id: string, by = ada): Promise<TestResponse> => by.post(`/secure/bin/${id}/restore`);
const datasourceOf = (id: string, by = ada): Promise<TestResponse> => by.get(`/secure/datasource?id=${id}`);
const conversationOf = (id: string): Promise<TestResponse> => ada.get(`/secure/assistant/conversation/${id}`);
const ask = (conversation_id: string, by = ada): Promise<TestResponse> =>
  by.post('/secure/assistant/chat', { conversation_id, message: 'average temperature by device' });

async function askedConversation(datasource: string, by = ada): Promise<string> {
  const id = await openConversation(by, datasource);
  await ask(id, by);
  return id;
}

/** A conversation, a task and a context file of somebody. */
async function someThings(by: TestClient, datasource: string, of = api): Promise<[string, string, string]> {
  const content = 'The lighthouse was built in 1874.';
  const [file] = await processed(of, by, [{ name: 'a.txt', content }]);
  return [await askedConversation(datasource, by), await createTask(by, datasource), String(file?.id)];
}

/** One after another. */
async function deleteThings(by: TestClient, [conversation, task, file]: readonly string[]): Promise<void> {
  await by.delete('/secure/assistant/conversation', { id: conversation });
  api.clock.advance(1000);
  await by.delete(`/secure/agent/task/delete/${task}`);
  api.clock.advance(1000);
  await by.delete(`/secure/contextfiles/${file}`);
}

describe('a datasource in the bin', () => {
  it('is hidden with its conversations, and comes back with its rows and answers as they were', async () => {
    const id = await importedDatasource(api, ada);
    const conversation = await askedConversation(id);
    const history = (): Promise<TestResponse> => ada.get(`/secure/assistant/history?conversation_id=${conversation}`);
    const rows = (): Promise<TestResponse> =>
      ada.post('/secure/data/query', { datasource_id: id, query: 'SELECT count(*) FROM data' });
    const before = (await history()).body['history'];
    expect(await ada.delete('/secure/datasource', { id })).toMatchObject(OK);
    await api.drain();

    for (const hidden of [datasourceOf(id), conversationOf(conversation), ask(conversation), history(), rows()])
      expect(await hidden).toMatchObject(GONE);
    for (const path of ['/secure/datasources', '/secure/assistant/conversations'])
      expect(JSON.stringify((await ada.get(`${path}?page_size=100`)).body)).not.toContain(id);
    const row = { device: 'd1', at: '2024-02-01 00:00:00', temperature: 1, note: '' };
    expect(await ada.patch('/secure/datasource/insert', { datasource_id: id, data: [row] })).toMatchObject(GONE);

    const entry = { id, kind: 'datasource' };
    expect(await restore(id)).toMatchObject({ status: 200, body: { error: false, entry } });
    expect((await rows()).body['rows']).toEqual([[48]]);
    expect((await history()).body['history']).toEqual(before);
    expect(await restore(id)).toMatchObject(GONE);
  });

  it('that was deleted while it was imported is imported when it comes back', async () => {
    const { body: upload } = await ada.upload(ROWS_CSV);
    let deleted = false;
    for (const rows of api.everywhere(RowEngine)) {
      const load = rows.load.bind(rows);
      vi.spyOn(rows, 'load').mockImplementation(async (table, ...rest) => {
        if (!deleted) await ada.delete('/secure/datasource', { id: table.datasourceId });
        deleted = true;
        return load(table, ...rest);
      });
    }
    const { body } = await ada.put('/secure/datasource', aDatasourceBody(String(upload['filename'])));
    const id = String(body['datasource_id']);
    await api.drain();
    expect(deleted).toBe(true);
    expect(await datasourceOf(id)).toMatchObject(GONE);
    expect(await restore(id)).toMatchObject(OK);
    for (const reconciler of api.everywhere(ImportReconciler)) await reconciler.tick();
    await api.drain();
    const datasource = { updating: false, doc_count: 48, import: { status: 'ready' } };
    expect(await datasourceOf(id)).toMatchObject({ status: 200, body: { datasource } });
  });
});

it('a board in the bin is shown to nobody, also not by its links, and comes back with its tiles', async () => {
  const { body } = await ada.post('/secure/board', { title: 'Harbour' });
  const { id } = body['board'] as { id: string };
  await ada.post(`/secure/board/${id}/tile`, { text: 'Read me' });
  const { body: shared } = await ada.post('/secure/share', { board_id: id });
  const look = (): Promise<TestResponse> => api.stranger().post('/shared/look', { token: String(shared['token']) });
  expect(await ada.delete(`/secure/board/${id}`)).toMatchObject(OK);

  for (const refused of [
    ada.delete(`/secure/board/${id}`),
    ada.get(`/secure/board/${id}`),
    boss.patch(`/secure/board/${id}`, { title: 'Mine' }),
    ada.post(`/secure/board/${id}/tile`, { text: 'More' }),
    look(),
  ])
    expect(await refused).toMatchObject(GONE);
  expect(JSON.stringify((await ada.get('/secure/board/list?page_size=100')).body)).not.toContain(id);
  expect(await inBin(boss)).toContainEqual(expect.objectContaining({ id, kind: 'board', name: 'Harbour' }));
  for (const by of [bob, eve]) {
    expect(await idsIn(by)).not.toContain(id);
    expect(await restore(id, by)).toMatchObject(GONE);
  }
  expect(await restore(id)).toMatchObject(OK);
  expect((await bob.get(`/secure/board/${id}`)).body).toMatchObject({ board: { tiles: [{ text: 'Read me' }] } });
  expect(await look()).toMatchObject({ status: 200, body: { board: { title: 'Harbour' } } });

  await ada.delete(`/secure/board/${id}?permanent=true`);
  expect(await idsIn(boss)).not.toContain(id);
  expect(await look()).toMatchObject(GONE);
});

describe('the bin', () => {
  it('has what each may delete, the last deleted first, and nothing of another company', async () => {
    const datasource = await importedDatasource(api, ada);
    const things = await someThings(ada, datasource);
    const [conversation, task, file] = things;
    await deleteThings(ada, things);

    const entries = await inBin(ada);
    const theirs = [
      { id: file, kind: 'context-file', name: 'a.txt' },
      { id: task, kind: 'task' },
      { id: conversation, kind: 'conversation' },
    ];
    expect(entries.slice(0, 3)).toMatchObject(theirs);
    for (const { restorable_until, deleted_at } of entries)
      expect(Date.parse(restorable_until) - Date.parse(deleted_at)).toBe(30 * DAY);
    expect(await idsIn(boss)).toEqual(expect.arrayContaining([task, file]));
    expect(await idsIn(boss)).not.toContain(conversation);
    for (const by of [bob, eve]) expect(await idsIn(by)).toEqual([]);
    for (const id of things)
      for (const by of [bob, eve, ...(id === conversation ? [boss] : [])]) {
        expect(await restore(id, by)).toMatchObject(GONE);
        expect(await by.delete(`/secure/bin/${id}`)).toMatchObject(GONE);
      }

    // A conversation on it goes along with a datasource, and is nothing to restore by itself meanwhile.
    await ada.delete('/secure/datasource', { id: datasource });
    expect(await idsIn(ada)).not.toContain(conversation);
    await restore(datasource, boss);
    for (const id of things) expect(await restore(id)).toMatchObject(OK);
    expect(await conversationOf(conversation)).toMatchObject(OK);
    expect(await ada.get(`/secure/agent/task/${task}`)).toMatchObject(OK);
    expect(JSON.stringify((await ada.get('/secure/contextfiles')).body)).toContain(file);
  });

  it('is paged over all kinds', async () => {
    const dan = await api.signIn('hooli');
    const datasource = await importedDatasource(api, dan);
    for (let count = 0; count < 3; count += 1) {
      await dan.delete('/secure/assistant/conversation', { id: await openConversation(dan, datasource) });
      await dan.delete(`/secure/agent/task/delete/${await createTask(dan, datasource)}`);
    }
    const pages = await Promise.all([0, 1, 2].map((page) => dan.get(`/secure/bin?page=${page}&page_size=2`)));
    const ids = pages.flatMap(({ body }) => (body['entries'] as Entry[]).map(({ id }) => id));
    expect(ids).toEqual(await idsIn(dan));
    expect(new Set(ids).size).toBe(6);
    expect(pages.map(({ body }) => body['total'])).toEqual([6, 6, 6]);
  });

  it('restores a schedule from now on, and runs nothing meanwhile', async () => {
    const schedule = { automation_enabled: true, automation_interval: 60 };
    const task = await createTask(ada, await importedDatasource(api, ada), schedule);
    await ada.delete(`/secure/agent/task/delete/${task}`);
    const due = await api
      .get(TaskRepository)
      .anywhere({ nextRunAt: { lte: new Date(api.clock.now().getTime() + 365 * DAY) } });
    expect(due.map(({ id }) => id)).not.toContain(task);
    await restore(task);
    const { nextRunAt } = (await api.get(TaskRepository).find(asId(ada.companyId), asId(task)))!;
    expect(nextRunAt!.getTime()).toBeGreaterThan(api.clock.now().getTime());
    // Others go on with the same service.
    await ada.delete(`/secure/agent/task/delete/${task}`);
  });

  it('lets one of a restoration and a deletion for good have it', async () => {
    const datasource = await importedDatasource(api, ada);
    for (let round = 0; round < 5; round += 1) {
      const id = await askedConversation(datasource);
      await ada.delete('/secure/assistant/conversation', { id });
      const answers = await Promise.all([restore(id), ada.delete(`/secure/bin/${id}`), restore(id)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
      const messages = await api.get(MessageRepository).allWhere(asId(ada.companyId), { conversationId: asId(id) });
      const isBack = (await conversationOf(id)).status === 200;
      expect([messages.length > 0, answers[1].status === 200]).toEqual([isBack, !isBack]);
    }
  });
});

async function sweep(own: TestApi): Promise<void> {
  for (const sweeper of own.everywhere(BinSweeper)) await sweeper.tick();
  await own.drain();
}

it('after 30 days all of it is gone, also when the sweep was cut off, and nothing that was restored', async () => {
  await using own = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
  const dan = await own.signIn('acme');
  const company = asId<CompanyId>(dan.companyId);
  const [datasource, kept] = [await importedDatasource(own, dan), await importedDatasource(own, dan)];
  const things = await someThings(dan, kept, own);
  const [conversation, task, file] = things;
  for (const id of [datasource, kept]) await dan.delete('/secure/datasource', { id });
  await restore(kept, dan);
  await deleteThings(dan, things);
  const left = async (): Promise<readonly boolean[]> => {
    const found = [
      own.get(DatasourceRepository).countOf(company, { id: asId(datasource) }),
      own.get(ConversationRepository).countOf(company, { id: asId(conversation) }),
      own.get(TaskRepository).countOf(company, { id: asId(task) }),
      own.get(ContextFileRepository).countOf(company, { id: asId(file) }),
    ];
    return (await Promise.all(found)).map((count) => count > 0);
  };

  own.clock.advance(29 * DAY);
  await sweep(own);
  expect(await left()).toEqual([true, true, true, true]);
  own.clock.advance(DAY + 1000);
  // It dies between its claim and the removal.
  for (const messages of own.everywhere(MessageRepository))
    vi.spyOn(messages, 'removeWhere').mockRejectedValueOnce(new AppError('unavailable', 'away'));
  await sweep(own);
  expect((await left())[1]).toBe(true);
  const again = await own.signIn('acme', { role: 'manager' });
  expect((await again.get('/secure/bin')).body).toMatchObject({ entries: [], total: 0 });
  await sweep(own);
  expect(await left()).toEqual([false, false, false, false]);
  const messages = own.get(MessageRepository);
  expect(await messages.countOf(company, { conversationId: asId(conversation) })).toBe(0);
  expect(await datasourceOf(kept, again)).toMatchObject(OK);
  const objects: string[] = [];
  for (const area of ['rows', 'documents'] as const)
    for await (const { key } of own.get(ObjectStore).list(area)) objects.push(key.name.split('.')[0] ?? '');
  expect(objects).toEqual([kept]);
});
