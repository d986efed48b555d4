import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { memoryUsage } from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startTestApi } from '../support/test-api.js';
import { addressOf, beginExport, download, exportProcesses } from './downloads.builder.js';
import { importedDatasource } from './world.builder.js';

const ROWS = 300_000;
const MB = 1024 ** 2;

const api = await startTestApi({ environment: { RATE_LIMIT: '0' } });
const ada = await api.signIn('acme');
const id = await importedDatasource(api, ada, manyRows());

function manyRows(): string {
  const note = 'n'.repeat(80);
  const rows = Array.from({ length: ROWS }, (_, row) => {
    const at = new Date(Date.UTC(2024, 0, 1) + row * 1000).toISOString().slice(0, 19).replace('T', ' ');
    return `d${row % 10},${at},${row},${note}\n`;
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

/** How it ended, and after how much. */
async function endOf(response: IncomingMessage): Promise<{ readonly complete: boolean; readonly bytes: number }> {
  let bytes = 0;
  response.on('data', (piece: Buffer) => (bytes += piece.length));
  response.on('error', () => undefined);
  await new Promise((resolve) => response.once('close', resolve));
  return { complete: response.complete, bytes };
}

describe.skipIf(process.platform !== 'linux')('an export of many rows', () => {
  it('comes whole, compressed or not, through little memory', async () => {
    const before = memoryUsage().rss;
    const plain = await endOf(await beginExport(ada, id));
    expect(plain.complete).toBe(true);
    const { text, headers } = await download(ada, 'export', id);
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(Buffer.byteLength(text)).toBe(plain.bytes);
    const values = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => Number(line.split(',')[2]));
    expect(new Set(values).size).toBe(ROWS);
    // Most of it is the text that this test holds.
    expect(memoryUsage().rss - before).toBeLessThan(400 * MB);
    await expectNoProcess();
  });

  it('waits for a client that stops reading, in little memory, and ends when it goes', async () => {
    const before = memoryUsage().rss;
    const response = await beginExport(ada, id);
    await once(response, 'readable');
    const running = await exportProcesses(api);
    expect(running.map(([name]) => name)).toContain('sh');
    const health = await ada.get('/health/live');
    expect(health.status).toBe(200);
    expect(memoryUsage().rss - before).toBeLessThan(60 * MB);
    expect((await exportProcesses(api)).map(([, pid]) => pid).sort()).toEqual(running.map(([, pid]) => pid).sort());
    response.destroy();
    await expectNoProcess();
  });

  it('ends when a client goes that takes it compressed', async () => {
    const gone = new AbortController();
    const headers = { authorization: `Bearer ${ada.token ?? ''}`, 'accept-encoding': 'gzip' };
    const response = await fetch(addressOf(ada, 'export', id), { headers, signal: gone.signal });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    gone.abort();
    await expectNoProcess();
  });

  it.each(['identity', 'gzip'])('never looks complete when its process dies: %s', async (encoding) => {
    const response = await beginExport(ada, id, encoding);
    await once(response, 'readable');
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
      const headers = { authorization: `Bearer ${ada.token ?? ''}` };
      const request = fetch(addressOf(ada, 'export', id), { headers, signal: gone.signal });
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
    const oneTurn = (): Promise<IncomingMessage> =>
      eventually(
        () => beginExport(ada, id),
        (response) => {
          if (response.statusCode !== 200) response.destroy();
          return response.statusCode === 200;
        },
      );
    const one = await oneTurn();
    const other = await oneTurn();
    one.destroy();
    other.destroy();
    await expectNoProcess();
  });

  // The last: there is no service any more.
  it('ends with its service', async () => {
    const response = await beginExport(ada, id);
    await once(response, 'readable');
    expect(await exportProcesses(api)).not.toEqual([]);
    // What is nearly done is done before the end; of this nothing more is read meanwhile.
    await end();
    expect((await endOf(response)).complete).toBe(false);
    await expectNoProcess();
  });
});
