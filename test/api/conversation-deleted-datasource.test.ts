import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { importedDatasource } from './world.builder.js';

let api: TestApi;
let ada: TestClient;

beforeAll(async () => {
  api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
  ada = await api.signIn('acme');
});
afterAll(() => api[Symbol.asyncDispose]());

it('conversations begun while their datasource is deleted are refused or removed with it, and none stays', async () => {
  const id = await importedDatasource(api, ada, 'device,at,value\nd1,2024-01-01 00:00:00,1\n');
  const begin = (): Promise<number> =>
    ada.post('/secure/assistant/conversation', { title: 'x', datasource_id: id }).then(({ status }) => status);
  const before = [begin(), begin(), begin()];
  const deletion = ada.delete('/secure/datasource', { id });
  const statuses = new Set(await Promise.all([...before, ...Array.from({ length: 30 }, begin)]));
  expect((await deletion).status).toBe(200);
  await api.drain();
  expect([...statuses].every((status) => status === 200 || status === 404)).toBe(true);
  expect(await begin()).toBe(404);
  const { body } = await ada.get('/secure/assistant/conversations');
  expect((body['conversations'] as unknown[]).length).toBe(0);
});
