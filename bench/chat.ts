/**
 * How long answers take on the built service, from the request to the complete answer: the built-in analyst with its chart over many
 * rows, by one and by twenty at once, each question with a condition of its own, and by twenty who ask the same ones again; what the service itself adds to a model that answers in no time; and what idle sockets take. Each
 * beside a bare route of the same service, or the model asked directly, in the same run.
 * `npm run build && npx tsx bench/chat.ts [rows] [turns] [idle sockets]`
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { aFolder } from '../test/contracts/row-engine.fixture.js';
import { type DoubleRequestBody, type DoubleStep, OpenAiDouble } from '../test/support/openai-double.js';
import { ServiceProcess, signIn, WITH_ADMIN } from '../test/support/service-process.js';
import { streamUrl } from '../test/support/stream-client.js';
import type { TestClient } from '../test/support/test-client.js';
import { deviceOf, writeRows } from './device-rows.js';
import { residentMb } from './processes.js';
import { ask, conversationOn, importFile } from './service.js';
import { line, median, quantile, timesOf, WARM_UP } from './timing.js';

const [ROWS = 2_000_000, TURNS = 200, IDLE = 1000] = process.argv.slice(2).map(Number);
const AT_ONCE = 20;
const QUESTIONS = [
  'average temperature by status',
  'total errors per day',
  'top 5 devices by errors',
  'average humidity by hour of the day',
  'how many rows per status',
];
const WORDS = 'How are you?';
const PLAN = { kind: 'aggregate', measures: [{ aggregate: 'count', column: null, label: 'rows' }] };

await using folder = await aFolder();
const csv = join(folder.path, 'rows.csv');
await writeRows(csv, ROWS);
const variables = {
  ...{ DATA_DIR: join(folder.path, 'store'), SOCKETS_PER_USER: String(IDLE), ...WITH_ADMIN },
  ...{ CHATS_PER_USER: String(AT_ONCE), CHATS_PER_COMPANY: String(AT_ONCE) },
};

async function measured(name: string, turns: number, atOnce: number, work: (turn: number) => Promise<unknown>) {
  const times = await timesOf(turns, work, atOnce);
  console.log(line(name, times));
  return times;
}

interface Seen {
  all: number;
  answers: number;
  /** The file names of their pictures. */
  readonly charts: string[];
}

/** Each question in a conversation of its own, so that none is read as what goes on with another. */
async function asking(client: TestClient, datasource: string, questionAt: (turn: number) => string) {
  const seen: Seen = { all: 0, answers: 0, charts: [] };
  const free: string[] = [];
  while (free.length < TURNS + WARM_UP) free.push(await conversationOn(client, datasource));
  const work = async (turn: number): Promise<void> => {
    const conversation = free.pop() ?? '';
    const { status, body } = await ask(client, conversation, questionAt(turn));
    const { kind, visualization } = (body['response'] ?? {}) as { kind?: string; visualization?: string };
    seen.all += 1;
    seen.answers += status === 200 && kind === 'answer' ? 1 : 0;
    if (visualization !== undefined && visualization !== '') seen.charts.push(visualization);
  };
  return { seen, work };
}

/** Returns the datasource. */
async function analystPart(): Promise<string> {
  await using service = await ServiceProcess.start(variables);
  const client = await signIn(service);
  const datasource = await importFile(client, csv);
  const again = (turn: number): string => QUESTIONS[turn % QUESTIONS.length] ?? '';
  let asked = 0;
  const anew = (turn: number): string => `${again(turn)} where device is not ${deviceOf(asked++)}`;
  for (const [name, atOnce, questionAt] of [
    ['1 at once', 1, anew],
    [`${AT_ONCE} at once`, AT_ONCE, anew],
    [`${AT_ONCE} at once, asked before`, AT_ONCE, again],
  ] as const) {
    const { seen, work } = await asking(client, datasource, questionAt);
    await measured(`built-in analyst, ${ROWS} rows, ${name}`, TURNS, atOnce, work);
    console.log(`  ${seen.answers} of ${seen.all} answered, ${seen.charts.length} with a chart`);
    await measured(`  the first fetch of a picture`, seen.charts.length - WARM_UP, atOnce, async () => {
      const { status } = await client.bytes(`/secure/assistant/visualizations/${seen.charts.pop() ?? ''}`);
      if (status !== 200) throw new Error(`no picture: ${String(status)}`);
    });
    await measured(`  baseline: GET secure/currentuser`, TURNS, atOnce, () => client.get('/secure/currentuser'));
  }
  await service.stop();
  return datasource;
}

/** Answers in no time: counts the rows first, unless it is asked how it is. */
function model({ messages }: DoubleRequestBody): DoubleStep {
  const last = messages.at(-1);
  if (last?.role === 'tool' || String(last?.content).includes(WORDS)) return { content: ['There they all are.'] };
  return {
    calls: [{ name: 'analyze', arguments: [JSON.stringify({ plan: PLAN, purpose: 'how many rows there are' })] }],
  };
}

async function modelPart(datasource: string): Promise<void> {
  await using double = await OpenAiDouble.start();
  double.otherwise = model;
  await using service = await ServiceProcess.start({ ...variables, OPENAI_BASE_URL: double.baseUrl });
  const client = await signIn(service);
  const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content: WORDS }] });
  const headers = { 'content-type': 'application/json' };
  const direct = await measured('baseline: the model asked directly', TURNS, 1, async () =>
    (await fetch(`${double.baseUrl}/chat/completions`, { method: 'POST', body, headers })).text(),
  );
  for (const [name, rounds, question] of [
    ['words alone', 1, WORDS],
    ['a query and words', 2, 'How many rows are there?'],
  ] as const) {
    const { seen, work } = await asking(client, datasource, () => question);
    const times = await measured(`a model of 0 ms, ${name}`, TURNS, 1, work);
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) =>
      (quantile(times, share) - rounds * median(direct)).toFixed(1),
    );
    console.log(`  added: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms; ${seen.answers} of ${seen.all} answered`);
  }
  await socketPart(service, String(client.token));
  await service.stop();
}

async function socketPart({ url, pid }: ServiceProcess, token: string): Promise<void> {
  const before = residentMb(pid);
  const sockets: WebSocket[] = [];
  while (sockets.length < IDLE) {
    const some = Array.from(
      { length: Math.min(50, IDLE - sockets.length) },
      () => new WebSocket(streamUrl(url, 'all', token)),
    );
    await Promise.all(some.map((socket) => once(socket, 'open')));
    sockets.push(...some);
  }
  console.log(`${IDLE} idle sockets: the service takes ${residentMb(pid).toFixed(0)} MiB, ${before.toFixed(0)} before`);
  for (const socket of sockets) socket.terminate();
}

await modelPart(await analystPart());
