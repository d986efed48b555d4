/**
 * What a company that floods the built service costs another. 24 chats in a loop, first with statements that never end, written by a model,
 * then with medians of many rows that the built-in analyst is asked for, then with long messages; beside them another company's question,
 * plot and insertion of 1,000 rows, each also alone. And how two companies that flood share the places.
 * `npm run build && npx tsx bench/fairness.ts [rows of the flood] [turns]`
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { aFolder } from '../test/contracts/row-engine.fixture.js';
import { type DoubleRequestBody, type DoubleStep, OpenAiDouble, queryCall } from '../test/support/openai-double.js';
import { Operator } from '../test/support/operator.js';
import { ServiceProcess } from '../test/support/service-process.js';
import { TestClient } from '../test/support/test-client.js';
import { deviceOf, writeRows } from './device-rows.js';
import { ask, conversationOn, importFile } from './service.js';
import { line, timeOf } from './timing.js';

const [ROWS = 20_000_000, TURNS = 40] = process.argv.slice(2).map(Number);
const FEW_ROWS = 100_000;
const CHATS = 24;
const FLOODED_AFTER_MS = 5000;
const SHARED_MS = 60_000;
const PASSWORD = 'a-long-password';
const COMPANIES = ['flood', 'second', 'other'] as const;
const ENDLESS = 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r';
const QUESTION = 'count of rows';
const LONG = 'temperature above 10 and humidity below 20 where status is ok or failed by week and month, '.repeat(40);

type Company = (typeof COMPANIES)[number];

await using folder = await aFolder();
const store = join(folder.path, 'store');
const datasources = new Map<Company, string>();

async function created(operator: Operator, ...args: readonly string[]): Promise<string> {
  const { code, out, err } = await operator.run(...args, '--json');
  if (code !== 0) throw new Error(err);
  return (JSON.parse(out) as { id: string }).id;
}

/** Statements by the words of the question; then a sentence. */
function model({ messages }: DoubleRequestBody): DoubleStep {
  const last = messages.at(-1);
  if (last?.role === 'tool') return { content: 'That is what came of it.' };
  return { calls: [queryCall(String(last?.content).includes('for ever') ? ENDLESS : 'SELECT count(*) FROM data')] };
}

function startService(more: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  return ServiceProcess.start({ DATA_DIR: store, RATE_LIMIT: '0', CHATS_PER_USER: String(CHATS), ...more });
}

const signIn = ({ url }: ServiceProcess, company: Company): Promise<TestClient> =>
  TestClient.signIn(url, `${company}@example.com`, PASSWORD);

/** Asks in 24 conversations, again and again, until it is disposed of. */
async function flood(service: ServiceProcess, company: Company, message: string): Promise<AsyncDisposable> {
  const client = await signIn(service, company);
  const conversations: string[] = [];
  while (conversations.length < CHATS) conversations.push(await conversationOn(client, datasources.get(company) ?? ''));
  let over = false;
  const loops = conversations.map(async (id) => {
    while (!over) await ask(client, id, message).catch(() => undefined);
  });
  await pause(FLOODED_AFTER_MS);
  return {
    [Symbol.asyncDispose]: async () => {
      over = true;
      for (const id of conversations) await client.post('/secure/assistant/stop', { conversation_id: id });
      await Promise.all(loops);
    },
  };
}

/** What another company does, one thing after the other. */
async function measure(service: ServiceProcess, name: string): Promise<void> {
  const client = await signIn(service, 'other');
  const datasource_id = datasources.get('other') ?? '';
  const conversation = await conversationOn(client, datasource_id);
  const works = {
    question: async () => {
      const { body } = await ask(client, conversation, QUESTION);
      return (body['response'] as { data?: unknown } | undefined)?.data !== undefined;
    },
    plot: async () => {
      const asked = { datasource_id, asset: deviceOf(7), from: '', to: '', value: 'temperature' };
      return (await client.post('/secure/data/plot', asked)).status === 200;
    },
    insert: async () => {
      const data = Array.from({ length: 1000 }, (_, row) => ({
        ...{ ts: '2026-01-01 00:00:00', device: deviceOf(row), temperature: '20', humidity: '50', pressure: '1000' },
        ...{ voltage: '3', load: '1', errors: '0', status: 'ok' },
      }));
      return (await client.patch('/secure/datasource/insert', { datasource_id, data })).status === 200;
    },
  };
  for (const [what, work] of Object.entries(works)) {
    const times: number[] = [];
    let done = 0;
    while (times.length < TURNS) times.push(await timeOf(async () => (done += (await work()) ? 1 : 0)));
    console.log(`${line(`${name}: ${what}`, times)}, ${done} done`);
  }
}

async function part(kind: string, variables: Readonly<Record<string, string>>, long: string): Promise<void> {
  await using service = await startService(variables);
  await measure(service, `${kind}, alone`);
  {
    await using _flood = await flood(service, 'flood', long);
    await measure(service, `${kind}, beside a flood`);
  }
  await service.stop();
}

/** Statements of two seconds: how many of each company had a turn. */
async function shares(double: OpenAiDouble): Promise<void> {
  await using service = await startService({ OPENAI_BASE_URL: double.baseUrl, QUERY_TIMEOUT_SECONDS: '2' });
  {
    await using _one = await flood(service, 'flood', 'Count for ever, flood');
    await using _other = await flood(service, 'second', 'Count for ever, second');
    const before = double.requests.length;
    await pause(SHARED_MS);
    const ran = double.requests
      .slice(before)
      .map(({ body }) => body.messages.map(({ content }) => String(content)))
      .filter((messages) => /took longer|others were/.test(messages.at(-1) ?? ''));
    const of = (company: Company): number =>
      ran.filter((messages) => messages.some((content) => content.includes(`for ever, ${company}`))).length;
    console.log(`two floods for ${SHARED_MS / 1000} s: ${of('flood')} and ${of('second')} statements had their turn`);
  }
  await service.stop();
}

await using double = await OpenAiDouble.start();
double.otherwise = model;
{
  using operator = new Operator(store);
  for (const company of COMPANIES) {
    const id = await created(operator, 'company:create', '--name', company);
    const user = ['--email', `${company}@example.com`, '--role', 'user', '--password', PASSWORD];
    await created(operator, 'user:create', '--company', id, ...user);
  }
}
const [many, few] = [join(folder.path, 'many.csv'), join(folder.path, 'few.csv')];
await writeRows(many, ROWS);
await writeRows(few, FEW_ROWS);
{
  await using service = await startService({});
  for (const company of COMPANIES)
    datasources.set(company, await importFile(await signIn(service, company), company === 'flood' ? many : few));
  await service.stop();
}
await part('statements of a model', { OPENAI_BASE_URL: double.baseUrl }, 'Count for ever');
await part(`medians of ${ROWS} rows`, {}, 'median temperature by status');
await part('long messages', {}, LONG);
await shares(double);
