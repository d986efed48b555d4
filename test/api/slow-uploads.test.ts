import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { startTestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';

const api = await startTestApi();
afterAll(() => api[Symbol.asyncDispose]());

afterEach(() => vi.useRealTimers());

const HALF_A_FILE = ['--b', 'content-disposition: form-data; name="file"; filename="a.csv"', '', 'a,b'].join('\r\n');

/** Begins an upload that never goes on. */
async function begun(client: TestClient, method: string, path: string, body: string): Promise<Socket> {
  const { hostname, port } = new URL(client.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    `${method} /api/v1${path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${String(client.token)}`,
    'content-type: multipart/form-data; boundary=b',
    'content-length: 5000',
    '',
    body,
  ];
  socket.write(head.join('\r\n'));
  return socket;
}

async function answerOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  while (!text.includes('}')) {
    await vi.advanceTimersByTimeAsync(5_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return text;
}

it.each([
  ['a datasource that sends no file', 'POST', '/secure/datasource/upload', ''],
  ['a datasource that sends half of a file', 'POST', '/secure/datasource/upload', HALF_A_FILE],
  ['context files that sends no file', 'PUT', '/secure/contextfiles', ''],
])('an upload of %s is told that it is too slow, and its connection is closed', async (_, method, path, body) => {
  const ada = await api.signIn('acme');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] });
  const socket = await begun(ada, method, path, body);
  const closed = once(socket, 'close');
  const answer = await answerOf(socket);
  expect(answer).toContain('HTTP/1.1 400');
  expect(answer).toContain('the upload is too slow');
  await vi.advanceTimersByTimeAsync(90_000);
  vi.useRealTimers();
  await closed;
});
