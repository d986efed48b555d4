import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { withToken } from './auth-world.js';
import { MATRIX } from './matrix.rows.js';
import { importedDatasource, openConversation } from './world.builder.js';

describe('the limit of requests', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT: '5', TRUST_PROXY: '1' } });
  });
  afterAll(() => api[Symbol.asyncDispose]());

  it('is told in headers, refuses with 429 and says when to come back, and counts each user alone', async () => {
    const [ada, bob] = [await api.signIn('acme'), await api.signIn('acme')];
    const answers = [];
    for (let count = 0; count < 6; count += 1) answers.push(await ada.get('/secure/currentuser'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers[0]?.headers.get('ratelimit-limit')).toBe('5');
    expect(answers[0]?.headers.get('ratelimit-remaining')).toBe('4');
    const refused = answers[5];
    expect(refused?.body).toEqual({ error: true, message: 'too many requests' });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.headers.get('ratelimit-remaining')).toBe('0');
    expect((await bob.get('/secure/currentuser')).status).toBe(200);
  });

  it('counts requests with an API key like any other of its user', async () => {
    const ada = await api.signIn('acme');
    const { body } = await ada.post('/secure/api-keys', { name: 'Reports', scopes: ['read'] });
    const client = withToken(ada, String(body['key']));
    const statuses = [];
    for (let turn = 0; turn < 5; turn += 1) statuses.push((await client.get('/secure/currentuser')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  });

  it('counts requests with links by address', async () => {
    const answers = [];
    for (let count = 0; count < 6; count += 1) {
      const headers = { 'x-forwarded-for': '203.0.113.9' };
      answers.push(await api.stranger().post('/shared/look', { token: '0'.repeat(64) }, headers));
    }
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 429]);
    expect(answers.at(-1)?.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('every answer', () => {
  let service: TestApi;
  const lines: string[] = [];
  beforeAll(async () => {
    service = await startTestApi({
      environment: { CORS_ORIGINS: 'https://app.example', LOG_LEVEL: 'trace' },
      onLog: (line) => lines.push(line),
    });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it('is gzipped when it is long and the caller takes that', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme');
    for (let count = 0; count < 3; count += 1) await importedDatasource(api, ada);
    const headers = { 'accept-encoding': 'gzip' };
    expect((await ada.get('/secure/datasources', headers)).headers.get('content-encoding')).toBe('gzip');
    expect((await ada.get('/secure/currentuser', headers)).headers.get('content-encoding')).toBeNull();
  });

  it('is for the named web origins alone', async () => {
    const from = async (origin: string): Promise<string | null> =>
      (await service.stranger().get('/health/live', { origin })).headers.get('access-control-allow-origin');
    expect(await from('https://app.example')).toBe('https://app.example');
    expect(await from('https://evil.example')).toBeNull();
  });

  it('refuses a body that is too deep to be looked at', async () => {
    const api = service.anew();
    const deep = `{"email":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${api.url}/login`, { method: 'POST', headers, body: deep });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      error: true,
      message: 'the body has lists or objects more than 64 deep in one another',
    });
  });

  it('refuses half a character, in a value and in a name, on every route that takes JSON', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme', { role: 'manager' });
    const bodies = [{ email: '\ud800@x.y', password: 'x' }, { deep: [{ '\udfff': 1 }] }];
    const answers = Object.entries(MATRIX).flatMap(([route, { call }]) => {
      const { path, body } = call(ada.id);
      const method = route.split(' ')[0] ?? 'GET';
      return body === undefined ? [] : bodies.map((broken) => ada.send(method, path, { ...body, ...broken }));
    });
    expect(answers.length).toBeGreaterThan(30);
    for (const { status, body } of await Promise.all(answers)) {
      expect({ status, body }).toEqual({
        status: 400,
        body: {
          error: true,
          message: 'the body has half of a surrogate pair, \\ud800 to \\udfff, which is no character',
        },
      });
    }
  });

  it('says that the service is not ready while the folder of its files is away', async () => {
    const ready = async (): Promise<unknown> => {
      const { status, body } = await service.stranger().get('/health/ready');
      return { status, objects: (body['backends'] as Record<string, string>)['objects'] };
    };
    expect(await ready()).toEqual({ status: 200, objects: 'up' });
    const objects = join(service.dataDir, 'objects');
    await rename(objects, `${objects}-away`);
    expect(await ready()).toEqual({ status: 503, objects: 'down' });
    await rename(`${objects}-away`, objects);
    expect(await ready()).toEqual({ status: 200, objects: 'up' });
  });

  it('has a line in the log, without password, token, question or row', async () => {
    const api = service.anew();
    lines.length = 0;
    const ada = await api.signIn('acme', { email: 'canary@example.com', password: 'canary-secret' });
    const datasource = await importedDatasource(api, ada);
    const conversation = await openConversation(ada, datasource);
    await ada.post('/secure/assistant/chat', {
      conversation_id: conversation,
      message: 'canary-question average temperature',
    });
    await using room = await StreamClient.open(streamUrl(api.url, 'all', String(ada.token)));
    await ada.post('/secure/logout');
    await room.closed;
    const log = lines.join('');
    expect(log).toContain('"route":"/api/v1/secure/assistant/chat"');
    expect(log).not.toContain(String(ada.token));
    expect(log).not.toContain('canary-secret');
    expect(log).not.toContain('canary-question');
    expect(log).not.toContain('canary-of-acme');
  });
});
