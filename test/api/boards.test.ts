import { describe, expect, it } from 'vitest';
import { MESSAGES } from '../../src/features/assistant/history/message.schema.js';
import { BOARD_FIGURES, type KeptFigure, SHARE_LINKS } from '../../src/features/boards/board.schema.js';
import type { BoardFullView, FigureView, TileView } from '../../src/features/boards/boards.wire.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { aService } from './a-service.js';
import { importedDatasource, openConversation, TEMPERATURES } from './world.builder.js';

const DAY = 24 * 60 * 60 * 1000;
const QUESTION = 'average temperature by device';
const COUNT = { kind: 'aggregate', measures: [{ aggregate: 'count', column: null, label: 'n' }] };
const FIRST_AND_LAST = {
  kind: 'aggregate',
  measures: [
    { aggregate: 'min', column: 'at', label: 'first' },
    { aggregate: 'max', column: 'at', label: 'last' },
  ],
};

const logged: string[] = [];
const api = await aService({ onLog: (line) => logged.push(line) });
const [ada, bob, boss, eve] = await Promise.all([
  api.signIn('acme'),
  api.signIn('acme'),
  api.signIn('acme', { role: 'manager' }),
  api.signIn('globex', { role: 'manager' }),
]);
const datasource = await importedDatasource(api, ada);
const links = api.get(DocumentStore).tenantCollection(SHARE_LINKS).ofAll();
const messages = api.get(DocumentStore).tenantCollection(MESSAGES).ofAll();

/** What an answer that is a success has of this name. */
async function part<T>(answered: Promise<TestResponse>, name: string): Promise<T> {
  const { status, body } = await answered;
  expect(status, JSON.stringify(body)).toBe(200);
  return body[name] as T;
}

const aBoard = async (by = ada, title = 'Sensors'): Promise<string> =>
  (await part<BoardFullView>(by.post('/secure/board', { title }), 'board')).id;
const open = (id: string, by = ada): Promise<BoardFullView> => part(by.get(`/secure/board/${id}`), 'board');
const pin = (board: string, body: object): Promise<TileView> =>
  part(ada.post(`/secure/board/${board}/tile`, body), 'tile');
const figure = (board: string, tile: TileView, body: object = {}, by = ada): Promise<FigureView> =>
  part(by.post(`/secure/board/${board}/tile/${tile.id}/figure`, body), 'figure');
const keptFigures = (tile: TileView): Promise<readonly KeptFigure[]> =>
  api.get(DocumentStore).tenantCollection(BOARD_FIGURES).ofAll().find({ id: tile.id });
const plan = (of = datasource): object => ({ datasource_id: of, ...TEMPERATURES });

/** A board with one tile. */
async function pinned(body: object = plan()): Promise<[string, TileView]> {
  const id = await aBoard();
  return [id, await pin(id, body)];
}

async function insertRow(id: string): Promise<void> {
  const row = { device: 'd9', at: '2024-03-01 00:00:00', temperature: 1, note: '' };
  await ada.patch('/secure/datasource/insert', { datasource_id: id, data: [row] });
}

async function asked(...messages: string[]): Promise<Record<'conversation_id' | 'message_id', string>> {
  const conversation_id = await openConversation(ada, datasource);
  for (const message of messages) await ada.post('/secure/assistant/chat', { conversation_id, message });
  const { body } = await ada.get(`/secure/assistant/history?conversation_id=${conversation_id}`);
  return { conversation_id, message_id: (body['history'] as { _id: string }[]).at(-1)!._id };
}

describe('a board', () => {
  it('lays tiles where there is room, and lets none lie on another', async () => {
    const [id, first] = await pinned();
    const [second, note] = [await pin(id, plan()), await pin(id, { text: '# Read me' })];
    const at = ({ x, y, w, h }: TileView): number[] => [x, y, w, h];
    expect([first, second, note].map((tile) => at(tile).slice(0, 3))).toEqual([
      [0, 0, 6],
      [6, 0, 6],
      [0, 6, 6],
    ]);
    const layout = [
      { id: first.id, x: 0, y: 0, w: 12, h: 4 },
      { id: note.id, x: 0, y: 2, w: 3, h: 2 },
      { id: 'f'.repeat(24), x: 0, y: 0, w: 1, h: 1 },
    ];
    const { tiles } = await part<BoardFullView>(ada.patch(`/secure/board/${id}`, { layout }), 'board');
    expect(Object.fromEntries(tiles.map((tile) => [tile.id, at(tile)]))).toEqual({
      [first.id]: [0, 0, 12, 4],
      [second.id]: [6, 4, 6, 6],
      [note.id]: [0, 4, 3, 2],
    });
  });

  it('keeps all of many changes at once, until it is full', async () => {
    const id = await aBoard();
    const texts = ['one', 'two', 'three', 'four'];
    await Promise.all(texts.map((text) => pin(id, { text })));
    const { tiles } = await open(id);
    expect(tiles.map(({ text }) => text).sort()).toEqual([...texts].sort());
    expect(new Set(tiles.map(({ x, y }) => `${String(x)} ${String(y)}`)).size).toBe(4);
    for (let count = 4; count < 40; count += 1) await pin(id, { text: 'note' });
    expect(await ada.post(`/secure/board/${id}/tile`, { text: 'one more' })).toMatchObject({ status: 409 });
  });

  it('refuses what no board can be', async () => {
    const [id, tile] = await pinned();
    const place = { id: tile.id, x: 0, y: 0, w: 6, h: 6 };
    const bad: readonly object[] = [
      { title: '   ' },
      { title: 'two\nlines' },
      { refresh_minutes: 0 },
      { layout: [{ ...place, x: 7 }] },
      { layout: [{ ...place, h: 1e9 }] },
      { range: { last: 3, unit: 'day', from: '2024-01-01' } },
      { range: { from: '2024-02-02', to: '2024-02-01' } },
      { range: {} },
      { filters: [{ column: 'device', values: [] }] },
      { filters: [{ column: 'device', values: [['a']] }] },
    ];
    for (const body of bad)
      expect(await ada.patch(`/secure/board/${id}`, body), JSON.stringify(body)).toMatchObject({ status: 400 });
    expect(await open(id)).toMatchObject({ title: 'Sensors', tiles: [{ id: tile.id, w: 6, h: 6 }] });
  });
});

describe('pinning', () => {
  it('takes an answer of one’s own, with its plan and chart', async () => {
    const answer = await asked(QUESTION);
    const [id, tile] = await pinned(answer);
    const title = 'Average temperature by device';
    expect(await pin(id, await asked(QUESTION, 'as a pie chart'))).toMatchObject({ title });
    expect(tile).toMatchObject({ kind: 'figure', title, sql: null, plan: { kind: 'aggregate' } });
    const shown = await figure(id, tile);
    expect(shown).toMatchObject({ problem: null, chart: expect.any(Object) as object });
    expect(shown.data?.rows.length).toBe(2);
    // Bob's board can't have what Ada asked.
    expect(await bob.post(`/secure/board/${await aBoard(bob)}/tile`, answer)).toMatchObject({ status: 404 });
    for (const theirs of [answer, plan()])
      expect(await eve.post(`/secure/board/${await aBoard(eve)}/tile`, theirs)).toMatchObject({ status: 404 });
  });

  it('takes both ids of an answer or neither, one kind of thing, and no answer without a figure', async () => {
    const id = await aBoard();
    const answer = await asked(QUESTION);
    const bad: readonly object[] = [
      {},
      { message_id: answer.message_id },
      { datasource_id: datasource },
      { ...answer, ...plan() },
      { ...plan(), plan: { ...TEMPERATURES.plan, measures: [{ aggregate: 'avg', column: 'nowhere', label: 'a' }] } },
      { ...plan(), chart: { kind: 'spiral', x: 'device' } },
      { text: '' },
      await asked('hello'),
    ];
    for (const body of bad)
      expect(await ada.post(`/secure/board/${id}/tile`, body), JSON.stringify(body)).toMatchObject({ status: 400 });
    expect((await open(id)).tiles).toEqual([]);
  });

  it('is changed and undone', async () => {
    const [id, tile] = await pinned();
    const note = await pin(id, { text: 'old' });
    const change = { title: 'Warmth', text: 'passed over' };
    const changed = await part(ada.patch(`/secure/board/${id}/tile/${tile.id}`, change), 'tile');
    expect(changed).toMatchObject({ title: 'Warmth', text: null });
    await ada.patch(`/secure/board/${id}/tile/${note.id}`, { text: 'new' });
    expect((await ada.delete(`/secure/board/${id}/tile/${tile.id}`)).status).toBe(200);
    expect((await open(id)).tiles).toMatchObject([{ id: note.id, text: 'new' }]);
    expect((await ada.delete(`/secure/board/${id}/tile/${tile.id}`)).status).toBe(404);
    expect(await ada.post(`/secure/board/${id}/tile/${note.id}/figure`, {})).toMatchObject({ status: 400 });
  });
});

describe('figures', () => {
  it('are there at once when they were read before, and are read anew when rows came in', async () => {
    const rows = await importedDatasource(api, ada);
    const [id, tile] = await pinned({ datasource_id: rows, plan: COUNT });
    const shown = async (by = ada): Promise<FigureView | null | undefined> => (await open(id, by)).tiles[0]?.figure;
    expect(await shown()).toBeNull();
    expect((await figure(id, tile)).data?.rows).toEqual([[48]]);
    expect(await shown(bob)).toMatchObject({ is_current: true, data: { rows: [[48]] } });

    await insertRow(rows);
    expect(await shown()).toMatchObject({ is_current: false, data: { rows: [[48]] } });
    expect(await figure(id, tile)).toMatchObject({ is_current: true, data: { rows: [[49]] } });
  });

  it('go by the board’s time range and filters, and by the reader’s own without keeping them', async () => {
    const atItsOwnTime = { kind: 'time', column: 'at', from: '2024-01-01', to: '2024-01-02' };
    const [id, tile] = await pinned({ ...plan(), plan: { ...TEMPERATURES.plan, filters: [atItsOwnTime] } });
    const first = await figure(id, tile);
    expect(first.data?.rows.length).toBe(2);
    const range = { from: '2024-01-02T00:00:00Z', to: '2024-01-03' };
    const view = { range, filters: [{ column: 'DEVICE', values: ['d1'] }] };
    expect(await figure(id, tile, view, bob)).toMatchObject({ data: { rows: [['d1', 23.5]] }, unfiltered: [] });
    const filters = [
      { column: 'region', values: ['north'] },
      { column: 'temperature', values: ['warm'] },
    ];
    const unfit = await figure(id, tile, { range: { last: 10, unit: 'year' }, filters }, bob);
    expect(unfit.unfiltered).toEqual(['region', 'temperature']);
    expect(unfit.data?.rows.length).toBe(2);
    expect((await open(id)).tiles[0]?.figure?.data?.rows).toEqual(first.data?.rows);

    // What was read through another view is not shown.
    const changed = await part<BoardFullView>(ada.patch(`/secure/board/${id}`, view), 'board');
    expect(changed.tiles[0]?.figure).toBeNull();
    expect((await figure(id, tile)).data?.rows).toEqual([['d1', 23.5]]);
  });

  it('count the last days from the newest row, and say which days they show', async () => {
    const [id, tile] = await pinned({ datasource_id: datasource, plan: FIRST_AND_LAST });
    const whole = await figure(id, tile);
    expect(whole.shown).toBeNull();
    const day = await figure(id, tile, { range: { last: 1, unit: 'day' } });
    const [first, last] = day.data!.rows[0] as [string, string];
    expect(last).toBe(whole.data?.rows[0]?.[1]);
    const midnight = `${last.slice(0, 10)}T00:00:00.000Z`;
    expect(day.shown).toEqual({ from: midnight, to: new Date(Date.parse(midnight) + DAY).toISOString() });
    expect(first >= midnight).toBe(true);
    const hour = await figure(id, tile, { range: { last: 1, unit: 'hour' } });
    expect(Date.parse(hour.shown!.to!) - Date.parse(hour.shown!.from!)).toBe(60 * 60 * 1000);
    expect((hour.data!.rows[0] as string[])[1]).toBe(last);
  });

  it('are of the dates that are meant on the day on which they are read', async () => {
    const yesterday = { kind: 'time', column: 'at', from: null, to: null, moving: { from: 'now-1d/d', to: 'now/d' } };
    const on = async (day: string): Promise<TestClient> => {
      api.clock.set(new Date(`${day}T12:00:00Z`));
      return api.signIn('acme');
    };
    const [id, tile] = await pinned({ datasource_id: datasource, plan: { ...COUNT, filters: [yesterday] } });
    const first = await on('2024-01-01');
    expect(await figure(id, tile, {}, first)).toMatchObject({ data: { rows: [[0]] } });
    expect((await open(id, first)).tiles[0]?.figure).toMatchObject({ is_current: true });
    const next = await on('2024-01-02');
    expect((await open(id, next)).tiles[0]?.figure).toMatchObject({ is_current: false, data: { rows: [[0]] } });
    expect(await figure(id, tile, {}, next)).toMatchObject({ is_current: true, data: { rows: [[24]] } });
    api.clock.set(new Date());
  });

  it('of SQL run through the gate, and are not filtered in silence', async () => {
    const answered = await asked(QUESTION);
    const message = (await messages.get(answered.message_id))!;
    const written = async (dbquery: string): Promise<FigureView> => {
      await messages.update({ id: message.id }, { set: { plan: null, response: { ...message.response!, dbquery } } });
      const [id, tile] = await pinned(answered);
      expect(tile).toMatchObject({ plan: null, sql: dbquery });
      return figure(id, tile, { range: { last: 1, unit: 'day' }, filters: [{ column: 'device', values: ['d1'] }] });
    };
    const shown = await written('SELECT device, avg(temperature) AS t FROM data GROUP BY device ORDER BY device');
    expect(shown).toMatchObject({ problem: null, unfiltered: ['time range', 'device'] });
    expect(shown.data?.rows.length).toBe(2);
    for (const hostile of ["SELECT * FROM read_csv('/etc/passwd')", 'DROP TABLE data', "ATTACH 'x' AS y"])
      expect(await written(hostile)).toMatchObject({ data: null, problem: expect.any(String) as string });
  });

  it('say plainly that their datasource was deleted, of which and of boards that are gone nothing is kept', async () => {
    const rows = await importedDatasource(api, ada);
    const [id, tile] = await pinned(plan(rows));
    await figure(id, tile);
    const { token } = await share({ board_id: id });
    await ada.delete('/secure/datasource', { id: rows, permanent: true });
    const gone = { problem: 'The datasource of this tile was deleted.', data: null, chart: null };
    expect((await open(id)).tiles[0]).toMatchObject({ figure: gone });
    expect(await figure(id, tile)).toMatchObject(gone);
    // Those who have a link are told no names of columns when a figure fails.
    const problem = 'This figure can’t be shown at the moment.';
    expect((await lookAt(token, tile)).body['figure']).toMatchObject({ problem, data: null });
    await api.drain();
    expect(await keptFigures(tile)).toEqual([]);

    const other = await pin(id, plan());
    await figure(id, other);
    await ada.delete(`/secure/board/${id}?permanent=true`);
    expect(await keptFigures(other)).toEqual([]);
  });
});

async function share(body: object): Promise<{ readonly id: string; readonly token: string }> {
  const { status, body: answer } = await ada.post('/secure/share', body);
  expect(status, JSON.stringify(answer)).toBe(200);
  return { id: (answer['link'] as { id: string }).id, token: String(answer['token']) };
}

const look = (token: string): Promise<TestResponse> => api.stranger().post('/shared/look', { token });
const lookAt = (token: string, { id }: { id: string }): Promise<TestResponse> =>
  api.stranger().post('/shared/figure', { token, tile_id: id });

describe('a public link', () => {
  it('shows a board with its figures, nothing of the company or how they came about, and opens nothing else', async () => {
    const id = await aBoard(ada, 'For everybody');
    const [tile, { token }] = [await pin(id, plan()), await share({ board_id: id })];
    await pin(id, { text: 'Read me' });
    expect((await look(token)).body).toMatchObject({ board: { tiles: [{ figure: null }, { text: 'Read me' }] } });
    expect(await lookAt(token, tile)).toMatchObject({ status: 200, body: { figure: { problem: null } } });
    const { body, headers } = await look(token);
    expect(body).toMatchObject({
      answer: null,
      board: { title: 'For everybody', tiles: [{ figure: { data: { columns: ['device', 'temperature'] } } }, {}] },
    });
    for (const secret of [ada.companyId, ada.id, datasource, id, 'SELECT', '"plan"', '"sql"', 'dbquery', 'example'])
      expect(JSON.stringify(body), secret).not.toContain(secret);
    expect(headers.get('cache-control') ?? '').not.toContain('public');

    const [, elsewhere] = await pinned();
    expect(await lookAt(token, elsewhere)).toMatchObject({ status: 404 });
    const holder = { authorization: `Bearer ${token}` };
    for (const path of [`/secure/board/${id}`, '/secure/currentuser'])
      expect((await api.stranger().get(path, holder)).status).toBe(401);
  });

  it('shows an answer, of which the conversation stays private', async () => {
    const answer = await asked(QUESTION);
    const { token } = await share(answer);
    const { body } = await look(token);
    const data = { rows: expect.any(Array) as unknown };
    expect(body).toMatchObject({ board: null, answer: { question: QUESTION, data } });
    for (const secret of [ada.companyId, ada.id, datasource, answer.conversation_id, answer.message_id, 'SELECT'])
      expect(JSON.stringify(body), secret).not.toContain(secret);
    expect(await lookAt(token, { id: 'f'.repeat(24) })).toMatchObject({ status: 404 });
    await ada.delete('/secure/assistant/conversation', { id: answer.conversation_id });
    expect((await look(token)).status).toBe(404);
  });

  it('is made of one’s own answers alone, of one thing, for up to a year', async () => {
    const id = await aBoard();
    const answer = await asked(QUESTION);
    for (const other of [bob, eve]) expect(await other.post('/secure/share', answer)).toMatchObject({ status: 404 });
    const bad = [{ board_id: id, ...answer }, { message_id: answer.message_id }, { board_id: id, days: 366 }];
    for (const body of bad)
      expect(await ada.post('/secure/share', body), JSON.stringify(body)).toMatchObject({ status: 400 });
  });

  it('is listed and revoked by whoever made it and by managers, and ends when it expires and with its board', async () => {
    const id = await aBoard();
    const [mine, bosses, expired] = await Promise.all([1, 2, 3].map(() => share({ board_id: id })));
    const last = await share({ board_id: id, days: 1 });
    const listed = async (by: TestClient): Promise<string> => JSON.stringify((await by.get('/secure/share/list')).body);
    for (const by of [ada, boss]) expect(await listed(by)).toContain(mine!.id);
    for (const by of [bob, eve]) {
      expect(await listed(by)).not.toContain(mine!.id);
      expect((await by.delete(`/secure/share/${mine!.id}`)).status).toBe(404);
    }
    // Its token is kept as a hash alone, and stands in no log.
    const kept = await links.find({});
    expect(kept.length).toBeGreaterThan(3);
    expect(`${JSON.stringify(kept)}${await listed(ada)}${logged.join('\n')}`).not.toContain(mine!.token);

    expect((await ada.delete(`/secure/share/${mine!.id}`)).status).toBe(200);
    expect((await boss.delete(`/secure/share/${bosses!.id}`)).status).toBe(200);
    await links.update({ id: expired!.id }, { set: { expiresAt: new Date(api.clock.now().getTime() - 1) } });
    const unknown = await look('0'.repeat(64));
    expect(unknown).toMatchObject({ status: 404, body: { error: true } });
    for (const { token } of [mine!, bosses!, expired!]) expect((await look(token)).body).toEqual(unknown.body);

    const { expiresAt } = (await links.get(last.id))!;
    expect(Math.round((expiresAt.getTime() - api.clock.now().getTime()) / DAY)).toBe(1);
    expect((await look(last.token)).status).toBe(200);
    await ada.delete(`/secure/board/${id}?permanent=true`);
    expect((await look(last.token)).body).toEqual(unknown.body);
    expect(await links.get(last.id)).toBeNull();
  });

  it('reads rows at most once a minute, however often it is looked at', async () => {
    const rows = await importedDatasource(api, ada);
    const [id, tile] = await pinned({ datasource_id: rows, plan: COUNT });
    const { token } = await share({ board_id: id });
    const seen = async (): Promise<unknown> => ((await lookAt(token, tile)).body['figure'] as FigureView).data?.rows;
    expect(await seen()).toEqual([[48]]);
    await insertRow(rows);
    expect(await seen()).toEqual([[48]]);
    expect((await figure(id, tile)).data?.rows).toEqual([[49]]);
    expect(await seen()).toEqual([[49]]);
  });
});
