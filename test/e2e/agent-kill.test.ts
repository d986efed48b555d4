import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTask, ROWS_CSV, aDatasourceBody } from '../api/world.builder.js';
import { eventually } from '../support/eventually.js';
import { OpenAiDouble } from '../support/openai-double.js';
import { ServiceProcess, signIn, WITH_ADMIN } from '../support/service-process.js';
import type { TestClient } from '../support/test-client.js';
import { historyOf, runTask, taskOf, type Body } from '../api/agent-world.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const TIME = { timeout: 240_000 };
const HANGS = { then: 'hang' } as const;

let folder: string;
let model: OpenAiDouble;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-agent-kill-'));
  model = await OpenAiDouble.start();
});
afterEach(async () => {
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** With a model that the test holds, so that a run is in the middle of its work when the process is killed. */
function start(environment: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  return ServiceProcess.start({
    DATA_DIR: folder,
    ...WITH_ADMIN,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_TIMEOUT_SECONDS: '60',
    ...environment,
  });
}

async function aTask(client: TestClient): Promise<string> {
  const { body: upload } = await client.upload(ROWS_CSV);
  const { body } = await client.put('/secure/datasource', aDatasourceBody(String(upload['filename'])));
  const id = String(body['datasource_id']);
  await eventually(
    () => client.get(`/secure/datasource?id=${id}`),
    (answer) => !(answer.body['datasource'] as Body)['updating'],
  );
  return createTask(client, id);
}

/** Resolves when a run asks the model, which will not answer. */
async function hanging(asked: number): Promise<void> {
  await eventually(
    () => Promise.resolve(model.requests.length),
    (count) => count > asked,
  );
}

const settled = (client: TestClient, task: string): Promise<Body> =>
  eventually(
    () => taskOf(client, task),
    ({ status }) => status !== 'running',
    90_000,
  );

const elsewhere = notApplicable(
  SHARED_SERVERS,
  'it kills the process at the files of its own engines; chaos.test.ts kills instances that share servers',
);

it.skipIf(elsewhere)(
  'a run that is killed is begun once more by itself, and a second time ends with a reason',
  TIME,
  async () => {
    let task: string;
    {
      await using service = await start();
      const client = await signIn(service);
      task = await aTask(client);
      model.append(HANGS);
      const asked = model.requests.length;
      expect((await runTask(client, task)).status).toBe(200);
      await hanging(asked);
      expect(await taskOf(client, task)).toMatchObject({ status: 'running' });
      model.append(HANGS);
      await service.kill();
    }
    {
      const asked = model.requests.length;
      await using service = await start();
      await hanging(asked);
      const [run] = await historyOf(await signIn(service), task);
      expect(run).toMatchObject({ status: 'running', attempts: 2 });
      expect(run!['steps']).toMatchObject([{ type: 'error', title: 'The first attempt was interrupted' }]);
      await service.kill();
    }
    {
      await using service = await start();
      const client = await signIn(service);
      expect(await settled(client, task)).toMatchObject({
        status: 'error',
        error: 'the run was given up after two attempts: the service ended while it worked on it',
      });
      expect(await historyOf(client, task)).toMatchObject([{ status: 'error', attempts: 2 }]);
      await service.stop();
    }
  },
);

it.skipIf(elsewhere)('a run that is killed once is done after the restart, and can be deleted', TIME, async () => {
  let task: string;
  {
    await using service = await start();
    const client = await signIn(service);
    task = await aTask(client);
    model.append(HANGS);
    const asked = model.requests.length;
    await runTask(client, task);
    await hanging(asked);
    await service.kill();
  }
  // Without the model the built-in analyst does it.
  await using service = await start({ OPENAI_BASE_URL: '' });
  const client = await signIn(service);
  expect(await settled(client, task)).toMatchObject({ status: 'ready', error: null });
  expect(await historyOf(client, task)).toMatchObject([{ status: 'done', attempts: 2 }]);
  expect((await client.delete(`/secure/agent/task/delete/${task}`)).status).toBe(200);
  await service.stop();
});
