import { rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import type { TestResponse } from '../support/test-client.js';
import { aService } from './a-service.js';
import { withToken } from './auth-world.js';
import { fetched } from './downloads.builder.js';
import { importedDatasource, openConversation } from './world.builder.js';

const lines: string[] = [];
const api = await aService({
  environment: {
    ...{ CORS_ORIGINS: 'https://app.example', LOG_LEVEL: 'trace' },
    ...{ RATE_LIMIT: '20', LOGIN_RATE_LIMIT: '20', TRUST_PROXY: '1' },
  },
  onLog: (line) => lines.push(line),
});

it('logs no error of a query whose caller has left', async () => {
  const ada = await api.signIn('acme');
  const id = await importedDatasource(api, ada);
  const gone = new AbortController();
  const query = 'SELECT count(*) FROM range(1000000000) a, range(1000000) b, data';
  const asked = fetched(ada, '/secure/data/query', { datasource_id: id, query }, gone.signal);
  // Long enough to be received, and far from the end.
  await ada.get('/health/live');
  gone.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  await expect.poll(() => lines.find((line) => line.includes('"err":'))).toMatch(/"level":30/);
});

describe('the limit of requests', () => {
  async function answersTo(ask: () => Promise<TestResponse>, count: number): Promise<readonly TestResponse[]> {
    const answers = [];
    while (answers.length < count) answers.push(await ask());
    return answers;
  }

  it('is told in headers, refuses with 429 and says when to come back, and counts each user with all their keys', async () => {
    const [ada, bob] = [await api.signIn('acme'), await api.signIn('acme')];
    const { body } = await ada.post('/secure/api-keys', { name: 'Reports', scopes: ['read'] });
    const client = withToken(ada, String(body['key']));
    const answers = await answersTo(() => client.get('/secure/currentuser'), 19);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers[0]?.headers.get('ratelimit-limit')).toBe('20');
    expect(answers[0]?.headers.get('ratelimit-remaining')).toBe('18');
    const refused = await ada.get('/secure/currentuser');
    expect(refused).toMatchObject({ status: 429, body: { error: true, message: 'too many requests' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect((await bob.get('/secure/currentuser')).status).toBe(200);
  });

  it('counts each message to the tools', async () => {
    const ada = await api.signIn('acme');
    const answers = await answersTo(() => ada.post('/mcp', {}), 21);
    expect(answers.slice(0, 20).map(({ status }) => status)).not.toContain(429);
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { message: 'too many requests' } });
  });

  it.each([
    ['sign-ins', '/login', { password: 'a guess' }, '203.0.113.1'],
    ['wishes for a new password', '/forgotten-password', {}, '203.0.113.2'],
    ['requests with links', '/shared/look', { token: '0'.repeat(64) }, '203.0.113.3'],
  ])('counts %s by the address that the proxy saw', async (_what, path, body, caller) => {
    let asked = 0;
    const from = (address: string): Promise<TestResponse> => {
      const forged = { 'x-forwarded-for': `198.51.100.${(asked += 1)}, ${address}` };
      return api.stranger().post(path, { ...body, email: `user-${asked}@acme.example` }, forged);
    };
    const answers = await answersTo(() => from(caller), 21);
    expect(answers.slice(0, 20).map(({ status }) => status)).not.toContain(429);
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { error: true } });
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await from('203.0.113.99')).status).not.toBe(429);
  });
});

describe('every answer', () => {
  it('is gzipped when it is long and the caller takes that', async () => {
    const ada = await api.signIn('initech');
    for (let count = 0; count < 3; count += 1) await importedDatasource(api, ada);
    const headers = { 'accept-encoding': 'gzip' };
    expect((await ada.get('/secure/datasources', headers)).headers.get('content-encoding')).toBe('gzip');
    expect((await ada.get('/secure/currentuser', headers)).headers.get('content-encoding')).toBeNull();
  });

  it('is for the named web origins alone', async () => {
    const from = async (origin: string): Promise<string | null> =>
      (await api.stranger().get('/health/live', { origin })).headers.get('access-control-allow-origin');
    expect(await from('https://app.example')).toBe('https://app.example');
    expect(await from('https://evil.example')).toBeNull();
  });

  it('refuses a body that is too deep to be looked at', async () => {
    const body = `{"email":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const answer = await api.stranger().post('/login', body);
    const message = 'the body has lists or objects more than 64 deep in one another';
    expect(answer).toMatchObject({ status: 400, body: { error: true, message } });
  });

  it.each([
    ['of no HTTP', 'NONSENSE / HTTP/1.1\r\n', 400, 'the request is not valid HTTP'],
    [
      'with headers too long',
      `GET / HTTP/1.1\r\na: ${'a'.repeat(20_000)}\r\n`,
      431,
      'the headers and the address are longer',
    ],
    [
      'of a text',
      'POST /api/v1/login HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: 0\r\n',
      415,
      'unsupported media type',
    ],
  ])('has its envelope, to a request %s', async (_what, request, status, message) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write(`${request}\r\n`);
    const answer = await text(socket);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain(`{"error":true,"message":"${message}`);
    expect(answer).toContain('x-request-id: ');
  });

  it('says that the service is not ready while the folder of its files is away', async () => {
    const ready = async (): Promise<unknown> => {
      const { status, body } = await api.stranger().get('/health/ready');
      return { status, objects: (body['backends'] as Record<string, string>)['objects'] };
    };
    expect(await ready()).toEqual({ status: 200, objects: 'up' });
    const objects = join(api.dataDir, 'objects');
    await rename(objects, `${objects}-away`);
    expect(await ready()).toEqual({ status: 503, objects: 'down' });
    await rename(`${objects}-away`, objects);
    expect(await ready()).toEqual({ status: 200, objects: 'up' });
  });

  it('has a line in the log, without password, token, question or row', async () => {
    const ada = await api.signIn('acme', { email: 'canary@example.com', password: 'canary-secret' });
    const conversation_id = await openConversation(ada, await importedDatasource(api, ada));
    await ada.post('/secure/assistant/chat', { conversation_id, message: 'canary-question average temperature' });
    await using room = await StreamClient.open(streamUrl(api.url, 'all', String(ada.token)));
    await ada.post('/secure/logout');
    await room.closed;
    const log = lines.join('');
    expect(log).toContain('"route":"/api/v1/secure/assistant/chat"');
    for (const secret of [String(ada.token), 'canary-secret', 'canary-question', 'canary-of-acme'])
      expect(log).not.toContain(secret);
  });
});

it('answers a HEAD as the GET, without the body, and never starts anything with it', async () => {
  const ada = await api.signIn('acme');
  const id = await importedDatasource(api, ada);
  const ready = await fetch(`${api.url}/health/ready`, { method: 'HEAD' });
  expect([ready.status, await ready.text()]).toEqual([200, '']);
  expect(Number(ready.headers.get('content-length'))).toBeGreaterThan(0);
  const head = (path: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${api.url}/api/v1${path}`, { method: 'HEAD', headers });
  const exported = `/secure/datasource/export?id=${id}`;
  expect((await head(exported, {})).status).toBe(401);
  const headers = { authorization: `Bearer ${ada.token}` };
  const file = await head(exported, headers);
  expect([file.status, await file.text()]).toEqual([200, '']);
  expect(file.headers.get('content-disposition')).toContain('attachment');
  expect((await head(`/secure/agent/task/run/${'f'.repeat(24)}`, headers)).status).toBe(404);
});
