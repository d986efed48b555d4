import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectArea, ObjectKey, ObjectStore } from '../../src/ports/object-store.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';

export interface ObjectsUnderTest {
  readonly objects: ObjectStore;
  close(): Promise<void>;
}

const ACME = asId<CompanyId>('a'.repeat(24));
const GLOBEX = asId<CompanyId>('b'.repeat(24));
const ROOMY = 1_000_000;

export function aKey(name = 'file.csv', companyId = ACME, area: ObjectArea = 'uploads'): ObjectKey {
  return { companyId, area, name };
}

/** Sends some of its chunks and then fails, as an upload does whose sender goes away. */
export function cutOff(chunks: number, size: number): Readable {
  return Readable.from(
    (function* () {
      for (let index = 0; index < chunks; index += 1) yield Buffer.alloc(size, index);
      throw new Error('the sender went away');
    })(),
  );
}

function halfSent(): Readable {
  const source = new Readable({ read: () => undefined });
  source.push('half');
  return source;
}

/** What every object store promises. `start` opens one that is empty. */
export function objectStoreContract(start: () => Promise<ObjectsUnderTest>): void {
  let under: ObjectsUnderTest;
  let objects: ObjectStore;

  beforeEach(async () => {
    under = await start();
    objects = under.objects;
  });
  afterEach(() => under.close());

  const put = (key: ObjectKey, text: string): Promise<number> =>
    objects.write(key, Readable.from([Buffer.from(text)]), ROOMY);
  const textOf = async (key: ObjectKey): Promise<string> => (await buffer(await objects.read(key))).toString();
  const namesIn = async (area: ObjectArea): Promise<readonly string[]> => {
    const names: string[] = [];
    for await (const { key } of objects.list(area)) names.push(`${key.companyId.slice(0, 1)}/${key.name}`);
    return names.sort();
  };

  it('gives back what was written, and says how much it was', async () => {
    expect((await objects.check()).freeBytes).toBeGreaterThan(0);
    expect(await put(aKey(), 'hello')).toBe(5);
    expect(await textOf(aKey())).toBe('hello');
    const stored = await objects.stat(aKey());
    expect(stored).toMatchObject({ key: aKey(), size: 5 });
    expect(Math.abs((stored?.modifiedAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('keeps an empty object, and one of many chunks to the byte', async () => {
    expect(await objects.write(aKey('empty'), Readable.from([]), ROOMY)).toBe(0);
    expect(await textOf(aKey('empty'))).toBe('');
    const chunks = Array.from({ length: 100 }, (_, index) => Buffer.alloc(70_001, index));
    expect(await objects.write(aKey('big'), Readable.from(chunks), 10_000_000)).toBe(7_000_100);
    const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    expect(hash(await buffer(await objects.read(aKey('big'))))).toBe(hash(Buffer.concat(chunks)));
  });

  describe('a finished file', () => {
    let folder: string;
    let path: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'finished-'));
      path = join(folder, 'finished');
      await writeFile(path, 'rows', { mode: 0o644 });
    });
    afterEach(() => rm(folder, { recursive: true }));
    const KEY = aKey('base-1.duckdb', ACME, 'rows');
    const fileText = (): Promise<string> => readFile(path, 'utf8');

    it('becomes an object like every other, and is gone from its path', async () => {
      await objects.adopt(KEY, path);
      await expect(fileText()).rejects.toMatchObject({ code: 'ENOENT' });
      expect(await objects.stat(KEY)).toMatchObject({ key: KEY, size: 4 });
      expect(await textOf(KEY)).toBe('rows');
      await using file = await objects.localFile(KEY);
      expect(await readFile(file.path, 'utf8')).toBe('rows');
      expect(await namesIn('rows')).toEqual(['a/base-1.duckdb']);
      expect(await objects.remove(KEY)).toBe(true);
      expect(await namesIn('rows')).toEqual([]);
    });

    it('takes no key that is taken or not allowed, and stays where it is then', async () => {
      await put(KEY, 'first');
      await expect(objects.adopt(KEY, path)).rejects.toMatchObject({ kind: 'conflict' });
      await expect(objects.adopt({ ...KEY, name: '../x' }, path)).rejects.toMatchObject({ kind: 'invalid_input' });
      expect(await textOf(KEY)).toBe('first');
      expect(await fileText()).toBe('rows');
      expect(objects.placeOf({ ...KEY, name: '../x' })).toBeNull();
    });

    it('that is missing leaves nothing', async () => {
      await rm(path);
      await expect(objects.adopt(KEY, path)).rejects.toMatchObject({ code: 'ENOENT' });
      expect(await objects.stat(KEY)).toBeNull();
      await put(KEY, 'rows');
    });
  });

  it('removes, says whether there was something, and of what is not there that it is not', async () => {
    await put(aKey(), 'hello');
    expect(await objects.remove(aKey())).toBe(true);
    expect(await objects.remove(aKey())).toBe(false);
    expect(await objects.stat(aKey())).toBeNull();
    await expect(objects.read(aKey())).rejects.toMatchObject({ kind: 'not_found' });
    await expect(objects.localFile(aKey())).rejects.toMatchObject({ kind: 'not_found' });
    expect(await namesIn('uploads')).toEqual([]);
    await expect(put(aKey(), 'again')).resolves.toBe(5);
  });

  it('keeps companies and areas apart', async () => {
    await put(aKey('x', ACME), 'mine');
    await put(aKey('x', GLOBEX), 'theirs');
    await put(aKey('x', ACME, 'images'), 'image');
    expect(await textOf(aKey('x', ACME))).toBe('mine');
    expect(await textOf(aKey('x', GLOBEX))).toBe('theirs');
    expect(await objects.stat(aKey('x', GLOBEX, 'images'))).toBeNull();
    expect(await namesIn('uploads')).toEqual(['a/x', 'b/x']);
    expect(await namesIn('images')).toEqual(['a/x']);
  });

  it('lets one of several writers of the same key through, whole, and no later one', async () => {
    const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(50_000));
    const ends = await Promise.allSettled(texts.map((text) => put(aKey(), text)));
    const winners = texts.filter((_, index) => ends[index]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ kind: 'conflict' });
    await expect(put(aKey(), 'later')).rejects.toMatchObject({ kind: 'conflict' });
    expect(await textOf(aKey())).toBe(winners[0]);
  });

  it('takes exactly as much as is allowed, and nothing of what is more', async () => {
    const bytes = (size: number): Readable => Readable.from([Buffer.alloc(size - 1), Buffer.alloc(1)]);
    expect(await objects.write(aKey('fits'), bytes(1000), 1000)).toBe(1000);
    await expect(objects.write(aKey('more'), bytes(1001), 1000)).rejects.toMatchObject({ kind: 'too_large' });
    expect(await objects.stat(aKey('more'))).toBeNull();
    expect(await namesIn('uploads')).toEqual(['a/fits']);
  });

  it('leaves no trace of a stream that fails or is destroyed, and passes its reason on', async () => {
    await expect(objects.write(aKey(), cutOff(3, 1000), ROOMY)).rejects.toThrow('the sender went away');
    const source = halfSent();
    const writing = objects.write(aKey(), source, ROOMY);
    setImmediate(() => source.destroy());
    await expect(writing).rejects.toThrow();
    expect(await objects.stat(aKey())).toBeNull();
    expect(await namesIn('uploads')).toEqual([]);
    await expect(put(aKey(), 'again')).resolves.toBe(5);
  });

  it('shows nothing before it is whole', async () => {
    const source = halfSent();
    const writing = objects.write(aKey(), source, ROOMY);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await objects.stat(aKey())).toBeNull();
    expect(await namesIn('uploads')).toEqual([]);
    source.push('whole');
    source.push(null);
    expect(await writing).toBe(9);
    expect(await textOf(aKey())).toBe('halfwhole');
  });

  it('takes no name, company or area that could lead elsewhere, and has none such', async () => {
    // prettier-ignore
    const names = [
      '', '.', '..', '../x', 'a/b', '/etc/passwd', '.hidden', '-x', 'a\0b', 'ä', 'x'.repeat(129), 'a b', 'a\\b',
    ];
    for (const key of names.map((name) => aKey(name))) {
      await expect(put(key, 'x'), key.name).rejects.toMatchObject({ kind: 'invalid_input' });
      await expect(objects.read(key), key.name).rejects.toMatchObject({ kind: 'not_found' });
      await expect(objects.localFile(key), key.name).rejects.toMatchObject({ kind: 'not_found' });
      expect(await objects.stat(key), key.name).toBeNull();
      expect(await objects.remove(key), key.name).toBe(false);
    }
    const company = asId<CompanyId>('../../etc');
    await expect(put(aKey('x', company), 'x')).rejects.toMatchObject({ kind: 'invalid_input' });
    await expect(put(aKey('x', ACME, '../x' as ObjectArea), 'x')).rejects.toMatchObject({ kind: 'invalid_input' });
    expect(await objects.stat(aKey('passwd', company))).toBeNull();
  });
}
