import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunReconciler, RunWorker } from '../../src/features/agent/run/run-worker.js';
import { RunClosing } from '../../src/features/agent/run/run-closing.js';
import { RunRepository } from '../../src/features/agent/run/run.repository.js';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import { WebhookFacade } from '../../src/features/settings/webhook/webhook.facade.js';
import { JobQueue } from '../../src/ports/job-queue.js';
import { ObjectStore, type ObjectKey } from '../../src/ports/object-store.js';
import { AppError } from '../../src/shared/app-error.js';
import { asId, type CompanyId, type RunId, type TaskId } from '../../src/shared/ids.js';
import type { TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { MINUTE, ScriptedWork, aStep, historyOf, pass, runTask, startAgentApi, taskOf } from './agent-world.js';
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
const imageKey = (name: string): ObjectKey => ({ companyId: asId(ada.companyId), area: 'images', name });

async function anImage(name: string): Promise<string> {
  await api.get(ObjectStore).write(imageKey(name), Readable.from([Buffer.from('png')]), 100);
  return name;
}

const isThere = async (name: string): Promise<boolean> => (await api.get(ObjectStore).stat(imageKey(name))) !== null;

describe('a run whose worker died', () => {
  /** As if another process had begun it, and was killed. */
  async function abandon(attempts: number): Promise<RunId> {
    const image = await anImage(`half-${attempts}.png`);
    work.script.push({ steps: [aStep({ visualization: image })], hangs: true });
    const { body } = await runTask(ada, task);
    await work.reached(work.assignments.length + 1);
    const runId = asId<RunId>(String(body['run_id']));
    const name = { companyId: asId<never>(ada.companyId), id: asId<TaskId>(task) };
    await api.get(TaskRepository).swap(name, { runId }, { leaseOwner: 'the dead', leaseUntil: new Date(0) });
    await api.get(RunRepository).swap({ ...name, id: runId }, {}, { attempts });
    return runId;
  }

  it('is begun once more, and says so', async () => {
    await abandon(1);
    // What it had been doing ends without a word, since the run is not its own any more.
    await api.get(JobQueue).cancel('agent.run', String((await taskOf(ada, task))['run_id']));
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'running' });
    work.script.push({ steps: [aStep()], answer: 'after all' });
    await api.get(RunReconciler).tick();
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'ready', answer: 'after all' });
    const [run] = await historyOf(ada, task);
    expect(run).toMatchObject({
      status: 'done',
      attempts: 2,
      steps: [
        { index: 1, type: 'error', title: 'The first attempt was interrupted' },
        { index: 2, type: 'query' },
      ],
    });
    expect(await isThere('half-1.png')).toBe(false);
  });

  it('twice ends with an error that says so', async () => {
    const runId = await abandon(2);
    await api.get(JobQueue).cancel('agent.run', runId);
    await api.drain();
    await api.get(RunReconciler).tick();
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({
      status: 'error',
      error: 'the run was given up after two attempts: the service ended while it worked on it',
    });
    expect(work.assignments).toHaveLength(1);
  });

  it('before it could write anything down is found, too', async () => {
    vi.spyOn(api.get(RunRepository), 'insertOnce').mockRejectedValueOnce(new AppError('unavailable', 'away'));
    expect((await runTask(ada, task)).status).toBe(503);
    expect(await taskOf(ada, task)).toMatchObject({ status: 'running', steps: [] });
    api.clock.advance(MINUTE);
    await api.get(RunReconciler).tick();
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'ready', answer: 'done' });
    expect(await historyOf(ada, task)).toMatchObject([{ status: 'done' }]);
  });

  it('after it ended the run, and before the task knew, is settled', async () => {
    const settling = vi.spyOn(api.get(RunClosing), 'settle').mockResolvedValue();
    await runTask(ada, task);
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'running', answer: 'done' });
    settling.mockRestore();
    api.clock.advance(MINUTE);
    await api.get(RunReconciler).tick();
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'ready', answer: 'done' });
    expect(work.assignments).toHaveLength(1);
  });

  it('is nobody’s when its job comes a second time', async () => {
    work.script.push({ hangs: true });
    const { body } = await runTask(ada, task);
    await work.reached(1);
    const payload = {
      companyId: asId<never>(ada.companyId),
      taskId: asId<TaskId>(task),
      runId: asId<RunId>(String(body['run_id'])),
    };
    await api.get(RunWorker).run(payload, new AbortController().signal);
    expect(work.assignments).toHaveLength(1);
    await stop(ada);
    await api.drain();
    await api.get(RunWorker).run(payload, new AbortController().signal);
    await api.get(RunWorker).giveUp(payload, new Error('late'));
    expect(await historyOf(ada, task)).toMatchObject([{ status: 'stopped', error: null }]);
  });
});

describe('the webhook', () => {
  it('is told of a good end and of a failure, once each', async () => {
    const announce = vi.spyOn(api.get(WebhookFacade), 'announce').mockResolvedValue();
    work.script.push({ answer: 'fine' }, { fails: new AppError('unavailable', 'no model') }, { hangs: true });
    for (let count = 0; count < 2; count += 1) {
      await runTask(ada, task);
      await api.drain();
    }
    await runTask(ada, task);
    await stop(ada);
    await pass(api, MINUTE);
    await api.get(RunReconciler).tick();
    const at = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    const common = {
      task_id: task,
      task_name: 'Watch canary-of-acme',
      trigger: 'manual',
      started_at: at,
      finished_at: at,
    };
    const id = expect.stringMatching(/^[0-9a-f]{24}$/) as string;
    expect(announce.mock.calls).toMatchObject([
      [ada.companyId, 'agent-task.finished', { ...common, status: 'done', answer: 'fine', error: null }, id],
      [ada.companyId, 'agent-task.failed', { ...common, status: 'error', answer: '', error: 'no model' }, id],
    ]);
  });

  it('is told later when whoever ended the run died before', async () => {
    const announce = vi.spyOn(api.get(WebhookFacade), 'announce').mockRejectedValueOnce(new Error('killed'));
    await runTask(ada, task);
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'ready' });
    announce.mockClear();
    api.clock.advance(MINUTE);
    await api.get(RunReconciler).tick();
    await api.get(RunReconciler).tick();
    expect(announce.mock.calls.map(([, event]) => event)).toEqual(['agent-task.finished']);
  });
});

describe('the history', () => {
  it('is paged, newest first, with its total', async () => {
    for (let count = 0; count < 3; count += 1) {
      work.script.push({ answer: `run ${count}` });
      await runTask(ada, task);
      await api.drain();
    }
    const { body } = await ada.get(`/secure/agent/taskhistory/${task}?page=1&page_size=1`);
    expect(body).toMatchObject({ message: 'agent task history retrieved', total: 3, history: [{ answer: 'run 1' }] });
    expect(await historyOf(ada, task, '?page=9')).toEqual([]);
  });

  it('keeps the last 1,000 runs and the last 200 skipped ones, and removes the images of the others', async () => {
    const runs = api.get(RunRepository);
    const old = await anImage('old.png');
    await runTask(ada, task);
    await api.drain();
    const [first] = (await runs.history(asId(ada.companyId), asId(task), { index: 0, size: 1 })).entries;
    const copies = Array.from({ length: 1_200 }, (_, index) => ({
      ...first!,
      id: asId<RunId>(index.toString(16).padStart(24, '0')),
      status: index % 6 === 0 ? ('skipped' as const) : ('done' as const),
      steps: index === 1 ? [{ ...aStep({ visualization: old }), index: 1 }] : [],
    }));
    for (let at = 0; at < copies.length; at += 200) {
      await Promise.all(copies.slice(at, at + 200).map((copy) => runs.insertOnce(copy)));
    }
    await runTask(ada, task);
    await api.drain();
    const [company, taskId] = [asId<CompanyId>(ada.companyId), asId<TaskId>(task)];
    const count = await runs.countOf(company, { taskId });
    expect([count, await runs.countOf(company, { taskId, status: 'skipped' })]).toEqual([1_200, 200]);
    expect(await isThere(old)).toBe(false);
    expect(await taskOf(ada, task)).toMatchObject({ answer: 'done' });
  });
});
