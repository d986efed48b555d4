import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunRepository } from '../../src/features/agent/run/run.repository.js';
import { RunReconciler, RunWorker } from '../../src/features/agent/run/run-worker.js';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import { BinSweeper } from '../../src/features/bin/bin.module.js';
import { WebhookFacade } from '../../src/features/settings/webhook/webhook.facade.js';
import { StoreAway } from '../../src/ports/document-store.js';
import { JobQueue } from '../../src/ports/job-queue.js';
import { ObjectStore, type ObjectKey } from '../../src/ports/object-store.js';
import { AppError } from '../../src/shared/app-error.js';
import { asId, type CompanyId, type RunId, type TaskId } from '../../src/shared/ids.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { aService } from './a-service.js';
import {
  MINUTE,
  ScriptedWork,
  aStep,
  anImportThatWaits,
  historyOf,
  pass,
  refusal,
  runTask,
  shortenPauses,
  taskOf,
  type Body,
  type ScriptedRun,
} from './agent-world.js';
import { createTask, importedDatasource } from './world.builder.js';

let ada: TestClient;
let work: ScriptedWork;
let task: string;

shortenPauses();
const api = await aService();
const datasource = await importedDatasource(api, await api.signIn('acme'));
const [runs, tasks] = [api.get(RunRepository), api.get(TaskRepository)];

beforeEach(async () => {
  work = new ScriptedWork(api);
  // Tokens do not outlive the time that some tests let pass.
  ada = await api.signIn('acme', { role: 'manager' });
  task = await createTask(ada, datasource, { prompt: 'How warm?' });
});
afterEach(() => vi.restoreAllMocks());

const company = (): CompanyId => asId(ada.companyId);
const reconcile = (): Promise<void> => api.get(RunReconciler).tick();
const stop = (client: TestClient, id = task): Promise<TestResponse> =>
  client.post('/secure/agent/task/stop', { task_id: id });
const remove = (client: TestClient, id = task): Promise<TestResponse> =>
  client.delete(`/secure/agent/task/delete/${id}?permanent=true`);
const runsOf = (id = task): Promise<number> => runs.countOf(company(), { taskId: asId<TaskId>(id) });
const imageKey = (name: string): ObjectKey => ({ companyId: company(), area: 'images', name });
const isThere = async (name: string): Promise<boolean> => (await api.get(ObjectStore).stat(imageKey(name))) !== null;

async function anImage(name: string): Promise<string> {
  await api.get(ObjectStore).write(imageKey(name), Readable.from([Buffer.from('png')]), 100);
  return name;
}

/** Runs to its end; the task as it is then. */
async function ran(script: ScriptedRun = {}, id = task): Promise<Body> {
  work.script.push(script);
  await runTask(ada, id);
  await api.drain();
  return taskOf(ada, id);
}

/** Runs until its steps are done, and hangs there. */
async function hanging(script: ScriptedRun = {}): Promise<RunId> {
  work.script.push({ ...script, hangs: true });
  const before = work.assignments.length;
  const { body } = await runTask(ada, task);
  await work.reached(before + 1);
  return asId<RunId>(String(body['run_id']));
}

describe('a run', () => {
  it('is running at once, records its steps as they are done, and leaves its answer', async () => {
    const began = api.clock.now().toISOString();
    const id = await hanging({ steps: [aStep({ type: 'plan', title: 'Plan' }), aStep()] });
    const at = '2026-01-01T00:00:00.000Z';
    expect(await taskOf(ada, task)).toMatchObject({
      status: 'running',
      run_id: id,
      last_run_at: began,
      answer: '',
      steps: [
        { index: 1, type: 'plan', title: 'Plan', content: 'an answer', dbquery: 'SELECT 1', visualization: '' },
        { index: 2, type: 'query', started_at: at, finished_at: at },
      ],
    });
    const running = { id, status: 'running', trigger: 'manual', started_at: began, finished_at: null };
    expect(await historyOf(ada, task)).toMatchObject([{ ...running, steps: [{}, {}] }]);
    await stop(ada);

    api.clock.advance(1000);
    const now = api.clock.now().toISOString();
    const good = { answer: '**21.5**', error: null };
    const whole = { status: 'ready', ...good, steps: [{ index: 1 }], last_run_at: now, updated_at: now };
    expect(await ran({ steps: [aStep()], answer: '**21.5**' })).toMatchObject(whole);
    expect(await historyOf(ada, task)).toMatchObject([
      { status: 'done', ...good, attempts: 1, finished_at: now, planned_at: null },
      { status: 'stopped', steps: [{}, {}], error: null },
    ]);
  });

  it('is told the prompt, the mode, the rows, and what the last good run found', async () => {
    const thinking = await createTask(ada, datasource, { prompt: 'Why?', mode: 'report', thinking: true });
    await ran({}, thinking);
    const finishedAt = api.clock.now();
    await ran({ fails: new Error('boom') }, thinking);
    api.clock.advance(MINUTE);
    await ran({}, thinking);
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
    const figures = [{ key: 'k', label: 'figure', value: 1 }];
    expect(work.assignments[2]!.previous).toEqual({ finishedAt, figures });
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
  ])('that fails with %s leaves an error and can be run again', async (fails, error) => {
    const steps = [{ index: 1 }, { index: 2, type: 'error', content: error }];
    const failed = { status: 'error', error, answer: '', steps };
    expect(await ran({ steps: [aStep()], fails })).toMatchObject(failed);
    expect(await historyOf(ada, task)).toMatchObject([{ ...failed, attempts: 1 }]);
    expect(await ran()).toMatchObject({ status: 'ready', error: null, answer: 'done' });
  });

  it('fails clearly when a datasource has no rows yet', async () => {
    const [late, arrive] = await anImportThatWaits(api, ada);
    const early = await createTask(ada, late);
    await runTask(ada, early);
    const error = 'the datasource "Sensors canary-of-acme" has no rows yet: its import is running';
    await vi.waitFor(async () => {
      expect(await taskOf(ada, early)).toMatchObject({ status: 'error', error });
    });
    await arrive();
    expect(await ran({}, early)).toMatchObject({ status: 'ready', error: null });
  });

  it.each([{ hangs: true }, { isDeaf: true }])('ends after its time, also when it is %j', async (manner) => {
    vi.spyOn(api.get(RunWorker), 'wholeMs', 'get').mockReturnValue(120);
    await ran({ steps: [aStep()], ...manner });
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
      for (let wait = 0; wait < round; wait += 1) await new Promise((wake) => setImmediate(wake));
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
    await hanging();
    api.clock.advance(10 * MINUTE);
    expect(await remove(ada)).toMatchObject(
      refusal(409, 'agent task is running: stop it first, or delete it when its run began more than 10 minutes ago'),
    );
    expect(await taskOf(ada, task)).toMatchObject({ status: 'running' });
    api.clock.advance(1);
    expect((await remove(ada)).status).toBe(200);
    await api.drain();
    expect((await ada.get(`/secure/agent/task/${task}`)).status).toBe(404);
    expect(await runsOf()).toBe(0);
  });

  it('removes the history and every image of it, also when it was cut off', async () => {
    const [drawn, written, kept] = await Promise.all(['drawn.png', 'written.png', 'kept.png'].map(anImage));
    const answer = `![Trend](/api/v1/secure/assistant/visualizations/${written})`;
    await ran({ steps: [aStep({ visualization: drawn! })], answer });
    const left = (): Promise<boolean[]> => Promise.all([drawn!, written!, kept!].map(isThere));
    expect(await left()).toEqual([true, true, true]);
    vi.spyOn(runs, 'remove').mockRejectedValueOnce(new AppError('unavailable', 'away'));
    expect((await remove(ada)).status).toBe(200);
    expect(await tasks.allDeleted()).toHaveLength(1);
    await api.get(BinSweeper).tick();
    expect(await left()).toEqual([false, false, true]);
    expect(await tasks.allDeleted()).toEqual([]);
    expect(await runsOf()).toBe(0);
  });

  it('and running at the same moment agree', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await createTask(ada, datasource);
      work.script.push({ steps: [aStep()] });
      const [begun, removed] = await Promise.all([runTask(ada, id), remove(ada, id)]);
      await api.drain();
      const left = await runsOf(id);
      expect([200, 404, 409]).toContain(begun.status);
      if (removed.status === 200) expect(left).toBe(0);
      else expect([begun.status, removed.status, left]).toEqual([200, 409, 1]);
      work.script.length = 0;
    }
  });
});

/** At whatever write a process dies: see agent-clock.test.ts. */
describe('a run whose worker died', () => {
  /** As if another process had begun it, and was killed; what it was doing here ends without a word. */
  async function abandoned(attempts: number): Promise<void> {
    const runId = await hanging({ steps: [aStep({ visualization: await anImage('half.png') })] });
    const name = { companyId: company(), id: asId<TaskId>(task) };
    await tasks.swap(name, { runId }, { leaseOwner: 'the dead', leaseUntil: new Date(0) });
    await runs.swap({ ...name, id: runId }, {}, { attempts });
    await api.get(JobQueue).cancel('agent.run', runId);
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'running' });
  }

  it('is begun once more, and says so', async () => {
    await abandoned(1);
    work.script.push({ steps: [aStep()], answer: 'after all' });
    await reconcile();
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'ready', answer: 'after all' });
    const steps = [
      { index: 1, type: 'error', title: 'The first attempt was interrupted' },
      { index: 2, type: 'query' },
    ];
    expect(await historyOf(ada, task)).toMatchObject([{ status: 'done', attempts: 2, steps }]);
    expect(await isThere('half.png')).toBe(false);
  });

  it('is begun once more when it was the document store that went away', async () => {
    work.script.push({ fails: new StoreAway(new Error('gone')) }, { answer: 'after all' });
    await runTask(ada, task);
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'running' });
    await pass(api, MINUTE);
    await reconcile();
    await api.drain();
    expect(await historyOf(ada, task)).toMatchObject([{ status: 'done', answer: 'after all', attempts: 2 }]);
  });

  it('twice ends with an error that says so', async () => {
    await abandoned(2);
    await reconcile();
    await api.drain();
    const error = 'the run was given up after two attempts: the service ended while it worked on it';
    expect(await taskOf(ada, task)).toMatchObject({ status: 'error', error });
    expect(work.assignments).toHaveLength(1);
  });

  it('is nobody’s when its job comes a second time', async () => {
    const runId = await hanging();
    const payload = { companyId: company(), taskId: asId<TaskId>(task), runId };
    await api.get(RunWorker).run(payload, new AbortController().signal);
    expect(work.assignments).toHaveLength(1);
    await stop(ada);
    await api.drain();
    await api.get(RunWorker).run(payload, new AbortController().signal);
    await api.get(RunWorker).giveUp(payload, new Error('late'));
    expect(await historyOf(ada, task)).toMatchObject([{ status: 'stopped', error: null }]);
  });
});

it('the webhook is told of a good end and of a failure, once each, later when whoever ended the run died before', async () => {
  const announce = vi.spyOn(api.get(WebhookFacade), 'announce').mockRejectedValueOnce(new Error('killed'));
  announce.mockResolvedValue();
  await ran({ answer: 'fine' });
  await pass(api, MINUTE);
  await reconcile();
  await ran({ fails: new AppError('unavailable', 'no model') });
  await hanging();
  await stop(ada);
  await pass(api, MINUTE);
  await reconcile();
  const [at, id] = [/^\d{4}-.*Z$/, /^[0-9a-f]{24}$/].map((form) => expect.stringMatching(form) as string);
  const common = { task_id: task, task_name: 'Watch canary-of-acme', trigger: 'manual' };
  const times = { started_at: at, finished_at: at };
  const finished = { ...common, ...times, status: 'done', answer: 'fine', error: null };
  const failed = { ...common, ...times, status: 'error', answer: '', error: 'no model' };
  expect(announce.mock.calls).toMatchObject([
    [ada.companyId, 'agent-task.finished', finished, id],
    [ada.companyId, 'agent-task.finished', finished, id],
    [ada.companyId, 'agent-task.failed', failed, id],
  ]);
});

it('the history keeps the last 1,000 runs and the last 200 skipped ones, and removes the images of the others', async () => {
  const old = await anImage('old.png');
  await ran();
  const taskId = asId<TaskId>(task);
  const first = await runs.first(company(), { taskId });
  const copies = Array.from({ length: 1_200 }, (_, index) => ({
    ...first!,
    id: asId<RunId>(index.toString(16).padStart(24, '0')),
    status: index % 6 === 0 ? ('skipped' as const) : ('done' as const),
    steps: index === 1 ? [{ ...aStep({ visualization: old }), index: 1 }] : [],
  }));
  for (let at = 0; at < copies.length; at += 200) {
    await Promise.all(copies.slice(at, at + 200).map((copy) => runs.insertOnce(copy)));
  }
  expect(await ran()).toMatchObject({ answer: 'done' });
  const skipped = await runs.countOf(company(), { taskId, status: 'skipped' });
  expect([await runsOf(), skipped]).toEqual([1_200, 200]);
  expect(await isThere(old)).toBe(false);
});
