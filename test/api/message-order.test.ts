import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProcessInstance } from '../../src/adapters/system/process-instance.js';
import { RandomIdSource } from '../../src/adapters/system/random-id-source.js';
import { EMPTY_ANSWER } from '../../src/answering/answer-step.js';
import { AnswerLedger } from '../../src/features/assistant/chat/answer-ledger.js';
import { AnswerReconciler } from '../../src/features/assistant/chat/answer.reconciler.js';
import { Log } from '../../src/ports/log.js';
import { LeaseKeeper } from '../../src/queue/lease-keeper.js';
import { ConversationContents } from '../../src/features/assistant/conversations/conversation.remover.js';
import { ConversationRepository } from '../../src/features/assistant/conversations/conversation.repository.js';
import { CONVERSATIONS } from '../../src/features/assistant/conversations/conversation.schema.js';
import { MessageRepository } from '../../src/features/assistant/history/message.repository.js';
import { CompanyModels } from '../../src/features/models/company-models.facade.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { Instance } from '../../src/ports/instance.js';
import { asId, type ConversationId } from '../../src/shared/ids.js';
import type { Principal } from '../../src/shared/principal.js';
import { ManualClock } from '../support/manual-clock.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { MortalStore } from './agent-core.js';
import { importedDatasource, openConversation } from './world.builder.js';

let api: TestApi;
let ada: TestClient;
let conversation: ConversationId;

beforeAll(async () => {
  api = await startTestApi();
  ada = await api.signIn('acme');
  conversation = asId(await openConversation(ada, await importedDatasource(api, ada)));
});
afterAll(() => api[Symbol.asyncDispose]());

/** What another instance writes down, whose clock tells `clock`. */
function ledgerWith(clock: ManualClock, store = api.get(DocumentStore), instance = api.get(Instance)): AnswerLedger {
  return new AnswerLedger(
    new ConversationRepository(store),
    new MessageRepository(store),
    api.get(ConversationContents),
    new LeaseKeeper(instance, clock, api.get(Log)),
    new RandomIdSource(clock),
  );
}

async function owner(): Promise<Principal> {
  const all = api.get(DocumentStore).tenantCollection(CONVERSATIONS).ofAll();
  const { userId, companyId } = (await all.get(conversation))!;
  return { userId, companyId, sessionId: asId(userId), role: 'user', email: '', firstName: '', lastName: '' };
}

async function answersOn(ledger: AnswerLedger, message: string): Promise<void> {
  const by = await owner();
  const request = { conversationId: conversation, message, given: null, skipSaveHistory: false, contextOnly: false };
  const begun = await ledger.begin(by, request, await api.get(CompanyModels).answererFor(by));
  expect(await ledger.look(begun)).toBe('ours');
  await ledger.end(begun, { ...EMPTY_ANSWER, response: `answer to ${message}` }, null);
}

describe('messages of a conversation', () => {
  it('stay in order, whichever instances answer and whatever their clocks tell', async () => {
    const [behind, ahead] = [-5_000, 5_000].map((ms) =>
      ledgerWith(new ManualClock(new Date(api.clock.now().getTime() + ms))),
    );
    const ask = (message: string): Promise<unknown> =>
      ada.post('/secure/assistant/chat', { conversation_id: conversation, message });
    await ask('how many rows');
    await answersOn(behind!, 'one');
    await answersOn(ahead!, 'two');
    await answersOn(behind!, 'three');
    await ask('how many rows');
    const { body } = await ada.get(`/secure/assistant/history?conversation_id=${conversation}`);
    const history = body['history'] as { role: string; message: string }[];
    expect(history.map(({ role }) => role)).toEqual(Array.from({ length: 5 }, () => ['user', 'assistant']).flat());
    expect(history.map(({ message }) => message).slice(2, 8)).toEqual(
      ['one', 'two', 'three'].flatMap((message) => [message, `answer to ${message}`]),
    );
  });

  it.each([1, 2, 3])(
    'have each answer behind its question when the instance is killed after %i writes',
    async (writes) => {
      const mortal = new MortalStore(api.get(DocumentStore));
      const dying = ledgerWith(
        new ManualClock(new Date(api.clock.now().getTime() + 60_000)),
        mortal,
        new ProcessInstance(false),
      );
      mortal.writesLeft = writes;
      await expect(answersOn(dying, `cut after ${writes}`)).rejects.toThrow('killed');
      await api.get(AnswerReconciler).reconcile();

      const { body } = await ada.get(`/secure/assistant/history?conversation_id=${conversation}`);
      const history = body['history'] as { role: string; message: string }[];
      expect(history.map(({ role }) => role)).toEqual(
        history.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')),
      );
      expect(history.at(-2)).toMatchObject({ role: 'user', message: `cut after ${writes}` });
    },
  );
});
