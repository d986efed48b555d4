import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RawUpload, statusOf } from '../support/raw-upload.js';
import { aService } from './a-service.js';

const ORIGIN = 'https://app.example';
const MULTIPART = 'multipart/form-data; boundary=b';
/** What is answered before its body has been read, and what reads it first. */
const ROUTES = [
  ['POST', '/api/v1/login', MULTIPART, 400],
  ['POST', '/api/v1/refresh-token', MULTIPART, 401],
  ['POST', '/api/v1/secure/datasource/upload', MULTIPART, 401],
  ['PUT', '/api/v1/secure/contextfiles', MULTIPART, 401],
  ['GET', '/api/v1/secure/currentuser', 'application/json', null],
  ['POST', '/nowhere', MULTIPART, 404],
  ['POST', '/api/v1/%E0%A4%A', MULTIPART, 400],
  ['OPTIONS', '/api/v1/login', MULTIPART, 204],
  ['POST', '/nowhere', 'application/json', null],
] as const;
const CONNECTIONS = 27;

const api = await aService({ environment: { CORS_ORIGINS: ORIGIN } });
const ada = await api.signIn('acme');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => vi.useRealTimers());

/** Begins a long body, and never goes on. */
async function begun(method: string, path: string, type: string, body = '-', token = ''): Promise<Socket> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\norigin: ${ORIGIN}\r\naccess-control-request-method: POST`;
  const authorization = token === '' ? '' : `\r\nauthorization: Bearer ${token}`;
  socket.write(`${head}${authorization}\r\ncontent-type: ${type}\r\ncontent-length: 5000\r\n\r\n${body}`);
  return socket;
}

/** Time passes in steps, between which the network is heard. */
async function pass(ms: number, isOver = (): boolean => false): Promise<void> {
  for (let passed = 0; passed < ms && !isOver(); passed += 1_000) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it(`a body that does not go on holds none of ${CONNECTIONS} connections, with no token and whatever it is called`, async () => {
  const routes = Array.from({ length: CONNECTIONS }, (_, n) => ROUTES[n % ROUTES.length]!);
  const sockets = await Promise.all(routes.map(([method, path, type]) => begun(method, path, type)));
  const answers = sockets.map((socket) => once(socket, 'data') as Promise<[Buffer]>);
  const closed = sockets.map((socket) => once(socket, 'close'));
  for (const [n, [, path, , status]] of routes.entries())
    if (status !== null) expect(statusOf(String((await answers[n])?.[0])), path).toBe(status);
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await Promise.all(closed);
});

const HALF_A_FILE = ['--b', 'content-disposition: form-data; name="file"; filename="a.csv"', '', 'a,b'].join('\r\n');

it.each([
  ['a datasource that sends no file', 'POST', '/secure/datasource/upload', ''],
  ['a datasource that sends half of a file', 'POST', '/secure/datasource/upload', HALF_A_FILE],
  ['context files that sends no file', 'PUT', '/secure/contextfiles', ''],
])('an upload of %s is told that it is too slow, and its connection is closed', async (_, method, path, body) => {
  const socket = await begun(method, `/api/v1${path}`, MULTIPART, body, String(ada.token));
  const closed = once(socket, 'close');
  let answer = '';
  socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
  await pass(Number.POSITIVE_INFINITY, () => answer.includes('}'));
  expect(answer).toContain('HTTP/1.1 400');
  expect(answer).toContain('the upload is too slow');
  await vi.advanceTimersByTimeAsync(90_000);
  vi.useRealTimers();
  await closed;
});

it('an upload that is fast enough takes longer than any other body may', async () => {
  const upload = new RawUpload(ada, 'a,b\n1,2\n'.repeat(20_000));
  for (let sent = 0; sent < 120_000; sent += 40_000) {
    await upload.send(sent, sent + 40_000);
    await pass(25_000);
  }
  await upload.send(120_000);
  vi.useRealTimers();
  expect(statusOf(await upload.answer)).toBe(200);
});

it('a form that is there at once and lacks its end is told from one that is slow', async () => {
  const form = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b\r\n1,2\r\n';
  const socket = await begun(
    'POST',
    '/api/v1/secure/datasource/upload',
    MULTIPART,
    form.padEnd(5000),
    String(ada.token),
  );
  expect(String((await once(socket, 'data'))[0])).toContain('the upload was broken off');
  socket.destroy();
});
