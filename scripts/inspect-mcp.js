// Lets the Model Context Protocol's own inspector call the built service: its tools, a call of one, and no call with a wrong key.
//   npx -p node@24 -p @modelcontextprotocol/inspector@2.12.0 -c "node scripts/inspect-mcp.js"
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIGN_IN = { email: 'inspector@example.com', password: 'inspects-what-there-is' };
const TOOLS = ['list_datasources', 'describe', 'query', 'plot', 'ask'];

const folder = await mkdtemp(join(tmpdir(), 'das-mcp-'));
const port = await new Promise((found) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = probe.address();
    probe.close(() => found(free));
  });
});
const url = `http://127.0.0.1:${port}`;
const service = spawn(process.execPath, [join('dist', 'main.js')], {
  env: {
    ...process.env,
    ...{ PORT: String(port), HOST: '127.0.0.1', DATA_DIR: folder, MONGODB_URI: '', REDIS_URL: '', LOG_LEVEL: 'warn' },
    ...{ BOOTSTRAP_EMAIL: SIGN_IN.email, BOOTSTRAP_PASSWORD: SIGN_IN.password, BOOTSTRAP_COMPANY: 'Inspector' },
  },
  stdio: ['ignore', 'inherit', 'inherit'],
});
const ended = new Promise((done) => service.once('exit', done));
const problems = [];
try {
  await whenReady();
  const key = await anApiKey();
  const listed = await inspect(key, '--method', 'tools/list');
  for (const tool of TOOLS)
    if (!listed.output.includes(`"${tool}"`)) problems.push(`no tool ${tool}: ${listed.output}`);
  const called = await inspect(key, '--method', 'tools/call', '--tool-name', 'list_datasources');
  if (called.code !== 0 || !called.output.includes('"content"')) problems.push(`no answer: ${called.output}`);
  const unknown = ['--tool-name', 'describe', '--tool-arg', `datasource_id=${'0'.repeat(24)}`];
  const absent = await inspect(key, '--method', 'tools/call', ...unknown);
  if (!absent.output.includes('not found')) problems.push(`an unknown datasource: ${absent.output}`);
  const refused = await inspect(`${key}x`, '--method', 'tools/list');
  if (refused.code === 0) problems.push(`a wrong key was let in: ${refused.output}`);
} finally {
  service.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, force: true });
}
console.log(problems.length === 0 ? 'the inspector is content' : problems.join('\n'));
process.exit(problems.length === 0 ? 0 : 1);

async function whenReady() {
  const until = performance.now() + 60_000;
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (performance.now() > until || service.exitCode !== null) throw new Error('the service did not become ready');
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

async function anApiKey() {
  const { token } = await post('/api/v1/login', SIGN_IN);
  return (await post('/api/v1/secure/api-keys', { name: 'Inspector', scopes: ['read'] }, token)).key;
}

async function post(path, body, token) {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response.json();
}

function inspect(key, ...request) {
  const target = ['--cli', `${url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`];
  return new Promise((done) => {
    execFile('mcp-inspector', [...target, ...request], { timeout: 60_000 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : (error.code ?? 1), output: stdout + stderr });
    });
  });
}
