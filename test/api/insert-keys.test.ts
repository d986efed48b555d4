import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RowEngine } from '../../src/ports/row-engine.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { Inserter, ROW } from './insert.builder.js';

const HOUR = 3_600_000;

let api: TestApi;
let ada: TestClient;
let own: Inserter;

beforeAll(async () => {
  api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0', COMPACT_AFTER_ROWS: '10' } });
  ada = await api.signIn('acme');
  own = new Inserter(api, ada);
});
afterAll(() => api[Symbol.asyncDispose]());

const insert = (id: string, data: unknown, key: string): Promise<TestResponse> => own.insert(id, data, key);
const replayed = ({ headers }: TestResponse): string | null => headers.get('idempotency-replayed');

describe('rows that are sent again with the same idempotency key', () => {
  it('are not stored again, and get the first answer', async () => {
    const id = await own.datasource();
    const rows = [ROW, { ...ROW, value: 'much' }];
    const first = await insert(id, rows, 'order-1');
    expect(first).toMatchObject({ status: 200, body: { error: true, inserted_rows: 1 } });
    expect(replayed(first)).toBeNull();
    const again = await insert(id, rows, 'order-1');
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(replayed(again)).toBe('true');
    expect(await own.look(id)).toMatchObject({ doc_count: 4 });
  });

  it('are the same whatever the order of their fields', async () => {
    const id = await own.datasource();
    await insert(id, [{ device: 'd1', at: '2024-01-02 00:00:00', value: 1 }], 'k');
    const again = await insert(id, [{ value: 1, at: '2024-01-02 00:00:00', device: 'd1' }], 'k');
    expect([again.status, replayed(again)]).toEqual([200, 'true']);
  });

  it('are stored once when they are sent many times at once', async () => {
    const id = await own.datasource();
    const answers = await Promise.all(Array.from({ length: 12 }, () => insert(id, [ROW, ROW], 'at-once')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(await own.look(id)).toMatchObject({ doc_count: 5 });
  });

  it('are a conflict when they are others', async () => {
    const id = await own.datasource();
    await insert(id, [ROW], 'k');
    for (const other of [[ROW, ROW], [{ ...ROW, value: '7.26' }], [{ ...ROW, value: 'much' }]]) {
      const answer = await insert(id, other, 'k');
      expect(answer).toMatchObject({
        status: 409,
        body: {
          error: true,
          message:
            'the idempotency key "k" was used for other rows less than 24 hours ago: send the same rows, or another key',
        },
      });
    }
    expect(await own.look(id)).toMatchObject({ doc_count: 4 });
  });

  it('are checked again when none of them was stored', async () => {
    const id = await own.datasource();
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await insert(id, [{ ...ROW, value: 'much' }], 'k');
      expect([answer.status, replayed(answer)]).toEqual([400, null]);
    }
    expect(await insert(id, [ROW], 'k')).toMatchObject({ status: 200 });
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
    expect(await insert(id, [ROW], 'lost')).toMatchObject({ status: 500 });
    rows.append = append;
    const again = await insert(id, [ROW], 'lost');
    expect(again).toMatchObject({ status: 200, body: { message: 'inserted 1 rows' } });
    expect(replayed(again)).toBe('true');
    expect(await own.look(id)).toMatchObject({ doc_count: 4 });
  });

  it('get the first answer even when they have outlived the lifespan since', async () => {
    const csv = `device,at,value\nd1,${api.clock.now().toISOString().slice(0, 19)},1\n`;
    const id = await own.datasource(csv, { lifespan: 3600 });
    const rows = [{ device: 'd2', at: api.clock.now().toISOString().slice(0, 19), value: '2' }];
    await insert(id, rows, 'old');
    api.clock.advance(2 * HOUR);
    own = new Inserter(api, await api.signIn('acme'));
    const again = await insert(id, rows, 'old');
    expect(again).toMatchObject({ status: 200, body: { message: 'inserted 1 rows' } });
  });

  it('belong to their datasource, whoever of the company sends them', async () => {
    const [one, other] = [await own.datasource(), await own.datasource()];
    await insert(one, [ROW], 'k');
    expect(replayed(await insert(other, [ROW], 'k'))).toBeNull();
    const bob = new Inserter(api, await api.signIn('acme'));
    expect(replayed(await bob.insert(one, [ROW], 'k'))).toBe('true');
    const eve = new Inserter(api, await api.signIn('globex'));
    expect(await eve.insert(one, [ROW], 'k')).toMatchObject({ status: 404 });
  });
});

describe('an idempotency key', () => {
  it('is refused when it is no visible ASCII, too long or empty', async () => {
    const id = await own.datasource();
    const problem = 'the header idempotency-key must have 1 to 255 visible ASCII characters';
    for (const key of ['two words', 'ü'.normalize('NFC'), 'x'.repeat(256), ''])
      expect(await insert(id, [ROW], key), key).toMatchObject({
        status: 400,
        body: { message: problem, details: [{ field: 'idempotency-key', problem }] },
      });
    expect(await own.look(id)).toMatchObject({ doc_count: 3 });
  });

  it('may have any 255 visible ASCII characters', async () => {
    const id = await own.datasource();
    const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('');
    const key = visible.repeat(3).slice(0, 255);
    expect(await insert(id, [ROW], key)).toMatchObject({ status: 200 });
    expect(replayed(await insert(id, [ROW], key))).toBe('true');
  });
});
