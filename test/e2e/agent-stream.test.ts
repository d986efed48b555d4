import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { ScriptedWork, aStep, runTask, startAgentApi, taskOf } from '../api/agent-world.js';
import { createTask, importedDatasource } from '../api/world.builder.js';

let api: TestApi;
let ada: TestClient;
let task: string;

beforeAll(async () => {
  api = await startAgentApi();
  ada = await api.signIn('acme');
  task = await createTask(ada, await importedDatasource(api, ada));
});
afterAll(() => api[Symbol.asyncDispose]());

const listen = (client: TestClient, room: string): Promise<StreamClient> =>
  StreamClient.open(streamUrl(api.url, room, client.token ?? ''));

it('tells the room of a task how its run goes, colleagues too, and no other company', async () => {
  const work = new ScriptedWork(api);
  const [colleague, eve] = [await api.signIn('acme'), await api.signIn('globex')];
  const other = await createTask(ada, String((await taskOf(ada, task))['datasources']));
  await using room = await listen(ada, task);
  await using company = await listen(colleague, colleague.companyId);
  await using elsewhere = await listen(ada, other);
  await using outside = await listen(eve, 'everything');
  expect((await StreamClient.refused(streamUrl(api.url, task, eve.token ?? ''))).status).toBe(404);

  work.script.push({ steps: [aStep({ type: 'plan', title: 'Plan' }), aStep()] });
  const { body } = await runTask(ada, task);
  const about = { id: task, run_id: body['run_id'] };
  for (const socket of [room, company]) {
    await socket.hears({ event: 'agent-task', data: { ...about, action: 'updated', status: 'ready', step: null } });
    const told = socket.frames.filter(({ event }) => event === 'agent-task').map(({ data }) => data);
    expect(told).toMatchObject([
      { ...about, action: 'started', status: 'running', step: null },
      { ...about, action: 'step', status: 'running', step: { index: 1, type: 'plan', title: 'Plan' } },
      { ...about, action: 'step', status: 'running', step: { index: 2, type: 'query', dbquery: 'SELECT 1' } },
      { ...about, action: 'updated', status: 'ready', step: null },
    ]);
  }
  // What the room was told last is what a reader finds.
  expect(await taskOf(colleague, task)).toMatchObject({ status: 'ready', answer: 'done', steps: [{}, {}] });

  work.script.push({ fails: new Error('boom') });
  const { body: second } = await runTask(colleague, task);
  await room.hears({ data: { run_id: second['run_id'], action: 'step', step: { type: 'error' } } });
  await room.hears({ data: { run_id: second['run_id'], action: 'updated', status: 'error' } });
  expect([elsewhere, outside].flatMap(({ frames }) => frames)).toEqual([]);
});
