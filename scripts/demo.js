// Shows the main job: starts the service on its embedded defaults, uploads a real CSV, asks three questions.
//   npm run demo             leaves the service running until Ctrl-C
//   npm run demo -- --exit   ends it when the answers are there
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { WebSocket } from 'ws';

const QUESTIONS = [
  { text: 'How many sunny days were there in Seattle in 2014?', streamed: false },
  { text: 'Average temp_max by location', streamed: false },
  { text: 'Average temp_max by month in Seattle', streamed: true },
];

const folder = resolve(process.env.DATA_DIR ?? join('data', 'demo'));
const exitWhenDone = process.argv.includes('--exit');
const service = { process: null, url: '', ended: false };

/** The service's own words about a failure, or ours; never a stack. */
class DemoError extends Error {}

async function main() {
  await mkdir(folder, { recursive: true });
  const signIn = await credentials();
  await startService(signIn);
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

async function startService({ email, password }) {
  const port = await freePort(Number(process.env.PORT ?? 3000));
  service.url = `http://127.0.0.1:${port}`;
  service.process = spawn(process.execPath, ['--enable-source-maps', join('dist', 'main.js')], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
      BOOTSTRAP_EMAIL: email,
      BOOTSTRAP_PASSWORD: password,
      BOOTSTRAP_COMPANY: 'Demo',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  service.process.once('exit', (code) => {
    if (!service.ended) process.exit(code ?? 1);
  });
  const began = performance.now();
  while (!(await isReady())) {
    if (performance.now() - began > 60_000) throw new DemoError('The service did not become ready within a minute.');
    await new Promise((wake) => setTimeout(wake, 50));
  }
  console.log(`The service is ready at ${service.url} after ${((performance.now() - began) / 1000).toFixed(1)} s.`);
}

async function isReady() {
  return fetch(`${service.url}/health/ready`).then(
    (response) => response.ok,
    () => false,
  );
}

/** The wanted port, or any other when somebody has it. */
function freePort(wanted) {
  return new Promise((resolvePort, reject) => {
    const probe = createServer();
    probe.once('error', () => (wanted === 0 ? reject(new DemoError('No port is free.')) : resolvePort(freePort(0))));
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolvePort(port));
    });
  });
}

async function call(method, path, token, body) {
  const isForm = body instanceof FormData;
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined || isForm ? body : JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new DemoError(`${method} ${path}: ${answer.message}`);
  return answer;
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
    if (data.action === 'failed') throw new DemoError(`The import failed: ${data.message}`);
    if (data.action === 'updated') break;
  }
  return id;
}

/** The frames of a room as they come. Leaving the loop closes the socket. */
async function listen(room, token) {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/api/v1/stream/${room}?token=${token}`);
  const waiting = [];
  let wake = () => {};
  let closed = false;
  socket.on('message', (text) => {
    waiting.push(JSON.parse(String(text)));
    wake();
  });
  socket.on('close', () => {
    closed = true;
    wake();
  });
  await new Promise((open, fail) => socket.once('open', open).once('error', fail));
  return (async function* () {
    try {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift();
        if (closed) throw new DemoError('The stream was closed.');
        await new Promise((next) => (wake = next));
      }
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
    if (event === 'chat-error') throw new DemoError(`The answer failed: ${data.error}`);
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

function stopService() {
  service.ended = true;
  return new Promise((done) => {
    if (service.process === null || service.process.exitCode !== null) return done();
    service.process.once('exit', done);
    service.process.kill('SIGTERM');
  });
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopService().then(() => process.exit(0)));

main().catch(async (error) => {
  console.error(error instanceof DemoError ? error.message : error);
  await stopService();
  process.exit(1);
});
