import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aDatabase, dropDatabase, mongodbServer } from '../support/mongodb.js';
import { eventually } from '../support/eventually.js';
import { OpenAiDouble } from '../support/openai-double.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';
import { createTask, importedDatasource, openConversation } from './world.builder.js';

interface Row {
  readonly key: string;
  readonly name: string | null;
  readonly questions: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly cost: number;
}

interface Report {
  readonly usage: readonly Row[];
  readonly total: Omit<Row, 'key' | 'name'>;
  readonly budget: { readonly per_month: number | null; readonly spent: number; readonly state: string };
  readonly currency: string;
  readonly unpriced_models: readonly string[];
}

/** A round of the double reads 10 tokens and writes 5: at these prices each costs 0.06. */
const PRICES = [{ model: 'double', input: 1_000, output: 10_000 }];
const ROUND = 0.06;

async function reportOf(boss: TestClient, query = ''): Promise<Report> {
  const { status, body } = await boss.get(`/secure/usage${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as Report;
}

/** What was asked is counted a moment after it was answered. */
function counted(boss: TestClient, rounds: number, query = ''): Promise<Report> {
  return eventually(
    () => reportOf(boss, query),
    ({ total }) => total.output_tokens >= rounds * 5,
  );
}

describe('what answers take', () => {
  let double: OpenAiDouble;
  let api: TestApi;
  let boss: TestClient;
  let ada: TestClient;
  let eve: TestClient;
  let datasource: string;
  let conversation: string;
  const lines: string[] = [];

  beforeAll(async () => {
    double = await OpenAiDouble.start();
    double.otherwise = () => ({ content: 'It is warm.' });
    const environment = {
      OPENAI_BASE_URL: double.baseUrl,
      OPENAI_API_KEY: 'sk-canary',
      OPENAI_MODEL: 'double',
      MODEL_PRICES: 'double=1000:10000',
      MODEL_CURRENCY: 'EUR',
      LOG_LEVEL: 'warn',
      LOGIN_RATE_LIMIT: '0',
    };
    api = await startTestApi({ environment, onLog: (line) => lines.push(line) });
    datasource = await importedDatasource(api, await api.signIn('acme'));
  });
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
    await double[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    lines.length = 0;
    // Each test has a month of its own.
    api.clock.advance(40 * 24 * 3_600_000);
    boss = await api.signIn('acme', { role: 'manager' });
    ada = await api.signIn('acme');
    eve = await api.signIn('globex', { role: 'manager' });
    conversation = await openConversation(ada, datasource);
    await boss.patch('/secure/settings', { config: { assistant: null } });
  });

  const set = (assistant: object): Promise<unknown> => boss.patch('/secure/settings', { config: { assistant } });
  const ask = (message = 'Is it warm?'): ReturnType<TestClient['post']> =>
    ada.post('/secure/assistant/chat', { conversation_id: conversation, message });

  it('is told by day, user and model, with its cost, to managers of that company alone', async () => {
    await ask();
    const own = await openConversation(boss, datasource);
    await boss.post('/secure/assistant/chat', { conversation_id: own, message: 'Is it cold?' });
    const { total, usage, currency, budget, unpriced_models: unpriced } = await counted(boss, 2);
    const both = { questions: 2, input_tokens: 20, output_tokens: 10, cached_tokens: 0 };
    expect(total).toEqual({ ...both, cost: expect.closeTo(2 * ROUND) as number });
    expect(usage).toMatchObject([{ key: api.clock.now().toISOString().slice(0, 10), ...both }]);
    expect({ currency, unpriced, budget }).toMatchObject({ currency: 'EUR', unpriced: [], budget: { state: 'none' } });
    const users = (await reportOf(boss, '?group=user')).usage;
    expect(users.map(({ name, questions }) => [name, questions]).sort()).toEqual([
      [boss.user?.['email'], 1],
      [ada.user?.['email'], 1],
    ]);
    expect((await reportOf(boss, '?group=model')).usage).toMatchObject([{ key: 'double', name: 'double', ...both }]);
    expect((await reportOf(boss, '?from=2020-01-01&to=2020-01-31')).total.questions).toBe(0);
    expect((await reportOf(eve)).total).toMatchObject({ questions: 0, cost: 0 });
  });

  it('counts agent tasks for who made them, and questions that the built-in analyst answers', async () => {
    const task = await createTask(ada, datasource, { prompt: 'Is it warm?' });
    await boss.get(`/secure/agent/task/run/${task}`);
    await api.drain();
    const { usage } = await counted(boss, 1, '?group=user');
    expect(usage).toMatchObject([{ name: ada.user?.['email'], questions: 1 }]);
    await set({ model: 'built-in analyst' });
    await ask('How many rows are there?');
    const models = await eventually(
      () => reportOf(boss, '?group=model'),
      ({ total }) => total.questions === 2,
    );
    expect(models.usage.find(({ key }) => key === 'built-in analyst')).toMatchObject({ questions: 1, cost: 0 });
  });

  it('costs what the company pays, where it says so, and nothing where nobody does', async () => {
    await set({ prices: [{ model: 'double', input: 0, output: 100_000 }] });
    await ask();
    expect((await counted(boss, 1)).total.cost).toBeCloseTo(0.5);
    await set({ model: 'another', prices: null });
    await ask();
    const { total, unpriced_models: unpriced } = await counted(boss, 2);
    expect(total.cost).toBeCloseTo(0.5);
    expect(unpriced).toEqual(['another']);
  });

  it('is warned of at 80 % of the budget, and models stop when it is spent', async () => {
    await set({ limits: { budget_per_month: 0.14 } });
    expect((await ask()).body['response']).not.toHaveProperty('notice');
    await counted(boss, 1);
    expect((await ask()).body['response']).not.toHaveProperty('notice');
    const { budget } = await counted(boss, 2);
    expect(budget).toEqual({ per_month: 0.14, spent: expect.closeTo(2 * ROUND) as number, state: 'warning' });
    expect(lines.filter((line) => line.includes('80 % of its model budget'))).toHaveLength(1);
    expect((await ask()).body['response']).toMatchObject({
      response: 'It is warm.',
      notice:
        'The company has spent 0.12 EUR of its model budget of 0.14 EUR this month. When it is spent, models stop answering.',
    });
    expect((await counted(boss, 3)).budget.state).toBe('spent');
    expect(lines.filter((line) => line.includes('100 % of its model budget'))).toHaveLength(1);

    const asked = double.requests.length;
    const refused = await ask();
    expect(refused).toMatchObject({
      status: 429,
      body: {
        error: true,
        message: expect.stringMatching(/budget of this month, 0\.14 EUR, is spent: a manager can/) as string,
      },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await set({ fallback: true });
    expect((await ask('How many rows are there?')).body['response']).toMatchObject({
      model: 'built-in analyst',
      kind: 'answer',
      notice: expect.stringContaining('is spent, so the built-in analyst answers') as string,
    });
    expect(double.requests.length).toBe(asked);
    // Others have a budget of their own, and a new month begins anew.
    expect((await reportOf(eve)).budget).toMatchObject({ spent: 0 });
    api.clock.advance(31 * 24 * 3_600_000);
    boss = await api.signIn('acme', { role: 'manager' });
    expect((await reportOf(boss)).budget).toMatchObject({ spent: 0, state: 'ok' });
  });

  it('ends between two rounds of a run when the budget is spent', async () => {
    await set({ limits: { budget_per_month: 0.01 } });
    double.append({ calls: [{ name: 'analyze', arguments: '{"purpose":"x","measures":[{"aggregate":"count"}]}' }] });
    const asked = double.requests.length;
    expect(await ask()).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('is spent') as string },
    });
    expect(double.requests.length).toBe(asked + 1);
  });
});

const elsewhere = notApplicable(SHARED_SERVERS, 'it names the server that it is about itself');

describe.skipIf(elsewhere || mongodbServer === undefined)('two instances', () => {
  it('lose nothing of what they count at the same time', async () => {
    const uri = aDatabase();
    await using double = await OpenAiDouble.start();
    double.otherwise = () => ({ content: 'It is warm.' });
    const environment = {
      MONGODB_URI: uri,
      JWT_SECRET: 'a secret of two instances, long enough',
      OPENAI_BASE_URL: double.baseUrl,
      OPENAI_MODEL: 'double',
    };
    try {
      await using one = await startTestApi({ environment });
      await using two = await startTestApi({ environment });
      const boss = await one.signIn('acme', { role: 'manager' });
      const there = new TestClient(two.url, boss.token, boss.user);
      await boss.patch('/secure/settings', { config: { assistant: { prices: PRICES } } });
      const datasource = await importedDatasource(one, boss);
      await Promise.all(
        [boss, there, boss, there, boss, there].map(async (client) => {
          const conversation_id = await openConversation(client, datasource);
          await client.post('/secure/assistant/chat', { conversation_id, message: 'Is it warm?' });
        }),
      );
      const { total, budget } = await counted(there, 6);
      expect(total).toMatchObject({ questions: 6, input_tokens: 60, output_tokens: 30 });
      expect(budget.spent).toBeCloseTo(6 * ROUND);
    } finally {
      await dropDatabase(uri);
    }
  });
});
