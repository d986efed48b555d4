import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunRepository } from '../../src/features/agent/run/run.repository.js';
import { BinSweeper } from '../../src/features/bin/bin.module.js';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import { ObjectStore, type ObjectKey } from '../../src/ports/object-store.js';
import { AppError } from '../../src/shared/app-error.js';
import { asId, type TaskId } from '../../src/shared/ids.js';
import type { TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import {
  MINUTE,
  ScriptedWork,
  aStep,
  historyOf,
  pass,
  refusal,
  runTask,
  schedule,
  startAgentApi,
  taskOf,
} from './agent-world.js';
import { createTask, importedDatasource } from './world.builder.js';

let api: TestApi;
let ada: TestClient;
let datasource: string;
let work: ScriptedWork;
let task: string;

beforeAll(async () => {
  api = await startAgentApi();
  datasource = await importedDatasource(api, await api.signIn('acme'));
});
afterAll(() => api[Symbol.asyncDispose]());

beforeEach(async () => {
  work = new ScriptedWork(api);
  // Tokens do not outlive the time that some tests let pass.
  ada = await api.signIn('acme', { role: 'manager' });
  task = await createTask(ada, datasource, { prompt: 'How warm?' });
});
afterEach(() => vi.restoreAllMocks());

const stop = (client: TestClient, id = task): Promise<TestResponse> =>
  client.post('/secure/agent/task/stop', { task_id: id });
const remove = (client: TestClient, id = task): Promise<TestResponse> =>
  client.delete(`/secure/agent/task/delete/${id}?permanent=true`);
const imageKey = (name: string): ObjectKey => ({ companyId: asId(ada.companyId), area: 'images', name });

async function anImage(name: string): Promise<string> {
  await api.get(ObjectStore).write(imageKey(name), Readable.from([Buffer.from('png')]), 100);
  return name;
}

const isThere = async (name: string): Promise<boolean> => (await api.get(ObjectStore).stat(imageKey(name))) !== null;

describe('stopping', () => {
  it('keeps the steps, marks the run, and leaves the task ready', async () => {
    work.script.push({ steps: [aStep(), aStep()], hangs: true });
    await runTask(ada, task);
    await work.reached(1);
    const { status, body } = await stop(await api.signIn('acme'));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { message: 'agent task stopped', task: { status: 'ready', steps: [{}, {}], answer: '', error: null } },
    });
    await api.drain();
    expect(await historyOf(ada, task)).toMatchObject([{ status: 'stopped', steps: [{}, {}], error: null }]);
    expect(await taskOf(ada, task)).toMatchObject({ status: 'ready' });
  });

  it('ends a run that still waits for its turn', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => createTask(ada, datasource)));
    work.script.push(...others.map(() => ({ hangs: true })));
    for (const id of others) await runTask(ada, id);
    await work.reached(4);
    await runTask(ada, task);
    expect((await stop(ada)).status).toBe(200);
    for (const id of others) await stop(ada, id);
    await api.drain();
    expect(work.assignments).toHaveLength(4);
    expect(await historyOf(ada, task)).toMatchObject([{ status: 'stopped', attempts: 0, steps: [] }]);
  });

  it('needs a run', async () => {
    expect(await stop(ada)).toMatchObject(refusal(409, 'agent task is not running'));
    expect(await stop(await api.signIn('globex'))).toMatchObject(refusal(404, 'agent task not found'));
  });

  it('of two people succeeds for one', async () => {
    work.script.push({ hangs: true });
    await runTask(ada, task);
    const answers = await Promise.all([stop(ada), stop(ada)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('and ending at the same moment agree, however it falls out', async () => {
    for (let round = 0; round < 25; round += 1) {
      work.script.push({ steps: [aStep()] });
      await runTask(ada, task);
      for (let wait = 0; wait < round % 8; wait += 1) await new Promise((wake) => setImmediate(wake));
      const { status } = await stop(ada);
      await api.drain();
      const [run] = await historyOf(ada, task, '?page_size=1');
      expect(run!['status']).toBe(status === 200 ? 'stopped' : 'done');
      expect(await taskOf(ada, task)).toMatchObject({ status: 'ready' });
    }
  });
});

describe('deleting', () => {
  it('a running task is refused until its run began more than ten minutes ago', async () => {
    work.script.push({ hangs: true });
    await runTask(ada, task);
    await work.reached(1);
    api.clock.advance(10 * MINUTE);
    expect(await remove(ada)).toMatchObject(
      refusal(409, 'agent task is running: stop it first, or delete it when its run began more than 10 minutes ago'),
    );
    expect(await taskOf(ada, task)).toMatchObject({ status: 'running' });
    api.clock.advance(1);
    expect((await remove(ada)).status).toBe(200);
    await api.drain();
    expect((await ada.get(`/secure/agent/task/${task}`)).status).toBe(404);
    expect(await api.get(RunRepository).count(asId(ada.companyId), asId<TaskId>(task))).toBe(0);
  });

  it('removes the history and every image of it', async () => {
    const [drawn, written] = [await anImage('drawn.png'), await anImage('written.png')];
    const kept = await anImage('kept.png');
    const answer = `![Trend](/api/v1/secure/assistant/visualizations/${written})`;
    work.script.push({ steps: [aStep({ visualization: drawn })], answer });
    await runTask(ada, task);
    await api.drain();
    expect([await isThere(drawn), await isThere(written)]).toEqual([true, true]);
    await remove(ada);
    expect([await isThere(drawn), await isThere(written), await isThere(kept)]).toEqual([false, false, true]);
    expect(await api.get(TaskRepository).allDeleted()).toEqual([]);
  });

  it('and running at the same moment agree', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await createTask(ada, datasource);
      work.script.push({ steps: [aStep()] });
      const [ran, removed] = await Promise.all([runTask(ada, id), remove(ada, id)]);
      await api.drain();
      const left = await api.get(RunRepository).count(asId(ada.companyId), asId<TaskId>(id));
      expect([200, 404, 409]).toContain(ran.status);
      if (removed.status === 200) expect(left).toBe(0);
      else expect({ ran: ran.status, removed: removed.status, left }).toEqual({ ran: 200, removed: 409, left: 1 });
      work.script.length = 0;
    }
  });

  it('that was cut off is gone on with', async () => {
    await runTask(ada, task);
    await api.drain();
    vi.spyOn(api.get(RunRepository), 'remove').mockRejectedValueOnce(new AppError('unavailable', 'away'));
    expect((await remove(ada)).status).toBe(200);
    expect(await api.get(TaskRepository).allDeleted()).toHaveLength(1);
    await api.get(BinSweeper).tick();
    expect(await api.get(TaskRepository).allDeleted()).toEqual([]);
    expect(await api.get(RunRepository).count(asId(ada.companyId), asId<TaskId>(task))).toBe(0);
  });
});

describe('a schedule’s run that fails', () => {
  it('is tried once more, in the same run', async () => {
    await schedule(ada, task);
    work.script.push({ steps: [aStep(), aStep()], fails: new AppError('unavailable', 'no model') }, { answer: 'now' });
    await pass(api, 15 * MINUTE);
    ada = await api.signIn('acme');
    expect(await taskOf(ada, task)).toMatchObject({ status: 'ready', answer: 'now', failures_in_a_row: 0 });
    expect(await historyOf(ada, task)).toMatchObject([
      {
        trigger: 'schedule',
        status: 'done',
        attempts: 2,
        steps: [{ index: 1, type: 'error', title: 'The first attempt failed', content: 'no model' }],
      },
    ]);
  });
});
