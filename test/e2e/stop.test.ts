import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { RawUpload, statusOf } from '../support/raw-upload.js';
import { ServiceProcess, signIn, WITH_ADMIN } from '../support/service-process.js';
import type { TestClient } from '../support/test-client.js';
import { aConversation, beginImport, endedImport } from './sensors.builder.js';

const ROWS = Array.from({ length: 1000 }, (_, row) => ({
  device: `d${row % 7}`,
  at: '2024-01-02',
  value: String(row),
  note: 'x'.repeat(90),
}));
/** Of insertions, and of chats. */
const AT_ONCE = 12;
const TURNED_AWAY = { error: true, message: 'the service is stopping' };

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

let folder: string;
let service: ServiceProcess;
let ada: TestClient;
let agent: Agent;
/** Settles for each request when all of it is with the system: the service has been connected to, and has only to read it. */
let handedOver: Promise<unknown>[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-stop-'));
  service = await ServiceProcess.start({ DATA_DIR: folder, ...WITH_ADMIN, CHATS_PER_USER: String(AT_ONCE) });
  ada = await signIn(service);
  agent = new Agent({ keepAlive: true });
  handedOver = [];
});
afterEach(async () => {
  agent.destroy();
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Over a connection that is kept for the next; rejects when it is reset. */
function send(method: string, path: string, body?: object, by = agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${String(ada.token)}`, 'content-type': 'application/json' };
    const sent = request(`${service.url}/api/v1${path}`, { method, headers, agent: by }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) as unknown });
      });
    });
    sent.once('error', reject);
    handedOver.push(once(sent, 'finish'));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

it('answers the inserts and chats that it has accepted, lets an upload finish, and turns away whoever comes meanwhile', async () => {
  const id = await beginImport(ada, 'device,at,value,note\nd0,2024-01-01,1,first\n');
  await endedImport(ada, id);
  const conversations = await Promise.all(Array.from({ length: AT_ONCE }, () => aConversation(ada, id)));
  const upload = new RawUpload(ada, 'a,b\n1,2\n'.repeat(1000));
  await upload.send(0, 2000);
  // A connection that is open, and that nobody asks over when the service begins to stop.
  const idle = new Agent({ keepAlive: true });
  expect((await send('GET', '/secure/currentuser', undefined, idle)).status).toBe(200);
  const asked = [
    ...conversations.map((conversation_id) =>
      send('POST', '/secure/assistant/chat', { conversation_id, message: 'average value by device' }),
    ),
    ...conversations.map(() => send('PATCH', '/secure/datasource/insert', { datasource_id: id, data: ROWS })),
  ];
  await Promise.all(handedOver);

  const ended = service.stop();
  const fresh = (): Promise<Answer> => send('GET', '/secure/currentuser', undefined, new Agent());
  const away = await eventually(fresh, ({ status }) => status !== 200);
  // The same, over the connection that was open, and to somebody who sends more than is read of them.
  for (const answer of [
    away,
    await send('GET', '/secure/currentuser', undefined, idle),
    await send('POST', '/login', { email: 'x'.repeat(5_000_000) }, new Agent()),
  ]) {
    expect(answer).toMatchObject({
      status: 503,
      body: TURNED_AWAY,
      headers: { connection: 'close', 'retry-after': '5' },
    });
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  }
  const answers = await Promise.allSettled(asked);
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([]);
  const statuses = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 0));
  expect(statuses).toEqual(statuses.map(() => 200));
  await upload.send(2000);
  expect(statusOf(await upload.answer)).toBe(200);
  expect((await ended).code).toBe(0);
  idle.destroy();
});
