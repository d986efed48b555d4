import { describe, expect, it } from 'vitest';
import { EventStream } from '../../src/ports/event-stream.js';
import { IdSource } from '../../src/ports/id-source.js';
import { asId } from '../../src/shared/ids.js';
import { aChat } from '../../src/features/stream/stream.fixture.js';
import { aService } from '../api/a-service.js';
import { ScriptedWork, aStep, runTask, shortenPauses, taskOf } from '../api/agent-world.js';
import { createTask, importedDatasource } from '../api/world.builder.js';
import { StreamClient, streamUrl, type Resume } from '../support/stream-client.js';
import type { TestClient } from '../support/test-client.js';

shortenPauses();
const api = await aService();

const address = (who: TestClient, room: string, resume?: Resume): string =>
  streamUrl(api.url, room, String(who.token), resume);

describe('the stream in the whole service', () => {
  it('opens with the token of a login, replays a message to its user alone, and closes with 4401 at the logout', async () => {
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
    for (const stranger of [bob, eve])
      expect(await StreamClient.refused(address(stranger, messageId))).toMatchObject({ status: 404 });

    expect(await ada.post('/secure/logout')).toMatchObject({ status: 200 });
    expect(await rest.closed).toEqual({ code: 4401, reason: 'session ended' });
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

  it('tells the room of a task how its run goes, colleagues too, and no other company', async () => {
    const work = new ScriptedWork(api);
    const ada = await api.signIn('acme');
    const task = await createTask(ada, await importedDatasource(api, ada));
    const [colleague, eve] = [await api.signIn('acme'), await api.signIn('globex')];
    const other = await createTask(ada, String((await taskOf(ada, task))['datasources']));
    await using room = await StreamClient.open(address(ada, task));
    await using company = await StreamClient.open(address(colleague, colleague.companyId));
    await using elsewhere = await StreamClient.open(address(ada, other));
    await using outside = await StreamClient.open(address(eve, 'everything'));
    expect((await StreamClient.refused(address(eve, task))).status).toBe(404);

    work.script.push({ steps: [aStep({ type: 'plan', title: 'Plan' }), aStep()] });
    const { body } = await runTask(ada, task);
    const about = { id: task, run_id: body['run_id'] };
    for (const socket of [room, company]) {
      await socket.hears({ event: 'agent-task', data: { ...about, action: 'updated', status: 'ready', step: null } });
      const told = socket.frames.filter(({ event }) => event === 'agent-task').map(({ data }) => data);
      expect(told).toMatchObject([
        { ...about, action: 'started', status: 'running', step: null },
        { ...about, action: 'step', status: 'running', step: { index: 1, type: 'plan', title: 'Plan' } },
        { ...about, action: 'step', status: 'running', step: { index: 2, type: 'query', dbquery: 'SELECT 1' } },
        { ...about, action: 'updated', status: 'ready', step: null },
      ]);
    }
    // What the room was told last is what a reader finds.
    expect(await taskOf(colleague, task)).toMatchObject({ status: 'ready', answer: 'done', steps: [{}, {}] });

    work.script.push({ fails: new Error('boom') });
    const { body: second } = await runTask(colleague, task);
    await room.hears({ data: { run_id: second['run_id'], action: 'step', step: { type: 'error' } } });
    await room.hears({ data: { run_id: second['run_id'], action: 'updated', status: 'error' } });
    expect([elsewhere, outside].flatMap(({ frames }) => frames)).toEqual([]);
  });
});
