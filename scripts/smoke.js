// Starts the built service once, asks whether it is ready, and ends it: some mistakes show in the build alone.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = await mkdtemp(join(tmpdir(), 'das-smoke-'));
const port = await new Promise((found) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = probe.address();
    probe.close(() => found(free));
  });
});
const began = performance.now();
const service = spawn(process.execPath, [join('dist', 'main.js')], {
  env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: folder, MONGODB_URI: '', LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'inherit', 'inherit'],
});
const ended = new Promise((done) => service.once('exit', (code) => done(code)));

let ready = false;
while (!ready && performance.now() - began < 30_000 && service.exitCode === null) {
  ready = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
    (response) => response.ok,
    () => false,
  );
  if (!ready) await new Promise((wake) => setTimeout(wake, 20));
}
const seconds = ((performance.now() - began) / 1000).toFixed(2);
const megabytes = Math.round((await residentKilobytes(service.pid)) / 1024);
const document = ready ? await (await fetch(`http://127.0.0.1:${port}/docs-json`)).json() : null;

service.kill('SIGTERM');
const code = await ended;
await rm(folder, { recursive: true, force: true });
const paths = Object.keys(document?.paths ?? {}).length;
console.log(
  `ready after ${seconds} s, ${megabytes} MB resident with its child processes (shared pages counted once), ${paths} paths documented, exit code ${code}`,
);
process.exit(ready && code === 0 && paths > 0 ? 0 : 1);

/** Of the process and its children: proportional set size, in which a page that two share counts half for each. */
async function residentKilobytes(pid) {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const own = Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  const others = await Promise.all(children.trim().split(' ').filter(Boolean).map(residentKilobytes));
  return others.reduce((sum, kilobytes) => sum + kilobytes, own);
}
