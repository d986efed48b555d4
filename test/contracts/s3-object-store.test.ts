import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { s3Address } from '../../src/adapters/storage/s3-address.js';
import { S3ObjectStore } from '../../src/adapters/storage/s3-object-store.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { aKey, cutOff, objectStoreContract } from './object-store.contract.js';

const MIB = 1024 ** 2;

describe('S3ObjectStore', () => {
  let folder: string;
  let server: S3rver;
  let base: string;
  let buckets = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 's3-'));
    server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 'server') });
    const { port } = await server.run();
    base = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function aStore(through = base, patienceMs?: number): Promise<S3ObjectStore> {
    const bucket = `bucket-${(buckets += 1)}`;
    await fetch(`${base}/${bucket}`, { method: 'PUT' });
    const address = s3Address(`s3+${through.replace('://', '://S3RVER:S3RVER@')}/${bucket}/some/prefix`);
    const objects = new S3ObjectStore(address, join(folder, `copies-${buckets}`), patienceMs);
    await objects.open();
    return objects;
  }

  objectStoreContract(async () => ({ objects: await aStore(), close: () => Promise.resolve() }));

  it('sends in parts, and gives up those of an upload that was cut off', async () => {
    await using proxy = await TcpProxy.open(base);
    const objects = await aStore(proxy.url.replace(/\/$/, ''));
    const parts = Array.from({ length: 20 }, (_, at) => Buffer.alloc(MIB, at));
    expect(await objects.write(aKey('big'), Readable.from(parts), 100 * MIB)).toBe(20 * MIB);
    await expect(objects.write(aKey('cut'), cutOff(20, MIB), 100 * MIB)).rejects.toThrow('the sender went away');
    await expect(objects.write(aKey('long'), Readable.from(parts), 18 * MIB)).rejects.toMatchObject({
      kind: 'too_large',
    });
    // The server of this test leaves the parts where they are; it is asked to remove them, once for each.
    expect(proxy.requests.filter((line) => /^DELETE .*uploadId=/.test(line))).toHaveLength(2);
    expect(await objects.stat(aKey('cut'))).toBeNull();
    expect(await objects.stat(aKey('long'))).toBeNull();
  });

  /** A file that is sent in parts, of which some are on their way. */
  async function adopting(
    through: TcpProxy,
    patienceMs?: number,
  ): Promise<{ readonly objects: S3ObjectStore; readonly path: string; readonly end: Promise<unknown> }> {
    const objects = await aStore(through.url.replace(/\/$/, ''), patienceMs);
    const path = join(folder, 'finished');
    await writeFile(path, Buffer.alloc(24 * MIB, 7));
    const end = objects.adopt(aKey(), path).catch((error: unknown) => error);
    await expect
      .poll(() => through.requests.filter((line) => /^PUT .*partNumber=/.test(line)).length)
      .toBeGreaterThanOrEqual(2);
    return { objects, path, end };
  }

  it('leaves nothing of a finished file whose upload is interrupted, and the file where it was', async () => {
    await using proxy = await TcpProxy.open(base);
    const { objects, path, end } = await adopting(proxy);
    proxy.cut();
    expect(await end).toMatchObject({ kind: 'unavailable' });
    proxy.mend();
    expect(await objects.stat(aKey())).toBeNull();
    expect((await stat(path)).size).toBe(24 * MIB);

    await objects.adopt(aKey(), path);
    expect(await objects.stat(aKey())).toMatchObject({ size: 24 * MIB });
  });

  it('sends a part anew that has no answer', async () => {
    await using proxy = await TcpProxy.open(base);
    const { objects, end } = await adopting(proxy, 1_000);
    proxy.stall();
    expect(await end).toBeUndefined();
    expect(await objects.stat(aKey())).toMatchObject({ size: 24 * MIB });
  });

  it('removes a copy that nobody uses any more, and those of a process that died', async () => {
    const objects = await aStore();
    const copies = join(folder, `copies-${buckets}`);
    await objects.write(aKey(), Readable.from([Buffer.from('x')]), MIB);
    {
      await using _copy = await objects.localFile(aKey());
      expect(await readdir(copies)).toHaveLength(1);
    }
    expect(await readdir(copies)).toEqual([]);
    await objects.localFile(aKey());
    await objects.open();
    expect(await readdir(copies)).toEqual([]);
  });

  it('says that it is away while it is, and not what its address is', async () => {
    await using proxy = await TcpProxy.open(base);
    const objects = await aStore(proxy.url.replace(/\/$/, ''));
    await objects.write(aKey(), Readable.from([Buffer.from('x')]), MIB);
    proxy.cut();
    const away = { kind: 'unavailable', message: 'the file storage is not available' };
    const again = objects.write(aKey('y'), Readable.from([Buffer.from('x')]), MIB);
    const asked = await Promise.allSettled([again, objects.check(), objects.read(aKey()), objects.stat(aKey())]);
    expect(asked).toMatchObject(asked.map(() => ({ status: 'rejected', reason: away })));
    proxy.mend();
    expect(await objects.stat(aKey())).toMatchObject({ size: 1 });
  });
});
