import { expect, it } from 'vitest';
import type { TestClient } from '../support/test-client.js';
import { theService } from './a-service.js';
import { look, rowsBySql } from './world.builder.js';

const api = await theService();

it('the sample data becomes one datasource of each company, which can be asked', async () => {
  const [ada, eve] = [await api.signIn('acme', { role: 'manager' }), await api.signIn('globex', { role: 'manager' })];
  const sampleOf = async (client: TestClient): Promise<string> =>
    String((await client.post('/secure/datasource/sample')).body['datasource_id']);
  const id = await sampleOf(ada);
  expect(await sampleOf(ada)).toBe(id);
  expect(await sampleOf(eve)).not.toBe(id);
  await api.drain();
  const made = { name: 'Weather (sample)', doc_count: 2922, import: { rejected: 0 } };
  expect(await look(ada, id)).toMatchObject(made);
  expect(await rowsBySql(ada, id, 'SELECT count(DISTINCT location) FROM data')).toEqual([[2]]);
  expect(await look(eve, id)).toBeUndefined();
  await ada.delete('/secure/datasource', { id });
  expect(await sampleOf(ada)).not.toBe(id);
});
