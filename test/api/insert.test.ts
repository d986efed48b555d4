import { afterAll, describe, expect, it } from 'vitest';
import { InsertReconciler } from '../../src/features/datasource/data/insert-ledger.js';
import { RowEngine } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { asId } from '../../src/shared/ids.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { startTestApi } from '../support/test-api.js';
import type { TestResponse } from '../support/test-client.js';
import { Inserter, ROW, type Row } from './insert.builder.js';
import { aDatasourceBody, ROWS_CSV } from './world.builder.js';

const api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
const ada = await api.signIn('acme');
const own = new Inserter(api, ada);
afterAll(() => api[Symbol.asyncDispose]());

const insert = (id: string, data: unknown): Promise<TestResponse> => own.insert(id, data);

describe('inserting rows', () => {
  it('stores those that fit, says how many, and tells the company of the assets and the count', async () => {
    const id = await own.datasource();
    await using room = await StreamClient.open(streamUrl(api.url, id, String(ada.token)));
    api.clock.advance(1000);
    const answer = await insert(id, [ROW, { ...ROW, at: '2024-01-02 01:00:00', value: 8, on: true, extra: 'ignored' }]);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({ error: false, message: 'inserted 2 rows', inserted_rows: 2, skipped: [] });
    expect((await own.plot(id, 'value', 'd1')).slice(-2)).toEqual([
      { timestamp: '2024-01-02T00:00:00.000Z', value: 7.25 },
      { timestamp: '2024-01-02T01:00:00.000Z', value: 8 },
    ]);
    const data = { datasource_id: id, action: 'updated', doc_count: 5, message: '2 rows inserted' };
    await room.hears({ event: 'datasource-updated', data });
    await insert(id, [
      { ...ROW, device: 'd0' },
      { ...ROW, device: 'brand-new', value: '99' },
    ]);
    await api.drain();
    expect(await own.look(id)).toMatchObject({
      doc_count: 7,
      updating: false,
      updated_at: api.clock.now().toISOString(),
      config: { assets: ['brand-new', 'd0', 'd1', 'd2'] },
    });
    const { body: created } = await ada.post('/secure/assistant/conversation', { title: 'x', datasource_id: id });
    const asked = { conversation_id: created['id'], message: 'average value of brand-new' };
    const { body } = await ada.post('/secure/assistant/chat', asked);
    expect(body).toMatchObject({ response: { kind: 'answer', data: { rows: [[99]] } } });
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
});

describe('an insertion is refused', () => {
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
    const reaching = `{"constructor":"d1","at":"${at}","__proto__":{"toString":"1"}}`;
    const sent = await ada.patch('/secure/datasource/insert', `{"datasource_id":"${id}","data":[${reaching}]}`);
    expect(sent).toMatchObject({ status: 400, body: { error: true } });
    const texts = ["'; DROP TABLE data; --", '\u0000nul\u0000', '💥 \u202E', '"},{"', '${1}', 'x\ny'];
    const rows = texts.map((text, row) => ({ constructor: text, at, toString: row, hasOwnProperty: text }));
    expect(await insert(id, rows)).toMatchObject({ status: 200, body: { inserted_rows: texts.length } });
    const { body } = await ada.post('/secure/datasource/distinct-metadata', { datasource_id: id, search: '', page: 0 });
    expect(new Set(body['metadata'] as string[])).toEqual(new Set(['d1', ...texts]));
    expect(await own.assets(id)).toEqual(body['metadata']);
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

const replayed = ({ headers }: TestResponse): string | null => headers.get('idempotency-replayed');

describe('rows that are sent again with the same idempotency key', () => {
  it('are not stored again, and get the first answer, whoever of the company sends them', async () => {
    const id = await own.datasource();
    const rows = [ROW, { ...ROW, value: 'much' }];
    const first = await own.insert(id, rows, 'order-1');
    expect(first).toMatchObject({ status: 200, body: { error: true, inserted_rows: 1 } });
    expect(replayed(first)).toBeNull();
    // Whatever the order of their fields.
    const turned = rows.map((row) => Object.fromEntries(Object.entries(row).toReversed()));
    const bob = new Inserter(api, await api.signIn('acme'));
    for (const by of [own, bob]) {
      const again = await by.insert(id, turned, 'order-1');
      expect(again).toMatchObject({ status: 200, body: first.body });
      expect(replayed(again)).toBe('true');
    }
    expect(await own.look(id)).toMatchObject({ doc_count: 4 });
  });

  it('are a conflict when they are others', async () => {
    const id = await own.datasource();
    // What stored nothing took no key.
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await own.insert(id, [{ ...ROW, value: 'much' }], 'k');
      expect([answer.status, replayed(answer)]).toEqual([400, null]);
    }
    await own.insert(id, [ROW], 'k');
    const message =
      'the idempotency key "k" was used for other rows less than 24 hours ago: send the same rows, or another key';
    for (const other of [[ROW, ROW], [{ ...ROW, value: '7.26' }]])
      expect(await own.insert(id, other, 'k')).toMatchObject({ status: 409, body: { error: true, message } });
    expect(await own.look(id)).toMatchObject({ doc_count: 4 });
  });

  it('are known when the first answer was never sent, and counted', async () => {
    const id = await own.datasource();
    const rows = api.get(RowEngine);
    const append = rows.append.bind(rows);
    // The rows are on the disk, and then the process breaks off.
    rows.append = async (...given) => {
      await append(...given);
      throw new Error('broken off');
    };
    expect(await own.insert(id, [ROW], 'lost')).toMatchObject({ status: 500 });
    rows.append = append;
    const again = await own.insert(id, [ROW], 'lost');
    expect(again).toMatchObject({ status: 200, body: { message: 'inserted 1 rows' } });
    expect(replayed(again)).toBe('true');
    expect(await own.look(id)).toMatchObject({ doc_count: 4 });
  });

  it('have a key of 1 to 255 visible ASCII characters', async () => {
    const id = await own.datasource();
    const problem = 'the header idempotency-key must have 1 to 255 visible ASCII characters';
    for (const key of ['two words', 'ü'.normalize('NFC'), 'x'.repeat(256), ''])
      expect(await own.insert(id, [ROW], key), key).toMatchObject({
        status: 400,
        body: { message: problem, details: [{ field: 'idempotency-key', problem }] },
      });
    expect(await own.look(id)).toMatchObject({ doc_count: 3 });
  });
});
