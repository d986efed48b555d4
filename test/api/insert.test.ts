import { describe, expect, it } from 'vitest';
import { InsertReconciler } from '../../src/features/datasource/data/insert-ledger.js';
import { RowEngine } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { asId } from '../../src/shared/ids.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import type { TestResponse } from '../support/test-client.js';
import { theService } from './a-service.js';
import { Inserter, ROW, type Row } from './insert.builder.js';
import { answerAbout, importingDatasource } from './world.builder.js';

const api = await theService();
const ada = await api.signIn('acme');
const own = new Inserter(api, ada);

const insert = (id: string, data: unknown): Promise<TestResponse> => own.insert(id, data);
const tableOf = (id: string): TableRef => ({
  ...{ companyId: asId(ada.companyId), datasourceId: asId(id) },
  ...{ generation: 1, visibleFrom: null },
});
const replayed = ({ headers }: TestResponse): string | null => headers.get('idempotency-replayed');

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
      ...{ doc_count: 7, updating: false, updated_at: api.clock.now().toISOString() },
      config: { assets: ['brand-new', 'd0', 'd1', 'd2'] },
    });
    const answered = await answerAbout(ada, id, 'average value of brand-new');
    expect(answered).toMatchObject({ kind: 'answer', data: { rows: [[99]] } });
  });

  it('skips those that do not fit, each with its place and its reason, and stores nothing when there are no others', async () => {
    const id = await own.datasource();
    const answer = await insert(id, [{ ...ROW, at: '02.01.2024' }, ROW, { ...ROW, value: 'warm' }]);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      error: true,
      message: 'inserted 1 rows, skipped 2 rows',
      inserted_rows: 1,
      skipped: [
        { row: 0, reason: '"at" does not match the timeformat yyyy-MM-dd HH:mm:ss: "02.01.2024"' },
        { row: 2, reason: '"value" is not a number: "warm"' },
      ],
    });
    const before = await own.look(id);
    expect(before).toMatchObject({ doc_count: 4 });
    const none = await insert(
      id,
      Array.from({ length: 150 }, () => ({ device: 'd1' })),
    );
    const body = { error: true, message: 'inserted 0 rows, skipped 150 rows', inserted_rows: 0 };
    expect(none).toMatchObject({ status: 400, body });
    expect(none.body['skipped']).toHaveLength(100);
    expect(await own.look(id)).toEqual(before);
  });

  /** What is refused for its bytes: see matrix.test.ts. */
  it('is refused whole with more than 1,000 rows, and taken up to that and 8 MiB', async () => {
    const id = await own.datasource();
    const rows = (count: number, length: number): Row[] =>
      Array.from({ length: count }, () => ({ ...ROW, note: 'x'.repeat(length) }));
    expect(await insert(id, rows(1001, 1))).toMatchObject({ status: 400, body: { message: /at most 1000 rows/ } });
    expect(await insert(id, rows(1000, 8250))).toMatchObject({ status: 200, body: { inserted_rows: 1000 } });
    expect(await own.look(id)).toMatchObject({ doc_count: 1003 });
  });

  it('is refused while the rows are being imported', async () => {
    const id = await importingDatasource(ada);
    expect(await insert(id, [ROW])).toMatchObject({ status: 409, body: { error: true, message: /updating/ } });
    await api.drain();
    expect(await insert(id, [ROW])).toMatchObject({ status: 200 });
  });
});

describe('insertions at once', () => {
  it('are all counted, and each row is there once', async () => {
    const id = await own.datasource();
    const turns = Array.from({ length: 30 }, (_, turn) => turn);
    const answers = await Promise.all(
      turns.map((value) =>
        insert(id, [
          { ...ROW, device: `new-${value}`, value },
          { ...ROW, device: 'all', value },
        ]),
      ),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await own.look(id)).toMatchObject({ doc_count: 63 });
    expect(await own.assets(id)).toHaveLength(33);
    const all = (await own.plot(id, 'value', 'all')).map(({ value }) => value);
    expect(all.sort((one, other) => one - other)).toEqual(turns);
  });

  it('with a deletion are acknowledged before it or not at all, and nothing is left', async () => {
    const id = await own.datasource();
    const insertions = Promise.all(Array.from({ length: 20 }, () => insert(id, [ROW])));
    const deleted = ada.delete('/secure/datasource', { id, permanent: true });
    for (const { status } of await insertions) expect([200, 404]).toContain(status);
    await deleted;
    await api.drain();
    await expect(api.get(RowEngine).count(tableOf(id))).rejects.toMatchObject({ kind: 'not_found' });
  });
});

it('rows that were stored by a process that died are counted by the next insertion, and by the next look at what was left', async () => {
  const id = await own.datasource();
  await insert(id, [ROW]);
  const uncounted = { at: new Date('2024-01-03T00:00:00Z'), device: 'ghost', value: 1 };
  await api.get(RowEngine).append(tableOf(id), [uncounted]);
  expect(await own.look(id)).toMatchObject({ doc_count: 4 });
  await insert(id, [ROW]);
  expect(await own.look(id)).toMatchObject({ doc_count: 6, config: { assets: ['d1', 'd2'] } });
  await api.get(RowEngine).append(tableOf(id), [uncounted]);
  api.clock.advance(120_000);
  await api.get(InsertReconciler).tick();
  expect(await own.look(id)).toMatchObject({ doc_count: 7, config: { assets: ['d1', 'd2', 'ghost'] } });
});

describe('rows that are sent again with the same idempotency key', () => {
  it('are not stored again and get the first answer, whoever of the company sends them, and are a conflict when they are others', async () => {
    const id = await own.datasource();
    // What stored nothing took no key.
    for (let turn = 0; turn < 2; turn += 1) {
      const none = await own.insert(id, [{ ...ROW, value: 'much' }], 'k');
      expect([none.status, replayed(none)]).toEqual([400, null]);
    }
    const rows = [ROW, { ...ROW, value: 'much' }];
    const first = await own.insert(id, rows, 'k');
    expect(first).toMatchObject({ status: 200, body: { error: true, inserted_rows: 1 } });
    expect(replayed(first)).toBeNull();
    // Whatever the order of their fields.
    const turned = rows.map((row) => Object.fromEntries(Object.entries(row).toReversed()));
    for (const by of [own, new Inserter(api, await api.signIn('acme'))]) {
      const again = await by.insert(id, turned, 'k');
      expect(again).toMatchObject({ status: 200, body: first.body });
      expect(replayed(again)).toBe('true');
    }
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
    for (const key of ['two words', 'ü', 'x'.repeat(256), ''])
      expect(await own.insert(id, [ROW], key), key).toMatchObject({
        status: 400,
        body: { message: problem, details: [{ field: 'idempotency-key', problem }] },
      });
    expect(await own.look(id)).toMatchObject({ doc_count: 3 });
  });
});
