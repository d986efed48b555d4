import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { importedDatasource } from './world.builder.js';
const NOW = new Date('2024-07-31T17:08:09.123Z');
const CONFIG = { metafield: 'asset', timefield: 'at', values: ['value'] };

let api: TestApi;
let ada: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  api.clock.set(NOW);
  ada = await api.signIn('acme');
});
afterAll(() => api[Symbol.asyncDispose]());

function ask(id: string, query: Readonly<Record<string, unknown>>): Promise<TestResponse> {
  return ada.post('/secure/data/plot', { datasource_id: id, value: 'value', ...query });
}

describe('a plot', () => {
  it('answers ranges at the ends of the calendar, and refuses those beyond it and those that end before they begin', async () => {
    const csv = 'asset,at,value\na,2024-07-01T00:00:00.000Z,1\na,2024-07-01T00:00:00.001Z,2\n';
    const id = await importedDatasource(api, ada, csv, CONFIG);
    const total = async (from: string, to: string): Promise<unknown> => (await ask(id, { from, to })).body['total'];
    expect(await total('-8640000000000000', '8640000000000000')).toBe(2);
    expect(await total('now-200000y', 'now+200000y')).toBe(2);
    expect(await total('0000-01-01', '9999-12-31')).toBe(2);
    expect(await total('now+50000y/M', '')).toBe(0);
    for (const from of ['now-999999999y', '9999999999999999', 'now-1H', 'NOW', '+275760-09-13']) {
      const { status, body } = await ask(id, { from });
      expect({ from, status, details: body['details'] }).toMatchObject({ status: 400, details: [{ field: 'from' }] });
    }
    expect(await ask(id, { from: 'now', to: 'now-1h' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('to must not be before from') as string, details: [{ field: 'to' }] },
    });
  });

  it('shows all rows of a lifespan that is longer than time', async () => {
    const csv = 'asset,at,value\na,2024-07-01T00:00:00.000Z,1\n';
    const id = await importedDatasource(api, ada, csv, { ...CONFIG, lifespan: 1e300 });
    expect(await ask(id, {})).toMatchObject({ status: 200, body: { total: 1 } });
  });
});
