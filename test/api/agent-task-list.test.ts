import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { historyOf, refusal, runTask, schedule, startAgentApi, taskOf, type Body } from './agent-world.js';
import { createTask, importedDatasource } from './world.builder.js';

let api: TestApi;
let ada: TestClient;
let colleague: TestClient;
let manager: TestClient;
let eve: TestClient;
let datasource: string;

beforeAll(async () => {
  api = await startAgentApi();
  [ada, colleague, manager, eve] = [
    await api.signIn('acme'),
    await api.signIn('acme'),
    await api.signIn('acme', { role: 'manager' }),
    await api.signIn('globex'),
  ];
  datasource = await importedDatasource(api, ada);
});
afterAll(() => api[Symbol.asyncDispose]());

describe('the list of tasks', () => {
  it('has the company’s alone, newest first, a page at a time', async () => {
    const [nina, oscar] = [await api.signIn('initech'), await api.signIn('initech')];
    const rows = await importedDatasource(api, nina);
    const ids: string[] = [];
    for (let count = 0; count < 22; count += 1) {
      if (count % 5 === 0) api.clock.advance(1000);
      ids.unshift(await createTask(count % 2 === 0 ? nina : oscar, rows));
    }
    const page = async (query: string): Promise<string[]> => {
      const { body } = await oscar.get(`/secure/agent/tasks${query}`);
      expect(body).toMatchObject({ error: false, message: 'agent tasks retrieved', total: 22 });
      return (body['tasks'] as Body[]).map(({ id }) => String(id));
    };
    expect(await page('')).toEqual(ids.slice(0, 20));
    expect(await page('?page=1')).toEqual(ids.slice(20));
    expect(await page('?page=2&page_size=7')).toEqual(ids.slice(14, 21));
    expect(await page('?page=x&page_size=1000')).toEqual(ids);
  });

  it('shows each with the answer of its last run', async () => {
    const id = await createTask(ada, datasource);
    await runTask(ada, id);
    await api.drain();
    const { body } = await ada.get('/secure/agent/tasks');
    const listed = (body['tasks'] as Body[]).find((task) => task['id'] === id);
    expect(listed).toEqual(await taskOf(ada, id));
    expect(listed!['answer']).not.toBe('');
  });
});

describe('deleting a task', () => {
  const remove = (client: TestClient, id: string): Promise<TestResponse> =>
    client.delete(`/secure/agent/task/delete/${id}`);

  it('is for its creator and for managers', async () => {
    const [first, second] = [await createTask(ada, datasource), await createTask(ada, datasource)];
    expect(await remove(colleague, first)).toMatchObject(refusal(403, 'forbidden'));
    expect(await remove(eve, first)).toMatchObject(refusal(404, 'agent task not found'));
    expect(await remove(ada, first)).toMatchObject({ status: 200, body: { message: 'agent task deleted' } });
    expect((await remove(manager, second)).status).toBe(200);
    expect(await remove(ada, first)).toMatchObject(refusal(404, 'agent task not found'));
  });

  it('leaves nothing that could be asked of it', async () => {
    const id = await createTask(ada, datasource);
    await runTask(ada, id);
    await api.drain();
    expect(await historyOf(ada, id)).toHaveLength(1);
    await remove(ada, id);
    const answers = [
      await ada.get(`/secure/agent/task/${id}`),
      await ada.get(`/secure/agent/taskhistory/${id}`),
      await runTask(ada, id),
      await schedule(ada, id),
      await ada.post('/secure/agent/task/stop', { task_id: id }),
    ];
    for (const answer of answers) expect(answer).toMatchObject(refusal(404, 'agent task not found'));
  });
});

describe('every user of the company', () => {
  it('reads, runs, schedules and stops a task, and no other company does', async () => {
    const id = await createTask(ada, datasource);
    expect((await schedule(colleague, id)).status).toBe(200);
    expect((await runTask(colleague, id)).body).toMatchObject({
      message: 'agent task run',
      task: { id, status: 'running' },
      run_id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
    });
    await api.drain();
    expect(await historyOf(colleague, id)).toMatchObject([{ task_id: id, trigger: 'manual', status: 'done' }]);
    for (const answer of [await runTask(eve, id), await schedule(eve, id), await eve.get(`/secure/agent/task/${id}`)]) {
      expect(answer).toMatchObject(refusal(404, 'agent task not found'));
    }
    expect((await eve.get('/secure/agent/tasks')).body).toMatchObject({ tasks: [], total: 0 });
  });
});
