import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AlertCheck, AlertReconciler } from '../../src/features/alerts/alert-check.js';
import { AlertEventRepository, AlertRepository } from '../../src/features/alerts/alert.repository.js';
import { MailFacade } from '../../src/features/deliveries/mail.facade.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import type { TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { aServiceWithMail } from './a-service.js';
import { MINUTE } from './agent-world.js';
import { bodiesOf, subscribe } from './webhook-world.js';
import { aTaskBody, importedDatasource } from './world.builder.js';

const AVERAGE = {
  kind: 'aggregate',
  measures: [{ aggregate: 'avg', column: 'temperature', label: 'average temperature' }],
};
/** Of the 48 rows that the datasource begins with. */
const MEAN = expect.closeTo(22.35, 6) as number;
const ABOVE_20 = { condition: { type: 'above', value: 20 } };

interface Shown {
  readonly id: string;
  readonly state: string;
  readonly next_check_at: string | null;
}

/** The same service, with companies of the test's own. */
let api: TestApi;
let ada: TestClient;
let boss: TestClient;
let datasource: string;

const [service, sink] = await aServiceWithMail();
const [alerts, events] = [service.get(AlertRepository), service.get(AlertEventRepository)];

beforeEach(async () => {
  api = service.anew();
  sink.received.length = 0;
  [boss, ada] = [await api.signIn('acme', { role: 'manager' }), await api.signIn('acme')];
  datasource = await importedDatasource(api, ada);
});
afterEach(() => vi.restoreAllMocks());

const emailOf = ({ user }: TestClient): string => String(user?.['email']);
const toAda = (): object => ({ notify_emails: [emailOf(ada)] });

function create(client: TestClient, fields: object = {}): Promise<TestResponse> {
  const condition = { type: 'above', value: 25 };
  const body = { name: 'Heat', datasource_id: datasource, plan: AVERAGE, condition, check_interval: 1, ...fields };
  return client.post('/secure/alerts', body);
}

async function made(client: TestClient, fields: object = {}): Promise<string> {
  const { status, body } = await create(client, fields);
  expect({ status, body }).toMatchObject({ status: 200 });
  return (body['alert'] as Shown).id;
}

/** Rows of one temperature, until the average is about that. */
async function heat(temperature: number, rows = 500): Promise<void> {
  const data = Array.from({ length: rows }, (_, index) => {
    const at = new Date(Date.UTC(2025, 0, 1) + index * 1000).toISOString().slice(0, 19).replace('T', ' ');
    return { device: 'd1', at, temperature, note: 'n' };
  });
  const { status } = await ada.patch('/secure/datasource/insert', { datasource_id: datasource, data });
  expect(status).toBe(200);
}

const shown = async (id: string): Promise<Shown> => (await ada.get(`/secure/alerts/${id}`)).body['alert'] as Shown;
const checked = async (id: string): Promise<unknown> =>
  (await ada.post(`/secure/alerts/${id}/check`, {})).body['alert'];
const changed = async (id: string, fields: object): Promise<unknown> =>
  (await ada.patch(`/secure/alerts/${id}`, fields)).body['alert'];
const history = async (id: string): Promise<readonly Record<string, unknown>[]> =>
  (await ada.get(`/secure/alerts/${id}/history`)).body['history'] as Record<string, unknown>[];
const kinds = async (id: string): Promise<unknown[]> => (await history(id)).map(({ kind }) => kind);

/** Time passes, and what is due then is done. */
async function pass(ms: number): Promise<void> {
  api.clock.advance(ms);
  await api.get(AlertReconciler).look();
  await api.drain();
  await api.get(AlertReconciler).tick();
  await api.drain();
}

describe('an alert', () => {
  it('fires once when its condition becomes true, and again only after it was false', async () => {
    const id = await made(ada, toAda());
    expect(await shown(id)).toMatchObject({ state: 'waiting', value: MEAN });
    await pass(MINUTE);
    expect(await shown(id)).toMatchObject({ state: 'ok', value: MEAN, error: null });
    expect(await history(id)).toEqual([]);

    await heat(40);
    for (let turn = 0; turn < 3; turn += 1) await pass(MINUTE);
    expect(await shown(id)).toMatchObject({ state: 'firing' });
    expect(sink.received).toMatchObject([{ subject: 'Alert: Heat', envelopeTo: [emailOf(ada)] }]);
    expect(sink.received[0]?.text).toMatch(/The figure is 3\d\.\d+, above 25/);
    expect(sink.received[0]?.text).toContain(`Open the alert: https://data.example.com/alerts/${id}`);
    const mails = [{ to: emailOf(ada), status: 'delivered', error: null }];
    expect(await history(id)).toMatchObject([{ kind: 'fired', mails }]);

    await heat(-40, 900);
    await pass(MINUTE);
    expect(await shown(id)).toMatchObject({ state: 'ok' });
    await heat(90, 1000);
    await pass(MINUTE);
    expect(sink.received).toHaveLength(2);
    expect(await kinds(id)).toEqual(['fired', 'resolved', 'fired']);
  });

  it('tells of a change by so many percent between two checks, and of no data', async () => {
    const changes = await made(ada, { condition: { type: 'changes', percent: 20 } });
    const hot = { kind: 'compare', column: 'temperature', operator: '>', value: 100 };
    const none = await made(ada, { plan: { ...AVERAGE, filters: [hot] }, condition: { type: 'no_data' } });
    await heat(40);
    await pass(MINUTE);
    expect([(await shown(changes)).state, (await shown(none)).state]).toEqual(['firing', 'firing']);
    const reason = expect.stringMatching(/^The figure went from 22\.35 to 3/) as string;
    expect(await history(changes)).toMatchObject([{ reason }]);
    expect(await history(none)).toMatchObject([{ kind: 'fired', value: null, reason: 'There is no data' }]);
    await pass(MINUTE);
    expect((await shown(changes)).state).toBe('ok');
  });

  it('is told to the webhook of its company, signed like all else, once', async () => {
    await using receiver = await WebhookReceiver.start();
    const id = await made(await subscribe(api, receiver), { webhook: true, ...ABOVE_20 });
    for (let turn = 0; turn < 2; turn += 1) await pass(MINUTE);
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,/);
    const data = { alert_id: id, alert_name: 'Heat', value: MEAN, reason: 'The figure is 22.35, above 20' };
    expect(bodiesOf(receiver)).toMatchObject([{ type: 'alert.fired', data }]);
  });

  it('is told once, wherever whoever checked it died', async () => {
    const id = await made(ada, { ...toAda(), ...ABOVE_20 });
    const killed = (): Promise<never> => Promise.reject(new Error('killed'));
    const swap = alerts.swap.bind(alerts);
    let died = false;
    vi.spyOn(events, 'insertOnce').mockImplementationOnce(killed);
    vi.spyOn(api.get(MailFacade), 'send').mockImplementationOnce(killed);
    // After the mail was ordered, and before it was noted that it was.
    vi.spyOn(alerts, 'swap').mockImplementation((seen, expected, set) => {
      if (set?.newsAt !== null || died) return swap(seen, expected, set);
      died = true;
      return killed();
    });
    for (let turn = 0; turn < 6; turn += 1) await pass(MINUTE);
    expect(died).toBe(true);
    expect(await shown(id)).toMatchObject({ state: 'firing' });
    expect(sink.received).toHaveLength(1);
    expect(await history(id)).toHaveLength(1);
  });

  it('is claimed by one of several who check it at once', async () => {
    const id = await made(ada, { ...toAda(), ...ABOVE_20 });
    const seen = (await alerts.find(asId(ada.companyId), asId(id)))!;
    const claims = await Promise.all([1, 2, 3].map(() => api.get(AlertCheck).check(seen, api.clock.now(), {})));
    await api.drain();
    expect(claims.filter((alert) => alert !== null)).toHaveLength(1);
    expect(sink.received).toHaveLength(1);
    expect(await history(id)).toHaveLength(1);
  });

  it('watches a query, keeps its state when it can’t be checked, says why once, and does not fire again after', async () => {
    const id = await made(ada, { plan: undefined, dbquery: 'SELECT max(temperature) AS hottest FROM data' });
    expect(await shown(id)).toMatchObject({ value: 24.7 });
    await heat(40, 1);
    expect(await checked(id)).toMatchObject({ state: 'firing', value: 40 });
    const before = (await alerts.find(asId(ada.companyId), asId(id)))!;
    await alerts.swap(before, {}, { dbquery: 'SELECT device FROM data' });
    for (let turn = 0; turn < 2; turn += 1) await pass(MINUTE);
    const error = 'an alert watches one figure: the result is a table';
    expect(await shown(id)).toMatchObject({ state: 'firing', error });
    await alerts.swap(before, {}, { dbquery: before.dbquery });
    await pass(MINUTE);
    expect(await shown(id)).toMatchObject({ state: 'firing', error: null });
    expect(await kinds(id)).toEqual(['failed', 'fired']);
  });

  it('watches what its plan works out of other figures', async () => {
    const rows = { aggregate: 'count', column: null };
    const warm = {
      ...rows,
      label: 'warm',
      filters: [{ kind: 'compare', column: 'temperature', operator: '>=', value: 24 }],
    };
    const share = { kind: 'percent', left: 0, right: 1, label: 'share' };
    const plan = { kind: 'aggregate', measures: [warm, { ...rows, label: 'all' }], computed: [share] };
    expect(await shown(await made(ada, { plan }))).toMatchObject({ value: expect.closeTo(100 / 6, 6) as number });
  });

  it('watches the dates that are meant at each check', async () => {
    api.clock.set(new Date('2024-01-02T12:00:00Z'));
    ada = await api.signIn('acme');
    const yesterday = {
      ...{ kind: 'time', column: 'at', from: '2024-01-01T00:00:00Z', to: '2024-01-02T00:00:00Z' },
      moving: { from: 'now-1d/d', to: 'now/d' },
    };
    const id = await made(ada, { plan: { ...AVERAGE, filters: [yesterday] }, check_interval: 1440 });
    expect(await shown(id)).toMatchObject({ value: expect.closeTo(21.15, 6) as number });
    await pass(24 * 60 * MINUTE);
    ada = await api.signIn('acme');
    const figure = 'average temperature, where at is on 2024-01-02; the dates move with time';
    expect(await shown(id)).toMatchObject({ value: expect.closeTo(23.55, 6) as number, figure });
    api.clock.set(new Date());
  });

  it('is checked by the clock of a time zone, once for what was missed, and after the clock was set back', async () => {
    api.clock.set(new Date('2027-03-26T06:30:00Z'));
    ada = await api.signIn('acme');
    const at = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], time: '08:00', time_zone: 'Europe/Berlin' };
    const id = await made(ada, { check_at: at });
    expect(await shown(id)).toMatchObject({ check_at: at, next_check_at: '2027-03-26T07:00:00.000Z' });
    const read = vi.spyOn(api.get(AlertCheck), 'check');
    await pass(4 * 24 * 60 * MINUTE);
    expect(read.mock.calls.filter(([alert]) => alert.id === id)).toHaveLength(1);
    ada = await api.signIn('acme');
    expect(await shown(id)).toMatchObject({ next_check_at: '2027-03-31T06:00:00.000Z' });
    api.clock.set(new Date('2027-03-22T06:30:00Z'));
    await api.get(AlertReconciler).tick();
    ada = await api.signIn('acme');
    expect(await shown(id)).toMatchObject({ next_check_at: '2027-03-22T07:00:00.000Z' });
    api.clock.set(new Date());
  });

  it('waits while its datasource is in the bin, and goes with it, history and all', async () => {
    const id = await made(ada, ABOVE_20);
    await pass(MINUTE);
    expect(await history(id)).toHaveLength(1);
    await boss.delete('/secure/datasource', { id: datasource });
    await pass(MINUTE);
    expect(await shown(id)).toMatchObject({ state: 'firing', error: 'datasource not found' });
    expect(await boss.delete(`/secure/bin/${datasource}`)).toMatchObject({ status: 200 });
    await api.drain();
    expect((await ada.get(`/secure/alerts/${id}`)).status).toBe(404);
    expect(await events.countOf(asId<CompanyId>(ada.companyId), { alertId: asId(id) })).toBe(0);
  });

  it('that is changed begins anew with another condition, and stays as it is with the same schedule', async () => {
    const id = await made(ada, ABOVE_20);
    const { next_check_at } = await shown(id);
    api.clock.advance(1_000);
    expect(await changed(id, { check_interval: 1 })).toMatchObject({ next_check_at });
    expect(await changed(id, { enabled: false })).toMatchObject({ next_check_at: null });
    await pass(5 * MINUTE);
    expect(await shown(id)).toMatchObject({ state: 'waiting' });
    expect(await checked(id)).toMatchObject({ state: 'firing' });
    const condition = { type: 'below', value: 30 };
    expect(await changed(id, { condition })).toMatchObject({ state: 'waiting', condition });
    await checked(id);
    expect(await kinds(id)).toEqual(['fired', 'fired']);
  });

  it('names people of the company, and others by managers alone', async () => {
    const outsider = { notify_emails: ['someone@elsewhere.example'] };
    expect(await create(ada, outsider)).toMatchObject({ status: 403 });
    const id = await made(ada);
    const statusOf = async (by: TestClient, fields: object): Promise<number> =>
      (await by.patch(`/secure/alerts/${id}`, fields)).status;
    expect(await statusOf(ada, outsider)).toBe(403);
    expect(await statusOf(boss, outsider)).toBe(200);
    expect(await statusOf(ada, { ...outsider, name: 'Warm' })).toBe(200);
  });

  it('forgets whoever is erased, as boards and tasks do', async () => {
    const named = { notify_emails: [emailOf(ada), emailOf(boss)] };
    const alert = await made(boss, named);
    const { body: begun } = await boss.post('/secure/board', { title: 'Warmth' });
    const board = (begun['board'] as Shown).id;
    expect(await boss.patch(`/secure/board/${board}`, named)).toMatchObject({ status: 200 });
    const { status, body } = await boss.post('/secure/agent/task', aTaskBody(datasource, named));
    expect({ status, body }).toMatchObject({ status: 200 });
    expect(await boss.delete(`/secure/user/${ada.id}?erase=true`)).toMatchObject({ status: 200 });

    const left = { notify_emails: [emailOf(boss)] };
    expect((await boss.get(`/secure/alerts/${alert}`)).body).toMatchObject({ alert: left });
    expect((await boss.get(`/secure/board/${board}`)).body).toMatchObject({ board: left });
    expect((await boss.get('/secure/agent/tasks')).body).toMatchObject({ tasks: [left] });
  });

  it('is refused when it is none', async () => {
    const query = (dbquery: string): object => ({ plan: undefined, dbquery });
    const byDevice = { dimensions: [{ kind: 'column', column: 'device', label: 'device' }] };
    const unknown = { measures: [{ aggregate: 'avg', column: 'nothing', label: 'n' }] };
    const refused: readonly (readonly [string, object])[] = [
      ['without a figure', { plan: undefined }],
      ['with two', { dbquery: 'SELECT 1' }],
      ['with a table', { plan: { ...AVERAGE, ...byDevice } }],
      ['with a text', query("SELECT 'x' FROM data LIMIT 1")],
      ['with an unknown column', { plan: { ...AVERAGE, ...unknown } }],
      ['with a statement that writes', query('DROP TABLE data')],
      ['with no limit', { condition: { type: 'above' } }],
      ['with no percent', { condition: { type: 'changes', percent: 0 } }],
      ['with an interval of more than a day', { check_interval: 1441 }],
      ['with recipients that are none', { notify_emails: ['a b@example.com'] }],
    ];
    for (const [what, fields] of refused)
      expect(await create(boss, fields), what).toMatchObject({ status: 400, body: { error: true } });
  });
});
