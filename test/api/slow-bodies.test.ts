import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { RawUpload, statusOf } from '../support/raw-upload.js';
import { startTestApi } from '../support/test-api.js';

const ORIGIN = 'https://app.example';
const api = await startTestApi({ environment: { CORS_ORIGINS: ORIGIN, UPLOAD_MIN_BYTES_PER_SECOND: '1' } });
afterAll(() => api[Symbol.asyncDispose]());

afterEach(() => vi.useRealTimers());

const MULTIPART = 'multipart/form-data; boundary=b';
const ROUTES = [
  ['POST', '/api/v1/login', MULTIPART, 400],
  ['POST', '/api/v1/refresh-token', MULTIPART, 401],
  ['POST', '/api/v1/secure/datasource/upload', MULTIPART, 401],
  ['PUT', '/api/v1/secure/contextfiles', MULTIPART, 401],
  ['GET', '/api/v1/secure/currentuser', 'application/json', 401],
  ['POST', '/nowhere', MULTIPART, 404],
  ['POST', '/api/v1/%E0%A4%A', MULTIPART, 400],
  ['OPTIONS', '/api/v1/login', MULTIPART, 204],
  ['POST', '/nowhere', 'application/json', 404],
] as const;
const CONNECTIONS = 90;

/** One byte of a long body, and nothing more. */
async function begun([method, path, type]: (typeof ROUTES)[number]): Promise<Socket> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\norigin: ${ORIGIN}\r\naccess-control-request-method: POST`;
  socket.write(`${head}\r\ncontent-type: ${type}\r\ncontent-length: 5000\r\n\r\n-`);
  return socket;
}

it(`a body that does not go on holds none of ${CONNECTIONS} connections, with no token and whatever it is called`, async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] });
  const routes = Array.from({ length: CONNECTIONS }, (_, n) => ROUTES[n % ROUTES.length] ?? ROUTES[0]);
  const sockets = await Promise.all(routes.map((route) => begun(route)));
  const answers = sockets.map((socket) => once(socket, 'data') as Promise<[Buffer]>);
  const closed = sockets.map((socket) => once(socket, 'close'));
  for (const [n, [, path, type, status]] of routes.entries()) {
    // What reads its body first has nothing to answer yet.
    if (type === MULTIPART) expect(statusOf(String((await answers[n])?.[0])), path).toBe(status);
  }
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await Promise.all(closed);
});

it('an upload of somebody who may takes longer than that', async () => {
  const ada = await api.signIn('acme');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] });
  const upload = new RawUpload(ada, 'a,b\n1,2\n'.repeat(1000));
  await upload.send(0, 4000);
  for (let passed = 0; passed < 300_000; passed += 1_000) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await upload.send(4000);
  vi.useRealTimers();
  expect(statusOf(await upload.answer)).toBe(200);
});
