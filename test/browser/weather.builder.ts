import { readFile } from 'node:fs/promises';
import { eventually } from '../support/eventually.js';
import { TestClient } from '../support/test-client.js';
import type { Console } from './console.js';

const CONFIG = {
  ...{ timefield: 'date', timeformat: '%Y-%m-%d', metafield: 'location', is_timeseries: true },
  values: ['precipitation', 'temp_max', 'temp_min', 'wind'],
};

/** The sample as a datasource `Weather`, made through the API by the console's manager. */
export async function weatherIn(house: Console): Promise<{ readonly client: TestClient; readonly datasource: string }> {
  const client = await TestClient.signIn(house.url, house.manager.email, house.manager.password);
  const { body: upload } = await client.upload(await readFile('samples/weather.csv'), 'weather.csv');
  const { body, status } = await client.put('/secure/datasource', {
    ...{ name: 'Weather', type: 'csv', filename: upload['filename'], file: 'weather.csv' },
    config: CONFIG,
  });
  if (status !== 200) throw new Error(`not created: ${JSON.stringify(body)}`);
  const datasource = String(body['datasource_id']);
  await eventually(
    async () => (await client.get(`/secure/datasource?id=${datasource}`)).body['datasource'] as { doc_count: number },
    ({ doc_count: rows }) => rows > 0,
  );
  return { client, datasource };
}
