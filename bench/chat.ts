/**
 * How long answers take on the built service, from the request to the complete answer: the built-in analyst with its chart over many
 * rows, by one and by twenty at once; what the service itself adds to a model that answers in no time; and what sockets cost, idle and
 * with answers streaming to them. Each beside a bare route of the same service, or the model asked directly, in the same run.
 * `npm run build && npx tsx bench/chat.ts [rows] [turns] [idle sockets] [streams]`
 */
import { fork } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { eventually } from '../test/support/eventually.js';
import { ServiceProcess } from '../test/support/service-process.js';
import { streamUrl } from '../test/support/stream-client.js';
import { TestClient } from '../test/support/test-client.js';
import { quantile, writeRows } from './device-rows.js';

const [ROWS = 2_000_000, TURNS = 200, IDLE = 1000, STREAMS = 200] = process.argv.slice(2).map(Number);
const AT_ONCE = 20;
const WARM_UP = 5;
const PIECE_MS = 100;
const SIGN_IN = { email: 'bench@example.com', password: 'a-long-password' };
const QUESTIONS = [
  'average temperature by status',
  'total errors per day',
  'top 5 devices by errors',
  'average humidity by hour of the day',
  'count of rows by status',
];

type Work = (turn: number) => Promise<unknown>;

async function timesOf(turns: number, atOnce: number, work: Work): Promise<readonly number[]> {
  const times: number[] = [];
  let next = 0;
  const loop = async (): Promise<void> => {
    for (let turn = next++; turn < turns; turn = next++) {
      const begun = performance.now();
      await work(turn);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return times;
}

async function measured(name: string, turns: number, atOnce: number, work: Work): Promise<readonly number[]> {
  await timesOf(WARM_UP, 1, work);
  const times = await timesOf(turns, atOnce, work);
  console.log(line(name, times));
  return times;
}

function line(name: string, ms: readonly number[]): string {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(ms, share).toFixed(1));
  return `${name.padEnd(58)} p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms (${ms.length})`;
}

async function startService(folder: string, more: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  return ServiceProcess.start({
    DATA_DIR: folder,
    BOOTSTRAP_EMAIL: SIGN_IN.email,
    BOOTSTRAP_PASSWORD: SIGN_IN.password,
    RATE_LIMIT: '0',
    SOCKETS_PER_USER: String(IDLE + STREAMS + 100),
    CHATS_PER_USER: String(STREAMS),
    CHATS_PER_COMPANY: String(STREAMS),
    LOG_LEVEL: 'info',
    ...more,
  });
}

async function importRows(client: TestClient, url: string, path: string): Promise<string> {
  const form = new FormData();
  form.append('file', await openAsBlob(path), 'rows.csv');
  const headers = { authorization: `Bearer ${client.token}` };
  const uploaded = await fetch(`${url}/api/v1/secure/datasource/upload`, { method: 'POST', body: form, headers });
  const { filename } = (await uploaded.json()) as { filename: string };
  const config = { is_timeseries: true, timefield: 'ts', metafield: 'device' };
  const { body } = await client.put('/secure/datasource', { name: 'Devices', type: 'csv', filename, config });
  const id = String(body['datasource_id']);
  await eventually(
    () => client.get(`/secure/datasource?id=${id}`),
    (answer) => !(answer.body['datasource'] as { updating: boolean }).updating,
    600_000,
  );
  return id;
}

async function conversationsOn(client: TestClient, datasource: string, count: number): Promise<readonly string[]> {
  const made: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { body } = await client.post('/secure/assistant/conversation', { title: 'Bench', datasource_id: datasource });
    made.push(String(body['id']));
  }
  return made;
}

/** One question at a time for each conversation, as people ask. */
function asking(
  client: TestClient,
  conversations: readonly string[],
  question: (turn: number) => string,
  seen: Seen,
): Work {
  const free = [...conversations];
  return async (turn) => {
    const conversation = free.pop() ?? '';
    const asked = { conversation_id: conversation, message: question(turn) };
    const { status, body } = await client.post('/secure/assistant/chat', asked);
    free.push(conversation);
    const { kind, visualization } = (body['response'] ?? {}) as { kind?: string; visualization?: string };
    seen.answers += status === 200 && kind === 'answer' ? 1 : 0;
    if (visualization !== undefined && visualization !== '') seen.charts.push(visualization);
    seen.all += 1;
  };
}

interface Seen {
  all: number;
  answers: number;
  /** The file names of their pictures. */
  readonly charts: string[];
}

/** Returns the datasource. */
async function analystPart(folder: string, csv: string): Promise<string> {
  await using service = await startService(folder, {});
  const client = await TestClient.signIn(service.url, SIGN_IN.email, SIGN_IN.password);
  const datasource = await importRows(client, service.url, csv);
  const conversations = await conversationsOn(client, datasource, AT_ONCE);
  const question = (turn: number): string => QUESTIONS[turn % QUESTIONS.length] ?? '';
  for (const atOnce of [1, AT_ONCE]) {
    const seen = { all: 0, answers: 0, charts: [] as string[] };
    const work = asking(client, conversations, question, seen);
    const times = await measured(`built-in analyst, ${ROWS} rows, ${atOnce} at once`, TURNS, atOnce, work);
    console.log(`  ${seen.answers} of ${seen.all} answered, ${seen.charts.length} with a chart`);
    const pictures = seen.charts.length - WARM_UP;
    await measured(`  the first fetch of a picture, ${atOnce} at once`, pictures, atOnce, async () => {
      const { status } = await client.bytes(`/secure/assistant/visualizations/${seen.charts.pop() ?? ''}`);
      if (status !== 200) throw new Error(`no picture: ${String(status)}`);
    });
    const bare = await measured(`  baseline: GET secure/currentuser, ${atOnce} at once`, TURNS, atOnce, () =>
      client.get('/secure/currentuser'),
    );
    console.log(`  p95 over baseline: ${(quantile(times, 0.95) / quantile(bare, 0.95)).toFixed(1)}`);
  }
  await service.stop();
  return datasource;
}

async function modelPart(folder: string, modelUrl: string, id: string): Promise<void> {
  await using service = await startService(folder, { OPENAI_BASE_URL: modelUrl, OPENAI_MODEL: 'zero' });
  const client = await TestClient.signIn(service.url, SIGN_IN.email, SIGN_IN.password);
  const conversations = await conversationsOn(client, id, AT_ONCE);
  const direct = await measured('baseline: the model asked directly', TURNS, 1, () => direction(modelUrl));
  for (const [name, rounds, question] of [
    ['words alone', 1, 'AT ONCE: how are you?'],
    ['a query and words', 2, 'How many rows are there?'],
  ] as const) {
    const seen = { all: 0, answers: 0, charts: [] as string[] };
    const times = await measured(
      `a model of 0 ms, ${name}`,
      TURNS,
      1,
      asking(client, conversations, () => question, seen),
    );
    const [p95, p99] = [0.95, 0.99].map((share) => quantile(times, share) - rounds * quantile(direct, 0.5));
    console.log(
      `  own overhead: p95 ${p95?.toFixed(1)} ms, p99 ${p99?.toFixed(1)} ms; ${seen.answers} of ${seen.all} answered`,
    );
  }
  await socketPart(service, client, id);
  await service.stop();
}

async function direction(modelUrl: string): Promise<void> {
  const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'AT ONCE' }] });
  const answer = await fetch(`${modelUrl}/chat/completions`, { method: 'POST', body });
  await answer.text();
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

function open(url: string, hear: (frame: Frame) => void = () => undefined): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    let openedAt = Number.POSITIVE_INFINITY;
    socket.on('message', (bytes: Buffer) => {
      const heardAt = Date.now();
      const { event, at } = JSON.parse(bytes.toString()) as { event: string; at: string };
      const sentAt = Date.parse(at);
      hear({ event, wayMs: heardAt - sentAt, isReplayed: sentAt < openedAt });
    });
    socket.once('open', () => {
      openedAt = Date.now();
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

interface Frame {
  readonly event: string;
  readonly wayMs: number;
  /** It was said before the socket was open. */
  readonly isReplayed: boolean;
}

async function socketPart({ url, pid }: ServiceProcess, client: TestClient, datasource: string): Promise<void> {
  const before = await memoryOf(pid);
  const idle: WebSocket[] = [];
  while (idle.length < IDLE) {
    const some = Array.from({ length: Math.min(50, IDLE - idle.length) }, () =>
      open(streamUrl(url, 'all', String(client.token))),
    );
    idle.push(...(await Promise.all(some)));
  }
  const after = await memoryOf(pid);
  console.log(`${IDLE} idle sockets: the service takes ${after.toFixed(0)} MiB, ${before.toFixed(0)} before`);
  for (const socket of idle) socket.terminate();
  await streaming(url, client, await conversationsOn(client, datasource, STREAMS));
  console.log(`  the service takes ${(await memoryOf(pid)).toFixed(0)} MiB afterwards`);
}

async function streaming(url: string, client: TestClient, conversations: readonly string[]): Promise<void> {
  const ways: number[] = [];
  const replayed: number[] = [];
  let [ended, failed] = [0, 0];
  const sockets = await Promise.all(
    conversations.map(async (conversation) => {
      const message = `SLOWLY ${PIECE_MS}: tell me of the rows`;
      const { body } = await client.post('/secure/assistant/chatstream', { conversation_id: conversation, message });
      if (body['message_id'] === undefined) throw new Error(`no stream: ${JSON.stringify(body)}`);
      const room = body['message_id'] as string;
      return open(streamUrl(url, room, String(client.token)), ({ event, wayMs, isReplayed }) => {
        if (event === 'chat-chunk') (isReplayed ? replayed : ways).push(wayMs);
        if (event === 'chat-complete') ended += 1;
        if (event === 'chat-error') failed += 1;
      });
    }),
  );
  await eventually(
    () => ended + failed,
    (done) => done === conversations.length,
    180_000,
  );
  console.log(line(`${conversations.length} streaming: a chunk’s way from publish to socket`, ways));
  console.log(line('  said before their socket was open, and told when it was', replayed));
  console.log(`  ${ended} complete, ${failed} failed`);
  for (const socket of sockets) socket.terminate();
}

const model = fork(new URL('./chat-model.process.ts', import.meta.url), {
  execArgv: ['--import', 'tsx'],
  silent: true,
});
const folder = await mkdtemp(join(tmpdir(), 'das-bench-chat-'));
try {
  const modelUrl = await new Promise<string>((resolve) => {
    model.stdout?.once('data', (text: Buffer) => {
      resolve(text.toString().trim());
    });
  });
  const csv = join(folder, 'rows.csv');
  await writeRows(csv, ROWS);
  const datasource = await analystPart(join(folder, 'store'), csv);
  await modelPart(join(folder, 'store'), modelUrl, datasource);
} finally {
  model.kill();
  await rm(folder, { recursive: true, force: true });
}
