import { afterAll, describe, expect, it } from 'vitest';
import { BOARD_FIGURES, type KeptFigure, SHARE_LINKS } from '../../src/features/boards/board.schema.js';
import type { BoardFullView, FigureView, TileView } from '../../src/features/boards/boards.wire.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { startTestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { importedDatasource, openConversation, TEMPERATURES } from './world.builder.js';

const DAY = 24 * 60 * 60 * 1000;

const logged: string[] = [];

const api = await startTestApi({ environment: { RATE_LIMIT: '0' }, onLog: (line) => logged.push(line) });
const [ada, bob, boss, eve] = await Promise.all([
  api.signIn('acme'),
  api.signIn('acme'),
  api.signIn('acme', { role: 'manager' }),
  api.signIn('globex', { role: 'manager' }),
]);
const datasource = await importedDatasource(api, ada);
afterAll(() => api[Symbol.asyncDispose]());

/** What an answer that is a success has of this name. */
async function part<T>(answered: Promise<TestResponse>, name: string): Promise<T> {
  const { status, body } = await answered;
  expect(status, JSON.stringify(body)).toBe(200);
  return body[name] as T;
}

const aBoard = async (by = ada, title = 'Sensors'): Promise<string> =>
  (await part<BoardFullView>(by.post('/secure/board', { title }), 'board')).id;

const open = (id: string, by = ada): Promise<BoardFullView> => part(by.get(`/secure/board/${id}`), 'board');

const pin = (board: string, body: object, by = ada): Promise<TileView> =>
  part(by.post(`/secure/board/${board}/tile`, body), 'tile');

const figure = (board: string, tile: string, body: object = {}, by = ada): Promise<FigureView> =>
  part(by.post(`/secure/board/${board}/tile/${tile}/figure`, body), 'figure');

const keptFigures = (tile: TileView): Promise<readonly KeptFigure[]> =>
  api.get(DocumentStore).tenantCollection(BOARD_FIGURES).ofAll().find({ id: tile.id });

async function insertRow(id: string): Promise<void> {
  const row = { device: 'd9', at: '2024-03-01 00:00:00', temperature: 1, note: '' };
  await ada.patch('/secure/datasource/insert', { datasource_id: id, data: [row] });
}

type Asked = Record<'conversation_id' | 'message_id', string>;

async function asked(message: string, by = ada, id = datasource): Promise<Asked> {
  const conversation = await openConversation(by, id);
  await by.post('/secure/assistant/chat', { conversation_id: conversation, message });
  const { body } = await by.get(`/secure/assistant/history?conversation_id=${conversation}`);
  const history = body['history'] as { _id: string; role: string }[];
  return { conversation_id: conversation, message_id: history.at(-1)!._id };
}

const plan = (): object => ({ datasource_id: datasource, ...TEMPERATURES });

describe('a board', () => {
  it('lays tiles where there is room, and lets none lie on another', async () => {
    const id = await aBoard();
    const [first, second, note] = [await pin(id, plan()), await pin(id, plan()), await pin(id, { text: '# Read me' })];
    expect([first, second, note].map(({ x, y, w }) => [x, y, w])).toEqual([
      [0, 0, 6],
      [6, 0, 6],
      [0, 6, 6],
    ]);
    const layout = [
      { id: first.id, x: 0, y: 0, w: 12, h: 4 },
      { id: note.id, x: 0, y: 2, w: 3, h: 2 },
      { id: 'f'.repeat(24), x: 0, y: 0, w: 1, h: 1 },
    ];
    const { body } = await ada.patch(`/secure/board/${id}`, { layout });
    const { tiles } = body['board'] as BoardFullView;
    const places = Object.fromEntries(tiles.map((tile) => [tile.id, [tile.x, tile.y, tile.w, tile.h]]));
    expect(places).toEqual({
      [first.id]: [0, 0, 12, 4],
      [second.id]: [6, 4, 6, 6],
      [note.id]: [0, 4, 3, 2],
    });
  });

  it('keeps both of two changes at once', async () => {
    const id = await aBoard();
    const texts = ['one', 'two', 'three', 'four'];
    await Promise.all(texts.map((text) => pin(id, { text })));
    const { tiles } = await open(id);
    expect(tiles.map(({ text }) => text).sort()).toEqual([...texts].sort());
    expect(new Set(tiles.map(({ x, y }) => `${String(x)} ${String(y)}`)).size).toBe(4);
  });

  it('refuses what no board can be', async () => {
    const id = await aBoard();
    const tile = await pin(id, plan());
    const place = { id: tile.id, x: 0, y: 0, w: 6, h: 6 };
    const bad: readonly object[] = [
      { title: '   ' },
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
    const id = await aBoard();
    const answer = await asked('average temperature by device');
    const tile = await pin(id, answer);
    expect(tile).toMatchObject({ kind: 'figure', title: 'Average temperature by device', sql: null });
    expect(tile.plan).toMatchObject({ kind: 'aggregate' });
    const shown = await figure(id, tile.id);
    expect(shown).toMatchObject({ problem: null, chart: expect.any(Object) as object });
    expect(shown.data?.rows.length).toBe(2);
    // Bob's board can't have what Ada asked.
    const his = await aBoard(bob);
    expect(await bob.post(`/secure/board/${his}/tile`, answer)).toMatchObject({ status: 404 });
    for (const theirs of [answer, plan()])
      expect(await eve.post(`/secure/board/${await aBoard(eve)}/tile`, theirs)).toMatchObject({ status: 404 });
  });

  it('takes both ids of an answer or neither, one kind of thing, and no answer without a figure', async () => {
    const id = await aBoard();
    const answer = await asked('average temperature by device');
    const bad: readonly object[] = [
      {},
      { message_id: answer.message_id },
      { datasource_id: datasource },
      { ...answer, ...plan() },
      { ...plan(), plan: { ...TEMPERATURES.plan, measures: [{ aggregate: 'avg', column: 'nowhere', label: 'a' }] } },
      { ...plan(), chart: { kind: 'spiral', x: 'device' } },
      { text: '' },
    ];
    const withoutFigure = await asked('hello');
    for (const body of [...bad, withoutFigure])
      expect(await ada.post(`/secure/board/${id}/tile`, body), JSON.stringify(body)).toMatchObject({ status: 400 });
    expect((await open(id)).tiles).toEqual([]);
  });

  it('stops when a board is full', async () => {
    const id = await aBoard();
    for (let count = 0; count < 40; count += 1) await pin(id, { text: 'note' });
    expect(await ada.post(`/secure/board/${id}/tile`, { text: 'one more' })).toMatchObject({ status: 409 });
  });

  it('changes and removes what was pinned', async () => {
    const id = await aBoard();
    const [tile, note] = [await pin(id, plan()), await pin(id, { text: 'old' })];
    const { body } = await ada.patch(`/secure/board/${id}/tile/${tile.id}`, { title: 'Warmth', text: 'passed over' });
    expect(body['tile']).toMatchObject({ title: 'Warmth', text: null });
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
    const id = await aBoard();
    const tile = await pin(id, { datasource_id: rows, plan: COUNT });
    expect((await open(id)).tiles[0]?.figure).toBeNull();
    expect((await figure(id, tile.id)).data?.rows).toEqual([[48]]);
    expect((await open(id, bob)).tiles[0]?.figure).toMatchObject({ is_current: true, data: { rows: [[48]] } });

    await insertRow(rows);
    expect((await open(id)).tiles[0]?.figure).toMatchObject({ is_current: false, data: { rows: [[48]] } });
    expect(await figure(id, tile.id)).toMatchObject({ is_current: true, data: { rows: [[49]] } });
  });

  it('go by the board’s time range and filters, and by the reader’s own without keeping them', async () => {
    const id = await aBoard();
    const tile = await pin(id, { ...plan(), plan: { ...TEMPERATURES.plan, filters: [AT_ITS_OWN_TIME] } });
    const first = await figure(id, tile.id);
    expect(first.data?.rows.length).toBe(2);
    const view = {
      range: { from: '2024-01-02T00:00:00Z', to: '2024-01-03' },
      filters: [{ column: 'DEVICE', values: ['d1'] }],
    };
    const own = await figure(id, tile.id, view, bob);
    expect(own.data?.rows).toEqual([['d1', 23.5]]);
    expect(own.unfiltered).toEqual([]);
    const filters = [
      { column: 'region', values: ['north'] },
      { column: 'temperature', values: ['warm'] },
    ];
    const unfit = await figure(id, tile.id, { range: { last: 10, unit: 'year' }, filters }, bob);
    expect(unfit.unfiltered).toEqual(['region', 'temperature']);
    expect(unfit.data?.rows.length).toBe(2);
    expect((await open(id)).tiles[0]?.figure?.data?.rows).toEqual(first.data?.rows);

    const { body } = await ada.patch(`/secure/board/${id}`, view);
    // What was read through another view is not shown.
    expect((body['board'] as BoardFullView).tiles[0]?.figure).toBeNull();
    expect((await figure(id, tile.id)).data?.rows).toEqual([['d1', 23.5]]);
  });

  it('count the last days from the newest row, and say which days they show', async () => {
    const id = await aBoard();
    const tile = await pin(id, { datasource_id: datasource, plan: FIRST_AND_LAST });
    const shown = await figure(id, tile.id, { range: { last: 1, unit: 'day' } });
    const all = (await figure(id, tile.id)).data?.rows[0];
    const [first, last] = shown.data!.rows[0] as [string, string];
    expect(last).toBe(all?.[1]);
    const midnight = `${last.slice(0, 10)}T00:00:00.000Z`;
    expect(shown.shown).toEqual({ from: midnight, to: new Date(Date.parse(midnight) + DAY).toISOString() });
    expect(first >= midnight).toBe(true);
    const hour = await figure(id, tile.id, { range: { last: 1, unit: 'hour' } });
    expect(Date.parse(hour.shown!.to!) - Date.parse(hour.shown!.from!)).toBe(60 * 60 * 1000);
    expect((hour.data!.rows[0] as string[])[1]).toBe(last);
    expect((await figure(id, tile.id)).shown).toBeNull();
  });

  it('of SQL run through the gate, and are not filtered in silence', async () => {
    const answered = await asked('average temperature by device');
    const { MESSAGES } = await import('../../src/features/assistant/history/message.schema.js');
    const messages = api.get(DocumentStore).tenantCollection(MESSAGES).ofAll();
    const [message] = await messages.find({ id: answered.message_id });
    const written = async (dbquery: string): Promise<FigureView> => {
      await messages.update({ id: message!.id }, { set: { plan: null, response: { ...message!.response!, dbquery } } });
      const id = await aBoard();
      const tile = await pin(id, answered);
      expect(tile).toMatchObject({ plan: null, sql: dbquery });
      return figure(id, tile.id, { range: { last: 1, unit: 'day' }, filters: [{ column: 'device', values: ['d1'] }] });
    };
    const shown = await written('SELECT device, avg(temperature) AS t FROM data GROUP BY device ORDER BY device');
    expect(shown).toMatchObject({ problem: null, unfiltered: ['time range', 'device'] });
    expect(shown.data?.rows.length).toBe(2);
    for (const hostile of ["SELECT * FROM read_csv('/etc/passwd')", 'DROP TABLE data', "ATTACH 'x' AS y"])
      expect(await written(hostile)).toMatchObject({ data: null, problem: expect.any(String) as string });
  });

  it('say plainly that their datasource was deleted, and keep nothing of it', async () => {
    const rows = await importedDatasource(api, ada);
    const id = await aBoard();
    const tile = await pin(id, { ...plan(), datasource_id: rows });
    await figure(id, tile.id);
    await ada.delete('/secure/datasource', { id: rows, permanent: true });
    const gone = { problem: 'The datasource of this tile was deleted.', data: null, chart: null };
    expect((await open(id)).tiles[0]).toMatchObject({ figure: gone });
    expect(await figure(id, tile.id)).toMatchObject(gone);
    await api.drain();
    expect(await keptFigures(tile)).toEqual([]);
    // As little of a board that is gone.
    const other = await pin(id, plan());
    await figure(id, other.id);
    await ada.delete(`/secure/board/${id}?permanent=true`);
    expect(await keptFigures(other)).toEqual([]);
  });
});

const COUNT = { kind: 'aggregate', measures: [{ aggregate: 'count', column: null, label: 'n' }] };
const FIRST_AND_LAST = {
  kind: 'aggregate',
  measures: [
    { aggregate: 'min', column: 'at', label: 'first' },
    { aggregate: 'max', column: 'at', label: 'last' },
  ],
};
const AT_ITS_OWN_TIME = { kind: 'time', column: 'at', from: '2024-01-01', to: '2024-01-02' };

interface Link {
  readonly id: string;
  readonly token: string;
}

async function share(body: object, by = ada): Promise<Link> {
  const { status, body: answer } = await by.post('/secure/share', body);
  expect(status, JSON.stringify(answer)).toBe(200);
  return { id: (answer['link'] as { id: string }).id, token: String(answer['token']) };
}

const look = (token: string): Promise<TestResponse> => api.stranger().post('/shared/look', { token });

describe('a public link', () => {
  it('shows a board with its figures, and nothing of the company or how they came about', async () => {
    const id = await aBoard(ada, 'For everybody');
    const tile = await pin(id, plan());
    await pin(id, { text: 'Read me' });
    const { token } = await share({ board_id: id });
    expect((await look(token)).body).toMatchObject({ board: { tiles: [{ figure: null }, { text: 'Read me' }] } });
    const { status, body } = await api.stranger().post('/shared/figure', { token, tile_id: tile.id });
    expect({ status, figure: body['figure'] }).toMatchObject({ status: 200, figure: { problem: null } });
    const shown = (await look(token)).body;
    expect(shown).toMatchObject({
      answer: null,
      board: { title: 'For everybody', tiles: [{ figure: { data: { columns: ['device', 'temperature'] } } }, {}] },
    });
    const text = JSON.stringify(shown);
    for (const secret of [ada.companyId, ada.id, datasource, id, 'SELECT', '"plan"', '"sql"', 'dbquery', 'example'])
      expect(text, secret).not.toContain(secret);
    expect((await look(token)).headers.get('cache-control') ?? '').not.toContain('public');
  });

  it('shows an answer, of which the conversation stays private', async () => {
    const answer = await asked('average temperature by device');
    const { token } = await share(answer);
    const { body } = await look(token);
    expect(body).toMatchObject({
      board: null,
      answer: { question: 'average temperature by device', data: { rows: expect.any(Array) as unknown } },
    });
    const text = JSON.stringify(body);
    for (const secret of [ada.companyId, ada.id, datasource, answer.conversation_id, answer.message_id, 'SELECT'])
      expect(text, secret).not.toContain(secret);
    expect(await api.stranger().post('/shared/figure', { token, tile_id: 'f'.repeat(24) })).toMatchObject({
      status: 404,
    });
    await ada.delete('/secure/assistant/conversation', { id: answer.conversation_id });
    expect((await look(token)).status).toBe(404);
  });

  it('opens no other route and no other board', async () => {
    const [mine, other] = [await aBoard(), await aBoard()];
    const tile = await pin(other, plan());
    const { token } = await share({ board_id: mine });
    expect(await api.stranger().post('/shared/figure', { token, tile_id: tile.id })).toMatchObject({ status: 404 });
    const holder = { authorization: `Bearer ${token}` };
    for (const path of ['/secure/board/list', `/secure/board/${mine}`, '/secure/datasources', '/secure/currentuser'])
      expect((await api.stranger().get(path, holder)).status).toBe(401);
  });

  it('ends when it is revoked, when it expires, and with its board', async () => {
    const id = await aBoard();
    const [revoked, expired] = [await share({ board_id: id }), await share({ board_id: id })];
    const last = await share({ board_id: id, days: 1 });
    expect((await ada.delete(`/secure/share/${revoked.id}`)).status).toBe(200);
    const ended = await look(revoked.token);
    expect(ended).toMatchObject({ status: 404, body: { error: true } });

    const links = api.get(DocumentStore).tenantCollection(SHARE_LINKS).ofAll();
    const before = new Date(api.clock.now().getTime() - 1);
    await links.update({ id: expired.id }, { set: { expiresAt: before } });
    const [kept] = await links.find({ id: last.id });
    expect(Math.round((kept!.expiresAt.getTime() - api.clock.now().getTime()) / DAY)).toBe(1);
    const unknown = await look('0'.repeat(64));
    expect((await look(expired.token)).body).toEqual(ended.body);
    expect(unknown.body).toEqual(ended.body);
    expect((await look(last.token)).status).toBe(200);
    await ada.delete(`/secure/board/${id}?permanent=true`);
    expect((await look(last.token)).body).toEqual(ended.body);
    expect(await links.find({ id: last.id })).toEqual([]);
  });

  it('is made of one’s own answers alone, of one thing, for up to a year', async () => {
    const id = await aBoard();
    const answer = await asked('average temperature by device');
    expect(await bob.post('/secure/share', answer)).toMatchObject({ status: 404 });
    expect(await eve.post('/secure/share', answer)).toMatchObject({ status: 404 });
    const bad = [{ board_id: id, ...answer }, { message_id: answer.message_id }, { board_id: id, days: 366 }];
    for (const body of bad)
      expect(await ada.post('/secure/share', body), JSON.stringify(body)).toMatchObject({ status: 400 });
  });

  it('is listed and revoked by whoever made it and by managers, and never by others', async () => {
    const id = await aBoard();
    const { id: link, token } = await share({ board_id: id });
    const listed = async (by: TestClient): Promise<string> => JSON.stringify((await by.get('/secure/share/list')).body);
    expect(await listed(ada)).toContain(link);
    expect(await listed(boss)).toContain(link);
    expect(await listed(bob)).not.toContain(link);
    expect(await listed(eve)).not.toContain(link);
    expect(await listed(ada)).not.toContain(token);
    for (const other of [bob, eve]) expect((await other.delete(`/secure/share/${link}`)).status).toBe(404);
    // Its token is kept as a hash alone, and stands in no log.
    await api.stranger().post('/shared/look', { token: token.replace(/^./, 'g') });
    const stored = await api.get(DocumentStore).tenantCollection(SHARE_LINKS).ofAll().find({});
    expect(stored.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect((await boss.delete(`/secure/share/${link}`)).status).toBe(200);
    expect((await look(token)).status).toBe(404);
    expect(logged.join('\n')).not.toContain(token);
  });

  it('reads rows at most once a minute, however often it is looked at', async () => {
    const rows = await importedDatasource(api, ada);
    const id = await aBoard();
    const tile = await pin(id, { datasource_id: rows, plan: COUNT });
    const { token } = await share({ board_id: id });
    const seen = async (): Promise<unknown> => {
      const { body } = await api.stranger().post('/shared/figure', { token, tile_id: tile.id });
      return (body['figure'] as FigureView).data?.rows;
    };
    expect(await seen()).toEqual([[48]]);
    await insertRow(rows);
    expect(await seen()).toEqual([[48]]);
    expect((await figure(id, tile.id)).data?.rows).toEqual([[49]]);
    expect(await seen()).toEqual([[49]]);
  });

  it('tells those who have it no names of columns when a figure fails', async () => {
    const id = await aBoard();
    const rows = await importedDatasource(api, ada);
    const tile = await pin(id, { ...plan(), datasource_id: rows });
    const { token } = await share({ board_id: id });
    await ada.delete('/secure/datasource', { id: rows });
    const { body } = await api.stranger().post('/shared/figure', { token, tile_id: tile.id });
    expect(body['figure']).toMatchObject({ problem: 'This figure can’t be shown at the moment.', data: null });
  });
});
