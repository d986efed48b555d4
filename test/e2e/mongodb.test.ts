import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importedDatasource, openConversation } from '../api/world.builder.js';
import { aDatabase, dropDatabase, mongodbServer } from '../support/mongodb.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const elsewhere = notApplicable(SHARED_SERVERS, 'it names the server that it is about itself');

describe.skipIf(elsewhere || mongodbServer === undefined)('with its documents in MongoDB the service', () => {
  const uri = aDatabase();
  let api: TestApi;
  let ada: TestClient;
  let conversation: string;

  beforeAll(async () => {
    api = await startTestApi({ environment: { MONGODB_URI: uri } });
    ada = await api.signIn('acme');
  });
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
    await dropDatabase(uri);
  });

  it('is ready', async () => {
    expect(await api.stranger().get('/health/ready')).toMatchObject({
      status: 200,
      body: { backends: { documents: 'up' } },
    });
  });

  it('goes from a CSV to a streamed answer', async () => {
    const csv = await readFile('samples/weather.csv', 'utf8');
    const datasource = await importedDatasource(api, ada, csv, { timefield: 'date', metafield: 'location' });
    conversation = await openConversation(ada, datasource);
    const question = { conversation_id: conversation, message: 'average temp_max by location' };
    const { body } = await ada.post('/secure/assistant/chatstream', question);
    await using room = await StreamClient.open(streamUrl(api.url, String(body['message_id']), String(ada.token)));
    await room.hears({ event: 'chat-complete' });
    const { response } = room.frames.at(-1)!.data as { response: { kind: string; data: { rows: unknown[] } } };
    expect(response).toMatchObject({ kind: 'answer', data: { rows: [{}, {}] } });
  });

  it('keeps the history and the pages', async () => {
    const { body } = await ada.get(`/secure/assistant/history?conversation_id=${conversation}`);
    expect((body['history'] as { role: string }[]).map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(await ada.get('/secure/assistant/conversations')).toMatchObject({ body: { total: 1 } });
    expect(await ada.post('/secure/datasources/plain', { search: 'sensors' })).toMatchObject({ body: { total: 1 } });
  });

  it('keeps companies and users apart', async () => {
    const [eve, colleague] = [await api.signIn('globex'), await api.signIn('acme')];
    expect(await eve.get('/secure/datasources')).toMatchObject({ body: { total: 0 } });
    expect((await colleague.get(`/secure/assistant/conversation/${conversation}`)).status).toBe(404);
    expect((await eve.get(`/secure/assistant/conversation/${conversation}`)).status).toBe(404);
  });

  it('ends a session at once', async () => {
    const bob = await api.signIn('acme');
    expect((await bob.get('/secure/currentuser')).status).toBe(200);
    expect((await bob.post('/secure/logout')).status).toBe(200);
    expect((await bob.get('/secure/currentuser')).status).toBe(401);
  });
});
