import { once } from 'node:events';
import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ADA } from '../../src/features/stream/stream.fixture.js';
import { StreamWorld } from './stream-world.js';

const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

async function answerTo(options: RequestOptions, body = ''): Promise<{ response: IncomingMessage; body: unknown }> {
  const sent = request({ host: '127.0.0.1', ...options });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { response, body: await json(response) };
}

function pathFor(world: StreamWorld): string {
  const { pathname, search } = new URL(world.urlFor(ADA, 'desk'));
  return `${pathname}${search}`;
}

describe('the wire', () => {
  it('survives a connection that is reset while its token is checked, and gives its place to another', async () => {
    await using world = await StreamWorld.start({ SOCKETS_PER_USER: '1' });
    let admit: () => void = () => undefined;
    world.tokens.gate = new Promise((resolve) => (admit = resolve));
    const upgraded = once(world.app.getHttpServer(), 'upgrade');
    const serverEnd = world.nextConnection();
    const client = connect(world.port, '127.0.0.1');
    const headers = Object.entries({ host: 'localhost', ...HANDSHAKE }).map(([name, value]) => `${name}: ${value}`);
    client.write(`GET ${pathFor(world)} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    await upgraded;
    const socket = await serverEnd;
    const gone = new Promise((resolve) => socket.once('close', resolve));
    client.resetAndDestroy();
    await gone;
    admit();

    await using _next = await world.open(ADA, 'desk');
  });

  it.each([
    ['without a key', { 'sec-websocket-key': '' }],
    ['of an unknown version', { 'sec-websocket-version': '7' }],
  ])('refuses a handshake %s with the envelope', async (_, wrong) => {
    await using world = await StreamWorld.start();
    const { response, body } = await answerTo({
      port: world.port,
      path: pathFor(world),
      headers: { ...HANDSHAKE, ...wrong },
    });
    expect(response.statusCode).toBe(400);
    expect(body).toMatchObject({
      error: true,
      message: expect.stringContaining('not a WebSocket handshake') as string,
    });
    expect(response.headers).toMatchObject({
      'x-request-id': expect.stringMatching(/./) as string,
      connection: 'close',
    });
  });

  it('serves requests that offer another protocol as if they did not, one after another on one connection', async () => {
    await using world = await StreamWorld.start();
    const client = connect(world.port, '127.0.0.1').setEncoding('utf8');
    const answers: string[] = [];
    for (const word of ['one', 'two ä', 'three '.repeat(20_000)]) {
      client.write(post(HTTP2_OFFER, word));
      await untilHeard(client, answers, JSON.stringify({ word }));
    }
    client.write(post('connection: close', 'the last'));
    await untilHeard(client, answers, 'the last');

    expect(answers.join('').match(/HTTP\/1\.1 201 Created/g)).toHaveLength(4);
  });

  it('hangs up on such a request when it was sent before the one in front of it was answered, and goes on', async () => {
    await using world = await StreamWorld.start();
    const client = connect(world.port, '127.0.0.1').on('error', () => undefined);
    const closed = new Promise((resolve) => client.once('close', resolve));
    const requests = [post('', 'one'), post(HTTP2_OFFER, 'two'), post(HTTP2_OFFER, 'three'), post('', 'four')];
    client.resume().write(requests.join(''));
    await closed;

    const headers = { 'content-type': 'application/json' };
    const next = await answerTo({ port: world.port, path: '/echo', method: 'POST', headers }, '{"word":"five"}');
    expect(next.body).toEqual({ word: 'five' });
  });
});

const HTTP2_OFFER = 'connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAoAAAAAIAAAAA';

function post(headers: string, word: string): string {
  const body = JSON.stringify({ word });
  const lines = ['POST /echo HTTP/1.1', 'host: localhost', 'content-type: application/json', headers];
  return [...lines, `content-length: ${Buffer.byteLength(body)}`, '', body]
    .filter((line, n) => line !== '' || n > 3)
    .join('\r\n');
}

async function untilHeard(client: Socket, heard: string[], part: string): Promise<void> {
  const from = heard.length;
  while (!heard.slice(from).join('').includes(part)) {
    const [piece] = (await once(client, 'data')) as [string];
    heard.push(piece);
  }
}
