import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { historyOf, pass, runTask, schedule, taskOf } from '../api/agent-world.js';
import { aContextConversation, ask, listed, processed } from '../api/context-files.builder.js';
import { createTask, importedDatasource, openConversation } from '../api/world.builder.js';
import { aDatabase, dropDatabase, mongodbServer } from '../support/mongodb.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const MINUTE = 60_000;

const elsewhere = notApplicable(SHARED_SERVERS, 'it names the server that it is about itself');

describe.skipIf(elsewhere || mongodbServer === undefined)('with its documents in MongoDB the service', () => {
  const uri = aDatabase();
  let api: TestApi;
  let ada: TestClient;
  let datasource: string;

  beforeAll(async () => {
    api = await startTestApi({ environment: { MONGODB_URI: uri, RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
    ada = await api.signIn('acme', { role: 'manager' });
    datasource = await importedDatasource(api, ada);
  });
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
    await dropDatabase(uri);
  });

  it('counts inserted rows, and knows their assets', async () => {
    const data = [{ device: 'd3', at: '2024-02-01 00:00:00', temperature: '21.5' }, { device: 'd3' }];
    const inserted = await ada.patch('/secure/datasource/insert', { datasource_id: datasource, data });
    expect(inserted).toMatchObject({ status: 200, body: { message: 'inserted 1 rows, skipped 1 rows' } });
    await api.drain();
    const { body } = await ada.get(`/secure/datasource?id=${datasource}`);
    const seen = body['datasource'] as { doc_count: number; config: { assets: string[] } };
    expect(seen.doc_count).toBe(49);
    expect(seen.config.assets).toContain('d3');
  });

  it('suggests other questions after a reload', async () => {
    const conversation = await openConversation(ada, datasource);
    const path = `/secure/assistant/suggestionsquery`;
    const before = await ada.get(`${path}?conversation_id=${conversation}`);
    expect((await ada.get(`${path}/reload?conversation_id=${conversation}`)).status).toBe(200);
    const after = await ada.get(`${path}?conversation_id=${conversation}`);
    expect(JSON.parse(String(after.body['suggested_questions']))).not.toEqual(
      JSON.parse(String(before.body['suggested_questions'])),
    );
  });

  it('answers from a context file until that is deleted', async () => {
    const [file] = await processed(api, ada, [{ name: 'light.txt', content: 'The lighthouse was built in 1874.' }]);
    expect(file?.metadata).toMatchObject({ status: 'ready', passages: 1 });
    const conversation = await aContextConversation(ada, datasource);
    const answer = await ask(ada, conversation, 'When was the lighthouse built?');
    expect(answer).toMatchObject({ kind: 'answer', sources: [{ filename: 'light.txt' }] });

    expect((await ada.delete(`/secure/contextfiles/${String(file?.id)}`)).status).toBe(200);
    expect(await listed(ada)).toEqual([]);
    expect(await ask(ada, conversation, 'When was the lighthouse built?')).toMatchObject({
      kind: 'cannot',
      sources: [],
    });
  });

  it('runs a task when asked, on its schedule, and not while its condition does not hold', async () => {
    const task = await createTask(ada, datasource, { prompt: 'What is the average temperature by device?' });
    expect((await runTask(ada, task)).status).toBe(200);
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'ready', answer: expect.stringContaining('d1') as string });

    const condition = { type: 'threshold', datasource_id: datasource, column: 'temperature', aggregate: 'avg' };
    await schedule(ada, task, { condition: { ...condition, operator: '>', value: 1000 } });
    await pass(api, 15 * MINUTE);
    ada = await api.signIn('acme', { role: 'manager' });
    await schedule(ada, task, { condition: { type: 'always' } });
    await pass(api, 15 * MINUTE);
    ada = await api.signIn('acme', { role: 'manager' });

    const runs = (await historyOf(ada, task)).map(({ trigger, status }) => `${String(trigger)} ${String(status)}`);
    expect(runs).toEqual(['schedule done', 'schedule skipped', 'manual done']);
    expect((await ada.delete(`/secure/agent/task/delete/${task}`)).status).toBe(200);
    expect((await ada.get(`/secure/agent/task/${task}`)).status).toBe(404);
  });

  it('keeps settings, and their secrets to itself', async () => {
    const config = { theme: 'dark', webhook: { url: 'https://example.com/hook', secret: 'a-secret-of-some-length' } };
    expect((await ada.patch('/secure/settings', { config })).status).toBe(200);
    const { body } = await ada.get('/secure/settings');
    expect(body['settings']).toMatchObject([{ config: { theme: 'dark', webhook: { secret: '***' } } }]);
  });
});
