// Lets the Model Context Protocol's own inspector call the built service: its tools, a call of one, and no call with a wrong key.
//   npx -p node@24 -p @modelcontextprotocol/inspector@2.12.0 -c "node scripts/inspect-mcp.js"
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, startService } from './built-service.js';

const SIGN_IN = { email: 'inspector@example.com', password: 'inspects-what-there-is' };
const TOOLS = ['list_datasources', 'describe', 'query', 'plot', 'ask'];

const folder = await mkdtemp(join(tmpdir(), 'das-mcp-'));
const service = await startService({
  ...{ HOST: '127.0.0.1', DATA_DIR: folder, MONGODB_URI: '', REDIS_URL: '', LOG_LEVEL: 'warn' },
  ...{ BOOTSTRAP_EMAIL: SIGN_IN.email, BOOTSTRAP_PASSWORD: SIGN_IN.password, BOOTSTRAP_COMPANY: 'Inspector' },
});
const problems = [];
try {
  const { token } = await call(service, 'POST', '/login', null, SIGN_IN);
  const wanted = { name: 'Inspector', scopes: ['read'] };
  const { key } = await call(service, 'POST', '/secure/api-keys', token, wanted);
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
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}
console.log(problems.length === 0 ? 'the inspector is content' : problems.join('\n'));
process.exit(problems.length === 0 ? 0 : 1);

function inspect(key, ...request) {
  const target = ['--cli', `${service.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`];
  return new Promise((done) => {
    execFile('mcp-inspector', [...target, ...request], { timeout: 60_000 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : (error.code ?? 1), output: stdout + stderr });
    });
  });
}
