import { describe, expect, it } from 'vitest';
import {
  ADA,
  BOB,
  CONVERSATION,
  EVE,
  MESSAGE,
  aChat,
  aDatasourceEvent,
} from '../../src/features/stream/stream.fixture.js';
import { UpgradeAuthenticator } from '../../src/features/stream/upgrade-authenticator.js';
import { StreamUpkeep } from '../../src/features/stream/stream-upkeep.js';
import { StreamClient } from '../support/stream-client.js';
import { StreamWorld } from './stream-world.js';

const UNKNOWN = '0'.repeat(24);
const envelope = (message: string): object => ({ error: true, message });

describe('an upgrade', () => {
  it('is answered with the request id, of the caller or a new one', async () => {
    await using world = await StreamWorld.start();
    const headers = { 'x-request-id': 'my-own_id' };
    await using given = await world.open(ADA, 'desk', {}, { headers });
    await using made = await world.open(ADA, 'desk');

    expect(given.upgradeHeaders['x-request-id']).toBe('my-own_id');
    expect(made.upgradeHeaders['x-request-id']).toMatch(/^[A-Za-z0-9_-]{36}$/);
    expect((await StreamClient.refused(`ws://127.0.0.1:${world.port}/`, { headers })).headers).toMatchObject(headers);
  });

  it('without a valid token is a 401 like any other', async () => {
    await using world = await StreamWorld.start();
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
    ['an unknown id', UNKNOWN],
    ["somebody else's user id", BOB.userId],
    ["another company's id", EVE.companyId],
  ])('to the room of %s is a 404', async (_, room) => {
    await using world = await StreamWorld.start();
    expect(await world.refused(ADA, room)).toMatchObject({ status: 404, body: envelope('room not found') });
  });

  it("to somebody else's message, conversation or datasource is a 404, as if it was not there", async () => {
    await using world = await StreamWorld.start();
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
  });

  it('with an after without a message is a 400 that names it', async () => {
    await using world = await StreamWorld.start();
    const { status, body } = await world.refused(ADA, 'desk', { after: 1 });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: true, details: [{ field: 'after' }] });
  });

  it('is a 503 while sessions can not be checked, and once the service stops', async () => {
    await using world = await StreamWorld.start();
    world.tokens.away = true;
    expect(await world.refused(ADA, 'desk')).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    world.tokens.away = false;
    world.get(UpgradeAuthenticator).close();
    expect(await world.refused(ADA, 'desk')).toMatchObject({ status: 503, body: envelope('service unavailable') });
  });

  it('is a 429 when the user has all the sockets one may have, until one of them closes', async () => {
    await using world = await StreamWorld.start({ SOCKETS_PER_USER: '2' });
    const connection = world.nextConnection();
    await using first = await world.open(ADA, 'one');
    const firstClosed = new Promise((resolve) => void connection.then((socket) => socket.once('close', resolve)));
    await using _second = await world.open(ADA, 'two');
    await using _other = await world.open(BOB, 'one');

    const refused = await world.refused(ADA, 'three');
    expect(refused).toMatchObject({ status: 429, body: envelope('too many open streams') });
    expect(refused.headers['retry-after']).toBe('30');

    await first.close();
    await firstClosed;
    await using _third = await world.open(ADA, 'three');
  });

  it('is a 429 when the user asks too often', async () => {
    await using world = await StreamWorld.start({ RATE_LIMIT: '1' });
    await using _first = await world.open(ADA, 'desk');
    expect(await world.refused(ADA, 'desk')).toMatchObject({ status: 429, body: envelope('too many requests') });
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
