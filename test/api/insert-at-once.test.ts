import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InsertReconciler } from '../../src/features/datasource/data/insert.reconciler.js';
import { RowEngine } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { asId } from '../../src/shared/ids.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { Inserter, ROW } from './insert.builder.js';

let api: TestApi;
let ada: TestClient;
let own: Inserter;

beforeAll(async () => {
  api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
  ada = await api.signIn('acme');
  own = new Inserter(api, ada);
});
afterAll(() => api[Symbol.asyncDispose]());

const insert = (id: string, data: unknown): Promise<TestResponse> => own.insert(id, data);

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
