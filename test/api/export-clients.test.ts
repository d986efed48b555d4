import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { memoryUsage } from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startTestApi } from '../support/test-api.js';
import { beginExport, download, exportProcesses, fetched } from './downloads.builder.js';
import { importedDatasource } from './world.builder.js';

const ROWS = 100_000;
const MB = 1024 ** 2;

const api = await startTestApi({ environment: { RATE_LIMIT: '0' } });
const ada = await api.signIn('acme');
const id = await importedDatasource(api, ada, manyRows());

function manyRows(): string {
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const at = new Date(Date.UTC(2024, 0, 1) + row * 1000).toISOString().slice(0, 19);
    return `d${row % 10},${at},${row},${'n'.repeat(200)}\n`;
  });
  return `device,at,v,note\n${rows.join('')}`;
}

let hasEnded = false;
async function end(): Promise<void> {
  if (!hasEnded) await api[Symbol.asyncDispose]();
  hasEnded = true;
}
afterAll(end);

async function expectNoProcess(): Promise<void> {
  await eventually(
    () => exportProcesses(api),
    (left) => left.length === 0,
  );
}

/** An export that is not refused: one that has ended keeps its turn a moment longer than its processes. */
async function granted(encoding?: string): Promise<IncomingMessage> {
  for (;;) {
    const response = await beginExport(ada, id, encoding);
    if (response.statusCode === 200) return response;
    expect(response.statusCode).toBe(429);
    response.destroy();
  }
}

/** An export of which the first bytes are here, and no more is read. */
async function begun(encoding?: string): Promise<IncomingMessage> {
  const response = await granted(encoding);
  await once(response, 'readable');
  expect((await exportProcesses(api)).map(([name]) => name)).toContain('sh');
  return response;
}

/** How it ended, and after how much. */
async function endOf(response: IncomingMessage): Promise<{ readonly complete: boolean; readonly bytes: number }> {
  let bytes = 0;
  response.on('data', (piece: Buffer) => (bytes += piece.length));
  response.on('error', () => undefined);
  await new Promise((resolve) => response.once('close', resolve));
  return { complete: response.complete, bytes };
}

describe.skipIf(process.platform !== 'linux')('an export of many rows', () => {
  it('comes whole, compressed or not', async () => {
    const plain = await endOf(await beginExport(ada, id));
    const { text, headers } = await download(ada, 'export', id);
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(plain).toEqual({ complete: true, bytes: Buffer.byteLength(text) });
    const lines = text.split('\r\n').slice(1, -1);
    expect(new Set(lines.map((line) => Number(line.split(',')[2]))).size).toBe(ROWS);
    await expectNoProcess();
  });

  it.each(['identity', 'gzip'])(
    'waits for a client that stops reading, and ends when it goes: %s',
    async (encoding) => {
      const before = memoryUsage().rss;
      const response = await begun(encoding);
      const running = (await exportProcesses(api)).map(([, pid]) => pid).sort();
      expect(await ada.get('/health/live')).toMatchObject({ status: 200 });
      expect(memoryUsage().rss - before).toBeLessThan(60 * MB);
      expect((await exportProcesses(api)).map(([, pid]) => pid).sort()).toEqual(running);
      response.destroy();
      await expectNoProcess();
    },
  );

  it.each(['identity', 'gzip'])('never looks complete when its process dies: %s', async (encoding) => {
    const response = await begun(encoding);
    for (const [name, pid] of await exportProcesses(api))
      if (!['sh', 'cat'].includes(name)) process.kill(pid, 'SIGKILL');
    const { complete, bytes } = await endOf(response);
    expect(complete).toBe(false);
    expect(bytes).toBeGreaterThan(0);
    await expectNoProcess();
  });

  it('is not kept for a client that is gone before it begins', async () => {
    const abandon = async (): Promise<string> => {
      const gone = new AbortController();
      const request = fetched(ada, `/secure/datasource/export?id=${id}`, undefined, gone.signal);
      // Long enough to be received, and far from the first byte.
      await ada.get('/health/live');
      gone.abort();
      return request.then(
        () => 'answered',
        () => 'gone',
      );
    };
    // An export of the test before may still have a turn, and then there is an answer at once.
    for (let turn = 0; turn < 2; turn++) await eventually(abandon, (outcome) => outcome === 'gone');
    // Both turns are free again; the first is held while the second is taken.
    const turns = [await granted(), await granted()];
    expect((await beginExport(ada, id)).statusCode).toBe(429);
    for (const response of turns) response.destroy();
    await expectNoProcess();
  });

  // The last: there is no service any more.
  it('ends with its service', async () => {
    const response = await begun();
    // What is nearly done is done before the end; of this nothing more is read meanwhile.
    await end();
    expect((await endOf(response)).complete).toBe(false);
    await expectNoProcess();
  });
});
