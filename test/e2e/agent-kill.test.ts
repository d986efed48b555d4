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

async function someTasks(client: TestClient): Promise<[string, string]> {
  const { body: upload } = await client.upload(ROWS_CSV);
  const { body } = await client.put('/secure/datasource', aDatasourceBody(String(upload['filename'])));
  const id = String(body['datasource_id']);
  await eventually(
    () => client.get(`/secure/datasource?id=${id}`),
    (answer) => !(answer.body['datasource'] as Body)['updating'],
  );
  return [await createTask(client, id), await createTask(client, id)];
}

/** Begins a run, which asks the model and gets no answer. */
async function beginIn(client: TestClient, task: string): Promise<void> {
  model.append(HANGS);
  const asked = model.requests.length;
  expect((await runTask(client, task)).status).toBe(200);
  await hanging(asked);
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
  'a run that is killed is begun once more by itself, and done; a second time it ends with a reason',
  TIME,
  async () => {
    let twice: string;
    let once: string;
    {
      await using service = await start();
      const client = await signIn(service);
      [twice, once] = await someTasks(client);
      await beginIn(client, twice);
      expect(await taskOf(client, twice)).toMatchObject({ status: 'running' });
      model.append(HANGS);
      await service.kill();
    }
    {
      const asked = model.requests.length;
      await using service = await start();
      await hanging(asked);
      const client = await signIn(service);
      const [run] = await historyOf(client, twice);
      expect(run).toMatchObject({ status: 'running', attempts: 2 });
      expect(run!['steps']).toMatchObject([{ type: 'error', title: 'The first attempt was interrupted' }]);
      await beginIn(client, once);
      await service.kill();
    }
    {
      // Without the model the built-in analyst does what is left to do.
      await using service = await start({ OPENAI_BASE_URL: '' });
      const client = await signIn(service);
      expect(await settled(client, twice)).toMatchObject({
        status: 'error',
        error: 'the run was given up after two attempts: the service ended while it worked on it',
      });
      expect(await historyOf(client, twice)).toMatchObject([{ status: 'error', attempts: 2 }]);
      expect(await settled(client, once)).toMatchObject({ status: 'ready', error: null });
      expect(await historyOf(client, once)).toMatchObject([{ status: 'done', attempts: 2 }]);
      expect((await client.delete(`/secure/agent/task/delete/${once}`)).status).toBe(200);
      await service.stop();
    }
  },
);
