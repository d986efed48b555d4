// Shows the main job: starts the service on its embedded defaults, uploads a real CSV, asks three questions.
//   npm run demo             leaves the service running until Ctrl-C
//   npm run demo -- --exit   ends it when the answers are there
import { randomBytes } from 'node:crypto';
import { on, once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { WebSocket } from 'ws';
import { call as callOf, ScriptError, startService } from './built-service.js';

const QUESTIONS = [
  { text: 'How many sunny days were there in Seattle in 2014?', streamed: false },
  { text: 'Average temp_max by location', streamed: false },
  { text: 'Average temp_max by month in Seattle', streamed: true },
];

const folder = resolve(process.env.DATA_DIR ?? join('data', 'demo'));
const exitWhenDone = process.argv.includes('--exit');
let service = null;
let isStopped = false;
const call = (...asked) => callOf(service, ...asked);

async function main() {
  await mkdir(folder, { recursive: true });
  const signIn = await credentials();
  await start(signIn);
  const token = (await call('POST', '/login', null, signIn)).token;
  console.log(`Signed in as ${signIn.email}.`);

  const datasource = await importSample(token);
  const { id: conversation } = await call('POST', '/secure/assistant/conversation', token, {
    title: 'Weather',
    datasource_id: datasource,
  });
  for (const [index, question] of QUESTIONS.entries()) await ask(token, conversation, question, index + 1);

  console.log(`\nThe console:   ${service.url}   (in a browser, with the sign-in below)`);
  console.log(`Documentation: ${service.url}/docs`);
  console.log(`Sign-in:       ${signIn.email} / ${signIn.password}`);
  console.log(`Data folder:   ${folder}`);
  if (exitWhenDone) return stopService();
  console.log('\nIt keeps running. Ctrl-C ends it.');
}

/** The same sign-in at every run on the same folder: the first start makes the user. */
async function credentials() {
  const file = join(folder, 'demo-sign-in.json');
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    const signIn = { email: 'demo@example.com', password: randomBytes(9).toString('base64url') };
    await writeFile(file, JSON.stringify(signIn), { mode: 0o600 });
    return signIn;
  }
}

async function start({ email, password }) {
  const port = Number(process.env.PORT ?? 3000);
  const bootstrap = { BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: password, BOOTSTRAP_COMPANY: 'Demo' };
  const variables = { DATA_DIR: folder, LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn', ...bootstrap };
  service = await startService(variables, port);
  void service.ended.then((code) => {
    if (!isStopped) process.exit(code ?? 1);
  });
  console.log(`The service is ready at ${service.url} after ${service.seconds.toFixed(1)} s.`);
}

async function importSample(token) {
  const form = new FormData();
  form.append('file', new Blob([await readFile(join('samples', 'weather.csv'))]), 'weather.csv');
  const upload = await call('POST', '/secure/datasource/upload', token, form);
  console.log(`Uploaded ${upload.file}, ${upload.size} bytes. Columns: ${upload.columns[0].join(', ')}.`);

  const frames = await listen('demo', token);
  const { datasource_id: id } = await call('PUT', '/secure/datasource', token, {
    name: 'Weather of Seattle and New York',
    type: 'csv',
    filename: upload.filename,
    file: upload.file,
    config: {
      is_timeseries: true,
      timefield: 'date',
      metafield: 'location',
      values: ['precipitation', 'temp_max', 'temp_min', 'wind'],
      granularity: 'days',
      context: 'Daily weather. Temperatures in °C, precipitation in mm, wind in km/h.',
    },
  });
  for await (const { event, data } of frames) {
    if (event !== 'datasource-updated' || data.datasource_id !== id) continue;
    console.log(`Import: ${data.message}.`);
    if (data.action === 'failed') throw new ScriptError(`The import failed: ${data.message}`);
    if (data.action === 'updated') break;
  }
  return id;
}

/** The frames of a room as they come. Leaving the loop closes the socket. */
async function listen(room, token) {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/api/v1/stream/${room}?token=${token}`);
  const texts = on(socket, 'message', { close: ['close'] });
  await once(socket, 'open');
  return (async function* () {
    try {
      for await (const [text] of texts) yield JSON.parse(String(text));
      throw new ScriptError('The stream was closed.');
    } finally {
      socket.close();
    }
  })();
}

async function ask(token, conversation, { text, streamed }, number) {
  console.log(`\n${number}. ${text}${streamed ? '   (streamed)' : ''}\n`);
  const began = performance.now();
  const body = { conversation_id: conversation, message: text };
  const answer = streamed
    ? await streamedAnswer(token, body)
    : (await call('POST', '/secure/assistant/chat', token, body)).response;
  if (!streamed) console.log(answer.response);
  console.log(`\nUnderstood: ${answer.query}\nQuery:\n${indent(answer.dbquery)}`);
  for (const row of (answer.data?.rows ?? []).slice(0, 3)) console.log(`Figures: ${JSON.stringify(row)}`);
  if (answer.visualization !== '') console.log(`Chart: ${await saveChart(token, answer.visualization, number)}`);
  console.log(`(${Math.round(performance.now() - began)} ms)`);
}

async function streamedAnswer(token, body) {
  const { message_id: id } = await call('POST', '/secure/assistant/chatstream', token, body);
  for await (const { event, data } of await listen(id, token)) {
    if (event === 'chat-chunk') process.stdout.write(data.chunk);
    if (event === 'chat-error') throw new ScriptError(`The answer failed: ${data.error}`);
    if (event === 'chat-complete') {
      console.log();
      return data.response;
    }
  }
}

async function saveChart(token, name, number) {
  const response = await fetch(`${service.url}/api/v1/secure/assistant/visualizations/${name}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const file = join(folder, `answer-${number}.png`);
  await writeFile(file, Buffer.from(await response.arrayBuffer()));
  return file;
}

function indent(text) {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

async function stopService() {
  isStopped = true;
  await service?.stop();
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopService().then(() => process.exit(0)));

main().catch(async (error) => {
  console.error(error instanceof ScriptError ? error.message : error);
  await stopService();
  process.exit(1);
});
