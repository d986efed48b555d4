import { once } from 'node:events';
import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ADA,
  BOB,
  CONVERSATION,
  EVE,
  MESSAGE,
  aChat,
  aDatasourceEvent,
} from '../../src/features/stream/stream.fixture.js';
import { StreamUpkeep } from '../../src/features/stream/stream-upkeep.js';
import { UpgradeAuthenticator } from '../../src/features/stream/upgrade-authenticator.js';
import { StreamClient } from '../support/stream-client.js';
import { StreamWorld } from './stream-world.js';

const UNKNOWN = '0'.repeat(24);
const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
const envelope = (message: string): object => ({ error: true, message });

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

describe('an upgrade', () => {
  let world: StreamWorld;
  beforeAll(async () => {
    world = await StreamWorld.start();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it('is answered with the request id, of the caller or a new one', async () => {
    const headers = { 'x-request-id': 'my-own_id' };
    await using given = await world.open(ADA, 'desk', {}, { headers });
    await using made = await world.open(ADA, 'desk');
    expect(given.upgradeHeaders['x-request-id']).toBe('my-own_id');
    expect(made.upgradeHeaders['x-request-id']).toMatch(/^[A-Za-z0-9_-]{36}$/);
    expect((await StreamClient.refused(`ws://127.0.0.1:${world.port}/`, { headers })).headers).toMatchObject(headers);
  });

  it('without a valid token is a 401 like any other', async () => {
    const address = `ws://127.0.0.1:${world.port}/api/v1/stream/desk`;
    for (const url of [address, `${address}?token=`, `${address}?token=forged`]) {
      const { status, body, headers } = await StreamClient.refused(url);
      expect({ status, body }).toEqual({ status: 401, body: envelope('unauthorized - invalid token') });
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(JSON.stringify(body).length),
        'x-request-id': expect.stringMatching(/./) as string,
      });
    }
  });

  it.each([
    ['without a key', { 'sec-websocket-key': '' }],
    ['of an unknown version', { 'sec-websocket-version': '7' }],
  ])('%s is a 400 in the envelope', async (_, wrong) => {
    const headers = { ...HANDSHAKE, ...wrong };
    const { response, body } = await answerTo({ port: world.port, path: pathFor(world), headers });
    expect(response.statusCode).toBe(400);
    const message = expect.stringContaining('not a WebSocket handshake') as string;
    expect(body).toMatchObject(envelope(message));
    const id = expect.stringMatching(/./) as string;
    expect(response.headers).toMatchObject({ 'x-request-id': id, connection: 'close' });
  });

  it('to the room of somebody else, or to what is theirs, is a 404, as if it was not there', async () => {
    for (const room of [UNKNOWN, BOB.userId, EVE.companyId])
      expect(await world.refused(ADA, room)).toMatchObject({ status: 404, body: envelope('room not found') });
    world.events.publish(aChat(1));
    world.things.let(ADA, 'conversation', CONVERSATION);
    for (const stranger of [BOB, EVE, { ...EVE, userId: ADA.userId }]) {
      for (const room of [MESSAGE, CONVERSATION])
        expect(await world.refused(stranger, room)).toMatchObject({ status: 404 });
      expect(await world.refused(stranger, 'desk', { message_id: MESSAGE })).toMatchObject({
        status: 404,
        body: envelope('message not found'),
      });
    }
    await using _own = await world.open(ADA, CONVERSATION);
  });

  it('with an after without a message is a 400 that names it', async () => {
    const { status, body } = await world.refused(ADA, 'desk', { after: 1 });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: true, details: [{ field: 'after' }] });
  });

  it('is a 503 while sessions can not be checked, and once the service stops', async () => {
    await using ending = await StreamWorld.start();
    ending.tokens.away = true;
    expect(await ending.refused(ADA, 'desk')).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    ending.tokens.away = false;
    ending.get(UpgradeAuthenticator).close();
    expect(await ending.refused(ADA, 'desk')).toMatchObject({ status: 503, body: envelope('service unavailable') });
  });

  it('is a 429 when the user has all the sockets one may have, until one closes, or asks too often', async () => {
    await using full = await StreamWorld.start({ SOCKETS_PER_USER: '2', RATE_LIMIT: '4' });
    const connection = full.nextConnection();
    await using first = await full.open(ADA, 'one');
    const firstClosed = new Promise((resolve) => void connection.then((socket) => socket.once('close', resolve)));
    await using _second = await full.open(ADA, 'two');
    await using _other = await full.open(BOB, 'one');

    const refused = await full.refused(ADA, 'three');
    expect(refused).toMatchObject({ status: 429, body: envelope('too many open streams') });
    expect(refused.headers['retry-after']).toBe('30');
    await first.close();
    await firstClosed;
    await using _third = await full.open(ADA, 'three');
    expect(await full.refused(ADA, 'desk')).toMatchObject({ status: 429, body: envelope('too many requests') });
  });

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
});

describe('another protocol', () => {
  it('that is offered by requests is passed over, one after another on one connection', async () => {
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

describe('a socket is closed', () => {
  it('when it leaves two pings unanswered, and not when it answers', async () => {
    await using world = await StreamWorld.start();
    await using dead = await world.open(ADA, 'desk', {}, { autoPong: false });
    await using alive = await world.open(ADA, 'desk');
    for (let n = 0; n < 3; n += 1) {
      const pinged = new Promise((resolve) => alive.socket.once('ping', resolve));
      world.get(StreamUpkeep).pingAll();
      // The third finds the dead one gone; the server has the pong when it has answered a frame sent after it.
      await pinged;
      world.events.publish(aDatasourceEvent({ message: `round ${n}` }));
      await alive.hears({ data: { message: `round ${n}` } });
      await roundTrip(alive);
    }

    expect(await dead.closed).toMatchObject({ code: 1006 });
    expect(alive.socket.readyState).toBe(alive.socket.OPEN);
  });

  it('with 1009 when it sends a frame of more than 64 KiB; smaller ones are ignored', async () => {
    await using world = await StreamWorld.start();
    await using ada = await world.open(ADA, 'desk');
    ada.socket.send('not JSON');
    ada.socket.send(JSON.stringify({ event: 'chat-chunk', data: {} }));
    ada.socket.send(Buffer.alloc(64 * 1024));
    await roundTrip(ada);
    expect(ada.frames).toEqual([]);

    ada.socket.send(Buffer.alloc(64 * 1024 + 1));
    expect(await ada.closed).toMatchObject({ code: 1009 });
  });

  it('with 1013 when it has megabytes to read and reads nothing, while others are told', async () => {
    await using world = await StreamWorld.start();
    await using slow = await world.open(ADA, 'desk');
    await using quick = await world.open(BOB, 'desk');
    slow.socket.pause();
    const message = 'x'.repeat(512 * 1024);
    for (let n = 0; n < 48; n += 1) world.events.publish(aDatasourceEvent({ rows: n, message }));
    await quick.hears({ data: { rows: 47 } });
    for (let n = 0; n < 10; n += 1) world.get(StreamUpkeep).checkProgress();
    slow.socket.resume();

    expect(await slow.closed).toMatchObject({ code: 1013 });
    expect(slow.frames.length).toBeLessThan(48);
    expect(quick.frames).toHaveLength(48);
  });

  it('with 1012 when the service stops, which takes no longer for a socket that does not answer', async () => {
    const world = await StreamWorld.start();
    await using ada = await world.open(ADA, 'desk');
    await using deaf = await world.open(ADA, 'desk');
    deaf.socket.pause();
    const began = performance.now();
    await world.app.close();

    expect(await ada.closed).toEqual({ code: 1012, reason: 'service restart' });
    expect(performance.now() - began).toBeLessThan(5_000);
    deaf.socket.resume();
    await deaf.closed;
  });
});

/** The server has read what the client sent before. */
async function roundTrip({ socket }: StreamClient): Promise<void> {
  const answered = new Promise((resolve) => socket.once('pong', resolve));
  socket.ping();
  await answered;
}

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
