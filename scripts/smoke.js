// Starts the built service once, asks whether it is ready, and ends it: some mistakes show in the build alone.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from './built-service.js';

const folder = await mkdtemp(join(tmpdir(), 'das-smoke-'));
try {
  const service = await startService({ HOST: '127.0.0.1', DATA_DIR: folder, MONGODB_URI: '', LOG_LEVEL: 'warn' });
  const megabytes = Math.round((await residentKilobytes(service.pid)) / 1024);
  const document = await (await fetch(`${service.url}/docs-json`)).json();
  const paths = Object.keys(document.paths).length;
  const code = await service.stop();
  console.log(
    `ready after ${service.seconds.toFixed(2)} s, ${megabytes} MB resident with its child processes (shared pages counted once), ${paths} paths documented, exit code ${code}`,
  );
  process.exitCode = code === 0 && paths > 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Of the process and its children: proportional set size, in which a page that two share counts half for each. */
async function residentKilobytes(pid) {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const own = Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  const others = await Promise.all(children.trim().split(' ').filter(Boolean).map(residentKilobytes));
  return others.reduce((sum, kilobytes) => sum + kilobytes, own);
}
