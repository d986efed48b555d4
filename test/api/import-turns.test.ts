import { expect, it } from 'vitest';
import { RowEngine } from '../../src/ports/row-engine.js';
import { startTestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { ROWS_CSV, aDatasourceBody } from './world.builder.js';

async function create(client: TestClient): Promise<void> {
  const { body } = await client.upload(ROWS_CSV);
  expect((await client.put('/secure/datasource', aDatasourceBody(String(body['filename'])))).status).toBe(200);
}

it('the import of a company does not wait for the ten that another asked for before it', async () => {
  await using api = await startTestApi();
  const many = await api.signIn('many');
  const few = await api.signIn('few');
  const rows = api.get(RowEngine);
  const load = rows.load.bind(rows);
  const order: string[] = [];
  let open = (): void => undefined;
  const allAskedFor = new Promise<void>((resolve) => (open = resolve));
  rows.load = async (table, source, watch) => {
    order.push(table.companyId);
    await allAskedFor;
    return load(table, source, watch);
  };

  for (let count = 0; count < 10; count += 1) await create(many);
  await create(few);
  await create(few);
  open();
  await api.drain();

  expect(order).toHaveLength(12);
  // One of the others was running already, and one was next in line; after that they take turns.
  expect(order.indexOf(few.companyId)).toBeLessThanOrEqual(2);
  expect(order.lastIndexOf(few.companyId)).toBeLessThanOrEqual(4);
  for (const client of [many, few]) {
    const { body } = await client.get('/secure/datasources?page_size=100');
    for (const datasource of body['datasources'] as { import: object }[]) {
      expect(datasource.import).toMatchObject({ status: 'ready' });
    }
  }
}, 60_000);
