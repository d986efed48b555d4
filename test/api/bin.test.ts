import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { BinSweeper } from '../../src/features/bin/bin.module.js';
import { ConversationRepository } from '../../src/features/assistant/conversations/conversation.repository.js';
import { MessageRepository } from '../../src/features/assistant/history/message.repository.js';
import { DatasourceRepository } from '../../src/features/datasource/datasource.repository.js';
import { ImportReconciler } from '../../src/features/datasource/import/import-lease.js';
import { ContextFileRepository } from '../../src/features/context-files/context-file.repository.js';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import { ObjectStore } from '../../src/ports/object-store.js';
import { RowEngine } from '../../src/ports/row-engine.js';
import { AppError } from '../../src/shared/app-error.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { startTestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { processed } from './context-files.builder.js';
import { aDatasourceBody, createTask, importedDatasource, openConversation, ROWS_CSV } from './world.builder.js';

const DAY = 24 * 60 * 60 * 1000;
const QUESTION = 'average temperature by device';

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly deleted_at: string;
  readonly restorable_until: string;
}

const api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
const [ada, bob, boss, eve] = await Promise.all([
  api.signIn('acme'),
  api.signIn('acme'),
  api.signIn('acme', { role: 'manager' }),
  api.signIn('globex', { role: 'manager' }),
]);

afterEach(() => vi.restoreAllMocks());
afterAll(() => api[Symbol.asyncDispose]());

async function inBin(by: TestClient): Promise<readonly Entry[]> {
  const { body } = await by.get('/secure/bin?page_size=100');
  return body['entries'] as Entry[];
}

const idsIn = async (by: TestClient): Promise<readonly string[]> => (await inBin(by)).map(({ id }) => id);

async function askedConversation(datasource: string): Promise<string> {
  const id = await openConversation(ada, datasource);
  await ada.post('/secure/assistant/chat', { conversation_id: id, message: QUESTION });
  return id;
}

const seen = {
  datasource: (by: TestClient, id: string) => by.get(`/secure/datasource?id=${id}`),
  conversation: (by: TestClient, id: string) => by.get(`/secure/assistant/conversation/${id}`),
  task: (by: TestClient, id: string) => by.get(`/secure/agent/task/${id}`),
};

describe('a datasource in the bin', () => {
  it('is hidden with its conversations, and comes back with its rows and answers as they were', async () => {
    const id = await importedDatasource(api, ada);
    const conversation = await askedConversation(id);
    const history = await ada.get(`/secure/assistant/history?conversation_id=${conversation}`);
    expect(await ada.delete('/secure/datasource', { id })).toMatchObject({ status: 200 });
    await api.drain();

    expect(await seen.datasource(ada, id)).toMatchObject({ status: 404 });
    expect(await seen.conversation(ada, conversation)).toMatchObject({ status: 404 });
    const asked = { conversation_id: conversation, message: QUESTION };
    expect(await ada.post('/secure/assistant/chat', asked)).toMatchObject({ status: 404 });
    expect(await ada.get(`/secure/assistant/history?conversation_id=${conversation}`)).toMatchObject({ status: 404 });
    for (const path of ['/secure/datasources', '/secure/assistant/conversations'])
      expect(JSON.stringify((await ada.get(`${path}?page_size=100`)).body)).not.toContain(id);
    const query = { datasource_id: id, query: 'SELECT count(*) FROM data' };
    expect(await ada.post('/secure/data/query', query)).toMatchObject({ status: 404 });
    const inserted = { datasource_id: id, data: [] };
    expect((await ada.patch('/secure/datasource/insert', inserted)).status).not.toBe(200);

    expect(await ada.post(`/secure/bin/${id}/restore`)).toMatchObject({
      status: 200,
      body: { error: false, entry: { id, kind: 'datasource' } },
    });
    expect((await ada.post('/secure/data/query', query)).body['rows']).toEqual([[48]]);
    expect(await ada.get(`/secure/assistant/history?conversation_id=${conversation}`)).toMatchObject({
      status: 200,
      body: { history: history.body['history'] },
    });
    expect(await ada.post(`/secure/bin/${id}/restore`)).toMatchObject({ status: 404 });
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
    expect(await seen.datasource(ada, id)).toMatchObject({ status: 404 });
    expect(await ada.post(`/secure/bin/${id}/restore`)).toMatchObject({ status: 200 });
    for (const reconciler of api.everywhere(ImportReconciler)) await reconciler.tick();
    await api.drain();
    expect(await seen.datasource(ada, id)).toMatchObject({
      status: 200,
      body: { datasource: { updating: false, doc_count: 48, import: { status: 'ready' } } },
    });
  });
});

describe('a board in the bin', () => {
  it('is shown to nobody, also not by its links, and comes back with its tiles', async () => {
    const { body } = await ada.post('/secure/board', { title: 'Harbour' });
    const { id } = body['board'] as { id: string };
    await ada.post(`/secure/board/${id}/tile`, { text: 'Read me' });
    const { body: shared } = await ada.post('/secure/share', { board_id: id });
    const look = () => api.stranger().post('/shared/look', { token: String(shared['token']) });
    expect(await bob.delete(`/secure/board/${id}`)).toMatchObject({ status: 403 });
    expect(await ada.delete(`/secure/board/${id}`)).toMatchObject({ status: 200 });
    expect(await ada.delete(`/secure/board/${id}`)).toMatchObject({ status: 404 });

    for (const refused of [
      await ada.get(`/secure/board/${id}`),
      await boss.patch(`/secure/board/${id}`, { title: 'Mine' }),
      await ada.post(`/secure/board/${id}/tile`, { text: 'More' }),
      await look(),
    ])
      expect(refused).toMatchObject({ status: 404 });
    expect(JSON.stringify((await ada.get('/secure/board/list?page_size=100')).body)).not.toContain(id);
    expect(await inBin(boss)).toContainEqual(expect.objectContaining({ id, kind: 'board', name: 'Harbour' }));
    for (const by of [bob, eve]) {
      expect(await idsIn(by)).not.toContain(id);
      expect(await by.post(`/secure/bin/${id}/restore`)).toMatchObject({ status: 404 });
    }
    expect(await ada.post(`/secure/bin/${id}/restore`)).toMatchObject({ status: 200 });
    expect((await bob.get(`/secure/board/${id}`)).body).toMatchObject({ board: { tiles: [{ text: 'Read me' }] } });
    expect(await look()).toMatchObject({ status: 200, body: { board: { title: 'Harbour' } } });

    await ada.delete(`/secure/board/${id}?permanent=true`);
    expect(await idsIn(boss)).not.toContain(id);
    expect(await look()).toMatchObject({ status: 404 });
  });
});

describe('the bin', () => {
  it('has what each may delete, the last deleted first, and nothing of another company', async () => {
    const datasource = await importedDatasource(api, ada);
    const conversation = await openConversation(ada, datasource);
    const task = await createTask(ada, datasource);
    const [file] = await processed(api, ada, [{ name: 'a.txt', content: 'The lighthouse was built in 1874.' }]);
    const fileId = String(file?.id);
    await ada.delete('/secure/assistant/conversation', { id: conversation });
    await ada.delete(`/secure/agent/task/delete/${task}`);
    await ada.delete(`/secure/contextfiles/${fileId}`);

    expect(await inBin(ada)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: conversation, kind: 'conversation' }),
        expect.objectContaining({ id: task, kind: 'task' }),
        expect.objectContaining({ id: fileId, kind: 'context-file', name: 'a.txt' }),
      ]),
    );
    const entries = await inBin(ada);
    const order = entries.map((entry) => entry.restorable_until);
    expect(order).toEqual([...order].sort().reverse());
    for (const entry of entries)
      expect(Date.parse(entry.restorable_until) - Date.parse(entry.deleted_at)).toBe(30 * DAY);
    expect(await idsIn(boss)).toEqual(expect.arrayContaining([task, fileId]));
    expect(await idsIn(boss)).not.toContain(conversation);
    expect(await idsIn(bob)).toEqual([]);
    expect(await idsIn(eve)).toEqual([]);
    for (const id of [conversation, task, fileId])
      for (const by of [bob, eve, ...(id === conversation ? [boss] : [])]) {
        expect(await by.post(`/secure/bin/${id}/restore`)).toMatchObject({ status: 404 });
        expect(await by.delete(`/secure/bin/${id}`)).toMatchObject({ status: 404 });
      }

    // Another's conversation on it goes along with a datasource, and is nothing to restore by itself meanwhile.
    await ada.delete('/secure/datasource', { id: datasource });
    expect(await idsIn(ada)).not.toContain(conversation);
    await boss.post(`/secure/bin/${datasource}/restore`);
    for (const id of [conversation, task, fileId])
      expect(await ada.post(`/secure/bin/${id}/restore`)).toMatchObject({ status: 200 });
    expect(await seen.conversation(ada, conversation)).toMatchObject({ status: 200 });
    expect(await seen.task(ada, task)).toMatchObject({ status: 200 });
    expect(JSON.stringify((await ada.get('/secure/contextfiles')).body)).toContain(fileId);
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
    const datasource = await importedDatasource(api, ada);
    const task = await createTask(ada, datasource, { automation_enabled: true, automation_interval: 60 });
    await ada.delete(`/secure/agent/task/delete/${task}`);
    const find = () => api.get(TaskRepository).find(asId(ada.companyId), asId(task));
    expect(
      await api.get(TaskRepository).anywhere({ nextRunAt: { lte: new Date(Date.now() + 365 * DAY) } }),
    ).not.toContainEqual(expect.objectContaining({ id: task }));
    await ada.post(`/secure/bin/${task}/restore`);
    expect((await find())?.nextRunAt?.getTime()).toBeGreaterThan(api.clock.now().getTime());
  });

  it('lets one of a restoration and a deletion for good have it', async () => {
    const datasource = await importedDatasource(api, ada);
    for (let round = 0; round < 5; round += 1) {
      const id = await askedConversation(datasource);
      await ada.delete('/secure/assistant/conversation', { id });
      const statuses = await Promise.all([
        ada.post(`/secure/bin/${id}/restore`),
        ada.delete(`/secure/bin/${id}`),
        ada.post(`/secure/bin/${id}/restore`),
      ]);
      expect(statuses.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
      const messages = await api.get(MessageRepository).allWhere(asId(ada.companyId), { conversationId: asId(id) });
      const isBack = (await seen.conversation(ada, id)).status === 200;
      expect(messages.length > 0).toBe(isBack);
      expect(statuses[1].status === 200).toBe(!isBack);
    }
  });
});

describe('after 30 days', () => {
  it('all of it is gone, also when the sweep was cut off, and nothing that was restored', async () => {
    await using own = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
    const dan = await own.signIn('acme');
    const company = asId<CompanyId>(dan.companyId);
    const datasource = await importedDatasource(own, dan);
    const kept = await importedDatasource(own, dan);
    const conversation = await openConversation(dan, kept);
    await dan.post('/secure/assistant/chat', { conversation_id: conversation, message: QUESTION });
    const task = await createTask(dan, kept);
    const [file] = await processed(own, dan, [{ name: 'a.txt', content: 'The lighthouse was built in 1874.' }]);
    for (const id of [datasource, kept]) await dan.delete('/secure/datasource', { id });
    await dan.post(`/secure/bin/${kept}/restore`);
    await dan.delete('/secure/assistant/conversation', { id: conversation });
    await dan.delete(`/secure/agent/task/delete/${task}`);
    await dan.delete(`/secure/contextfiles/${String(file?.id)}`);
    const sweep = async (): Promise<void> => {
      for (const sweeper of own.everywhere(BinSweeper)) await sweeper.tick();
      await own.drain();
    };
    const left = async (): Promise<readonly boolean[]> => {
      const kinds = [DatasourceRepository, ConversationRepository, TaskRepository, ContextFileRepository] as const;
      const ids = [datasource, conversation, task, String(file?.id)];
      const isLeft = async (kind: (typeof kinds)[number], id: string): Promise<boolean> => {
        for await (const thing of own.get(kind as typeof DatasourceRepository).allOf(company))
          if (thing.id === id) return true;
        return false;
      };
      return Promise.all(kinds.map((kind, index) => isLeft(kind, String(ids[index]))));
    };

    own.clock.advance(29 * DAY);
    await sweep();
    expect(await left()).toEqual([true, true, true, true]);
    own.clock.advance(DAY + 1000);
    // It dies between its claim and the removal.
    for (const messages of own.everywhere(MessageRepository))
      vi.spyOn(messages, 'removeWhere').mockRejectedValueOnce(new AppError('unavailable', 'away'));
    await sweep();
    expect((await left())[1]).toBe(true);
    const again = await own.signIn('acme', { role: 'manager' });
    expect((await again.get('/secure/bin')).body).toMatchObject({ entries: [], total: 0 });
    await sweep();
    expect(await left()).toEqual([false, false, false, false]);
    expect(await own.get(MessageRepository).allWhere(company, { conversationId: asId(conversation) })).toEqual([]);
    expect(await seen.datasource(again, kept)).toMatchObject({ status: 200 });
    const objects: string[] = [];
    for (const area of ['rows', 'documents'] as const)
      for await (const { key } of own.get(ObjectStore).list(area)) objects.push(key.name.split('.')[0] ?? '');
    expect(objects).toEqual([kept]);
  });
});
