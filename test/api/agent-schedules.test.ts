import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunRepository } from '../../src/features/agent/run/run.repository.js';
import { RunStarter } from '../../src/features/agent/run/run.service.js';
import { ConditionCheck } from '../../src/features/agent/schedule/condition-check.js';
import { Scheduler } from '../../src/features/agent/schedule/scheduler.js';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import { Log } from '../../src/ports/log.js';
import { RowReader } from '../../src/ports/row-reader.js';
import { AppError } from '../../src/shared/app-error.js';
import { asId, type TaskId } from '../../src/shared/ids.js';
import type { TestClient } from '../support/test-client.js';
import { aService } from './a-service.js';
import {
  MINUTE,
  ScriptedWork,
  historyOf,
  pass,
  runTask,
  schedule,
  settle,
  shortenPauses,
  taskOf,
  type Body,
} from './agent-world.js';
import { createTask, importedDatasource } from './world.builder.js';

let ada: TestClient;
let work: ScriptedWork;
let task: string;
const made: string[] = [];

shortenPauses();
const api = await aService();
const datasource = await importedDatasource(api, await api.signIn('acme'));

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

const everyMinute = (fields: object = {}): Promise<string> =>
  aTask({ automation_enabled: true, automation_interval: 1, ...fields });
const scheduled = async (fields: object = {}): Promise<Body> =>
  (await schedule(ada, task, { automation_interval: 2, ...fields })).body['task'] as Body;
const inMinutes = (minutes: number, from = api.clock.now()): string =>
  new Date(from.getTime() + minutes * MINUTE).toISOString();
const statuses = async (id = task): Promise<unknown[]> => (await historyOf(ada, id)).map(({ status }) => status);
const away = { fails: new AppError('unavailable', 'the model is away') };
const AT_EIGHT = { days: ['fri', 'mon', 'tue', 'wed', 'thu'], time: '08:00', time_zone: 'Europe/Berlin' };

describe('a schedule', () => {
  it('runs the task at its times, which do not drift', async () => {
    const start = api.clock.now();
    const planned = { automation_enabled: true, automation_interval: 2, next_run_at: inMinutes(2) };
    expect(await scheduled()).toMatchObject(planned);
    await pass(api, 2 * MINUTE - 1);
    expect(await historyOf(ada, task)).toEqual([]);
    await pass(api, 700);
    await pass(api, 2 * MINUTE + 5_000);
    const run = { trigger: 'schedule', status: 'done' };
    expect(await historyOf(ada, task)).toMatchObject([
      { ...run, planned_at: inMinutes(4, start) },
      { ...run, planned_at: inMinutes(2, start), started_at: inMinutes(2, new Date(start.getTime() + 699)) },
    ]);
    expect(await taskOf(ada, task)).toMatchObject({ next_run_at: inMinutes(6, start) });
  });

  it('keeps its time through a pause, is not moved when it is sent again, and counts anew after the pause', async () => {
    await scheduled();
    api.clock.advance(MINUTE);
    const paused = { automation_enabled: false, automation_interval: 2, next_run_at: null };
    expect(await scheduled({ automation_enabled: false })).toMatchObject(paused);
    await pass(api, 5 * MINUTE);
    expect(await historyOf(ada, task)).toEqual([]);
    expect(await scheduled()).toMatchObject({ automation_enabled: true, next_run_at: inMinutes(2) });

    const { next_run_at: next } = await scheduled({ automation_at: AT_EIGHT });
    api.clock.advance(MINUTE);
    expect(await scheduled({ automation_at: AT_EIGHT })).toMatchObject({ next_run_at: next });
    const kept = { automation_at: { time: '08:00' }, next_run_at: null };
    expect(await scheduled({ automation_enabled: false })).toMatchObject(kept);
    expect(await scheduled()).toMatchObject({ automation_at: null, next_run_at: inMinutes(2) });
  });

  it('by weekday and time zone runs at its times through a change of clocks, once for all that it missed', async () => {
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

  it('skips its turn while a run is in progress, and records that', async () => {
    await scheduled();
    work.script.push({ hangs: true });
    await runTask(ada, task);
    await work.reached(1);
    api.clock.advance(2 * MINUTE);
    await api.get(Scheduler).claimAll();
    expect(await historyOf(ada, task)).toMatchObject([
      { trigger: 'schedule', status: 'skipped', reason: 'the run before it was still running', steps: [], error: null },
      { trigger: 'manual', status: 'running' },
    ]);
    expect(await taskOf(ada, task)).toMatchObject({ status: 'running', next_run_at: inMinutes(2) });
    await ada.post('/secure/agent/task/stop', { task_id: task });
    await pass(api, 2 * MINUTE);
    expect(await statuses()).toEqual(['done', 'skipped', 'stopped']);
  });

  it('whose skipped run was claimed and not written down has it written down by the reconciler', async () => {
    task = await everyMinute({ condition: { type: 'new_data' } });
    await pass(api, MINUTE);
    vi.spyOn(api.get(RunRepository), 'insertOnce').mockRejectedValueOnce(new AppError('unavailable', 'killed'));
    await pass(api, MINUTE);
    expect(await statuses()).toEqual(['done']);
    for (let turn = 0; turn < 2; turn += 1) await api.get(Scheduler).tick();
    expect(await statuses()).toEqual(['skipped', 'done']);
  });
});

describe('the condition', () => {
  const over = (operator: string, value: number, fields: object = {}): object => {
    const average = { column: 'temperature', aggregate: 'avg', operator, value };
    return { type: 'threshold', datasource_id: datasource, ...average, ...fields };
  };
  /** More than there are rows. */
  const TOO_MANY = over('>', 1e9, { column: null, aggregate: 'count' });

  it('decides whether the task is run, and says why, but not when a person asks for the run', async () => {
    const none = over('<', 9, { window_minutes: 60, column: 'humidity' });
    const gaps = await importedDatasource(
      api,
      ada,
      'device,at,humidity\nd1,2024-01-01 00:00:00,1\nd1,2024-01-01 01:00:00,5\nd2,2024-01-03 00:00:00,',
    );
    const cases: readonly (readonly [object, string, string])[] = [
      [over('>', 25), 'skipped', 'average temperature is 22.35, not above 25'],
      [
        over('=', 2, { column: 'device', aggregate: 'count_distinct' }),
        'done',
        'number of different device values is 2, equal to 2',
      ],
      [over('>', 24, { window_minutes: 60 }), 'done', 'average temperature of the last 60 minutes is 24.65, above 24'],
      [
        { ...none, datasource_id: gaps },
        'skipped',
        'there is no average humidity of the last 60 minutes: no row has a value',
      ],
    ];
    const tasks = await Promise.all(
      cases.map(([condition]) =>
        everyMinute({ condition, datasources: [(condition as { datasource_id: string }).datasource_id] }),
      ),
    );
    await pass(api, MINUTE);
    const verdicts = await Promise.all(tasks.map(async (id) => (await historyOf(ada, id))[0]));
    expect(verdicts).toMatchObject(cases.map(([, status, reason]) => ({ status, reason })));

    task = await aTask({ condition: TOO_MANY });
    await runTask(ada, task);
    await api.drain();
    expect(await historyOf(ada, task)).toMatchObject([{ status: 'done', reason: null }]);
  });

  it('new_data runs the first time, and then when rows have changed since the last good run', async () => {
    const rows = await importedDatasource(api, ada);
    task = await everyMinute({ datasources: [datasource, rows], condition: { type: 'new_data' } });
    await pass(api, MINUTE);
    await pass(api, MINUTE);
    // The task has the answer of the run, not of what was skipped after it.
    const [, run] = await historyOf(ada, task);
    expect(await taskOf(ada, task)).toMatchObject({ answer: 'done', run_id: run!['id'] });
    const row = { device: 'd1', at: '2024-02-01 00:00:00', temperature: '30' };
    const inserted = await ada.patch('/secure/datasource/insert', { datasource_id: rows, data: [row] });
    expect(inserted.status).toBe(200);
    work.script.push(away, away);
    for (let turn = 0; turn < 3; turn += 1) await pass(api, MINUTE);
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
    task = await everyMinute({ datasources: [rows], condition: { ...TOO_MANY, datasource_id: rows } });
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

  it('that is slow to check holds up nobody else, who begin by themselves', async () => {
    const slow = over('>', 1, { column: null, aggregate: 'count' });
    const waiting = await Promise.all(Array.from({ length: 6 }, () => everyMinute({ condition: slow })));
    const quick = await everyMinute();
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

  it('is looked at by one of several instances: one of them runs or skips each due task', async () => {
    const [tasks, runs, starter] = [api.get(TaskRepository), api.get(RunRepository), api.get(RunStarter)];
    const [check, log] = [api.get(ConditionCheck), api.get(Log)];
    /** As another instance has it. */
    const another = (): Scheduler => Object.assign(new Scheduler(tasks, runs, starter, check, api.clock), { log });
    const conditions = [{ type: 'always' }, over('>', 1e6)].flatMap((condition) =>
      Array.from({ length: 8 }, () => condition),
    );
    const ids = await Promise.all(conditions.map((condition) => everyMinute({ condition })));
    api.clock.advance(MINUTE);
    await Promise.all([api.get(Scheduler), another(), another()].map((each) => each.claimAll()));
    await api.drain();
    for (const [n, id] of ids.entries()) expect(await statuses(id)).toEqual([n < 8 ? 'done' : 'skipped']);
  });
});

describe('a schedule that fails', () => {
  it('tries each run twice, pauses itself after five in a row, and says so', async () => {
    await scheduled();
    work.script.push(...Array.from({ length: 20 }, () => away));
    for (let turn = 1; turn <= 4; turn += 1) await pass(api, 2 * MINUTE);
    await signInAgain();
    const goesOn = { automation_enabled: true, failures_in_a_row: 4, schedule_note: null };
    expect(await taskOf(ada, task)).toMatchObject({ status: 'error', ...goesOn });
    await pass(api, 2 * MINUTE);
    expect(await taskOf(ada, task)).toMatchObject({
      status: 'error',
      automation_enabled: false,
      automation_interval: 2,
      next_run_at: null,
      failures_in_a_row: 5,
      schedule_note: 'The schedule paused itself after 5 failed runs in a row. The last one: the model is away',
    });
    await pass(api, 10 * MINUTE);
    await signInAgain();
    const attempts = (await historyOf(ada, task)).map((run) => [run['status'], run['attempts']]);
    expect(attempts).toEqual(Array.from({ length: 5 }, () => ['error', 2]));
    const anew = { automation_enabled: true, failures_in_a_row: 0, schedule_note: null, next_run_at: inMinutes(2) };
    expect(await scheduled()).toMatchObject(anew);
  });

  it('for the fifth time while it is set anew loses neither of the two', async () => {
    const name = { companyId: asId<never>(ada.companyId), id: asId<TaskId>(task) };
    await scheduled();
    await api.get(TaskRepository).swap(name, {}, { failuresInARow: 4 });
    work.script.push(away, away);
    api.clock.advance(2 * MINUTE);
    await api.get(Scheduler).claimAll();
    const drained = api.drain();
    await scheduled({ automation_interval: 3 });
    await drained;
    // The count began anew before the run had failed.
    const both = { automation_interval: 3, failures_in_a_row: 1, schedule_note: null };
    expect(await taskOf(ada, task)).toMatchObject({ status: 'error', automation_enabled: true, ...both });
  });

  it('counts neither what people run nor what they stop, and a good run starts the count anew', async () => {
    await scheduled();
    work.script.push(away, away);
    await pass(api, 2 * MINUTE);
    expect(await taskOf(ada, task)).toMatchObject({ failures_in_a_row: 1 });
    work.script.push(away);
    await runTask(ada, task);
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'error', failures_in_a_row: 1 });
    work.script.push({ hangs: true });
    api.clock.advance(2 * MINUTE);
    await api.get(Scheduler).claimAll();
    await work.reached(4);
    await ada.post('/secure/agent/task/stop', { task_id: task });
    await api.drain();
    expect(await taskOf(ada, task)).toMatchObject({ status: 'ready', failures_in_a_row: 1 });
    await pass(api, 2 * MINUTE);
    expect(await taskOf(ada, task)).toMatchObject({ status: 'ready', failures_in_a_row: 0 });
  });

  it('is stopped between its two attempts for good', async () => {
    await scheduled();
    work.script.push(away);
    api.clock.advance(2 * MINUTE);
    await api.get(Scheduler).claimAll();
    await vi.waitFor(async () => {
      const runs = await api.get(RunRepository).allWhere(asId(ada.companyId), { taskId: asId(task) });
      expect(runs).toMatchObject([{ error: 'the model is away', status: 'running' }]);
    });
    expect(await taskOf(ada, task)).toMatchObject({ status: 'running', error: null });
    await ada.post('/secure/agent/task/stop', { task_id: task });
    await api.drain();
    expect(await historyOf(ada, task)).toMatchObject([{ status: 'stopped', attempts: 1 }]);
    expect(work.assignments).toHaveLength(1);
  });
});
