import { openAsBlob } from 'node:fs';
import { eventually } from '../test/support/eventually.js';
import type { TestClient, TestResponse } from '../test/support/test-client.js';

const DEVICES = { is_timeseries: true, timefield: 'ts', metafield: 'device' };

/** Has the service import a file of rows, of devices if nothing else is said. Returns the datasource when its rows are there. */
export async function importFile(client: TestClient, file: string | Blob, config: object = DEVICES): Promise<string> {
  const upload = await client.upload(typeof file === 'string' ? await openAsBlob(file) : file);
  const wanted = { name: 'Devices', type: 'csv', filename: upload.body['filename'], config };
  const id = String((await client.put('/secure/datasource', wanted)).body['datasource_id']);
  await eventually(
    () => client.get(`/secure/datasource?id=${id}`),
    ({ body }) => !(body['datasource'] as { updating: boolean }).updating,
    600_000,
  );
  return id;
}

export async function conversationOn(client: TestClient, datasource: string, title = 'Bench'): Promise<string> {
  const asked = { title, datasource_id: datasource };
  return String((await client.post('/secure/assistant/conversation', asked)).body['id']);
}

export function ask(client: TestClient, conversation: string, message: string): Promise<TestResponse> {
  return client.post('/secure/assistant/chat', { conversation_id: conversation, message });
}
