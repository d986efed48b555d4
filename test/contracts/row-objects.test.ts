import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setInterval as ticks } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PrometheusMetrics } from '../../src/adapters/metrics/prometheus-metrics.js';
import { LocalObjectStore } from '../../src/adapters/storage/local-object-store.js';
import type { ObjectKey, ObjectStore } from '../../src/ports/object-store.js';
import { type RowFile, RowObjects, type RowObjectsOptions } from '../../src/rows/row-objects.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { eventually } from '../support/eventually.js';
import { SmallDisk } from '../support/small-disk.js';

const KIB = 1024;
const MIB = 1024 ** 2;
const MINUTE_MS = 60_000;
const ACME = asId<CompanyId>('a'.repeat(24));
const GLOBEX = asId<CompanyId>('b'.repeat(24));
const DAMAGED = {
  kind: 'unavailable',
  message:
    'the rows of this datasource are damaged in the file storage: restore the storage from a backup, or import the file again (docs/operations.md)',
};
const AWAY = { kind: 'unavailable', message: 'the file storage is not available', retryAfter: 5 };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'row-objects-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

async function aFile(bytes: Buffer): Promise<string> {
  const path = join(folder, 'finished');
  await writeFile(path, bytes, { mode: 0o644 });
  return path;
}

async function opened(objects: ObjectStore, options: Partial<RowObjectsOptions> = {}): Promise<RowObjects> {
  const rows = new RowObjects(objects, { folder: join(folder, 'cache'), mostBytes: 100 * MIB, ...options });
  await rows.open();
  return rows;
}

async function namesOf(objects: ObjectStore): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { key } of objects.list('rows')) names.push(key.name);
  return names.sort();
}

/** Moves the clock from the time at which the test began. */
function clockAt(ms: number): void {
  vi.setSystemTime(began + ms);
}
let began = 0;
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  began = Date.now();
}

function keyOf({ name }: RowFile): ObjectKey {
  return { companyId: ACME, area: 'rows', name };
}

async function putText(rows: RowObjects, text: string, companyId = ACME): Promise<RowFile> {
  return rows.put(companyId, 'base-', await aFile(Buffer.from(text)), 1);
}

/** In a folder of this machine. */
async function here(): Promise<LocalObjectStore> {
  const objects = new LocalObjectStore(join(folder, 'objects'));
  await objects.open();
  return objects;
}

/** Tells of no place, as a bucket does: instances over a real one are in row-instances.test.ts. */
async function elsewhere(): Promise<ObjectStore> {
  return new Proxy<ObjectStore>(await here(), {
    get: (store, name) => {
      if (name === 'placeOf') return () => null;
      const member: unknown = Reflect.get(store, name);
      return typeof member === 'function' ? (member.bind(store) as unknown) : member;
    },
  });
}

describe.each([
  ['here', here],
  ['elsewhere', elsewhere],
])('files of rows %s', (_, store) => {
  it('come back under a new name, and are gone from their path', async () => {
    const objects = await store();
    const rows = await opened(objects);
    const bytes = Buffer.alloc(300 * KIB, 5);
    const path = await aFile(bytes);
    const file = await rows.put(ACME, 'base-1-', path, 1200);
    expect(file).toMatchObject({ size: 300 * KIB, rows: 1200 });
    expect(file.name).toMatch(/^base-1-[A-Za-z0-9._-]{16,}$/);
    expect(existsSync(path)).toBe(false);
    const at = await rows.path(ACME, file);
    expect((await readFile(at)).equals(bytes)).toBe(true);
    expect((await stat(at)).mode & 0o777).toBe(0o600);
    expect((await buffer(await objects.read(keyOf(file)))).equals(bytes)).toBe(true);
    const again = await rows.put(ACME, 'base-1-', await aFile(bytes), 1);
    expect(again.name).not.toBe(file.name);
  });

  it('are removed, at once or later, and what was to be later not after it has stopped', async () => {
    const objects = await store();
    const rows = await opened(objects, { keepMs: 20 });
    const [now, later, never] = [await putText(rows, 'x'), await putText(rows, 'y'), await putText(rows, 'z')];
    await rows.remove(ACME, now.name);
    expect(await namesOf(objects)).toEqual([later.name, never.name].sort());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    rows.removeLater(ACME, later.name);
    expect(await namesOf(objects)).toContain(later.name);
    vi.advanceTimersByTime(20);
    rows.removeLater(ACME, never.name);
    expect(vi.getTimerCount()).toBe(1);
    rows.stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
    await expect.poll(() => namesOf(objects)).not.toContain(later.name);
    expect(await namesOf(objects)).toEqual([never.name]);
  });
});

it('files of rows are swept when no record names them and they are old enough', async () => {
  const objects = await here();
  const rows = await opened(objects);
  const [named, lost] = [await putText(rows, 'x'), await putText(rows, 'y', GLOBEX)];
  const asked: string[] = [];
  const isNamed = (companyId: CompanyId, name: string): Promise<boolean> => {
    asked.push(`${companyId}/${name}`);
    return Promise.resolve(name === named.name);
  };
  expect(await rows.sweep(isNamed, new Date(Date.now() - MINUTE_MS))).toBe(0);
  expect(asked).toEqual([]);
  expect(await rows.sweep(isNamed, new Date(Date.now() + MINUTE_MS))).toBe(1);
  expect(asked.sort()).toEqual([`${ACME}/${named.name}`, `${GLOBEX}/${lost.name}`]);
  expect(await namesOf(objects)).toEqual([named.name]);
});

it('files of rows that lie here are opened in their place, without a copy and without a checksum', async () => {
  const objects = await here();
  const rows = await opened(objects);
  const file = await putText(rows, 'rows');
  expect(file.sum).toBeNull();
  const at = await rows.path(ACME, file);
  expect(at).toBe(objects.placeOf(keyOf(file)));
  expect(await readdir(join(at, '..'))).toEqual([file.name]);
  expect(await readdir(join(folder, 'cache'))).toEqual([]);
});

describe('copies of files of rows', () => {
  let objects: ObjectStore;
  beforeEach(async () => {
    objects = await elsewhere();
  });

  /** As another instance has put it there. */
  const putElsewhere = async (bytes: Buffer, companyId = ACME): Promise<RowFile> => {
    const maker = await opened(objects, { folder: join(folder, 'elsewhere') });
    return maker.put(companyId, 'base-', await aFile(bytes), 1);
  };
  const cached = async (): Promise<readonly string[]> =>
    (await readdir(join(folder, 'cache'))).map((name) => name.slice(25)).sort();

  it('are made when somebody first asks, one for all who ask meanwhile', async () => {
    const metrics = new PrometheusMetrics();
    const rows = await opened(objects, { metrics });
    const bytes = Buffer.alloc(2 * MIB, 'rows');
    const file = await putElsewhere(bytes);
    expect(file.sum).toBe(crc32(bytes));
    const paths = await Promise.all(Array.from({ length: 20 }, () => rows.path(ACME, file)));
    expect(new Set([...paths, await rows.path(ACME, file)]).size).toBe(1);
    expect((await readFile(paths[0]!)).equals(bytes)).toBe(true);
    expect((await stat(paths[0]!)).mode & 0o777).toBe(0o600);
    expect(await cached()).toEqual([file.name]);

    const { text } = await metrics.page();
    expect(text).toContain('analytics_row_cache_hits_total 1\n');
    expect(text).toContain('analytics_row_cache_downloads_total 1\n');
    expect(text).toContain(`analytics_row_cache_downloaded_bytes_total ${2 * MIB}\n`);
    expect(text).toContain(`analytics_row_cache_bytes ${2 * MIB}\n`);
  });

  it('are here at once where the files were made, and of one that can not be stored none is', async () => {
    const rows = await opened(objects);
    const file = await putText(rows, 'rows');
    objects.read = () => Promise.reject(new Error('read'));
    expect(await readFile(await rows.path(ACME, file), 'utf8')).toBe('rows');
    objects.adopt = () => Promise.reject(new Error('away'));
    await expect(putText(rows, 'more')).rejects.toThrow('away');
    expect(await readFile(join(folder, 'finished'), 'utf8')).toBe('more');
    expect(await cached()).toEqual([file.name]);
  });

  it.each([
    ['other bytes', (bytes: Buffer) => Buffer.alloc(bytes.length, 8)],
    ['fewer', (bytes: Buffer) => bytes.subarray(1)],
  ])('are never used with %s than were put there, and are asked for anew the next time', async (_, change) => {
    const rows = await opened(objects);
    const bytes = Buffer.alloc(300 * KIB, 7);
    const file = await putElsewhere(bytes);
    const replace = async (by: Buffer): Promise<void> => {
      await objects.remove(keyOf(file));
      await objects.write(keyOf(file), Readable.from([by]), 10 * MIB);
    };
    await replace(change(bytes));
    await expect(rows.path(ACME, file)).rejects.toMatchObject(DAMAGED);
    expect(await cached()).toEqual([]);
    await replace(bytes);
    expect((await readFile(await rows.path(ACME, file))).equals(bytes)).toBe(true);
  });

  it('are read no further than they are long', async () => {
    const file = await putElsewhere(Buffer.alloc(MIB, 1));
    let sent = 0;
    const endless = function* (): Generator<Buffer> {
      for (; sent < 500; sent += 1) yield Buffer.alloc(MIB, 1);
    };
    objects.read = () => Promise.resolve(Readable.from(endless()));
    await expect((await opened(objects)).path(ACME, file)).rejects.toMatchObject(DAMAGED);
    expect(sent).toBeLessThan(50);
    expect(await cached()).toEqual([]);
  });

  it('that are not there, and names that can be none, are not found and leave nothing', async () => {
    const rows = await opened(objects);
    const file = { name: 'base-1', size: 1, sum: 1, rows: 1 };
    await expect(rows.path(ACME, file)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(rows.path(ACME, { ...file, name: '../../x' })).rejects.toMatchObject({ kind: 'not_found' });
    expect(await cached()).toEqual([]);
  });

  it('do not wait for a storage that sends nothing any more, and may take long as long as something comes', async () => {
    const bytes = Buffer.alloc(10, 1);
    const file = await putElsewhere(bytes);
    const rows = await opened(objects, { patienceMs: 500 });
    const silent = new Readable({ read: () => undefined });
    silent.push(bytes.subarray(0, 1));
    objects.read = () => Promise.resolve(silent);
    const asked = Promise.allSettled([rows.path(ACME, file), rows.path(ACME, file)]);
    for (const end of await asked) expect(end).toMatchObject({ status: 'rejected', reason: AWAY });
    expect(await cached()).toEqual([]);
    const slow = async function* (): AsyncGenerator<Buffer> {
      for await (const _ of ticks(80)) yield Buffer.of(1);
    };
    objects.read = () => Promise.resolve(Readable.from(slow()).take(bytes.length));
    expect((await readFile(await rows.path(ACME, file))).equals(bytes)).toBe(true);
  });

  describe('when there are too many', () => {
    let rows: RowObjects;
    let files: RowFile[];
    let evicted: string[];
    const names = (...which: number[]): string[] => which.map((index) => files[index]!.name).sort();

    beforeEach(async () => {
      rows = await opened(objects, { mostBytes: 2.5 * KIB });
      files = [];
      for (const size of [1, 1, 1, 4]) files.push(await putElsewhere(Buffer.alloc(size * KIB, size)));
      evicted = [];
      rows.onEvict = (paths) => {
        for (const path of paths) evicted.push(existsSync(path) ? path.slice(-files[0]!.name.length) : 'gone');
      };
      stopClock();
    });

    it('go, the least recently used first, and whoever has them open hears of it before', async () => {
      await rows.path(ACME, files[0]!);
      clockAt(1000);
      await rows.path(ACME, files[1]!);
      clockAt(2000);
      await rows.path(ACME, files[0]!);
      clockAt(2000 + 2 * MINUTE_MS);
      await rows.path(ACME, files[2]!);
      expect(evicted).toEqual(names(1));
      expect(await cached()).toEqual(names(0, 2));
    });

    it('stay while they were asked for within a minute', async () => {
      for (const file of files.slice(0, 3)) await rows.path(ACME, file);
      clockAt(MINUTE_MS - 1000);
      await rows.path(ACME, files[0]!);
      expect(await cached()).toEqual(names(0, 1, 2));
      clockAt(MINUTE_MS + 1000);
      await rows.path(ACME, files[0]!);
      expect(evicted).toHaveLength(1);
      expect(await cached()).toHaveLength(2);
    });

    it('come back whole even while they are being removed', async () => {
      await rows.path(ACME, files[0]!);
      clockAt(2 * MINUTE_MS);
      const again: Promise<string>[] = [];
      rows.onEvict = () => again.push(Promise.resolve().then(() => rows.path(ACME, files[0]!)));
      await rows.path(ACME, files[3]!);
      expect(again).toHaveLength(1);
      expect((await stat(await again[0]!)).size).toBe(KIB);
      expect(await cached()).toEqual(names(0, 3));
    });
  });

  it('are known again after a start, in the order in which they were used; what was not whole is not', async () => {
    const files = [];
    for (let index = 0; index < 3; index += 1) files.push(await putElsewhere(Buffer.alloc(KIB, index)));
    const before = await opened(objects);
    const paths = await Promise.all(files.map((file) => before.path(ACME, file)));
    stopClock();
    for (const [index, minutesAgo] of [10, 30, 20].entries()) {
      const then = new Date(began - minutesAgo * MINUTE_MS);
      await utimes(paths[index]!, then, then);
    }
    await writeFile(`${paths[0]!}.part`, 'half');
    const rows = await opened(objects, { mostBytes: 2.5 * KIB });
    expect(await cached()).toEqual(files.map(({ name }) => name).sort());
    // To be used is noted where the next start finds it, at most once a minute.
    await rows.path(ACME, files[2]!);
    expect(await cached()).toEqual([files[0]!.name, files[2]!.name].sort());
    expect((await stat(paths[2]!)).mtimeMs).toBeCloseTo(began, -2);
    clockAt(MINUTE_MS - 1000);
    await rows.path(ACME, files[2]!);
    expect((await stat(paths[2]!)).mtimeMs).toBeCloseTo(began, -2);
    clockAt(MINUTE_MS + 1000);
    await rows.path(ACME, files[2]!);
    expect((await stat(paths[2]!)).mtimeMs).toBeCloseTo(began + MINUTE_MS + 1000, -2);
  });

  it('are copied anew when somebody has emptied the folder, cut a copy short, or found it damaged', async () => {
    const rows = await opened(objects);
    const file = await putElsewhere(Buffer.alloc(KIB, 1));
    stopClock();
    const path = await rows.path(ACME, file);
    await rm(path);
    clockAt(2 * MINUTE_MS);
    expect((await stat(await rows.path(ACME, file))).size).toBe(KIB);

    await writeFile(path, 'short');
    const next = await opened(objects);
    expect((await stat(await next.path(ACME, file))).size).toBe(KIB);

    await writeFile(path, Buffer.alloc(KIB, 2));
    await next.forget(ACME, file.name);
    expect(existsSync(path)).toBe(false);
    expect((await readFile(await next.path(ACME, file)))[0]).toBe(1);
  });

  it('are kept alone of which a record speaks', async () => {
    const rows = await opened(objects);
    const [mine, theirs] = [await putElsewhere(Buffer.of(1)), await putElsewhere(Buffer.of(2), GLOBEX)];
    await rows.path(ACME, mine);
    await rows.path(GLOBEX, theirs);
    await rows.keepOnly((companyId, name) => Promise.resolve(companyId === GLOBEX && name === theirs.name));
    expect(await cached()).toEqual([theirs.name]);
  });

  it('leave no copy when they are removed, even while one is made', async () => {
    const rows = await opened(objects);
    const file = await putElsewhere(Buffer.alloc(KIB, 1));
    const evicted = vi.fn();
    rows.onEvict = evicted;
    const path = await rows.path(ACME, file);
    await rows.remove(ACME, file.name);
    expect(evicted).toHaveBeenCalledExactlyOnceWith([path]);
    expect(await cached()).toEqual([]);

    const bytes = Buffer.alloc(KIB, 1);
    const large = await putElsewhere(bytes);
    const removed = new EventEmitter();
    const held = async function* (): AsyncGenerator<Buffer> {
      yield bytes.subarray(0, 1);
      await once(removed, 'removed');
      yield bytes.subarray(1);
    };
    objects.read = () => Promise.resolve(Readable.from(held()));
    const asked = rows.path(ACME, large);
    await eventually(cached, (names) => names.length > 0);
    await rows.remove(ACME, large.name);
    removed.emit('removed');
    await asked;
    await eventually(cached, (names) => names.length === 0);
    expect(await namesOf(objects)).toEqual([]);
  });

  const disk = SmallDisk.mount(8);
  afterAll(() => disk?.[Symbol.asyncDispose]());
  it.skipIf(disk === null)(
    'make room on a full disk of those that nobody uses, or say that there is none',
    async () => {
      const rows = await opened(objects, { folder: join(disk!.path, 'cache') });
      const files = [];
      for (let index = 0; index < 3; index += 1) files.push(await putElsewhere(Buffer.alloc(3 * MIB, index)));
      stopClock();
      const [first, second] = [await rows.path(ACME, files[0]!), await rows.path(ACME, files[1]!)];
      await expect(rows.path(ACME, files[2]!)).rejects.toMatchObject({
        kind: 'unavailable',
        retryAfter: 60,
        message:
          'there is no room in the row cache of this instance: make room on its disk, or lower ROW_CACHE_GIB (docs/operations.md)',
      });
      expect((await readdir(join(first, '..'))).sort()).toEqual(
        [first, second].map((path) => path.split('/').at(-1)).sort(),
      );
      clockAt(MINUTE_MS - 1000);
      expect(await rows.path(ACME, files[0]!)).toBe(first);
      clockAt(MINUTE_MS + 1000);
      expect((await stat(await rows.path(ACME, files[2]!))).size).toBe(3 * MIB);
      expect([existsSync(first), existsSync(second)]).toEqual([true, false]);
    },
  );
});
