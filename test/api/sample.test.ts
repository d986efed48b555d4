import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';

describe('the sample data', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api[Symbol.asyncDispose]());

  async function sampleOf(client: TestClient): Promise<string> {
    const { status, body } = await client.post('/secure/datasource/sample');
    expect(status).toBe(200);
    await api.drain();
    return String(body['datasource_id']);
  }

  it('becomes one datasource of each company, which can be asked', { timeout: 60_000 }, async () => {
    const [ada, eve] = [await api.signIn('acme', { role: 'manager' }), await api.signIn('globex', { role: 'manager' })];
    const id = await sampleOf(ada);
    expect(await sampleOf(ada)).toBe(id);
    const { body } = await ada.get(`/secure/datasource?id=${id}`);
    expect(body['datasource']).toMatchObject({ name: 'Weather (sample)', doc_count: 2922, import: { rejected: 0 } });
    const asked = { datasource_id: id, query: 'SELECT count(DISTINCT location) FROM data' };
    expect((await ada.post('/secure/data/query', asked)).body['rows']).toEqual([[2]]);

    expect(await eve.get(`/secure/datasource?id=${id}`)).toMatchObject({ status: 404 });
    expect(await sampleOf(eve)).not.toBe(id);

    await ada.delete('/secure/datasource', { id });
    expect((await ada.post('/secure/datasource/sample')).body['datasource_id']).not.toBe(id);
  });
});
