import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Board } from '../../src/features/boards/board.schema.js';
import { BoardFigures } from '../../src/features/boards/board-figures.js';
import { BoardMailProcessor, BoardMailReconciler } from '../../src/features/boards/board-mail.js';
import { BoardsRepository } from '../../src/features/boards/boards.repository.js';
import { MailFacade } from '../../src/features/deliveries/mail.facade.js';
import { asId, type BoardId, type CompanyId } from '../../src/shared/ids.js';
import { MailSink } from '../support/mail-sink.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { importedDatasource, TEMPERATURES } from './world.builder.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const EVERY_DAY = {
  days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  time: '08:00',
  time_zone: 'Europe/Berlin',
};
const COUNT = { kind: 'aggregate', measures: [{ aggregate: 'count', column: null, label: 'readings' }] };

/** The same service, with companies of the test's own. */
let api: TestApi;
let ada: TestClient;
let boss: TestClient;
let datasource: string;

const sink = await MailSink.start();
const environment = {
  ...sink.environment,
  LOGIN_RATE_LIMIT: '0',
  RATE_LIMIT: '0',
  PUBLIC_URL: 'https://data.example.com/',
};
const service = await startTestApi({ environment });
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});

beforeEach(async () => {
  api = service.anew();
  sink.received.length = 0;
  [boss, ada] = [await api.signIn('acme', { role: 'manager' }), await api.signIn('acme')];
  datasource = await importedDatasource(api, ada);
});
afterEach(async () => {
  vi.restoreAllMocks();
  // The next test has the same clock.
  const boards = api.get(BoardsRepository);
  for await (const board of boards.allOf(asId<CompanyId>(ada.companyId))) await boards.remove(board);
});

const emailOf = ({ user }: TestClient): string => String(user?.['email']);

/** With a figure and a note, and what else is said: a chart takes a process that draws it. */
async function aBoard(...more: readonly object[]): Promise<string> {
  const { body } = await ada.post('/secure/board', { title: 'Sensors', notes: 'Two devices.' });
  const { id } = body['board'] as { id: string };
  for (const tile of [
    ...more,
    { datasource_id: datasource, plan: COUNT, title: 'Readings' },
    { text: '**Read me** from left to right.' },
  ])
    expect(await ada.post(`/secure/board/${id}/tile`, tile)).toMatchObject({ status: 200 });
  return id;
}

function change(id: string, fields: object, by = ada): Promise<TestResponse> {
  return by.patch(`/secure/board/${id}`, fields);
}

/** Every day, a few minutes from now. */
function soon(): object {
  const time = new Date(api.clock.now().getTime() + 5 * MINUTE).toISOString().slice(11, 16);
  return { ...EVERY_DAY, time, time_zone: 'UTC' };
}

async function scheduled(fields: object = {}, by = ada, ...more: readonly object[]): Promise<string> {
  const id = await aBoard(...more);
  const schedule = { mail_enabled: true, mail_at: soon(), notify_emails: [emailOf(ada)], ...fields };
  expect(await change(id, schedule, by)).toMatchObject({ status: 200 });
  return id;
}

/** As it is written down: sessions end sooner than days. */
async function stored(id: string): Promise<Board> {
  return (await api.get(BoardsRepository).find(asId<CompanyId>(ada.companyId), asId<BoardId>(id)))!;
}

const timeOf = async (id: string): Promise<number> => (await stored(id)).nextMailAt!.getTime();

/** Time passes, and what is due then is done. */
async function pass(ms: number): Promise<void> {
  api.clock.advance(ms);
  await api.get(BoardMailReconciler).look();
  await api.drain();
}

const payloadOf = (id: string): { companyId: CompanyId; boardId: BoardId } => ({
  companyId: asId<CompanyId>(ada.companyId),
  boardId: asId<BoardId>(id),
});

/** The work of the queue, without its pauses between two attempts; nobody else looks what is due. */
function byHand(id: string): () => Promise<void> {
  for (const reconciler of api.everywhere(BoardMailReconciler)) vi.spyOn(reconciler, 'look').mockResolvedValue();
  return () => api.get(BoardMailProcessor).run(payloadOf(id));
}

describe('a board that goes out by mail', () => {
  it('is sent at its time with the figures as they are, once, and again the next day', async () => {
    const chart = { datasource_id: datasource, ...TEMPERATURES, title: 'Warmth' };
    const id = await scheduled({}, ada, chart);
    const planned = await timeOf(id);
    expect((await ada.get(`/secure/board/${id}`)).body['board']).toMatchObject({
      mail_enabled: true,
      next_mail_at: new Date(planned).toISOString(),
      mail_note: null,
      notify_emails: [emailOf(ada)],
    });
    await pass(planned - api.clock.now().getTime() - 1_000);
    expect(sink.received).toEqual([]);
    await pass(1_000);
    await pass(1_000);
    expect(sink.received).toHaveLength(1);
    const [mail] = sink.received;
    expect(mail).toMatchObject({ subject: 'Sensors', envelopeTo: [emailOf(ada)] });
    for (const words of ['Two devices.', 'Warmth', 'Readings', 'readings: **48**', 'Read me'])
      expect(mail?.text).toContain(words);
    expect(mail?.text).toContain(`Open the board: https://data.example.com/boards/${id}`);
    expect(mail?.html).toContain('<strong>48</strong>');
    expect(mail?.attachments.map(({ mimeType }) => mimeType)).toEqual(['image/png']);
    expect(await timeOf(id)).toBe(planned + DAY);
    await pass(DAY);
    expect(sink.received).toHaveLength(2);
  });

  it('is sent once, wherever whoever sends it died, and however many do it at the same moment', async () => {
    const id = await scheduled();
    const work = byHand(id);
    const killed = (): Promise<never> => Promise.reject(new Error('killed'));
    const boards = api.get(BoardsRepository);
    const swap = boards.swap.bind(boards);
    let died = false;
    vi.spyOn(api.get(MailFacade), 'send').mockImplementationOnce(killed);
    // After the mail was ordered, and before it was noted that it was.
    vi.spyOn(boards, 'swap').mockImplementation((seen, expected, set) => {
      if (died || set?.nextMailAt === undefined) return swap(seen, expected, set);
      died = true;
      return killed();
    });
    api.clock.advance(5 * MINUTE);
    await expect(work()).rejects.toThrow('killed');
    expect(died).toBe(false);
    await expect(work()).rejects.toThrow('killed');
    expect(died).toBe(true);
    await work();
    await api.drain();
    expect(sink.received).toHaveLength(1);
    const next = await timeOf(id);
    expect(next).toBeGreaterThan(api.clock.now().getTime());

    api.clock.advance(DAY);
    await Promise.all([work(), work(), work()]);
    await work();
    await api.drain();
    expect(sink.received).toHaveLength(2);
    expect(await timeOf(id)).toBe(next + DAY);
  });

  it('pauses when whoever set it is removed, until somebody sets it again', async () => {
    const cara = await api.signIn('acme', { role: 'manager' });
    const id = await scheduled({}, cara);
    expect(await boss.delete(`/secure/user/${cara.id}`)).toMatchObject({ status: 200 });
    await pass(5 * MINUTE);
    expect(sink.received).toEqual([]);
    const paused = 'Paused: whoever set this schedule is no longer in the company. Set it again to resume.';
    expect((await ada.get(`/secure/board/${id}`)).body['board']).toMatchObject({
      mail_enabled: false,
      next_mail_at: null,
      mail_note: paused,
    });
    expect(await change(id, { mail_enabled: true, mail_at: soon() })).toMatchObject({
      status: 200,
      body: { board: { mail_note: null } },
    });
    await pass(5 * MINUTE);
    expect(sink.received).toHaveLength(1);
  });

  it('goes to nobody who has left or was blocked, and says of a figure that can’t be shown why', async () => {
    const [dan, blocked] = [await api.signIn('acme'), await api.signIn('acme')];
    const named = { notify_emails: [emailOf(dan), emailOf(blocked)] };
    const [left, shown] = [await scheduled(named), await scheduled()];
    await boss.delete(`/secure/user/${dan.id}`);
    await boss.patch(`/secure/user/${blocked.id}`, { is_active: false });
    await ada.delete('/secure/datasource', { id: datasource });
    await pass(5 * MINUTE);
    expect((await stored(left)).mailNote).toMatch(/^None of those who are named/);
    expect((await stored(shown)).mailNote).toBeNull();
    expect(sink.received).toHaveLength(1);
    expect(sink.received[0]?.text).toContain('The datasource of this tile was deleted.');
  });

  it('is given up for this time alone', async () => {
    const id = await scheduled();
    const work = byHand(id);
    const read = vi.spyOn(api.get(BoardFigures), 'now').mockRejectedValue(new Error('broken'));
    api.clock.advance(5 * MINUTE);
    await expect(work()).rejects.toThrow('broken');
    await api.get(BoardMailProcessor).giveUp(payloadOf(id), new Error('broken'));
    expect((await stored(id)).mailNote).toMatch(/^The last mail could not be made/);
    read.mockRestore();
    api.clock.advance(DAY);
    await work();
    await api.drain();
    expect(sink.received).toHaveLength(1);
    expect((await stored(id)).mailNote).toBeNull();
  });

  it('keeps its time when the same is set again, and sends nothing while it is off or in the bin', async () => {
    const at = soon();
    const id = await scheduled({ mail_at: at });
    const planned = await timeOf(id);
    api.clock.advance(1_000);
    await change(id, { mail_at: at, title: 'Renamed' });
    expect(await timeOf(id)).toBe(planned);
    expect(await change(id, { mail_enabled: false })).toMatchObject({
      body: { board: { next_mail_at: null, mail_at: at } },
    });
    await pass(5 * MINUTE);
    await change(id, { mail_enabled: true, mail_at: soon() });
    await ada.delete(`/secure/board/${id}`);
    await pass(5 * MINUTE);
    expect(sink.received).toEqual([]);
    expect(await ada.post(`/secure/bin/${id}/restore`)).toMatchObject({ status: 200 });
    expect(await timeOf(id)).toBeGreaterThan(api.clock.now().getTime());
    await pass(DAY);
    expect(sink.received[0]?.subject).toBe('Renamed');
  });

  it('comes back when the clock was far ahead, and sends nothing twice', async () => {
    const id = await scheduled();
    const planned = await timeOf(id);
    await pass(10 * DAY);
    expect(sink.received).toHaveLength(1);
    api.clock.advance(-10 * DAY);
    await api.get(BoardMailReconciler).tick();
    expect(await timeOf(id)).toBe(planned);
    await pass(5 * MINUTE);
    expect(await timeOf(id)).toBe(planned + DAY);
    expect(sink.received).toHaveLength(1);
  });
});

describe('the mail of a board is refused', () => {
  it('when it can’t be', async () => {
    const board = await aBoard();
    const refused: readonly (readonly [string, object])[] = [
      ['without a time', { mail_at: null }],
      ['without anybody to go to', { notify_emails: [] }],
      ['at a time that is none', { mail_at: { ...EVERY_DAY, time: '25:00' } }],

      ['in a time zone that is none', { mail_at: { ...EVERY_DAY, time_zone: 'Mars/Base' } }],
      ['to addresses that are none', { notify_emails: ['a b@example.com'] }],
    ];
    for (const [what, fields] of refused) {
      const schedule = { mail_enabled: true, mail_at: EVERY_DAY, notify_emails: [emailOf(ada)], ...fields };
      expect(await change(board, schedule), what).toMatchObject({ status: 400, body: { error: true } });
    }
  });

  it('to a recipient who is not of the company, unless a manager names them; and to another company’s people', async () => {
    const id = await aBoard();
    const eve = await api.signIn('globex', { role: 'manager' });
    const toEve = { mail_enabled: true, mail_at: EVERY_DAY, notify_emails: [emailOf(eve)] };
    expect(await change(id, toEve)).toMatchObject({ status: 403 });

    const bob = await api.signIn('acme');
    expect(await change(id, { ...toEve, notify_emails: [emailOf(bob)] }, bob)).toMatchObject({ status: 403 });
    const outsider = { ...toEve, notify_emails: ['someone@elsewhere.example'] };
    expect(await change(id, outsider)).toMatchObject({ status: 403 });
    expect(await change(id, outsider, boss)).toMatchObject({ status: 200 });
    // Who has only a link to the board learns nothing of it.
    const { body } = await ada.post('/secure/share', { board_id: id });
    const seen = await api.stranger().post('/shared/look', { token: String(body['token']) });
    expect(JSON.stringify(seen.body)).not.toContain('elsewhere.example');
  });
});
