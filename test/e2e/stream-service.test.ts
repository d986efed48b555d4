import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventStream } from '../../src/ports/event-stream.js';
import { IdSource } from '../../src/ports/id-source.js';
import { asId } from '../../src/shared/ids.js';
import { aChat } from '../../src/features/stream/stream.fixture.js';
import { StreamClient, streamUrl, type Resume } from '../support/stream-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const address = (who: TestClient, room: string, resume?: Resume): string =>
  streamUrl(api.url, room, String(who.token), resume);

describe('the stream in the whole service', () => {
  it('opens with the token of a login and closes with 4401 at the logout', async () => {
    const ada = await api.signIn('acme');
    await using socket = await StreamClient.open(address(ada, 'desk'));
    api.get(EventStream).publish(aChat(1, undefined, { userId: asId(ada.id), companyId: asId(ada.companyId) }));
    await socket.hears({ event: 'chat-chunk', data: { seq: 1 } });

    expect(await ada.post('/secure/logout')).toMatchObject({ status: 200 });
    expect(await socket.closed).toEqual({ code: 4401, reason: 'session ended' });
    expect(await StreamClient.refused(address(ada, 'desk'))).toMatchObject({
      status: 401,
      body: { error: true, message: 'unauthorized - invalid token' },
    });
  });

  it('closes with 4401 when the session is a week old, not when the token is a quarter of an hour old', async () => {
    const ada = await api.signIn('acme');
    await using socket = await StreamClient.open(address(ada, 'desk'));
    api.clock.advance(16 * 60_000);
    expect(await StreamClient.refused(address(ada, 'desk'))).toMatchObject({ status: 401 });
    api.get(EventStream).publish(aChat(1, undefined, { userId: asId(ada.id), companyId: asId(ada.companyId) }));
    await socket.hears({ event: 'chat-chunk' });

    api.clock.advance(7 * 24 * 60 * 60_000);
    expect(await socket.closed).toMatchObject({ code: 4401 });
  });

  it('replays a message from the event stream of the service to its user alone', async () => {
    const [ada, bob, eve] = await Promise.all([api.signIn('acme'), api.signIn('acme'), api.signIn('globex')]);
    const messageId = api.get(IdSource).next<ReturnType<typeof aChat>['messageId']>();
    const subject = { userId: asId<never>(ada.id), companyId: asId<never>(ada.companyId), messageId };
    for (const seq of [1, 2, 3]) api.get(EventStream).publish(aChat(seq, undefined, subject));

    await using whole = await StreamClient.open(address(ada, messageId));
    await using rest = await StreamClient.open(address(ada, 'desk', { message_id: messageId, after: 2 }));
    api.get(EventStream).publish(aChat(4, { type: 'chat-error', error: 'the end' }, subject));
    await Promise.all([whole, rest].map((socket) => socket.hears({ event: 'chat-error' })));

    expect(whole.frames.map(({ data }) => data['seq'])).toEqual([1, 2, 3, 4]);
    expect(rest.frames.map(({ data }) => data['seq'])).toEqual([3, 4]);
    for (const stranger of [bob, eve]) {
      expect(await StreamClient.refused(address(stranger, messageId))).toMatchObject({ status: 404 });
    }
  });
});
