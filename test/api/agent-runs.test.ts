import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunRepository } from '../../src/features/agent/run/run.repository.js';
import { RunReconciler, RunWorker } from '../../src/features/agent/run/run-worker.js';
import { BinSweeper } from '../../src/features/bin/bin.module.js';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import { ObjectStore, type ObjectKey } from '../../src/ports/object-store.js';
import { AppError } from '../../src/shared/app-error.js';
import { asId, type TaskId, type CompanyId, type RunId } from '../../src/shared/ids.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import {
  MINUTE,
  ScriptedWork,
  aStep,
  anImportThatWaits,
  historyOf,
  refusal,
  runTask,
  startAgentApi,
  taskOf,
  pass,
} from './agent-world.js';
import { createTask, importedDatasource } from './world.builder.js';
import { RunClosing } from '../../src/features/agent/run/run-closing.js';
import { WebhookFacade } from '../../src/features/settings/webhook/webhook.facade.js';
import { JobQueue } from '../../src/ports/job-queue.js';

let ada: TestClient;
let work: ScriptedWork;
let task: string;

const api = await startAgentApi();
const datasource = await importedDatasource(api, await api.signIn('acme'));
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

describe('a run', () => {
  it('is running at once, records its steps as they are done, and leaves its answer', async () => {
    work.script.push({ steps: [aStep({ type: 'plan', title: 'Plan' }), aStep()], hangs: true });
    const { body } = await runTask(ada, task);
    await work.reached(1);
    const began = api.clock.now().toISOString();
    expect(await taskOf(ada, task)).toMatchObject({
      status: 'running',
      run_id: body['run_id'],
      last_run_at: began,
      answer: '',
      steps: [
        { index: 1, type: 'plan', title: 'Plan', content: 'an answer', dbquery: 'SELECT 1', visualization: '' },
        { index: 2, type: 'query', started_at: '2026-01-01T00:00:00.000Z', finished_at: '2026-01-01T00:00:00.000Z' },
      ],
    });
    expect(await historyOf(ada, task)).toMatchObject([
      {
        id: body['run_id'],
        status: 'running',
        trigger: 'manual',
        steps: [{}, {}],
        started_at: began,
        finished_at: null,
      },
    ]);
    await stop(ada);

    work.script.push({ steps: [aStep()], answer: '**21.5**' });
    api.clock.advance(1000);
    await runTask(ada, task);
    await api.drain();
    const now = api.clock.now().toISOString();
    expect(await taskOf(ada, task)).toMatchObject({
      status: 'ready',
      answer: '**21.5**',
      error: null,
      steps: [{ index: 1 }],
      last_run_at: now,
      updated_at: now,
    });
    expect(await historyOf(ada, task)).toMatchObject([
      { status: 'done', answer: '**21.5**', error: null, attempts: 1, finished_at: now, planned_at: null },
      { status: 'stopped', steps: [{}, {}], error: null },
    ]);
  });

  it('is told the prompt, the mode, the rows, and what the last good run found', async () => {
    const thinking = await createTask(ada, datasource, { prompt: 'Why?', mode: 'report', thinking: true });
    await runTask(ada, thinking);
    await api.drain();
    const finished = api.clock.now();
    work.script.push({ fails: new Error('boom') });
    await runTask(ada, thinking);
    await api.drain();
    api.clock.advance(MINUTE);
    await runTask(ada, thinking);
    await api.drain();
    expect(work.assignments[0]).toMatchObject({
      companyId: ada.companyId,
      prompt: 'Why?',
      mode: 'report',
      thinking: true,
      subjects: [{ datasourceId: datasource, table: { generation: 1 }, profile: { rowCount: 48 } }],
      previous: null,
      queryTimeoutMs: 20_000,
    });
    expect(await work.assignments[0]!.passagesFor('anything')).toEqual([]);
    expect(work.assignments[2]!.previous).toEqual({
      finishedAt: finished,
      figures: [{ key: 'k', label: 'figure', value: 1 }],
    });
  });

  it('can not be begun twice', async () => {
    work.script.push({ hangs: true });
    const answers = await Promise.all([runTask(ada, task), runTask(ada, task), runTask(ada, task)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject(refusal(409, 'agent task is already running'));
    expect(await historyOf(ada, task)).toHaveLength(1);
    await stop(ada);
  });

  it.each([
    [new AppError('unavailable', 'the model is away'), 'the model is away'],
    [new Error('secret: 0xdeadbeef'), 'the run could not be finished'],
  ])('that fails with %s leaves an error and can be run again', async (error, sentence) => {
    work.script.push({ steps: [aStep()], fails: error });
    await runTask(ada, task);
    await api.drain();
    const failed = {
      error: sentence,
      answer: '',
      steps: [{ index: 1 }, { index: 2, type: 'error', content: sentence }],
    };
    expect(await taskOf(ada, task)).toMatchObject({ status: 'error', ...failed });
    expect(await historyOf(ada, task)).toMatchObject([{ status: 'error', attempts: 1, ...failed }]);
    await runTask(ada, task);
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'ready', error: null, answer: 'done' });
  });

  it('fails clearly when a datasource has no rows yet', async () => {
    const [late, arrive] = await anImportThatWaits(api, ada);
    const early = await createTask(ada, late);
    await runTask(ada, early);
    await vi.waitFor(async () => {
      expect(await taskOf(ada, early)).toMatchObject({
        status: 'error',
        error: 'the datasource "Sensors canary-of-acme" has no rows yet: its import is running',
      });
    });
    await arrive();
    await runTask(ada, early);
    await api.drain();
    expect(await taskOf(ada, early)).toMatchObject({ status: 'ready', error: null });
  });

  it.each([{ hangs: true }, { isDeaf: true }])('ends after its time, also when it is %j', async (manner) => {
    vi.spyOn(api.get(RunWorker), 'wholeMs', 'get').mockReturnValue(120);
    work.script.push({ steps: [aStep()], ...manner });
    await runTask(ada, task);
    await api.drain();
    const [run] = await historyOf(ada, task);
    expect(run).toMatchObject({ status: 'error', error: expect.stringMatching(/took longer than/) as string });
    expect(run!['steps']).toMatchObject([{ type: 'query' }, { type: 'error' }]);
  });
});

describe('stopping', () => {
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

  it('and ending at the same moment agree, however it falls out', async () => {
    for (let round = 0; round < 8; round += 1) {
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
    expect(await api.get(RunRepository).countOf(asId(ada.companyId), { taskId: asId<TaskId>(task) })).toBe(0);
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
    for (let round = 0; round < 5; round += 1) {
      const id = await createTask(ada, datasource);
      work.script.push({ steps: [aStep()] });
      const [ran, removed] = await Promise.all([runTask(ada, id), remove(ada, id)]);
      await api.drain();
      const left = await api.get(RunRepository).countOf(asId(ada.companyId), { taskId: asId<TaskId>(id) });
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
    expect(await api.get(RunRepository).countOf(asId(ada.companyId), { taskId: asId<TaskId>(task) })).toBe(0);
  });
});

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
  it('keeps the last 1,000 runs and the last 200 skipped ones, and removes the images of the others', async () => {
    const runs = api.get(RunRepository);
    const old = await anImage('old.png');
    await runTask(ada, task);
    await api.drain();
    const [first] = (
      await runs.pageOf(asId(ada.companyId), { taskId: asId(task) }, { index: 0, size: 1 }, [['id', 'desc']])
    ).entries;
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
