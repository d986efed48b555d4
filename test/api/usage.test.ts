import { beforeEach, expect, it } from 'vitest';
import { ModelUsageRepository } from '../../src/features/models/model-usage.repository.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { IdSource } from '../../src/ports/id-source.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { eventually } from '../support/eventually.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { aServiceWithModel } from './a-service.js';
import { runTask } from './agent-world.js';
import { createTask, importedDatasource, openConversation } from './world.builder.js';

interface Row {
  readonly key: string;
  readonly name: string | null;
  readonly questions: number;
  readonly output_tokens: number;
  readonly cost: number;
}

interface Report {
  readonly usage: readonly Row[];
  readonly total: Omit<Row, 'key' | 'name'>;
  readonly budget: { readonly per_month: number | null; readonly spent: number; readonly state: string };
  readonly currency: string;
  readonly unpriced_models: readonly string[];
}

/** A round of the double reads 10 tokens and writes 5: at these prices each costs that. */
const ROUND = 0.06;
const MODEL_PRICES = 'double=1000:10000';
const MONTH = 31 * 24 * 3_600_000;

let boss: TestClient;
let ada: TestClient;
let eve: TestClient;
let conversation: string;
const lines: string[] = [];

const [api, double] = await aServiceWithModel({
  environment: { MODEL_PRICES, MODEL_CURRENCY: 'EUR', LOG_LEVEL: 'warn' },
  onLog: (line) => lines.push(line),
});
double.otherwise = () => ({ content: 'It is warm.' });
const datasource = await importedDatasource(api, await api.signIn('acme'));

beforeEach(async () => {
  lines.length = 0;
  // Each test has a month of its own.
  api.clock.advance(MONTH);
  [boss, ada] = [await api.signIn('acme', { role: 'manager' }), await api.signIn('acme')];
  eve = await api.signIn('globex', { role: 'manager' });
  conversation = await openConversation(ada, datasource);
  await set(null);
});

const set = (assistant: object | null): Promise<TestResponse> =>
  boss.patch('/secure/settings', { config: { assistant } });
const ask = (message = 'Is it warm?', by = ada, conversation_id = conversation): Promise<TestResponse> =>
  by.post('/secure/assistant/chat', { conversation_id, message });

async function reportOf(client: TestClient, query = ''): Promise<Report> {
  const { status, body } = await client.get(`/secure/usage${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as Report;
}

/** What was asked is counted a moment after it was answered. */
const counted = (questions: number, query = ''): Promise<Report> =>
  eventually(
    () => reportOf(boss, query),
    ({ total }) => total.questions >= questions,
  );

it('usage is told by day, user and model, with its cost, to managers of that company alone', async () => {
  await ask();
  await ask('Is it cold?', boss, await openConversation(boss, datasource));
  const { total, usage, currency, budget, unpriced_models: unpriced } = await counted(2);
  const both = { questions: 2, input_tokens: 20, output_tokens: 10, cached_tokens: 0 };
  expect(total).toEqual({ ...both, cost: expect.closeTo(2 * ROUND) as number });
  expect(usage).toMatchObject([{ key: api.clock.now().toISOString().slice(0, 10), ...both }]);
  expect({ currency, unpriced, budget }).toMatchObject({ currency: 'EUR', unpriced: [], budget: { state: 'none' } });
  const users = (await reportOf(boss, '?group=user')).usage.map(({ name, questions }) => [name, questions]);
  expect(users.sort()).toEqual([boss, ada].map(({ user }) => [user?.['email'], 1]).sort());
  expect((await reportOf(boss, '?group=model')).usage).toMatchObject([{ key: 'double', name: 'double', ...both }]);
  expect((await reportOf(boss, '?from=2020-01-01&to=2020-01-31')).total.questions).toBe(0);
  expect((await reportOf(eve)).total).toMatchObject({ questions: 0, cost: 0 });
});

it('usage counts agent tasks for who made them, and questions that the built-in analyst answers', async () => {
  await runTask(boss, await createTask(ada, datasource, { prompt: 'Is it warm?' }));
  await api.drain();
  expect((await counted(1, '?group=user')).usage).toMatchObject([{ name: ada.user?.['email'], questions: 1 }]);
  await set({ model: 'built-in analyst' });
  await ask('How many rows are there?');
  const { usage } = await counted(2, '?group=model');
  expect(usage.find(({ key }) => key === 'built-in analyst')).toMatchObject({ questions: 1, cost: 0 });
});

it('usage costs what the company pays, where it says so, and nothing where nobody does', async () => {
  await set({ prices: [{ model: 'double', input: 0, output: 100_000 }] });
  await ask();
  expect((await counted(1)).total.cost).toBeCloseTo(0.5);
  await set({ model: 'another', prices: null });
  await ask();
  const { total, unpriced_models: unpriced } = await counted(2);
  expect(total.cost).toBeCloseTo(0.5);
  expect(unpriced).toEqual(['another']);
});

it('usage loses nothing of what two instances count at the same time, at the beginning of a day', async () => {
  const companyId = asId<CompanyId>(boss.companyId);
  const by = { userId: asId<never>(boss.id), model: 'double' };
  // As two instances have it.
  const instances = [1, 2].map(() => new ModelUsageRepository(api.get(DocumentStore), api.get(IdSource), api.clock));
  const spending = { questions: 1, input: 10, output: 5, cached: 0, cost: ROUND };
  await Promise.all(Array.from({ length: 6 }, (_, n) => instances[n % 2]!.add(companyId, by, spending)));
  const { total, budget } = await reportOf(boss);
  expect(total).toMatchObject({ questions: 6, input_tokens: 60, output_tokens: 30 });
  expect(budget.spent).toBeCloseTo(6 * ROUND);
});

const told = (words: string): number => lines.filter((line) => line.includes(words)).length;

it('the budget is warned of at 80 %, and models stop when it is spent', async () => {
  await set({ limits: { budget_per_month: 0.14 } });
  for (const questions of [1, 2]) {
    expect((await ask()).body['response']).not.toHaveProperty('notice');
    await counted(questions);
  }
  const spent = expect.closeTo(2 * ROUND) as number;
  expect((await reportOf(boss)).budget).toEqual({ per_month: 0.14, spent, state: 'warning' });
  expect(told('80 % of its model budget')).toBe(1);
  expect((await ask()).body['response']).toMatchObject({
    response: 'It is warm.',
    notice:
      'The company has spent 0.12 EUR of its model budget of 0.14 EUR this month. When it is spent, models stop answering.',
  });
  expect((await counted(3)).budget.state).toBe('spent');
  expect(told('100 % of its model budget')).toBe(1);

  const asked = double.requests.length;
  const { status, body, headers } = await ask();
  expect(status).toBe(429);
  expect(body['message']).toMatch(/budget of this month, 0\.14 EUR, is spent: a manager can/);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  await set({ fallback: true });
  expect((await ask('How many rows are there?')).body['response']).toMatchObject({
    model: 'built-in analyst',
    kind: 'answer',
    notice: expect.stringContaining('is spent, so the built-in analyst answers') as string,
  });
  expect(double.requests.length).toBe(asked);
  // Others have a budget of their own, and a new month begins anew.
  expect((await reportOf(eve)).budget).toMatchObject({ spent: 0 });
  api.clock.advance(MONTH);
  boss = await api.signIn('acme', { role: 'manager' });
  expect((await reportOf(boss)).budget).toMatchObject({ spent: 0, state: 'ok' });
});

it('a run ends between two rounds when the budget is spent', async () => {
  await set({ limits: { budget_per_month: 0.01 } });
  double.append({ calls: [{ name: 'analyze', arguments: '{"purpose":"x","measures":[{"aggregate":"count"}]}' }] });
  const asked = double.requests.length;
  const message = expect.stringContaining('is spent') as string;
  expect(await ask()).toMatchObject({ status: 429, body: { message } });
  expect(double.requests.length).toBe(asked + 1);
});
