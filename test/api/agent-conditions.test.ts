import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { RowReader } from '../../src/ports/row-reader.js';
import { AppError } from '../../src/shared/app-error.js';
import type { TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { MINUTE, ScriptedWork, historyOf, pass, runTask, schedule, settle, startAgentApi } from './agent-world.js';
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

const statuses = async (id = task): Promise<unknown[]> => (await historyOf(ada, id)).map(({ status }) => status);

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

  it.each([
    [
      { column: 'temperature', aggregate: 'avg', operator: '>', value: 25 },
      'skipped',
      'average temperature is 21.5, not above 25',
    ],
    [
      { column: 'temperature', aggregate: 'avg', operator: '>', value: 21 },
      'done',
      'average temperature is 21.5, above 21',
    ],
    [
      { column: 'temperature', aggregate: 'max', operator: '<=', value: 33 },
      'done',
      'highest temperature is 33, at most 33',
    ],
    [
      { column: 'temperature', aggregate: 'min', operator: '<', value: 10 },
      'skipped',
      'lowest temperature is 10, not below 10',
    ],
    [
      { column: 'temperature', aggregate: 'sum', operator: '=', value: 516 },
      'done',
      'total temperature is 516, equal to 516',
    ],
    [
      { column: 'temperature', aggregate: 'median', operator: '!=', value: 21.5 },
      'skipped',
      'median temperature is 21.5, not other than 21.5',
    ],
    [
      { column: 'temperature', aggregate: 'stddev', operator: '>=', value: 8 },
      'skipped',
      'standard deviation of temperature is 7.0711, not at least 8',
    ],
    [{ aggregate: 'count', operator: '>', value: 100 }, 'skipped', 'number of rows is 24, not above 100'],
    [
      { column: 'device', aggregate: 'count_distinct', operator: '=', value: 2 },
      'done',
      'number of different device values is 2, equal to 2',
    ],
    [
      { column: 'temperature', aggregate: 'avg', operator: '>', value: 32, window_minutes: 60 },
      'done',
      'average temperature of the last 60 minutes is 32.5, above 32',
    ],
    [
      { aggregate: 'count', operator: '>', value: 4, window_minutes: 180 },
      'skipped',
      'number of rows of the last 180 minutes is 4, not above 4',
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

  it('is changed by scheduling with another, and kept by scheduling without', async () => {
    await schedule(ada, task, { condition: { type: 'new_data' } });
    expect((await schedule(ada, task)).body).toMatchObject({ task: { condition: { type: 'new_data' } } });
    expect((await schedule(ada, task, { condition: { type: 'always' } })).body).toMatchObject({
      task: { condition: { type: 'always' } },
    });
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
