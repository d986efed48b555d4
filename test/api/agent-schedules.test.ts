import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Scheduler, ScheduleReconciler } from '../../src/features/agent/schedule/scheduler.js';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import { AppError } from '../../src/shared/app-error.js';
import { asId, type TaskId } from '../../src/shared/ids.js';
import type { TestClient } from '../support/test-client.js';
import {
  MINUTE,
  ScriptedWork,
  historyOf,
  pass,
  runTask,
  schedule,
  startAgentApi,
  taskOf,
  settle,
} from './agent-world.js';
import { createTask, importedDatasource } from './world.builder.js';
import { ProcessInstance } from '../../src/adapters/system/process-instance.js';
import { LeaseKeeper } from '../../src/queue/lease-keeper.js';
import { RunRecords } from '../../src/features/agent/run/run-records.js';
import { RunRepository } from '../../src/features/agent/run/run.repository.js';
import { RunStarter } from '../../src/features/agent/run/run.service.js';
import { ConditionCheck } from '../../src/features/agent/schedule/condition-check.js';
import { IdSource } from '../../src/ports/id-source.js';
import { JobQueue } from '../../src/ports/job-queue.js';
import { Log } from '../../src/ports/log.js';
import { RowReader } from '../../src/ports/row-reader.js';

let ada: TestClient;
let work: ScriptedWork;
let task: string;
const made: string[] = [];

const api = await startAgentApi();
const datasource = await importedDatasource(api, await api.signIn('acme'));
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

describe('a schedule', () => {
  it('runs the task at its times, which do not drift', async () => {
    const start = api.clock.now();
    const { body } = await schedule(ada, task, { automation_interval: 2 });
    expect(body).toMatchObject({
      message: 'agent task scheduled',
      task: { automation_enabled: true, automation_interval: 2, next_run_at: inMinutes(2, start) },
    });
    await pass(api, 2 * MINUTE - 1);
    expect(await historyOf(ada, task)).toEqual([]);
    await pass(api, 700);
    await pass(api, 2 * MINUTE + 5_000);
    expect(await historyOf(ada, task)).toMatchObject([
      { trigger: 'schedule', status: 'done', planned_at: inMinutes(4, start) },
      {
        trigger: 'schedule',
        status: 'done',
        planned_at: inMinutes(2, start),
        started_at: inMinutes(2, new Date(start.getTime() + 699)),
      },
    ]);
    expect(await taskOf(ada, task)).toMatchObject({ next_run_at: inMinutes(6, start) });
  });

  it('begins by itself, without being asked', async () => {
    await schedule(ada, task, { automation_interval: 1 });
    api.clock.advance(MINUTE);
    await vi.waitFor(async () => {
      expect(await statuses()).toEqual(['done']);
    }, 5_000);
  });

  it('keeps its interval through a pause, and counts anew from the end of it', async () => {
    await schedule(ada, task, { automation_interval: 2 });
    api.clock.advance(MINUTE);
    const { body } = await schedule(ada, task, { automation_interval: 2, automation_enabled: false });
    expect(body).toMatchObject({ task: { automation_enabled: false, automation_interval: 2, next_run_at: null } });
    await pass(api, 5 * MINUTE);
    expect(await historyOf(ada, task)).toEqual([]);
    const again = await schedule(ada, task, { automation_interval: 2 });
    expect(again.body).toMatchObject({ task: { automation_enabled: true, next_run_at: inMinutes(2) } });
  });

  it('skips its turn while a run is in progress, and records that', async () => {
    await schedule(ada, task, { automation_interval: 2 });
    work.script.push({ hangs: true });
    await runTask(ada, task);
    await work.reached(1);
    api.clock.advance(2 * MINUTE);
    await api.get(Scheduler).tick();
    expect(await historyOf(ada, task)).toMatchObject([
      { trigger: 'schedule', status: 'skipped', reason: 'the run before it was still running', steps: [], error: null },
      { trigger: 'manual', status: 'running' },
    ]);
    expect(await taskOf(ada, task)).toMatchObject({ status: 'running', next_run_at: inMinutes(2) });
    await ada.post('/secure/agent/task/stop', { task_id: task });
    await pass(api, 2 * MINUTE);
    expect(await statuses()).toEqual(['done', 'skipped', 'stopped']);
  });

  it('says the answer and the steps of a run, not of what was skipped after it', async () => {
    task = await aTask({ automation_enabled: true, automation_interval: 1, condition: { type: 'new_data' } });
    await pass(api, MINUTE);
    await pass(api, MINUTE);
    expect(await statuses()).toEqual(['skipped', 'done']);
    const [, run] = await historyOf(ada, task);
    expect(await taskOf(ada, task)).toMatchObject({ answer: 'done', run_id: run!['id'] });
  });
});

describe('scheduling', () => {
  it('while a run fails for the fifth time loses neither of the two', async () => {
    const name = { companyId: asId<never>(ada.companyId), id: asId<TaskId>(task) };
    await schedule(ada, task, { automation_interval: 2 });
    await api.get(TaskRepository).swap(name, {}, { failuresInARow: 4 });
    const failing = { fails: new AppError('unavailable', 'away') };
    work.script.push(failing, { ...failing });
    api.clock.advance(2 * MINUTE);
    await api.get(Scheduler).tick();
    const drained = api.drain();
    await schedule(ada, task, { automation_interval: 3 });
    await drained;
    // The count began anew before the run had failed.
    expect(await taskOf(ada, task)).toMatchObject({
      status: 'error',
      automation_enabled: true,
      automation_interval: 3,
      failures_in_a_row: 1,
      schedule_note: null,
    });
  });
});

describe('a schedule by weekday and time zone', () => {
  const AT_EIGHT = { days: ['fri', 'mon', 'tue', 'wed', 'thu'], time: '08:00', time_zone: 'Europe/Berlin' };

  it('runs at its times through a change of clocks, once for all that it missed', async () => {
    // A Friday; the clocks go forward on Sunday.
    api.clock.set(new Date('2027-03-26T06:30:00Z'));
    await signInAgain();
    task = await aTask({ automation_enabled: true, automation_at: AT_EIGHT });
    expect(await taskOf(ada, task)).toMatchObject({
      automation_interval: 15,
      automation_at: { ...AT_EIGHT, days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
      next_run_at: '2027-03-26T07:00:00.000Z',
    });
    await pass(api, 30 * MINUTE);
    await pass(api, 5 * 24 * 60 * MINUTE);
    await signInAgain();
    expect(await historyOf(ada, task)).toMatchObject([
      { status: 'done', planned_at: '2027-03-29T06:00:00.000Z' },
      { status: 'done', planned_at: '2027-03-26T07:00:00.000Z' },
    ]);
    expect(await taskOf(ada, task)).toMatchObject({ next_run_at: '2027-04-01T06:00:00.000Z' });
  });

  it('is kept by a pause, moved by nothing when sent again, and given up for an interval', async () => {
    const first = await schedule(ada, task, { automation_at: AT_EIGHT });
    const { next_run_at: next } = first.body['task'] as { next_run_at: string };
    api.clock.advance(MINUTE);
    expect((await schedule(ada, task, { automation_at: AT_EIGHT })).body).toMatchObject({
      task: { next_run_at: next },
    });
    expect((await schedule(ada, task, { automation_enabled: false })).body).toMatchObject({
      task: { automation_at: { time: '08:00' }, next_run_at: null },
    });
    expect((await schedule(ada, task)).body).toMatchObject({
      task: { automation_at: null, next_run_at: inMinutes(15) },
    });
  });
});

describe('the condition', () => {
  const RISING = (hours: number, degrees: number): string =>
    [
      'device,at,temperature',
      ...Array.from({ length: hours }, (_, hour) => {
        const at = new Date(Date.UTC(2024, 0, 1, hour)).toISOString().slice(0, 19).replace('T', ' ');
        return `d${hour % 2},${at},${degrees + hour}`;
      }),
    ].join('\n');

  let rising: string;
  beforeAll(async () => {
    rising = await importedDatasource(api, await api.signIn('acme'), RISING(24, 10));
  });

  async function verdictOn(condition: object, rows = rising): Promise<object> {
    const id = await aTask({
      datasources: [rows],
      automation_enabled: true,
      automation_interval: 1,
      condition: { type: 'threshold', datasource_id: rows, ...condition },
    });
    await pass(api, MINUTE);
    const [run] = await historyOf(ada, id);
    return { status: run!['status'], reason: run!['reason'] };
  }

  const figure = (aggregate: string, operator: string, value: number, more: object = {}): object => ({
    ...{ column: 'temperature', aggregate, operator, value },
    ...more,
  });
  it.each([
    [figure('avg', '>', 25), 'skipped', 'average temperature is 21.5, not above 25'],
    [
      figure('count_distinct', '=', 2, { column: 'device' }),
      'done',
      'number of different device values is 2, equal to 2',
    ],
    [
      figure('avg', '>', 32, { window_minutes: 60 }),
      'done',
      'average temperature of the last 60 minutes is 32.5, above 32',
    ],
  ])('%j: %s, since %s', async (condition, status, reason) => {
    expect(await verdictOn(condition)).toEqual({ status, reason });
  });

  it('skips when there is no figure', async () => {
    const csv =
      'device,at,temperature,humidity\nd1,2024-01-01 00:00:00,1,\nd1,2024-01-01 01:00:00,2,5\nd2,2024-01-03 00:00:00,3,';
    const condition = { column: 'humidity', aggregate: 'avg', operator: '<', value: 9, window_minutes: 60 };
    expect(await verdictOn(condition, await importedDatasource(api, ada, csv))).toEqual({
      status: 'skipped',
      reason: 'there is no average humidity of the last 60 minutes: no row has a value',
    });
  });

  it('is not looked at by a run that a person asks for', async () => {
    const condition = { type: 'threshold', datasource_id: datasource, aggregate: 'count', operator: '>', value: 1e9 };
    task = await aTask({ condition });
    await runTask(ada, task);
    await api.drain();
    expect(await historyOf(ada, task)).toMatchObject([{ status: 'done', reason: null }]);
  });

  it('new_data runs the first time, and then when rows have changed since the last good run', async () => {
    const rows = await importedDatasource(api, ada);
    task = await aTask({
      datasources: [datasource, rows],
      automation_enabled: true,
      automation_interval: 1,
      condition: { type: 'new_data' },
    });
    await pass(api, MINUTE);
    await pass(api, MINUTE);
    const row = { device: 'd1', at: '2024-02-01 00:00:00', temperature: '30' };
    const inserted = await ada.patch('/secure/datasource/insert', { datasource_id: rows, data: [row] });
    expect(inserted.status).toBe(200);
    work.script.push({ fails: new AppError('unavailable', 'away') }, { fails: new AppError('unavailable', 'away') });
    await pass(api, MINUTE);
    await pass(api, MINUTE);
    await pass(api, MINUTE);
    expect((await historyOf(ada, task)).map(({ status, reason }) => [status, reason])).toEqual([
      ['skipped', 'no datasource has new rows since the last run that ended well'],
      ['done', '"Sensors canary-of-acme" has new rows'],
      ['error', '"Sensors canary-of-acme" has new rows'],
      ['skipped', 'no datasource has new rows since the last run that ended well'],
      ['done', 'no run has ended well before'],
    ]);
  });

  it('that can not be checked lets the run begin, which says what is wrong', async () => {
    const rows = await importedDatasource(api, ada);
    const condition = { type: 'threshold', datasource_id: rows, aggregate: 'count', operator: '>', value: 1e9 };
    task = await aTask({ datasources: [rows], automation_enabled: true, automation_interval: 1, condition });
    vi.spyOn(api.get(RowReader), 'analyze').mockRejectedValueOnce(new AppError('timed_out', 'it took too long'));
    await pass(api, MINUTE);
    await ada.delete('/secure/datasource', { id: rows });
    await pass(api, MINUTE);
    expect(await historyOf(ada, task)).toMatchObject([
      {
        status: 'error',
        reason: 'the condition could not be checked: datasource not found',
        error: 'the datasource "Sensors canary-of-acme" was deleted, and the task can\'t be run without it',
      },
      { status: 'done', reason: 'the condition could not be checked: it took too long' },
    ]);
  });

  it('that is slow to check holds up nobody else', async () => {
    const slow = { type: 'threshold', datasource_id: datasource, aggregate: 'count', operator: '>', value: 1 };
    const settings = { automation_enabled: true, automation_interval: 1 };
    const waiting = await Promise.all(Array.from({ length: 6 }, () => aTask({ ...settings, condition: slow })));
    const quick = await aTask(settings);
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const reader = api.get(RowReader);
    const analyze = reader.analyze.bind(reader);
    vi.spyOn(reader, 'analyze').mockImplementation(async (...what) => {
      await gate;
      return analyze(...what);
    });
    api.clock.advance(MINUTE);
    await vi.waitFor(async () => {
      expect(await statuses(quick)).toEqual(['done']);
    }, 5_000);
    for (const id of waiting) expect(await statuses(id)).toEqual([]);
    release();
    await settle(api);
    for (const id of waiting) expect(await statuses(id)).toEqual(['done']);
  });
});

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
        await api
          .get(RunRepository)
          .pageOf(asId(ada.companyId), { taskId: asId(task) }, { index: 0, size: 1 }, [['id', 'desc']]),
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
      Array.from({ length: 8 }, () => aTask({ ...settings, condition: { datasource_id: datasource, ...condition } })),
    );
    const schedulers = [api.get(Scheduler), anotherScheduler(), anotherScheduler()];
    api.clock.advance(3 * MINUTE);
    await Promise.all(schedulers.map((each) => each.tick()));
    await api.drain();
    for (const id of ids) expect(await statuses(id)).toEqual([status]);
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
