import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunLimits } from '../../src/features/agent/run/run-worker.js';
import { AppError } from '../../src/shared/app-error.js';
import type { TestApi } from '../support/test-api.js';
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
      { status: 'stopped' },
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

  it('keeps steps cut to 8,000 characters, and 200 of them', async () => {
    const long = aStep({ content: 'x'.repeat(9_000), dbquery: 'y'.repeat(9_000), title: 'z'.repeat(900) });
    work.script.push({ steps: [long, ...Array.from({ length: 250 }, () => aStep())] });
    await runTask(ada, task);
    await api.drain();
    const { steps, status } = (await taskOf(ada, task)) as { steps: Record<string, string>[]; status: string };
    expect(status).toBe('ready');
    expect(steps).toHaveLength(200);
    expect(steps[0]).toMatchObject({ content: `${'x'.repeat(7_999)}…`, dbquery: `${'y'.repeat(7_999)}…` });
    expect(steps[199]).toMatchObject({ index: 200, title: 'Further steps are not recorded' });
  });

  it('fails clearly when a datasource was deleted, naming it', async () => {
    const other = await importedDatasource(api, ada);
    const both = await createTask(ada, datasource, { datasources: [datasource, other] });
    await ada.delete('/secure/datasource', { id: other });
    await runTask(ada, both);
    await api.drain();
    expect(await taskOf(ada, both)).toMatchObject({
      status: 'error',
      error: 'the datasource "Sensors canary-of-acme" was deleted, and the task can\'t be run without it',
      datasources: [datasource, other],
    });
    expect(work.assignments).toEqual([]);
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
    vi.spyOn(api.get(RunLimits), 'wholeMs', 'get').mockReturnValue(120);
    work.script.push({ steps: [aStep()], ...manner });
    await runTask(ada, task);
    await api.drain();
    const [run] = await historyOf(ada, task);
    expect(run).toMatchObject({ status: 'error', error: expect.stringMatching(/took longer than/) as string });
    expect(run!['steps']).toMatchObject([{ type: 'query' }, { type: 'error' }]);
  });
});
