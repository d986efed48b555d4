/**
 * What a company that floods the built service costs another. 24 chats in a loop, first with statements that never end, written by a model,
 * then with medians of many rows that the built-in analyst is asked for; beside them another company's question, plot and insertion of 1,000
 * rows, each also alone. And how two companies that flood share the places.
 * `npm run build && npx tsx bench/fairness.ts [rows of the flood] [turns]`
 */
import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually } from '../test/support/eventually.js';
import { type DoubleRequestBody, type DoubleStep, OpenAiDouble } from '../test/support/openai-double.js';
import { ServiceProcess } from '../test/support/service-process.js';
import { TestClient } from '../test/support/test-client.js';
import { deviceOf, quantile, writeRows } from './device-rows.js';

const [ROWS = 20_000_000, TURNS = 40] = process.argv.slice(2).map(Number);
const FEW_ROWS = 100_000;
const CHATS = 24;
const WARM_UP_MS = 5000;
const SHARED_MS = 60_000;
const PASSWORD = 'a-long-password';
const COMPANIES = ['flood', 'second', 'other'] as const;
const ENDLESS = 'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r';

type Company = (typeof COMPANIES)[number];

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'das-bench-fairness-'));
const emailOf = (company: Company): string => `${company}@example.com`;

async function admin(...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'store') };
  const { stdout } = await run(process.execPath, ['dist/admin.js', ...args, '--json'], { env });
  return (JSON.parse(stdout) as { id: string }).id;
}

/** Statements by the words of the question; then a sentence. */
function model({ messages }: DoubleRequestBody): DoubleStep {
  const last = messages.at(-1);
  if (last?.role === 'tool') return { content: 'That is what came of it.' };
  const sql = String(last?.content).includes('for ever') ? ENDLESS : 'SELECT count(*) AS rows FROM data';
  return { calls: [{ name: 'run_query', arguments: JSON.stringify({ sql, purpose: 'counting' }) }] };
}

function startService(more: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  return ServiceProcess.start({
    DATA_DIR: join(folder, 'store'),
    RATE_LIMIT: '0',
    CHATS_PER_USER: String(CHATS),
    LOG_LEVEL: 'info',
    ...more,
  });
}

const signIn = ({ url }: ServiceProcess, company: Company): Promise<TestClient> =>
  TestClient.signIn(url, emailOf(company), PASSWORD);

async function importRows(client: TestClient, path: string): Promise<void> {
  const form = new FormData();
  form.append('file', await openAsBlob(path), 'rows.csv');
  const headers = { authorization: `Bearer ${String(client.token)}` };
  const to = `${client.url}/api/v1/secure/datasource/upload`;
  const uploaded = await fetch(to, { method: 'POST', body: form, headers });
  const { filename } = (await uploaded.json()) as { filename: string };
  const config = { is_timeseries: true, timefield: 'ts', metafield: 'device' };
  const { body } = await client.put('/secure/datasource', { name: 'Devices', type: 'csv', filename, config });
  await eventually(
    () => client.get(`/secure/datasource?id=${String(body['datasource_id'])}`),
    (answer) => !(answer.body['datasource'] as { updating: boolean }).updating,
    600_000,
  );
}

async function datasourceOf(client: TestClient): Promise<string> {
  const { body } = await client.get('/secure/datasources');
  return (body['datasources'] as { id: string }[])[0]?.id ?? '';
}

async function conversationOf(client: TestClient): Promise<string> {
  const asked = { title: 'Bench', datasource_id: await datasourceOf(client) };
  return String((await client.post('/secure/assistant/conversation', asked)).body['id']);
}

/** Asks in 24 conversations, again and again, until it is disposed of. */
async function flood(service: ServiceProcess, company: Company, message: string): Promise<AsyncDisposable> {
  const client = await signIn(service, company);
  const conversations: string[] = [];
  while (conversations.length < CHATS) conversations.push(await conversationOf(client));
  let over = false;
  const loops = conversations.map(async (id) => {
    while (!over) await client.post('/secure/assistant/chat', { conversation_id: id, message }).catch(() => undefined);
  });
  await pause(WARM_UP_MS);
  return {
    [Symbol.asyncDispose]: async () => {
      over = true;
      for (const id of conversations) await client.post('/secure/assistant/stop', { conversation_id: id });
      await Promise.all(loops);
    },
  };
}

/** What another company does, one thing after the other. */
async function measure(service: ServiceProcess, name: string, question: string): Promise<void> {
  const client = await signIn(service, 'other');
  const datasource_id = await datasourceOf(client);
  const conversation_id = await conversationOf(client);
  const works = {
    question: async () => {
      const { body } = await client.post('/secure/assistant/chat', { conversation_id, message: question });
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
    for (let turn = 0; turn < TURNS; turn += 1) {
      const begun = performance.now();
      done += (await work()) ? 1 : 0;
      times.push(performance.now() - begun);
    }
    const [p50, p95] = [0.5, 0.95].map((part) => quantile(times, part).toFixed(0));
    console.log(`${name.padEnd(34)} ${what.padEnd(9)} p50 ${p50} ms, p95 ${p95} ms, ${done} of ${TURNS} done`);
  }
}

async function part(kind: string, variables: Readonly<Record<string, string>>, long: string): Promise<void> {
  await using service = await startService(variables);
  const question = 'count of rows';
  await measure(service, `${kind}, alone`, question);
  {
    await using _flood = await flood(service, 'flood', long);
    await measure(service, `${kind}, beside a flood`, question);
  }
  await service.stop();
}

/** Statements of two seconds: how many of each company had a turn. */
async function shares(double: OpenAiDouble): Promise<void> {
  await using service = await startService({ OPENAI_BASE_URL: double.baseUrl, QUERY_TIMEOUT_SECONDS: '2' });
  const floods = [
    await flood(service, 'flood', 'Count for ever, flood'),
    await flood(service, 'second', 'Count for ever, second'),
  ];
  const before = double.requests.length;
  await pause(SHARED_MS);
  const ran = double.requests
    .slice(before)
    .filter(({ body }) => /took longer|others were/.test(String(body.messages.at(-1)?.content)));
  const of = (company: Company): number =>
    ran.filter(({ body }) => body.messages.some(({ content }) => String(content).includes(`for ever, ${company}`)))
      .length;
  console.log(`two floods for ${SHARED_MS / 1000} s: ${of('flood')} and ${of('second')} statements had their turn`);
  for (const one of floods) await one[Symbol.asyncDispose]();
  await service.stop();
}

const double = await OpenAiDouble.start();
double.otherwise = model;
try {
  for (const company of COMPANIES) {
    const id = await admin('company:create', '--name', company);
    await admin('user:create', '--company', id, '--email', emailOf(company), '--role', 'user', '--password', PASSWORD);
  }
  const [many, few] = [join(folder, 'many.csv'), join(folder, 'few.csv')];
  await writeRows(many, ROWS);
  await writeRows(few, FEW_ROWS);
  {
    await using service = await startService({});
    for (const company of COMPANIES) await importRows(await signIn(service, company), company === 'flood' ? many : few);
    await service.stop();
  }
  await part('statements of a model', { OPENAI_BASE_URL: double.baseUrl }, 'Count for ever');
  await part(`medians of ${ROWS} rows`, {}, 'median temperature by status');
  await shares(double);
} finally {
  await double[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
}
