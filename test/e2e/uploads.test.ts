import { readdir, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UploadSweeper } from '../../src/features/datasource/upload/upload.sweeper.js';
import { IdSource } from '../../src/ports/id-source.js';
import { ObjectStore } from '../../src/ports/object-store.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { eventually } from '../support/eventually.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';

const ABORTS = 60;
const CSV = `device,at,value\n${'d1,2024-01-01,1\n'.repeat(20_000)}`;
const HOUR = 3_600_000;

let api: TestApi;
let ada: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  ada = await api.signIn('acme');
});
afterAll(() => api[Symbol.asyncDispose]());

async function storedFiles(): Promise<readonly string[]> {
  const all = await readdir(join(api.dataDir, 'objects'), { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Descriptors of this process that are open on stored files. */
async function openFiles(): Promise<readonly string[]> {
  const names = await readdir('/proc/self/fd');
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target.includes(join(api.dataDir, 'objects')));
}

/** Sends the head of an upload and so many bytes of it, then breaks the connection. */
function abortAfter(bytes: number): Promise<void> {
  const boundary = 'xxBOUNDARYxx';
  const body = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n${CSV}\r\n--${boundary}--\r\n`;
  const head = [
    'POST /api/v1/secure/datasource/upload HTTP/1.1',
    'host: x',
    `authorization: Bearer ${String(ada.token)}`,
    `content-type: multipart/form-data; boundary=${boundary}`,
    `content-length: ${Buffer.byteLength(body)}`,
  ].join('\r\n');
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => {
      socket.write(`${head}\r\n\r\n${body.slice(0, bytes)}`, () => {
        socket.destroy();
      });
    });
    socket.once('close', () => {
      resolve();
    });
  });
}

describe('uploads', () => {
  it(`leave no file and no descriptor when ${ABORTS} of them are broken off anywhere`, async () => {
    const step = Math.floor(CSV.length / ABORTS);
    await Promise.all(Array.from({ length: ABORTS }, (_, index) => abortAfter(index * step)));
    await eventually(storedFiles, (files) => files.length === 0);
    await eventually(openFiles, (files) => files.length === 0);
    expect((await ada.upload(CSV)).status).toBe(200);
  });

  it('that nobody used are gone after a day, and not before', async () => {
    const { body: upload } = await ada.upload(CSV);
    const sweeper = api.get(UploadSweeper);
    await sweeper.sweep();
    expect(await storedFiles()).toContain(upload['filename']);

    api.clock.advance(25 * HOUR);
    const later = await api.signIn('acme');
    await sweeper.sweep();
    expect(await storedFiles()).not.toContain(upload['filename']);
    const config = { metafield: 'device', timefield: 'at' };
    const body = { name: 'x', type: 'csv', filename: upload['filename'], config };
    expect((await later.put('/secure/datasource', body)).status).toBe(404);
  });

  it('whose record was never written are gone after a day, too', async () => {
    const key = {
      companyId: asId<CompanyId>(ada.companyId),
      area: 'uploads',
      name: `${api.get(IdSource).token()}.csv`,
    } as const;
    await api.get(ObjectStore).write(key, Readable.from(['a,b\n1,2\n']), 100);
    api.clock.advance(25 * HOUR);
    await api.get(UploadSweeper).sweep();
    expect(await storedFiles()).not.toContain(key.name);
  });
});
