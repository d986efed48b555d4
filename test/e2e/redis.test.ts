import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTask, importedDatasource, openConversation } from '../api/world.builder.js';
import { eventually } from '../support/eventually.js';
import { anInstallation, forgetInstallation, redisServer } from '../support/redis.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const elsewhere = notApplicable(SHARED_SERVERS, 'it names the server that it is about itself');

describe.skipIf(elsewhere || redisServer === undefined)('with its jobs and events in Redis the service', () => {
  const installation = anInstallation().replace(':', '');
  let proxy: TcpProxy;
  let api: TestApi;
  let ada: TestClient;
  let datasource: string;
  let conversation: string;

  beforeAll(async () => {
    proxy = await TcpProxy.open(redisServer ?? '');
    api = await startTestApi({ environment: { REDIS_URL: proxy.url, REDIS_PREFIX: installation } });
    ada = await api.signIn('acme');
  });
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
    await proxy.close();
    await forgetInstallation(installation);
  });

  const states = async (): Promise<object> => (await api.stranger().get('/health/ready')).body['backends'] as object;

  it('is ready', async () => {
    await eventually(states, (backends) => !JSON.stringify(backends).includes('down'));
    expect(await states()).toMatchObject({ jobs: 'up', events: 'up' });
  });

  it('goes from a CSV to a streamed answer', async () => {
    const csv = await readFile('samples/weather.csv', 'utf8');
    datasource = await importedDatasource(api, ada, csv, { timefield: 'date', metafield: 'location' });
    conversation = await openConversation(ada, datasource);
    const question = { conversation_id: conversation, message: 'average temp_max by location' };
    const { body } = await ada.post('/secure/assistant/chatstream', question);
    await using room = await StreamClient.open(streamUrl(api.url, String(body['message_id']), String(ada.token)));
    await room.hears({ event: 'chat-complete' });
    expect(room.frames.at(-1)?.data).toMatchObject({ response: { kind: 'answer', data: { rows: [{}, {}] } } });
  });

  it('runs a task', async () => {
    const task = await createTask(ada, datasource, { prompt: 'What is the average wind by location?' });
    expect((await ada.get(`/secure/agent/task/run/${task}`)).status).toBe(200);
    await api.drain();
    expect((await ada.get(`/secure/agent/task/${task}`)).body).toMatchObject({ task: { status: 'ready' } });
  });

  it('closes the sockets of a session that ends', async () => {
    const bob = await api.signIn('acme');
    await using room = await StreamClient.open(streamUrl(api.url, 'all', String(bob.token)));
    await bob.post('/secure/logout');
    expect(await room.closed).toMatchObject({ code: 4401 });
  });

  it('says that it is not ready while Redis is away, answers all the same, and is ready again when it is back', async () => {
    proxy.cut();
    expect(await states()).toMatchObject({ jobs: 'down', events: 'down', documents: 'up' });
    const question = { conversation_id: conversation, message: 'average wind by location' };
    expect(await ada.post('/secure/assistant/chat', question)).toMatchObject({ status: 200 });
    proxy.mend();
    await eventually(states, (backends) => !JSON.stringify(backends).includes('down'));
  });
});
