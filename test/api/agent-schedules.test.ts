import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Scheduler } from '../../src/features/agent/schedule/scheduler.js';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import { AppError } from '../../src/shared/app-error.js';
import { asId, type TaskId } from '../../src/shared/ids.js';
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

  it('is planned anew by another interval, and not moved by the same', async () => {
    const start = api.clock.now();
    await schedule(ada, task, { automation_interval: 5 });
    api.clock.advance(MINUTE);
    expect((await schedule(ada, task, { automation_interval: 5 })).body).toMatchObject({
      task: { next_run_at: inMinutes(5, start) },
    });
    expect((await schedule(ada, task, { automation_interval: 10 })).body).toMatchObject({
      task: { next_run_at: inMinutes(11, start) },
    });
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
  it.each<[string, unknown]>([
    ['task_id', undefined],
    ['automation_interval', null],
    ['condition', 'new_data'],
  ])('refuses a %s that does not fit: %j, and changes nothing', async (field, value) => {
    const before = await taskOf(ada, task);
    const response = await schedule(ada, task, { [field]: value });
    expect(response).toMatchObject({ status: 400, body: { error: true, details: [{ field }] } });
    expect(await taskOf(ada, task)).toEqual(before);
  });

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

  it.each([
    ['no days', { days: [] }],
    ['a day that is none', { days: ['monday'] }],
    ['a time that is none', { time: '24:00' }],
    ['a zone that is none', { time_zone: 'Berlin' }],
  ])('is refused with %s', async (_what, fields) => {
    const at = { ...AT_EIGHT, ...fields };
    expect(await schedule(ada, task, { automation_at: at })).toMatchObject({ status: 400, body: { error: true } });
    expect(await taskOf(ada, task)).toMatchObject({ automation_enabled: false, automation_at: null });
  });
});
