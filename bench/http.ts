// What an authenticated GET costs here, against a bare Fastify route with the same JWT check: CPU per request, in turn.
//   npm run build && npx tsx bench/http.ts [requests]
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';

const REQUESTS = Number(process.argv[2] ?? 20_000);
const ROUNDS = 5;
const TICKS_PER_SECOND = 100;
const secret = randomBytes(32).toString('hex');

interface Target {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly token: string;
}

interface Cost {
  readonly cpuMicros: number;
  readonly perSecond: number;
}

const BARE = `
  import fastify from 'fastify';
  import jwt from 'jsonwebtoken';
  import { createSecretKey } from 'node:crypto';
  const key = createSecretKey(Buffer.from(process.env.SECRET, 'utf8'));
  const app = fastify();
  app.get('/user', async (request, reply) => {
    const { sub, email } = jwt.verify(request.headers.authorization.slice(7), key, { algorithms: ['HS256'] });
    return { error: false, message: 'current user', user: { id: sub, email } };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  console.log(JSON.stringify({ msg: 'ready', url: 'http://127.0.0.1:' + app.server.address().port }));
`;

async function start(args: readonly string[], env: Record<string, string>): Promise<{ url: string; pid: number }> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = line.startsWith('{') ? (JSON.parse(line) as { msg?: string; url?: string }) : {};
    if (entry.msg !== 'ready' || entry.url === undefined) continue;
    child.stdout.resume();
    return { url: entry.url, pid: child.pid ?? 0 };
  }
  throw new Error('it did not start');
}

/** User and system time of one process, in microseconds: `/proc/<pid>/stat`. */
async function cpuMicros(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / TICKS_PER_SECOND;
}

async function measure({ url, pid, token }: Target): Promise<Cost> {
  const before = await cpuMicros(pid);
  const result = await autocannon({
    url,
    amount: REQUESTS,
    connections: 10,
    headers: { authorization: `Bearer ${token}` },
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return { cpuMicros: ((await cpuMicros(pid)) - before) / REQUESTS, perSecond: result.requests.average };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const folder = await mkdtemp(join(tmpdir(), 'das-bench-'));
const bare = await start(['--input-type=module', '-e', BARE], { SECRET: secret });
const service = await start(['dist/main.js'], {
  DATA_DIR: folder,
  PORT: '0',
  JWT_SECRET: secret,
  BOOTSTRAP_PASSWORD: 'a-long-password',
  RATE_LIMIT: '100000000',
});
const login = await fetch(`${service.url}/api/v1/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email: 'admin@example.com', password: 'a-long-password' }),
});
const { token } = (await login.json()) as { token: string };

const targets: readonly Target[] = [
  { name: 'bare Fastify + JWT', url: `${bare.url}/user`, pid: bare.pid, token },
  { name: 'GET secure/currentuser', url: `${service.url}/api/v1/secure/currentuser`, pid: service.pid, token },
];
const costs = targets.map((): Cost[] => []);
for (const target of targets) await measure(target);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, target] of targets.entries()) costs[index]?.push(await measure(target));
}
const medians = costs.map((list) => ({
  cpu: median(list.map(({ cpuMicros: cpu }) => cpu)),
  perSecond: median(list.map(({ perSecond }) => perSecond)),
}));
for (const [index, { name }] of targets.entries()) {
  const { cpu, perSecond } = medians[index] ?? { cpu: 0, perSecond: 0 };
  console.log(`${name.padEnd(24)} ${cpu.toFixed(1)} µs CPU a request, ${Math.round(perSecond)} requests/s`);
}
const [base, ours] = medians;
if (base !== undefined && ours !== undefined) {
  console.log(`ratio ${(ours.cpu / base.cpu).toFixed(2)}, ${(ours.cpu - base.cpu).toFixed(1)} µs more than bare`);
}
await rm(folder, { recursive: true, force: true });
process.exit(0);
