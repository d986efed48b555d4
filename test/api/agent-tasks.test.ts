import { expect, it } from 'vitest';
import type { TestResponse } from '../support/test-client.js';
import { aService } from './a-service.js';
import { anImportThatWaits, refusal, schedule, taskOf, type Body } from './agent-world.js';
import { aTaskBody, createTask, importedDatasource } from './world.builder.js';

const api = await aService();
const [ada, colleague] = [await api.signIn('acme'), await api.signIn('acme')];
const datasource = await importedDatasource(api, ada);

const create = (fields: object = {}): Promise<TestResponse> =>
  ada.post('/secure/agent/task', aTaskBody(datasource, fields));

/** What a new task and one that is scheduled are answered alike. */
const both = async (fields: object, { thinking = false } = {}): Promise<TestResponse[]> => [
  await create({ thinking, ...fields }),
  await schedule(ada, await createTask(ada, datasource, { thinking }), fields),
];

const threshold = (fields: object): object => ({
  ...{ type: 'threshold', datasource_id: datasource, column: 'temperature' },
  ...{ aggregate: 'avg', operator: '>', value: 25 },
  ...fields,
});

it('a new task is given whole, ready, with every default, to colleagues too', async () => {
  const { status, body } = await create({ name: '  Watch ', prompt: ' How warm is it? ' });
  const now = api.clock.now().toISOString();
  expect({ status, message: body['message'] }).toEqual({ status: 200, message: 'agent task created' });
  expect(body['task']).toEqual({
    ...{ id: expect.stringMatching(/^[0-9a-f]{24}$/) as string, created_by: ada.id },
    ...{ name: 'Watch', prompt: 'How warm is it?', datasources: [datasource], mode: 'solve', thinking: false },
    ...{ status: 'ready', steps: [], answer: '', error: null, run_id: null, last_run_at: null },
    ...{ automation_enabled: false, automation_interval: 15, automation_at: null, condition: { type: 'always' } },
    ...{ next_run_at: null, schedule_note: null, failures_in_a_row: 0, notify_emails: [] },
    ...{ created_at: now, updated_at: now },
  });
  expect(await taskOf(colleague, (body['task'] as Body)['id'] as string)).toEqual(body['task']);
});

it('a new task takes every setting, and plans the first run', async () => {
  const condition = threshold({ window_minutes: 60 });
  const settings = { mode: 'report', thinking: true, automation_enabled: true, automation_interval: 120, condition };
  const { body } = await create({ ...settings, datasources: [datasource.toUpperCase(), datasource] });
  const next = new Date(api.clock.now().getTime() + 120 * 60_000).toISOString();
  expect(body['task']).toMatchObject({ ...settings, datasources: [datasource], next_run_at: next });
});

const THINKING = 'automation_interval must be one of 15, 30, 60, 120, 1440 when thinking is true';
const PLAIN = 'automation_interval must be a whole number from 1 to 1440';

it.each([
  [false, 1440, null],
  [false, 2.5, PLAIN],
  [true, 15, null],
  [true, 45, THINKING],
])('with thinking %s, an interval of %d minutes is answered with %s', async (thinking, interval, problem) => {
  const answer =
    problem === null
      ? { status: 200, body: { task: { automation_interval: interval } } }
      : { ...refusal(400, problem), body: { details: [{ field: 'automation_interval', problem }] } };
  expect(await both({ automation_interval: interval }, { thinking })).toMatchObject([answer, answer]);
});

it.each<[string, object, unknown]>([
  ['type', { type: 'sometimes' }, expect.anything()],
  ['window_minutes', { window_minutes: 525_601 }, expect.anything()],
  ['column', { column: 'pressure' }, 'condition.column: the datasource has no column "pressure"'],
  ['column', { column: 'note' }, 'condition.column: "note" is not numeric, which avg needs'],
  ['column', { column: null }, 'condition.column is required for avg'],
  ['datasource_id', { datasource_id: 'f'.repeat(24) }, "condition.datasource_id must be one of the task's datasources"],
])('a condition is refused when its %s does not fit: %j', async (field, fields, message) => {
  const refused = { status: 400, body: { message, details: [{ field: `condition.${field}` }] } };
  expect(await both({ condition: threshold(fields) })).toMatchObject([refused, refused]);
});

it('a condition can not be checked before the datasource has rows', async () => {
  const [late, arrive] = await anImportThatWaits(api, ada);
  const onLate = { datasources: [late], condition: threshold({ datasource_id: late }) };
  const message = 'the datasource of the condition has no rows yet: try again when it is imported';
  expect(await create(onLate)).toMatchObject(refusal(409, message));
  await arrive();
  expect((await create(onLate)).status).toBe(200);
});

it('the list of tasks has the company’s alone, newest first, a page at a time', async () => {
  const [nina, oscar] = [await api.signIn('initech'), await api.signIn('initech')];
  const rows = await importedDatasource(api, nina);
  const ids: string[] = [];
  for (let count = 0; count < 22; count += 1) {
    if (count % 5 === 0) api.clock.advance(1000);
    ids.unshift(await createTask(count % 2 === 0 ? nina : oscar, rows));
  }
  const page = async (query: string): Promise<string[]> => {
    const { body } = await oscar.get(`/secure/agent/tasks${query}`);
    expect(body).toMatchObject({ error: false, total: 22 });
    return (body['tasks'] as Body[]).map(({ id }) => String(id));
  };
  expect(await page('')).toEqual(ids.slice(0, 20));
  expect(await page('?page=2&page_size=7')).toEqual(ids.slice(14, 21));
});
