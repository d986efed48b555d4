import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalObjectStore } from '../../src/adapters/storage/local-object-store.js';
import { storageError } from '../../src/adapters/storage/storage-error.js';
import { aKey, objectStoreContract } from './object-store.contract.js';

const MIB = 1024 ** 2;
const DAMAGED = {
  kind: 'unavailable',
  message: 'this file is damaged: restore the data folder from a backup, or upload it again (docs/operations.md)',
};

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe('LocalObjectStore', () => {
  objectStoreContract(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'objects-'));
    const objects = new LocalObjectStore(folder);
    await objects.open();
    return { objects, close: () => rm(folder, { recursive: true, force: true }) };
  });

  describe('in its folder', () => {
    let folder: string;
    let objects: LocalObjectStore;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'objects-'));
      objects = new LocalObjectStore(folder);
      await objects.open();
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    it('ends an upload before the disk is full, leaves no trace of it, and takes what the service makes itself', async () => {
      const nearlyFull = new LocalObjectStore(folder);
      let sent = 0;
      // Of the real one others take, and give back.
      nearlyFull.check = () => Promise.resolve({ freeBytes: 24 * MIB - sent });
      const endless = Readable.from(
        (function* () {
          for (;;) {
            sent += MIB;
            yield Buffer.alloc(MIB);
          }
        })(),
      );
      await expect(nearlyFull.write(aKey(), endless, 4096 * MIB)).rejects.toMatchObject({ kind: 'no_space' });
      expect(sent).toBeLessThan(64 * MIB);
      expect(await filesBelow(folder)).toEqual([]);

      const full = new LocalObjectStore(folder, Number.MAX_SAFE_INTEGER);
      expect((await full.check()).freeBytes).toBeLessThan(0);
      await expect(full.write(aKey(), Readable.from(['x']), 10)).rejects.toMatchObject({ kind: 'no_space' });
      expect(await full.write(aKey('x.png', undefined, 'images'), Readable.from(['x']), 10)).toBe(1);
    });

    it.each(['x', 'x~crc32'])('says that an object is damaged after 400 flipped bytes in %s', async (victim) => {
      const flips = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 400 });
      const whole = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 31) % 256));
      await objects.write(aKey('x'), Readable.from([whole.subarray(0, 70_000), whole.subarray(70_000)]), MIB);
      const path = join(folder, aKey().companyId, 'uploads', victim);
      const sound = await readFile(path);
      const property = fc.asyncProperty(flips, async (all) => {
        const bytes = Buffer.from(sound);
        for (const [where, by] of all) bytes[where % bytes.length]! ^= by;
        fc.pre(!bytes.equals(sound));
        await writeFile(path, bytes);
        await expect(objects.read(aKey('x'))).rejects.toMatchObject(DAMAGED);
        await expect(objects.localFile(aKey('x'))).rejects.toMatchObject(DAMAGED);
      });
      await fc.assert(property, { seed: 20_261_122, numRuns: process.env['TEST_LONG'] === '1' ? 500 : 15 });
      for (const part of [sound.subarray(0, sound.length / 2), Buffer.alloc(0), Buffer.concat([sound, sound])]) {
        await writeFile(path, part);
        await expect(objects.read(aKey('x'))).rejects.toMatchObject(DAMAGED);
      }
      await writeFile(path, sound);
      expect(await buffer(await objects.read(aKey('x')))).toEqual(whole);
    });

    it('gives back what an earlier version wrote without a checksum, and keeps none of what is removed', async () => {
      for (const name of ['x', 'y']) await objects.write(aKey(name), Readable.from(['text']), 10);
      await rm(join(folder, aKey().companyId, 'uploads', 'x~crc32'));
      expect((await buffer(await objects.read(aKey('x')))).toString()).toBe('text');
      for (const name of ['x', 'y']) await objects.remove(aKey(name));
      expect(await filesBelow(folder)).toEqual([]);
    });

    it('takes a finished file in from another file system', async () => {
      const elsewhere = await mkdtemp('/dev/shm/objects-');
      try {
        const path = join(elsewhere, 'finished');
        await writeFile(path, Buffer.alloc(MIB, 1), { mode: 0o644 });
        expect((await stat(path)).dev).not.toBe((await stat(folder)).dev);
        await objects.adopt(aKey('x'), path);
        expect((await buffer(await objects.read(aKey('x')))).equals(Buffer.alloc(MIB, 1))).toBe(true);
        expect((await stat(join(folder, aKey().companyId, 'uploads', 'x'))).mode & 0o777).toBe(0o600);
        expect(await filesBelow(folder)).toEqual(['x']);
        expect(await readdir(elsewhere)).toEqual([]);
      } finally {
        await rm(elsewhere, { recursive: true });
      }
    });

    it('removes what an interrupted write left when it is opened, and leaves what another process is writing', async () => {
      const ended = spawn(process.execPath, ['-e', '']);
      await once(ended, 'close');
      const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
      await once(other, 'spawn');
      const parts = [process.pid, ended.pid, other.pid].map((pid) => `${String(pid)}-1`);
      for (const name of [...parts, 'x']) await writeFile(join(folder, 'parts', name), 'half');
      await new LocalObjectStore(folder).open();
      expect(await readdir(join(folder, 'parts'))).toEqual([parts[2]]);
      other.kill();
      await once(other, 'close');
    });

    it('passes over what is none of its objects', async () => {
      await mkdir(join(folder, 'lost+found', 'uploads'), { recursive: true });
      await writeFile(join(folder, 'lost+found', 'uploads', 'x'), '');
      await objects.write(aKey('mine'), Readable.from([]), 10);
      await writeFile(join(folder, aKey().companyId, 'uploads', '.hidden'), '');
      await mkdir(join(folder, aKey().companyId, 'uploads', 'folder'));
      const names: string[] = [];
      for await (const { key } of objects.list('uploads')) names.push(key.name);
      expect(names).toEqual(['mine']);
    });

    it('says so when its folder has gone, and which one it could not open', async () => {
      await rm(folder, { recursive: true });
      await expect(objects.check()).rejects.toMatchObject({ kind: 'unavailable' });
      await writeFile(folder, 'a file now');
      await expect(objects.write(aKey(), Readable.from(['x']), 10)).rejects.toMatchObject({ kind: 'unavailable' });
      const message = expect.stringContaining(folder) as unknown;
      await expect(objects.open()).rejects.toMatchObject({ kind: 'unavailable', message });
    });
  });

  it.each([
    ['ENOSPC', 'no_space'],
    ['EDQUOT', 'no_space'],
    ['EACCES', 'unavailable'],
    ['EROFS', 'unavailable'],
    ['EMFILE', 'unavailable'],
  ])('takes %s for %s, and does not tell a path', (code, kind) => {
    const error = Object.assign(new Error(`${code}: /data/secret`), { code, syscall: 'open' });
    const told = storageError(error);
    expect(told).toMatchObject({ name: 'AppError', kind });
    expect(String(told)).not.toContain('/data');
  });
});
