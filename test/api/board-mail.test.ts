import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Board } from '../../src/features/boards/board.schema.js';
import { BoardFigures } from '../../src/features/boards/board-figures.js';
import { BoardMailProcessor, BoardMailReconciler } from '../../src/features/boards/board-mail.js';
import { BoardsRepository } from '../../src/features/boards/boards.repository.js';
import { MailFacade } from '../../src/features/deliveries/mail.facade.js';
import { asId, type BoardId, type CompanyId } from '../../src/shared/ids.js';
import type { TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { aServiceWithMail } from './a-service.js';
import { importedDatasource, TEMPERATURES } from './world.builder.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const COUNT = { kind: 'aggregate', measures: [{ aggregate: 'count', column: null, label: 'readings' }] };

/** The same service, with companies of the test's own. */
let api: TestApi;
let ada: TestClient;
let boss: TestClient;
let datasource: string;

const [service, sink] = await aServiceWithMail();
const boards = service.get(BoardsRepository);

beforeEach(async () => {
  api = service.anew();
  sink.received.length = 0;
  [boss, ada] = [await api.signIn('acme', { role: 'manager' }), await api.signIn('acme')];
  datasource = await importedDatasource(api, ada);
});
afterEach(async () => {
  vi.restoreAllMocks();
  // The next test has the same clock.
  for await (const board of boards.allOf(asId<CompanyId>(ada.companyId))) await boards.remove(board);
});

const emailOf = ({ user }: TestClient): string => String(user?.['email']);

/** With a figure and a note, and what else is said: a chart takes a process that draws it. */
async function aBoard(...more: readonly object[]): Promise<string> {
  const { body } = await ada.post('/secure/board', { title: 'Sensors', notes: 'Two devices.' });
  const { id } = body['board'] as { id: string };
  const readings = { datasource_id: datasource, plan: COUNT, title: 'Readings' };
  for (const tile of [...more, readings, { text: '**Read me** from left to right.' }])
    expect(await ada.post(`/secure/board/${id}/tile`, tile)).toMatchObject({ status: 200 });
  return id;
}

async function change(id: string, fields: object, by = ada): Promise<{ status: number; board: unknown }> {
  const { status, body } = await by.patch(`/secure/board/${id}`, fields);
  return { status, board: body['board'] };
}

/** Every day, a few minutes from now. */
function soon(): object {
  const time = new Date(api.clock.now().getTime() + 5 * MINUTE).toISOString().slice(11, 16);
  return { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], time, time_zone: 'UTC' };
}

const aSchedule = (fields: object = {}): object => ({
  ...{ mail_enabled: true, mail_at: soon(), notify_emails: [emailOf(ada)] },
  ...fields,
});

async function scheduled(fields: object = {}, by = ada, ...more: readonly object[]): Promise<string> {
  const id = await aBoard(...more);
  expect(await change(id, aSchedule(fields), by)).toMatchObject({ status: 200 });
  return id;
}

const shown = async (id: string): Promise<unknown> => (await ada.get(`/secure/board/${id}`)).body['board'];
const payloadOf = (id: string): { companyId: CompanyId; boardId: BoardId } => ({
  companyId: asId(ada.companyId),
  boardId: asId(id),
});
/** As it is written down: sessions end sooner than days. */
const stored = async (id: string): Promise<Board> => (await boards.find(asId(ada.companyId), asId(id)))!;
const timeOf = async (id: string): Promise<number> => (await stored(id)).nextMailAt!.getTime();

/** Time passes, and what is due then is done. */
async function pass(ms: number): Promise<void> {
  api.clock.advance(ms);
  await api.get(BoardMailReconciler).look();
  await api.drain();
}

/** The work of the queue, without its pauses between two attempts; nobody else looks what is due. */
function byHand(id: string): () => Promise<void> {
  for (const reconciler of api.everywhere(BoardMailReconciler)) vi.spyOn(reconciler, 'look').mockResolvedValue();
  return () => api.get(BoardMailProcessor).run(payloadOf(id));
}

describe('a board that goes out by mail', () => {
  it('is sent at its time with the figures as they are, once, and again the next day', async () => {
    const id = await scheduled({}, ada, { datasource_id: datasource, ...TEMPERATURES, title: 'Warmth' });
    const planned = await timeOf(id);
    const next_mail_at = new Date(planned).toISOString();
    const schedule = { mail_enabled: true, next_mail_at, mail_note: null, notify_emails: [emailOf(ada)] };
    expect(await shown(id)).toMatchObject(schedule);
    await pass(planned - api.clock.now().getTime() - 1_000);
    expect(sink.received).toEqual([]);
    for (let turn = 0; turn < 2; turn += 1) await pass(1_000);
    expect(sink.received).toMatchObject([{ subject: 'Sensors', envelopeTo: [emailOf(ada)] }]);
    const { text, html, attachments } = sink.received[0]!;
    const link = `Open the board: https://data.example.com/boards/${id}`;
    for (const words of ['Two devices.', 'Warmth', 'Readings', 'readings: **48**', 'Read me', link])
      expect(text).toContain(words);
    expect(html).toContain('<strong>48</strong>');
    expect(attachments.map(({ mimeType }) => mimeType)).toEqual(['image/png']);
    expect(await timeOf(id)).toBe(planned + DAY);
    await pass(DAY);
    expect(sink.received).toHaveLength(2);
  });

  it('tells how the last mail stands with each who gets it', async () => {
    sink.answer = (to) => (to === 'gone@example.com' ? { code: 550 } : null);
    const id = await scheduled({ notify_emails: [emailOf(ada), 'gone@example.com'] }, boss);
    expect(await shown(id)).toMatchObject({ last_mail_at: null, last_mails: [] });
    const planned = await timeOf(id);
    await pass(planned - api.clock.now().getTime());
    sink.answer = () => null;
    expect(await shown(id)).toMatchObject({
      last_mail_at: new Date(planned).toISOString(),
      last_mails: expect.arrayContaining([
        { to: emailOf(ada), status: 'delivered', error: null },
        { to: 'gone@example.com', status: 'failed', error: 'the mail server answered 550' },
      ]) as unknown,
    });
  });

  it('is sent once, wherever whoever sends it died, and however many do it at the same moment', async () => {
    const id = await scheduled();
    const work = byHand(id);
    const killed = (): Promise<never> => Promise.reject(new Error('killed'));
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
    for (const hasDied of [false, true]) {
      await expect(work()).rejects.toThrow('killed');
      expect(died).toBe(hasDied);
    }
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
    const mail_note = 'Paused: whoever set this schedule is no longer in the company. Set it again to resume.';
    expect(await shown(id)).toMatchObject({ mail_enabled: false, next_mail_at: null, mail_note });
    expect(await change(id, aSchedule())).toMatchObject({ status: 200, board: { mail_note: null } });
    await pass(5 * MINUTE);
    expect(sink.received).toHaveLength(1);
  });

  it('goes to nobody who has left or was blocked, and says of a figure that can’t be shown why', async () => {
    const [dan, blocked] = [await api.signIn('acme'), await api.signIn('acme')];
    const [left, whole] = [await scheduled({ notify_emails: [emailOf(dan), emailOf(blocked)] }), await scheduled()];
    await boss.delete(`/secure/user/${dan.id}`);
    await boss.patch(`/secure/user/${blocked.id}`, { is_active: false });
    await ada.delete('/secure/datasource', { id: datasource });
    await pass(5 * MINUTE);
    expect((await stored(left)).mailNote).toMatch(/^None of those who are named/);
    expect((await stored(whole)).mailNote).toBeNull();
    expect(sink.received).toHaveLength(1);
    expect(sink.received[0]?.text).toContain('The datasource of this tile was deleted.');
  });

  it('is given up for this time alone', async () => {
    const id = await scheduled();
    const work = byHand(id);
    vi.spyOn(api.get(BoardFigures), 'now').mockRejectedValueOnce(new Error('broken'));
    api.clock.advance(5 * MINUTE);
    await expect(work()).rejects.toThrow('broken');
    await api.get(BoardMailProcessor).giveUp(payloadOf(id), new Error('broken'));
    expect((await stored(id)).mailNote).toMatch(/^The last mail could not be made/);
    api.clock.advance(DAY);
    await work();
    await api.drain();
    expect(sink.received).toHaveLength(1);
    expect((await stored(id)).mailNote).toBeNull();
  });

  it('keeps its time when the same is set again, and sends nothing while it is off or in the bin', async () => {
    const mail_at = soon();
    const id = await scheduled({ mail_at });
    const planned = await timeOf(id);
    api.clock.advance(1_000);
    await change(id, { mail_at, title: 'Renamed' });
    expect(await timeOf(id)).toBe(planned);
    expect(await change(id, { mail_enabled: false })).toMatchObject({ board: { next_mail_at: null, mail_at } });
    await pass(5 * MINUTE);
    await change(id, aSchedule());
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

  it('is refused when it can’t be', async () => {
    const id = await aBoard();
    const refused: readonly (readonly [string, object])[] = [
      ['without a time', { mail_at: null }],
      ['without anybody to go to', { notify_emails: [] }],
      ['at a time that is none', { mail_at: { days: ['mon'], time: '25:00', time_zone: 'UTC' } }],
      ['in a time zone that is none', { mail_at: { days: ['mon'], time: '08:00', time_zone: 'Mars/Base' } }],
      ['to addresses that are none', { notify_emails: ['a b@example.com'] }],
    ];
    for (const [what, fields] of refused)
      expect(await change(id, aSchedule(fields)), what).toMatchObject({ status: 400 });
  });

  it('goes to people of the company, unless a manager names others, and never to those of another company', async () => {
    const id = await aBoard();
    const [eve, bob] = [await api.signIn('globex', { role: 'manager' }), await api.signIn('acme')];
    const to = async (address: string, by = ada): Promise<number> =>
      (await change(id, aSchedule({ notify_emails: [address] }), by)).status;
    const outsider = 'someone@elsewhere.example';
    expect([await to(emailOf(eve)), await to(emailOf(bob), bob), await to(outsider)]).toEqual([403, 403, 403]);
    expect(await to(outsider, boss)).toBe(200);
    // Who has only a link to the board learns nothing of it.
    const { body } = await ada.post('/secure/share', { board_id: id });
    const seen = await api.stranger().post('/shared/look', { token: String(body['token']) });
    expect(JSON.stringify(seen.body)).not.toContain('elsewhere.example');
  });
});
