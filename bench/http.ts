// What an authenticated GET costs here, against a bare Fastify route with the same JWT check: CPU per request, in turn.
//   npm run build && npx tsx bench/http.ts [requests]
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import autocannon from 'autocannon';
import { aFolder } from '../test/contracts/row-engine.fixture.js';
import { ServiceProcess, signIn, WITH_ADMIN } from '../test/support/service-process.js';
import { cpuSeconds } from './processes.js';
import { median } from './timing.js';

const REQUESTS = Number(process.argv[2] ?? 20_000);
const ROUNDS = 5;
const secret = randomBytes(32).toString('hex');

interface Target {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** Microseconds of the processor a request. */
  readonly costs: number[];
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
  console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
`;

await using folder = await aFolder();
const bare = spawn(process.execPath, ['--input-type=module', '-e', BARE], {
  env: { PATH: process.env['PATH'], SECRET: secret },
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.once('exit', () => bare.kill('SIGKILL'));
const [bareUrl] = (await once(bare.stdout, 'data')) as [Buffer];
await using service = await ServiceProcess.start({ DATA_DIR: folder.path, JWT_SECRET: secret, ...WITH_ADMIN });
const { token } = await signIn(service);

async function measure({ url, pid }: Target): Promise<number> {
  const before = cpuSeconds(pid);
  const headers = { authorization: `Bearer ${String(token)}` };
  const result = await autocannon({ url, amount: REQUESTS, connections: 10, headers });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return ((cpuSeconds(pid) - before) * 1_000_000) / REQUESTS;
}

const targets: readonly Target[] = [
  { name: 'bare Fastify + JWT', url: `${String(bareUrl).trim()}/user`, pid: bare.pid ?? 0, costs: [] },
  {
    name: 'GET secure/currentuser',
    url: `${service.url}/api/v1/secure/currentuser`,
    pid: service.pid,
    costs: [],
  },
];
for (const target of targets) await measure(target);
for (let round = 0; round < ROUNDS; round += 1) for (const target of targets) target.costs.push(await measure(target));
const [least = Number.NaN] = targets.map(({ costs }) => median(costs));
for (const { name, costs } of targets)
  console.log(
    `${name.padEnd(24)} ${median(costs).toFixed(1)} µs CPU a request, ${(median(costs) / least).toFixed(2)} times`,
  );
await service.stop();
bare.kill();
