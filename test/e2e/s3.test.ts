import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importedDatasource, openConversation } from '../api/world.builder.js';
import { eventually } from '../support/eventually.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const elsewhere = notApplicable(SHARED_SERVERS, 'it names the server that it is about itself');

describe.skipIf(elsewhere)('with its files in a bucket the service', () => {
  let folder: string;
  let server: S3rver;
  let api: TestApi;
  let ada: TestClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 's3-'));
    server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder });
    const { port } = await server.run();
    await fetch(`http://127.0.0.1:${port}/files`, { method: 'PUT' });
    const url = `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/files`;
    api = await startTestApi({ environment: { OBJECT_STORE_URL: url } });
    ada = await api.signIn('acme');
  });
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('imports an upload, draws a chart, and forgets the files of what is deleted', async () => {
    const csv = await readFile('samples/weather.csv', 'utf8');
    const datasource = await importedDatasource(api, ada, csv, { timefield: 'date', metafield: 'location' });
    const conversation = await openConversation(ada, datasource);
    const question = { conversation_id: conversation, message: 'average temp_max by month' };
    const { body } = await ada.post('/secure/assistant/chat', question);
    const { visualization } = body['response'] as { visualization: string };
    const image = await fetch(`${api.url}/api/v1/secure/assistant/visualizations/${visualization}`, {
      headers: { authorization: `Bearer ${String(ada.token)}` },
    });
    expect(image.headers.get('content-type')).toBe('image/png');
    expect((await image.arrayBuffer()).byteLength).toBeGreaterThan(1000);

    expect((await ada.delete('/secure/assistant/conversation', { id: conversation })).status).toBe(200);
    expect((await ada.delete('/secure/datasource', { id: datasource })).status).toBe(200);
    await api.drain();
    const files = async (): Promise<readonly string[]> => {
      const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    };
    expect(await eventually(files, (left) => left.length === 0)).toEqual([]);
    expect(await readdir(join(api.dataDir, 'copies'))).toEqual([]);
  });
});
