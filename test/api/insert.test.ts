import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InsertReconciler } from '../../src/features/datasource/data/insert.reconciler.js';
import { RowEngine } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { asId } from '../../src/shared/ids.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { Inserter, ROW, type Row } from './insert.builder.js';
import { aDatasourceBody, ROWS_CSV } from './world.builder.js';

let api: TestApi;
let ada: TestClient;
let own: Inserter;
let foreigner: Inserter;

beforeAll(async () => {
  api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
  ada = await api.signIn('acme');
  own = new Inserter(api, ada);
  foreigner = new Inserter(api, await api.signIn('globex'));
});
afterAll(() => api[Symbol.asyncDispose]());

const insert = (id: string, data: unknown): Promise<TestResponse> => own.insert(id, data);

const reasonsOf = ({ body }: TestResponse): string[] =>
  (body['skipped'] as { reason: string }[]).map(({ reason }) => reason);

describe('inserting rows', () => {
  it('stores those that fit, and says how many', async () => {
    const id = await own.datasource();
    const answer = await insert(id, [ROW, { ...ROW, at: '2024-01-02 01:00:00', value: 8, on: true, extra: 'ignored' }]);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({ error: false, message: 'inserted 2 rows', inserted_rows: 2, skipped: [] });
    expect((await own.plot(id, 'value', 'd1')).slice(-2)).toEqual([
      { timestamp: '2024-01-02T00:00:00.000Z', value: 7.25 },
      { timestamp: '2024-01-02T01:00:00.000Z', value: 8 },
    ]);
  });

  it('is seen by the next question', async () => {
    const id = await own.datasource();
    await insert(id, [{ ...ROW, device: 'brand-new', value: '99' }]);
    await api.drain();
    const { body: created } = await ada.post('/secure/assistant/conversation', { title: 'x', datasource_id: id });
    const { body } = await ada.post('/secure/assistant/chat', {
      conversation_id: created['id'],
      message: 'average value of brand-new',
    });
    expect(body).toMatchObject({ response: { kind: 'answer', data: { rows: [[99]] } } });
  });

  it('tells how many rows there are, which assets, and when that changed', async () => {
    const id = await own.datasource();
    api.clock.advance(1000);
    await insert(id, [ROW, { ...ROW, device: 'd0' }, { ...ROW, device: 'Ä' }]);
    expect(await own.look(id)).toMatchObject({
      doc_count: 6,
      updating: false,
      updated_at: api.clock.now().toISOString(),
      config: { assets: ['d0', 'd1', 'd2', 'Ä'] },
    });
  });

  it('tells the company over the stream', async () => {
    const id = await own.datasource();
    await using room = await StreamClient.open(streamUrl(api.url, id, String(ada.token)));
    await insert(id, [ROW]);
    const data = { datasource_id: id, action: 'updated', doc_count: 4, message: '1 rows inserted' };
    await room.hears({ event: 'datasource-updated', data });
  });

  it('reads null markers, decimal commas and grouped numbers as the import did', async () => {
    const id = await own.datasource('device;at;value\nd1;2024-01-01 00:00:00;1,5\nd1;2024-01-01 01:00:00;2,5\n');
    const row = (value: unknown): Row => ({ device: 'd1', at: '2024-01-02 00:00:00', value });
    const answer = await insert(id, ['3,5', '1.234,5', 4.5, ' N/A ', null, ''].map(row));
    expect(answer).toMatchObject({ status: 200, body: { inserted_rows: 6 } });
    expect((await own.plot(id)).map(({ value }) => value)).toEqual([1.5, 2.5, 3.5, 4.5, 1234.5]);
    expect(await insert(id, [row('1.5'), row('1,2,3')])).toMatchObject({ status: 400, body: { inserted_rows: 0 } });
  });

  it('makes whole numbers numbers when one with a fraction comes', async () => {
    const id = await own.datasource();
    expect(await insert(id, [{ ...ROW, count: '2.5' }])).toMatchObject({ status: 200, body: { inserted_rows: 1 } });
    expect((await own.plot(id, 'count')).map(({ value }) => value)).toEqual([1, 2, 2.5]);
    await api.drain();
    const { body } = await ada.get(`/secure/datasource/store-ds-schema-summary?id=${id}`);
    const { columns } = body['summary'] as { columns: object[] };
    expect(columns).toContainEqual(expect.objectContaining({ name: 'count', type: 'number', max: 2.5 }));
    expect(await insert(id, [{ ...ROW, count: '4' }])).toMatchObject({ status: 200 });
  });
});

describe('rows that do not fit', () => {
  it('are skipped, each with its place and its reason, and the others stored', async () => {
    const id = await own.datasource();
    const answer = await insert(id, [
      { ...ROW, at: undefined },
      { ...ROW, at: '02.01.2024' },
      ROW,
      { ...ROW, device: '' },
      { ...ROW, value: 'warm' },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      error: true,
      message: 'inserted 1 rows, skipped 4 rows',
      inserted_rows: 1,
      skipped: [
        { row: 0, reason: '"at" is missing' },
        { row: 1, reason: '"at" does not match the timeformat yyyy-MM-dd HH:mm:ss: "02.01.2024"' },
        { row: 3, reason: '"device" is missing' },
        { row: 4, reason: '"value" is not a number: "warm"' },
      ],
    });
    expect(await own.look(id)).toMatchObject({ doc_count: 4 });
  });

  it('are a 400 when there are no others, and nothing is stored', async () => {
    const id = await own.datasource();
    const before = await own.look(id);
    const rows = Array.from({ length: 150 }, () => ({ device: 'd1' }));
    const answer = await insert(id, rows);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: true, message: 'inserted 0 rows, skipped 150 rows', inserted_rows: 0 },
    });
    expect(answer.body['skipped']).toHaveLength(100);
    expect(await own.look(id)).toEqual(before);
  });

  it('are those that have outlived the lifespan already', async () => {
    const now = api.clock.now().getTime();
    const at = (ago: number): string => new Date(now - ago * 1000).toISOString().slice(0, 19).replace('T', ' ');
    const id = await own.datasource(`device,at,value\nd1,${at(10)},1\n`, { lifespan: 60 });
    const row = { device: 'd1', value: '2' };
    const answer = await insert(id, [
      { ...row, at: at(20) },
      { ...row, at: at(100) },
    ]);
    expect(answer).toMatchObject({ status: 200, body: { message: 'inserted 1 rows, skipped 1 rows' } });
    expect(reasonsOf(answer)[0]).toContain('is older than the lifespan of the datasource');
    api.clock.advance(55_000);
    await insert(id, [{ ...row, at: at(-50) }]);
    expect(await own.look(id)).toMatchObject({ doc_count: 1 });
  });
});

describe('a datasource that is no time series', () => {
  it('gets the time of the insertion, whatever was sent', async () => {
    const id = await own.datasource('device,value\nd1,1\n', { is_timeseries: false, timefield: '' });
    api.clock.advance(60_000);
    const answer = await insert(id, [{ device: 'd1', value: '2', created_at: 'ignored' }, { value: '3' }]);
    expect(answer).toMatchObject({ status: 200, body: { inserted_rows: 1 } });
    expect(reasonsOf(answer)).toEqual(['"device" is missing']);
    expect((await own.plot(id)).at(-1)).toEqual({ timestamp: api.clock.now().toISOString(), value: 2 });
  });
});

describe('an insertion is refused', () => {
  it.each([
    [{ data: [ROW] }, 'datasource_id is required'],
    [{ datasource_id: 'f'.repeat(24) }, 'data must be an array of objects'],
    [{ datasource_id: 'f'.repeat(24), data: { 0: ROW } }, 'data must be an array of objects'],
    [{ datasource_id: 'f'.repeat(24), data: [] }, 'data must have at least one row'],
    [{ datasource_id: 'f'.repeat(24), data: [ROW, null] }, 'data.1 must be an object'],
    [{ datasource_id: 'f'.repeat(24), data: [[ROW]] }, 'data.0 must be an object'],
    [{ datasource_id: { $ne: null }, data: [ROW] }, 'datasource_id must be a valid identifier'],
    [[], 'the body must be a JSON object'],
  ])('when the body is %j', async (body, message) => {
    expect(await ada.patch('/secure/datasource/insert', body)).toMatchObject({ status: 400, body: { message } });
  });

  it('with more than 1,000 rows, whole', async () => {
    const id = await own.datasource();
    const rows = Array.from({ length: 1001 }, () => ROW);
    expect(await insert(id, rows)).toMatchObject({ status: 400, body: { message: /at most 1000 rows/ } });
    expect(await insert(id, rows.slice(1))).toMatchObject({ status: 200, body: { inserted_rows: 1000 } });
    expect(await own.look(id)).toMatchObject({ doc_count: 1003 });
  });

  it('with a body over 8 MiB, and taken up to it', async () => {
    const id = await own.datasource();
    const long = (length: number): Row[] => Array.from({ length: 1000 }, () => ({ ...ROW, note: 'x'.repeat(length) }));
    expect(await insert(id, long(8500))).toMatchObject({ status: 413 });
    expect(await insert(id, long(8250))).toMatchObject({ status: 200, body: { inserted_rows: 1000 } });
    const other = await ada.patch('/secure/datasource', { id, context: 'x'.repeat(1_100_000) });
    expect(other.status).toBe(413);
  });

  it('while the rows are being imported', async () => {
    const { body: upload } = await ada.upload(ROWS_CSV);
    const { body } = await ada.put('/secure/datasource', aDatasourceBody(String(upload['filename'])));
    const refused = await insert(String(body['datasource_id']), [ROW]);
    expect(refused).toMatchObject({ status: 409, body: { error: true, message: /updating/ } });
    await api.drain();
    expect(await insert(String(body['datasource_id']), [ROW])).toMatchObject({ status: 200 });
  });

  it('of another company, as if it were not there', async () => {
    const id = await own.datasource();
    const [unknown, foreign] = [await foreigner.insert('f'.repeat(24), [ROW]), await foreigner.insert(id, [ROW])];
    expect(foreign).toMatchObject({ status: 404, body: unknown.body });
    expect(await own.look(id)).toMatchObject({ doc_count: 3 });
  });

  it('after a deletion', async () => {
    const id = await own.datasource();
    await ada.delete('/secure/datasource', { id });
    expect(await insert(id, [ROW])).toMatchObject({ status: 404 });
  });
});

describe('insertions at once', () => {
  it('are all counted, and each row is there once', async () => {
    const id = await own.datasource();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, turn) =>
        insert(id, [
          { ...ROW, device: `new-${turn}`, value: turn },
          { ...ROW, device: 'all', value: turn },
        ]),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
    expect(await own.look(id)).toMatchObject({ doc_count: 63 });
    expect(await own.assets(id)).toHaveLength(33);
    const all = (await own.plot(id, 'value', 'all')).map(({ value }) => value);
    expect(all.sort((one, other) => one - other)).toEqual(Array.from({ length: 30 }, (_, turn) => turn));
  });

  it('and plots never show a part of one', async () => {
    const id = await own.datasource();
    const batch = Array.from({ length: 100 }, (_, row) => ({ ...ROW, device: 'whole', value: row }));
    const work = Promise.all(Array.from({ length: 8 }, () => insert(id, batch)));
    const lengths: number[] = [];
    for (let look = 0; look < 20; look += 1) lengths.push((await own.plot(id, 'value', 'whole')).length);
    await work;
    expect(lengths.every((length) => length % 100 === 0)).toBe(true);
    expect(await own.plot(id, 'value', 'whole')).toHaveLength(800);
  });

  it('with a deletion are acknowledged before it or not at all, and nothing is left', async () => {
    for (let round = 0; round < 3; round += 1) {
      const id = await own.datasource();
      const insertions = Promise.all(Array.from({ length: 10 }, () => insert(id, [ROW])));
      const deleted = ada.delete('/secure/datasource', { id, permanent: true });
      for (const { status } of await insertions) expect([200, 404]).toContain(status);
      await deleted;
      await api.drain();
      const gone = api.get(RowEngine).count({
        companyId: asId(ada.companyId),
        datasourceId: asId(id),
        generation: 1,
        visibleFrom: null,
      });
      await expect(gone).rejects.toMatchObject({ kind: 'not_found' });
    }
  }, 120_000);
});

describe('hostile rows', () => {
  it('are stored as they are, or refused', async () => {
    const id = await own.datasource('constructor,at,toString,hasOwnProperty\nd1,2024-01-01 00:00:00,1,x\n', {
      metafield: 'constructor',
    });
    const at = '2024-01-02 00:00:00';
    expect(await insert(id, [{ at }])).toMatchObject({ status: 400 });
    expect(await insert(id, [{ constructor: '\ud800half', at, toString: 1 }])).toMatchObject({ status: 400 });
    const texts = ["'; DROP TABLE data; --", '\u0000nul\u0000', '💥 \u202E', '"},{"', '${1}', 'x\ny'];
    const rows = texts.map((text, row) => ({ constructor: text, at, toString: row, hasOwnProperty: text }));
    expect(await insert(id, rows)).toMatchObject({ status: 200, body: { inserted_rows: texts.length } });
    const { body } = await ada.post('/secure/datasource/distinct-metadata', { datasource_id: id, search: '', page: 0 });
    expect(new Set(body['metadata'] as string[])).toEqual(new Set(['d1', ...texts]));
    expect(await own.assets(id)).toEqual(body['metadata']);
  });

  it('can not reach behind objects', async () => {
    const id = await own.datasource();
    const row = `{"device":"d1","at":"2024-01-02 00:00:00","__proto__":{"value":"1"}}`;
    const answer = await ada.patch('/secure/datasource/insert', `{"datasource_id":"${id}","data":[${row}]}`);
    expect(answer).toMatchObject({ status: 400, body: { error: true } });
  });

  it('of times beyond all calendars are skipped', async () => {
    const id = await own.datasource('device,at,value\nd1,1704067200000,1\n', { timeformat: 'unix_ms' });
    const row = { device: 'd1', value: 1 };
    const answer = await insert(id, [
      { ...row, at: '99999999999999999999' },
      { ...row, at: '253402300800000' },
      { ...row, at: '-99999999999999' },
      { ...row, at: 1704067300000 },
    ]);
    expect(answer).toMatchObject({ status: 200, body: { message: 'inserted 1 rows, skipped 3 rows' } });
  });
});

describe('after a crash between storing and counting', () => {
  it('rows are counted by the next insertion, and by the next look at what was left', async () => {
    const id = await own.datasource();
    await insert(id, [ROW]);
    const table: TableRef = {
      companyId: asId(ada.companyId),
      datasourceId: asId(id),
      generation: 1,
      visibleFrom: null,
    };
    const uncounted = { at: new Date('2024-01-03T00:00:00Z'), device: 'ghost', value: 1 };
    await api.get(RowEngine).append(table, [uncounted]);
    expect(await own.look(id)).toMatchObject({ doc_count: 4 });
    await insert(id, [ROW]);
    expect(await own.look(id)).toMatchObject({ doc_count: 6, config: { assets: ['d1', 'd2'] } });
    await api.get(RowEngine).append(table, [uncounted]);
    api.clock.advance(120_000);
    await api.get(InsertReconciler).tick();
    expect(await own.look(id)).toMatchObject({ doc_count: 7, config: { assets: ['d1', 'd2', 'ghost'] } });
  }, 60_000);
});
