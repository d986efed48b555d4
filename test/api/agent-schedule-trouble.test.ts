import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProcessInstance } from '../../src/adapters/system/process-instance.js';
import { LeaseKeeper } from '../../src/queue/lease-keeper.js';
import { RunRecords } from '../../src/features/agent/run/run-records.js';
import { RunRepository } from '../../src/features/agent/run/run.repository.js';
import { RunStarter } from '../../src/features/agent/run/run-starter.js';
import { ConditionCheck } from '../../src/features/agent/schedule/condition-check.js';
import { ScheduleReconciler } from '../../src/features/agent/schedule/schedule.reconciler.js';
import { Scheduler } from '../../src/features/agent/schedule/scheduler.js';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import { IdSource } from '../../src/ports/id-source.js';
import { JobQueue } from '../../src/ports/job-queue.js';
import { Log } from '../../src/ports/log.js';
import { AppError } from '../../src/shared/app-error.js';
import { asId } from '../../src/shared/ids.js';
import type { TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { MINUTE, ScriptedWork, historyOf, pass, runTask, schedule, startAgentApi, taskOf } from './agent-world.js';
import { createTask, importedDatasource } from './world.builder.js';

let api: TestApi;
let ada: TestClient;
let datasource: string;
let work: ScriptedWork;
let task: string;
const made: string[] = [];

beforeAll(async () => {
  api = await startAgentApi();
  datasource = await importedDatasource(api, await api.signIn('acme'));
});
afterAll(() => api[Symbol.asyncDispose]());

beforeEach(async () => {
  work = new ScriptedWork(api);
  await signInAgain();
  task = await aTask();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await signInAgain();
  for (const id of made.splice(0)) await ada.delete(`/secure/agent/task/delete/${id}`);
});

/** Tokens do not outlive the time that the tests let pass. */
async function signInAgain(): Promise<void> {
  ada = await api.signIn('acme', { role: 'manager' });
}

async function aTask(fields: object = {}): Promise<string> {
  const id = await createTask(ada, datasource, fields);
  made.push(id);
  return id;
}

const inMinutes = (minutes: number, from = api.clock.now()): string =>
  new Date(from.getTime() + minutes * MINUTE).toISOString();
const statuses = async (id = task): Promise<unknown[]> => (await historyOf(ada, id)).map(({ status }) => status);

describe('a schedule that fails', () => {
  const broken = { fails: new AppError('unavailable', 'the model is away') };

  it('tries each run twice, pauses itself after five in a row, and says so', async () => {
    await schedule(ada, task, { automation_interval: 2 });
    work.script.push(...Array.from({ length: 20 }, () => broken));
    for (let turn = 1; turn <= 4; turn += 1) await pass(api, 2 * MINUTE);
    await signInAgain();
    expect(await taskOf(ada, task)).toMatchObject({
      status: 'error',
      automation_enabled: true,
      failures_in_a_row: 4,
      schedule_note: null,
    });
    await pass(api, 2 * MINUTE);
    const note = 'The schedule paused itself after 5 failed runs in a row. The last one: the model is away';
    expect(await taskOf(ada, task)).toMatchObject({
      status: 'error',
      automation_enabled: false,
      automation_interval: 2,
      next_run_at: null,
      failures_in_a_row: 5,
      schedule_note: note,
    });
    await pass(api, 10 * MINUTE);
    await signInAgain();
    const history = await historyOf(ada, task);
    expect(history.map(({ status, attempts }) => [status, attempts])).toEqual(
      Array.from({ length: 5 }, () => ['error', 2]),
    );

    const { body } = await schedule(ada, task, { automation_interval: 2 });
    expect(body).toMatchObject({
      task: { automation_enabled: true, failures_in_a_row: 0, schedule_note: null, next_run_at: inMinutes(2) },
    });
  });

  it('counts neither what people run nor what they stop, and a good run starts the count anew', async () => {
    await schedule(ada, task, { automation_interval: 2 });
    work.script.push(broken, broken);
    await pass(api, 2 * MINUTE);
    expect(await taskOf(ada, task)).toMatchObject({ failures_in_a_row: 1 });
    work.script.push(broken);
    await runTask(ada, task);
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'error', failures_in_a_row: 1 });
    work.script.push({ hangs: true });
    api.clock.advance(2 * MINUTE);
    await api.get(Scheduler).tick();
    await work.reached(4);
    await ada.post('/secure/agent/task/stop', { task_id: task });
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'ready', failures_in_a_row: 1 });
    await pass(api, 2 * MINUTE);
    expect(await taskOf(ada, task)).toMatchObject({ status: 'ready', failures_in_a_row: 0 });
  });

  it('is stopped between its two attempts for good', async () => {
    await schedule(ada, task, { automation_interval: 2 });
    work.script.push(broken);
    api.clock.advance(2 * MINUTE);
    await api.get(Scheduler).tick();
    await vi.waitFor(async () => {
      expect(
        await api.get(RunRepository).history(asId(ada.companyId), asId(task), { index: 0, size: 1 }),
      ).toMatchObject({
        entries: [{ error: 'the model is away', status: 'running' }],
      });
    });
    expect(await taskOf(ada, task)).toMatchObject({ status: 'running', error: null });
    await ada.post('/secure/agent/task/stop', { task_id: task });
    await api.drain();
    expect(await historyOf(ada, task)).toMatchObject([{ status: 'stopped', attempts: 1 }]);
    expect(work.assignments).toHaveLength(1);
  });
});

describe('two schedulers on one store', () => {
  /** As another instance has them. */
  function anotherScheduler(): Scheduler {
    const [tasks, clock] = [api.get(TaskRepository), api.clock];
    const leases = new LeaseKeeper(new ProcessInstance(false), clock, api.get(Log));
    const starter = new RunStarter(tasks, api.get(RunRecords), leases, api.get(JobQueue), api.get(IdSource));
    return new Scheduler(tasks, starter, api.get(ConditionCheck), clock, api.get(Log));
  }

  it.each([
    ['runs', { type: 'always' }, 'done'],
    ['skips', { type: 'threshold', column: 'temperature', aggregate: 'avg', operator: '>', value: 1e6 }, 'skipped'],
  ])('claim each due task once: one of them %s it', async (_what, condition, status) => {
    const settings = { automation_enabled: true, automation_interval: 3 };
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => aTask({ ...settings, condition: { datasource_id: datasource, ...condition } })),
    );
    const schedulers = [api.get(Scheduler), anotherScheduler(), anotherScheduler()];
    api.clock.advance(3 * MINUTE);
    await Promise.all(schedulers.map((each) => each.tick()));
    await api.drain();
    for (const id of ids) expect(await statuses(id)).toEqual([status]);
  });
});

describe('a clock that was ahead', () => {
  it('does not send a schedule into the future, nor has it run a turn twice', async () => {
    const start = api.clock.now();
    await schedule(ada, task, { automation_interval: 5 });
    await pass(api, 365 * 24 * 60 * MINUTE);
    api.clock.set(start);
    await signInAgain();
    expect(await statuses()).toEqual(['done']);
    await api.get(ScheduleReconciler).tick();
    // The turn after five minutes was the one that the year ahead made up for.
    expect(await taskOf(ada, task)).toMatchObject({ next_run_at: inMinutes(10, start) });
    await pass(api, 5 * MINUTE);
    expect(await statuses()).toEqual(['done']);
    await pass(api, 5 * MINUTE);
    expect(await statuses()).toEqual(['done', 'done']);
  });

  it('leaves a schedule alone that is only seconds ahead', async () => {
    const start = api.clock.now();
    await schedule(ada, task, { automation_interval: 5 });
    api.clock.set(new Date(start.getTime() - 30_000));
    await api.get(ScheduleReconciler).tick();
    expect(await taskOf(ada, task)).toMatchObject({ next_run_at: inMinutes(5, start) });
    api.clock.set(start);
  });
});

describe('a skipped run that was claimed and not written down', () => {
  it('is written down by the reconciler', async () => {
    task = await aTask({ automation_enabled: true, automation_interval: 1, condition: { type: 'new_data' } });
    await pass(api, MINUTE);
    vi.spyOn(api.get(RunRepository), 'insertOnce').mockRejectedValueOnce(new AppError('unavailable', 'killed'));
    await pass(api, MINUTE);
    expect(await statuses()).toEqual(['done']);
    await api.get(ScheduleReconciler).tick();
    await api.get(ScheduleReconciler).tick();
    expect(await statuses()).toEqual(['skipped', 'done']);
  });
});
