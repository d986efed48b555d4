import { afterAll, beforeAll, expect, it } from 'vitest';
import { importedDatasource, openConversation } from '../api/world.builder.js';
import { eventually } from '../support/eventually.js';
import { type DoubleRequestBody, type DoubleStep, OpenAiDouble } from '../support/openai-double.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

/** Longer than a busy machine takes for four questions. */
const QUERY_SECONDS = 30;
const CHATS = 24;
const ENDLESS = 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r';
const TRIVIAL = 'SELECT count(*) AS rows FROM data';

/** A model that runs a statement without end for who asks for it, a trivial one for others, and then says what came of it. */
function modelOf({ messages }: DoubleRequestBody): DoubleStep {
  const last = messages.at(-1);
  if (last?.role === 'tool') return { content: 'That is what came of it.' };
  const sql = String(last?.content).includes('for ever') ? ENDLESS : TRIVIAL;
  return { calls: [{ name: 'run_query', arguments: JSON.stringify({ sql, purpose: 'counting' }) }] };
}

let double: OpenAiDouble;
let api: TestApi;
beforeAll(async () => {
  double = await OpenAiDouble.start();
  double.otherwise = modelOf;
});
afterAll(async () => {
  await double[Symbol.asyncDispose]();
});

async function startApi(environment: Readonly<Record<string, string>>): Promise<TestApi> {
  api = await startTestApi({
    environment: { OPENAI_BASE_URL: double.baseUrl, OPENAI_MODEL: 'double', ...environment },
  });
  return api;
}

/** Somebody of a company with rows. */
async function somebody(company: string): Promise<{ client: TestClient; datasource: string }> {
  const client = await api.signIn(company);
  return { client, datasource: await importedDatasource(api, client) };
}

async function ask(client: TestClient, datasource: string, message: string): Promise<TestResponse> {
  const conversation = await openConversation(client, datasource);
  return client.post('/secure/assistant/chat', { conversation_id: conversation, message });
}

const rowsOf = ({ body }: TestResponse): unknown => (body['response'] as { data?: { rows: unknown } }).data?.rows;

/** Questions without an end, until it is disposed of, with the service and what others have asked. */
function flood(
  { client, datasource }: Awaited<ReturnType<typeof somebody>>,
  others: readonly Promise<unknown>[],
): AsyncDisposable {
  let over = false;
  const loops = Array.from({ length: CHATS }, async () => {
    while (!over) await ask(client, datasource, 'Count for ever').catch(() => undefined);
  });
  return {
    [Symbol.asyncDispose]: async () => {
      over = true;
      await api[Symbol.asyncDispose]();
      await Promise.all([...loops, ...others]);
    },
  };
}

/** What the model was told of its statements. */
const outcomes = (): readonly string[] =>
  double.requests.flatMap(({ body }) =>
    body.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content)),
  );

const elsewhere = notApplicable(SHARED_SERVERS, 'statements take turns in each instance alone');

it.skipIf(elsewhere)('a company that never stops asking delays nobody; what others wait behind is cut', async () => {
  await startApi({ QUERY_TIMEOUT_SECONDS: String(QUERY_SECONDS), CHATS_PER_USER: '24' });
  const [flooder, second, other] = [await somebody('flood'), await somebody('second'), await somebody('other')];
  const others: Promise<unknown>[] = [];
  await using _flood = flood(flooder, others);
  await eventually(
    () => double.requests.length,
    (count) => count >= CHATS,
  );
  const begun = performance.now();
  for (let turn = 0; turn < 4; turn += 1) {
    expect(rowsOf(await ask(other.client, other.datasource, 'How many rows?'))).toEqual([[48]]);
  }
  expect(performance.now() - begun).toBeLessThan(QUERY_SECONDS * 1000);
  // One more takes the place that was kept: who comes now waits until one of the flood is cut.
  others.push(ask(second.client, second.datasource, 'Count for ever').catch(() => undefined));
  await eventually(
    async () => {
      const answer = await ask(other.client, other.datasource, 'How many rows?');
      expect(rowsOf(answer)).toEqual([[48]]);
      return outcomes().some((content) => content.includes('others were waiting'));
    },
    (cut) => cut,
  );
});

it('answers at once are so many for a user and for a company; one more is refused with the time to come back', async () => {
  await using _api = await startApi({ CHATS_PER_USER: '2', CHATS_PER_COMPANY: '3' });
  const [ada, eve] = [await somebody('acme'), await somebody('globex')];
  const colleague = await api.signIn('acme');
  double.append(...Array.from({ length: 3 }, () => ({ content: 'Wait', then: 'hang' as const })));
  const seen = double.requests.length;
  const running = await openConversation(ada.client, ada.datasource);
  const start = async (client: TestClient, conversation: string): Promise<TestResponse> =>
    client.post('/secure/assistant/chatstream', { conversation_id: conversation, message: 'Wait' });
  const own = (client: TestClient): Promise<string> => openConversation(client, ada.datasource);
  expect((await start(ada.client, running)).status).toBe(200);
  expect((await start(ada.client, await own(ada.client))).status).toBe(200);
  const refused = await start(ada.client, await own(ada.client));
  expect(refused).toMatchObject({
    status: 429,
    body: { message: '2 of your questions are being answered: ask again when one of them is done' },
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await start(colleague, await own(colleague))).status).toBe(200);
  expect(await start(colleague, await own(colleague))).toMatchObject({
    status: 429,
    body: { message: '3 questions of your company are being answered: ask again when one of them is done' },
  });
  await eventually(
    () => double.requests.length,
    (count) => count === seen + 3,
  );
  expect((await ask(eve.client, eve.datasource, 'How many rows?')).status).toBe(200);
  await ada.client.post('/secure/assistant/stop', { conversation_id: running });
  expect((await ask(ada.client, ada.datasource, 'How many rows?')).status).toBe(200);
});
