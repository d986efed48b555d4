import { readdir, readlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { StorageQuota } from '../../src/features/datasource/upload/storage-quota.js';
import { UploadRepository } from '../../src/features/datasource/upload/upload.repository.js';
import { UploadService } from '../../src/features/datasource/upload/upload.service.js';
import { UploadSweeper } from '../../src/features/datasource/upload/upload.sweeper.js';
import { asId, type CompanyId, type UserId } from '../../src/shared/ids.js';
import type { Principal } from '../../src/shared/principal.js';
import { aService } from '../api/a-service.js';
import { eventually } from '../support/eventually.js';
import { RawUpload, statusOf } from '../support/raw-upload.js';
import { storedObjects } from '../support/stored-objects.js';
import { way } from '../support/way.js';

/** Beside servers a few show that nothing is left in the bucket. */
const FEW = way === 'embedded' ? 100 : 40;
const ABORTS = process.env['TEST_LONG'] === '1' ? 5_000 : FEW;
const AT_ONCE = 20;
const MIB = 1024 ** 2;
const QUOTA_GIB = 0.05;
/** With these last bytes of the form the file is whole. */
const FORM_END = 60;
const CSV = `device,at,value\n${'d1,2024-01-01,1\n'.repeat(20_000)}`;
/** Hardly smaller than what is in it. */
const ZIP = zipSync({ 'a.csv': strToU8(CSV), 'b.csv': strToU8(CSV) }, { level: 0 });
const HOUR = 3_600_000;

const api = await aService({ environment: { STORAGE_QUOTA_GIB: String(QUOTA_GIB) } });
const ada = await api.signIn('acme');

const storedFiles = (): Promise<readonly string[]> => storedObjects(api.dataDir);

/** Descriptors of this process; without sockets where connections to other servers are kept and added as they are needed. */
async function descriptors(): Promise<number> {
  const all = await readdir('/proc/self/fd');
  if (way === 'embedded') return all.length;
  const targets = await Promise.all(all.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => 'socket:')));
  return targets.filter((target) => !target.startsWith('socket:')).length;
}

/** Bytes in use once everything that nobody needs is gone. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The same once it has come to rest. */
async function settledBytes(): Promise<number> {
  let last = Number.POSITIVE_INFINITY;
  const step = (): number => last - (last = bytesInUse());
  await eventually(step, (freed) => Math.abs(freed) < MIB / 4);
  return last;
}

const anAbort = fc.record({
  isZip: fc.boolean(),
  /** Of the body without its last bytes, how much is sent. */
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  isCounted: fc.boolean(),
  withReset: fc.boolean(),
});

type Abort = typeof anAbort extends fc.Arbitrary<infer T> ? T : never;

async function abort({ isZip, share, isCounted, withReset }: Abort): Promise<void> {
  const name = isZip ? 'a.zip' : 'a.csv';
  const upload = new RawUpload(ada, isZip ? ZIP : CSV, isCounted ? { name } : { name, announced: null });
  await upload.send(0, Math.floor(share * (upload.length - FORM_END)));
  await upload.cut(withReset);
}

async function abortAll(aborts: readonly Abort[]): Promise<void> {
  for (let next = 0; next < aborts.length; next += AT_ONCE) {
    await Promise.all(aborts.slice(next, next + AT_ONCE).map(abort));
  }
  await expect.poll(storedFiles).toEqual([]);
}

describe('uploads', () => {
  it(`leave nothing behind when ${ABORTS} of them are broken off anywhere`, async () => {
    await abortAll(fc.sample(anAbort, AT_ONCE));
    const [open, bytes] = [await descriptors(), await settledBytes()];

    await abortAll(fc.sample(anAbort, ABORTS));
    await expect.poll(descriptors).toBeLessThanOrEqual(open);
    // Buffers are given back some turns of the loop after their owners were collected.
    await eventually(bytesInUse, (now) => now - bytes < 8 * MIB);
    expect(await api.get(UploadRepository).allWhere(asId<CompanyId>(ada.companyId), {})).toEqual([]);
    // No room is kept for them either: nearly all that the company may store can be sent at once.
    const rest = new RawUpload(ada, '', { announced: Math.floor(QUOTA_GIB * 1024 * MIB) });
    await rest.send(0, 10);
    await ada.get('/secure/datasources');
    await rest.cut();
    expect(statusOf(await rest.answer)).toBe(0);
    expect((await ada.upload(CSV)).status).toBe(200);
    expect((await ada.upload(ZIP, 'a.zip')).status).toBe(200);
  });

  it('give back their room at once when they are broken off before anything of them is read', async () => {
    const nearlyAll = QUOTA_GIB * 1024 * MIB * 0.9;
    for (let upload = 0; upload < AT_ONCE; upload += 1) {
      const begun = new RawUpload(ada, '', { announced: Math.floor(nearlyAll) });
      await begun.send(0, 0);
      await begun.cut(true);
    }
    await ada.get('/secure/datasources');
    const hasRoom = async (): Promise<boolean> => {
      using room = await api.get(StorageQuota).reserve(asId<CompanyId>(ada.companyId), nearlyAll);
      return room.missing > 0;
    };
    await eventually(() => hasRoom().catch(() => false), Boolean, 10_000);
  });

  const received = async (originalName: string, source: Readable, gone: AbortSignal): Promise<unknown> => {
    const companyId = asId<CompanyId>(ada.companyId);
    const by = { userId: asId<UserId>(ada.id), companyId, role: 'user' } as Principal;
    using room = await api.get(StorageQuota).reserve(companyId, null);
    return await api.get(UploadService).receive(by, { originalName, source, room, gone });
  };

  it('whose sender went away before the answer are not kept', async () => {
    const { length } = await storedFiles();
    const source = Readable.from([CSV]);
    await expect(received('a.csv', source, AbortSignal.abort())).rejects.toThrow('the upload was broken off');
    expect(await storedFiles()).toHaveLength(length);
  });

  it('that are no tables by their names are refused, and nobody waits for their bytes', async () => {
    const source = Readable.from([CSV]);
    const { signal } = new AbortController();
    await expect(received('a.doc', source, signal)).rejects.toMatchObject({ kind: 'unsupported_type' });
    expect(source.destroyed).toBe(true);
  });

  it('of two files at once are refused, and neither is kept', async () => {
    const { length } = await storedFiles();
    const body = new FormData();
    for (const name of ['one.csv', 'two.csv']) body.append('file', new Blob([CSV]), name);
    const headers = { authorization: `Bearer ${String(ada.token)}` };
    const answer = await fetch(`${ada.url}/api/v1/secure/datasource/upload`, { method: 'POST', body, headers });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ details: [{ field: 'file', problem: 'may hold one file' }] });
    expect(await storedFiles()).toHaveLength(length);
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
});
