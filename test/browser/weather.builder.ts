import { readFile } from 'node:fs/promises';
import { eventually } from '../support/eventually.js';
import type { TestClient } from '../support/test-client.js';

const CONFIG = { timefield: 'date', metafield: 'location', values: ['precipitation', 'temp_max', 'temp_min', 'wind'] };

/** The sample as a datasource `Weather`. */
export async function weatherIn(client: TestClient): Promise<string> {
  return importedIn(client, 'Weather', await readFile('samples/weather.csv'), CONFIG);
}

/** Rows of days as a datasource. */
export async function importedIn(
  client: TestClient,
  name: string,
  text: string | Uint8Array,
  config: object,
): Promise<string> {
  const file = `${name.toLowerCase()}.csv`;
  const { body: upload } = await client.upload(text, file);
  const { body, status } = await client.put('/secure/datasource', {
    ...{ name, type: 'csv', filename: upload['filename'], file },
    config: { is_timeseries: true, timeformat: '%Y-%m-%d', ...config },
  });
  if (status !== 200) throw new Error(`not created: ${JSON.stringify(body)}`);
  const id = String(body['datasource_id']);
  await eventually(
    async () => (await client.get(`/secure/datasource?id=${id}`)).body['datasource'] as { doc_count: number },
    ({ doc_count: rows }) => rows > 0,
  );
  return id;
}
