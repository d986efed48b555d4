import { expect, it } from 'vitest';
import { ProcessInstance } from '../../src/adapters/system/process-instance.js';
import { RandomIdSource } from '../../src/adapters/system/random-id-source.js';
import { EMPTY_ANSWER } from '../../src/answering/answer-step.js';
import { AnswerLedger } from '../../src/features/assistant/chat/answer-ledger.js';
import { AnswerReconciler } from '../../src/features/assistant/chat/answer.reconciler.js';
import { Log } from '../../src/ports/log.js';
import { LeaseKeeper } from '../../src/queue/lease-keeper.js';
import { ConversationContents } from '../../src/features/assistant/conversations/conversation.remover.js';
import { ConversationRepository } from '../../src/features/assistant/conversations/conversation.repository.js';
import { MessageRepository } from '../../src/features/assistant/history/message.repository.js';
import { CompanyModels } from '../../src/features/models/company-models.facade.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { Instance } from '../../src/ports/instance.js';
import { asId, type ConversationId } from '../../src/shared/ids.js';
import type { Principal } from '../../src/shared/principal.js';
import { ManualClock } from '../support/manual-clock.js';
import { theService } from './a-service.js';
import { MortalStore } from './agent-core.js';
import { answerTo, importedDatasource, openConversation } from './world.builder.js';

const api = await theService();
const ada = await api.signIn('acme');
const conversation = asId<ConversationId>(await openConversation(ada, await importedDatasource(api, ada)));

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

async function answersOn(ledger: AnswerLedger, message: string): Promise<void> {
  const by = { userId: asId(ada.id), companyId: asId(ada.companyId), role: 'user' } as Principal;
  const request = { conversationId: conversation, message, given: null, skipSaveHistory: false, contextOnly: false };
  const begun = await ledger.begin(by, request, await api.get(CompanyModels).answererFor(by));
  expect(await ledger.look(begun)).toBe('ours');
  await ledger.end(begun, { ...EMPTY_ANSWER, response: `answer to ${message}` }, null);
}

const SOMETHING = expect.any(String) as string;

/** The last messages, questions and answers by turns. */
async function expectHistory(...last: readonly string[]): Promise<void> {
  const { body } = await ada.get(`/secure/assistant/history?conversation_id=${conversation}`);
  const history = body['history'] as { role: string; message: string }[];
  expect(history.map(({ role }) => role)).toEqual(history.map((_, at) => (at % 2 === 0 ? 'user' : 'assistant')));
  expect(history.slice(-last.length).map(({ message }) => message)).toEqual(last);
}

it('messages of a conversation stay in order, whichever instances answer and whatever their clocks tell', async () => {
  const [behind, ahead] = [-5_000, 5_000].map((ms) =>
    ledgerWith(new ManualClock(new Date(api.clock.now().getTime() + ms))),
  );
  await answerTo(ada, conversation, 'how many rows');
  await answersOn(behind!, 'one');
  await answersOn(ahead!, 'two');
  await answersOn(behind!, 'three');
  await answerTo(ada, conversation, 'how many rows');
  const between = ['one', 'two', 'three'].flatMap((message) => [message, `answer to ${message}`]);
  await expectHistory('how many rows', SOMETHING, ...between, 'how many rows', SOMETHING);
});

it.each([1, 2, 3])('an answer is behind its question when the instance is killed after %i writes', async (writes) => {
  const mortal = new MortalStore(api.get(DocumentStore));
  const clock = new ManualClock(new Date(api.clock.now().getTime() + 60_000));
  const dying = ledgerWith(clock, mortal, new ProcessInstance(false));
  mortal.writesLeft = writes;
  await expect(answersOn(dying, `cut after ${writes}`)).rejects.toThrow('killed');
  await api.get(AnswerReconciler).reconcile();
  await expectHistory(`cut after ${writes}`, SOMETHING);
});
