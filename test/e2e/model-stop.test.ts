import { beforeEach, describe, expect, it } from 'vitest';
import { type Conversation, CONVERSATIONS } from '../../src/features/assistant/conversations/conversation.schema.js';
import { AnswerReconciler } from '../../src/features/assistant/chat/answer.reconciler.js';
import { type Collection, DocumentStore } from '../../src/ports/document-store.js';
import { Instance } from '../../src/ports/instance.js';
import { asId } from '../../src/shared/ids.js';
import { aServiceWithModel } from '../api/a-service.js';
import { importedDatasource, openConversation } from '../api/world.builder.js';
import { type DoubleStep, queryCall } from '../support/openai-double.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import type { TestResponse } from '../support/test-client.js';

const STOPPED = 'the answer was stopped';
const COUNT = queryCall('SELECT count(*) AS rows FROM data', 'how many rows there are');
const LONG = 'What was said before the end is kept and nothing of it is lost, as long as it may be. '.repeat(6);

const [api, double] = await aServiceWithModel({ environment: { CHAT_TIMEOUT_SECONDS: '20' } });
const ada = await api.signIn('acme');
const datasource = await importedDatasource(api, ada);
let conversation: string;

beforeEach(async () => {
  double.clear();
  conversation = await openConversation(ada, datasource);
});

const stop = (): Promise<TestResponse> => ada.post('/secure/assistant/stop', { conversation_id: conversation });

const ask = (message = 'Anything new?', more: object = {}): Promise<TestResponse> =>
  ada.post('/secure/assistant/chat', { conversation_id: conversation, message, ...more });

async function status(): Promise<string> {
  const { body } = await ada.get(`/secure/assistant/conversation/${conversation}`);
  return (body['conversation'] as { status: string }).status;
}

async function lastAnswer(): Promise<{ response: { response: string; error?: string } } | undefined> {
  const { body } = await ada.get(`/secure/assistant/history?conversation_id=${conversation}`);
  return (body['history'] as { role: string; response: { response: string; error?: string } }[])
    .filter(({ role }) => role === 'assistant')
    .at(-1);
}

/** A question that the model has been asked, and that it plays so; what comes of it. */
async function begun(step: DoubleStep, more: object = {}): Promise<() => Promise<TestResponse>> {
  double.append(step);
  const seen = double.requests.length;
  const asked = ask('Anything new?', more);
  await expect.poll(() => double.requests.length).toBeGreaterThan(seen);
  return () => asked;
}

async function conversations(): Promise<Collection<Conversation>> {
  return api
    .get(DocumentStore)
    .tenantCollection(CONVERSATIONS)
    .of(await api.companyId('acme'));
}

describe('stopping a running answer', () => {
  it('keeps what was written, marks it, and the next question can be asked at once', async () => {
    double.append({ calls: [COUNT] }, { content: LONG, then: 'hang' }, { content: 'Here I am again.' });
    const { body } = await ada.post('/secure/assistant/chatstream', { conversation_id: conversation, message: 'Go' });
    const messageId = String(body['message_id']);
    await using room = await StreamClient.open(streamUrl(api.url, messageId, String(ada.token)));
    await room.hears({ event: 'chat-chunk' });
    const { status: code, body: answer } = await stop();
    expect({ code, answer }).toMatchObject({
      code: 200,
      answer: {
        error: false,
        message: 'assistant response stopped',
        stopped: true,
        message_id: messageId,
        status: 'ready',
      },
    });
    await room.hears({ event: 'chat-error', data: { error: STOPPED } });
    const ends = room.frames.filter(({ event }) => event === 'chat-error' || event === 'chat-complete');
    expect(ends).toHaveLength(1);
    const chunks = room.frames.filter(({ event }) => event === 'chat-chunk').map(({ data }) => data['chunk']);
    const kept = await lastAnswer();
    expect(kept?.response.error).toBe(STOPPED);
    expect(kept?.response.response).toBe(chunks.join(''));
    expect(kept?.response).toMatchObject({ query: 'how many rows there are', data: { rows: [[48]] } });
    expect(chunks.join('')).toContain('What was said');
    expect((await ask()).body['response']).toMatchObject({ response: 'Here I am again.' });
    await double.requests.at(-2)?.closed;
  });

  it('works twice at once, and says when nothing is running', async () => {
    const asked = await begun({ content: 'Wait', then: 'hang' });
    const answers = await Promise.all([stop(), stop(), stop()]);
    expect(answers.map(({ status: code }) => code)).toEqual([200, 200, 200]);
    expect(answers.every(({ body }) => body['status'] === 'ready')).toBe(true);
    expect(await asked()).toMatchObject({ status: 409, body: { error: true, message: STOPPED } });
    const { status: code, body } = await stop();
    expect({ code, body }).toMatchObject({
      code: 200,
      body: { message: 'no assistant response is running', stopped: false, message_id: null, status: 'ready' },
    });
  });

  it('comes before the first word, and to an answer that is not to be kept', async () => {
    const asked = await begun({ headersAfterMs: 60_000 }, { skip_save_history: true });
    expect((await stop()).body).toMatchObject({ stopped: true, status: 'ready' });
    expect((await asked()).status).toBe(409);
    expect(await lastAnswer()).toBeUndefined();
  });

  it('at the moment of its end: one ending, and it is told which', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const asked = await begun({ content: 'All is well.' });
      const [answer, stopped] = await Promise.all([asked(), stop()]);
      const kept = await lastAnswer();
      expect(kept?.response.error === STOPPED).toBe(answer.status === 409);
      if (stopped.body['stopped'] === true) expect(answer.status).toBe(409);
      expect(await status()).toBe('ready');
    }
  });

  it('is heard by the instance that works on it, whoever wrote the wish down, and never meant for a later answer', async () => {
    const mine = await conversations();
    const asked = await begun({ content: 'Wait', then: 'hang' });
    const running = await mine.get(conversation);
    await mine.update({ id: conversation }, { set: { stopWanted: running?.answering?.messageId ?? null } });
    expect(await asked()).toMatchObject({ status: 409, body: { message: STOPPED } });
    expect((await mine.get(conversation))?.stopWanted).toBeNull();

    const later = await begun({ content: 'Slowly.', pieceAfterMs: 700 });
    await mine.update({ id: conversation }, { set: { stopWanted: asId('f'.repeat(24)) } });
    expect((await later()).body['response']).toMatchObject({ response: 'Slowly.' });
  });

  it('of an answer whose process died is done by whoever comes next', async () => {
    const mine = await conversations();
    const messageId = asId<never>('e'.repeat(24));
    // An instance that is alone knows that every other owner is dead; others wait for the lease.
    const leaseUntil = api.get(Instance).alone ? new Date(8.64e15) : new Date(0);
    const set = { status: 'loading', leaseOwner: 'the dead', leaseUntil } as const;
    await mine.update(
      { id: conversation },
      { set: { ...set, answering: { messageId, saved: true }, stopWanted: messageId } },
    );
    await api.get(AnswerReconciler).reconcile();
    expect((await lastAnswer())?.response.error).toBe(STOPPED);
    const other = asId<never>('d'.repeat(24));
    await mine.update({ id: conversation }, { set: { ...set, answering: { messageId: other, saved: true } } });
    expect((await stop()).body).toMatchObject({ status: 'ready', stopped: true, message_id: other });
    expect((await lastAnswer())?.response.error).toBe(STOPPED);
  });
});
