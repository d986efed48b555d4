import { type FSWatcher, watch } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ZipArchiveReader } from '../../src/adapters/archives/zip-archive-reader.js';
import type { ArchiveEntry } from '../../src/ports/archive-reader.js';
import { anArchiveBench, NO_ABORT, rawZip, type ArchiveBench } from './archive-reader.fixture.js';

let bench: ArchiveBench;
beforeAll(async () => {
  bench = await anArchiveBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const ALL = { headBytes: null, signal: NO_ABORT };

async function listed(bytes: Uint8Array): Promise<readonly ArchiveEntry[]> {
  return bench.reader.list(await bench.write(bytes));
}

async function contents(bytes: Uint8Array, headBytes: number | null = null): Promise<Record<string, string>> {
  const files = await bench.unpackHere(bytes, headBytes);
  const texts = files.map(async ({ name, path }) => [name, await readFile(path, 'latin1')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

/** Acts when the first file is begun in the first folder that is made here; the folder is there well before its files. */
function onFirstFile(folder: string, act: () => void): Disposable {
  const watchers: FSWatcher[] = [];
  const first = watch(folder, (_event, made) => {
    if (made !== null && watchers.length === 1) watchers.push(watch(join(folder, made), act));
  });
  watchers.push(first);
  return {
    [Symbol.dispose]: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}

describe('an archive', () => {
  it('is told from other files by its bytes', async () => {
    expect(await bench.reader.isArchive(await bench.write(zipSync({ 'a.csv': strToU8('a') })))).toBe(true);
    expect(await bench.reader.isArchive(await bench.write(zipSync({})))).toBe(true);
    for (const text of ['', 'P', 'PK', 'a,b\n1,2\n', 'PK,3\n1,2\n']) {
      expect(await bench.reader.isArchive(await bench.write(strToU8(text)))).toBe(false);
    }
  });

  it('gives the .csv files of all folders, in its order', async () => {
    const bytes = zipSync({ 'z.csv': strToU8('12345'), a: { 'b.CSV': strToU8('') }, './m.csv': strToU8('1') });
    expect(await listed(bytes)).toEqual([
      { name: 'z.csv', size: 5 },
      { name: 'a/b.CSV', size: 0 },
      { name: 'm.csv', size: 1 },
    ]);
    expect(await contents(bytes)).toEqual({ 'z.csv': '12345', 'a/b.CSV': '', 'm.csv': '1' });
  });

  it('may hold folders and what systems put beside the files', async () => {
    const bytes = zipSync({
      'a/': strToU8(''),
      'a/b.csv': strToU8('x'),
      '__MACOSX/a/._b.csv': strToU8('y'),
      'a/.DS_Store': strToU8('z'),
      '.git/config': strToU8('z'),
      '.hidden.csv': strToU8('z'),
    });
    expect(await contents(bytes)).toEqual({ 'a/b.csv': 'x' });
  });

  it.each([
    ['stored', rawZip([{ name: 'a.csv', content: 'x,y', method: 0 }])],
    ['with sizes behind the data', rawZip([{ name: 'a.csv', content: 'x,y', flags: 0x808 }])],
    ['in zip64', rawZip([{ name: 'a.csv', content: 'x,y', isZip64: true }], { zip64Count: 1 })],
    [
      'with something between files and directory',
      rawZip([{ name: 'a.csv', content: 'x,y' }], { between: Buffer.alloc(9) }),
    ],
  ])('may be written %s', async (_how, bytes) => {
    expect(await contents(bytes)).toEqual({ 'a.csv': 'x,y' });
  });

  it.each([
    ['in UTF-8', Buffer.from('Zürich.csv'), 0x800, 'Zürich.csv'],
    ['in code page 437', Buffer.from('Z\u0081rich.csv', 'latin1'), 0, 'Zürich.csv'],
    ['in code page 437 that calls itself UTF-8', Buffer.from('Z\u0081rich.csv', 'latin1'), 0x800, 'Zürich.csv'],
  ])('may name its files %s', async (_how, name, flags, wanted) => {
    expect(await listed(rawZip([{ name, flags, content: 'x' }]))).toEqual([{ name: wanted, size: 1 }]);
  });

  it('may have a thousand files', async () => {
    const files = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`${index}.csv`, strToU8(`${index}`)]));
    const all = await listed(zipSync(files));
    expect(all).toHaveLength(1000);
    expect(all.at(-1)).toEqual({ name: '999.csv', size: 3 });
  });
});

describe('the head of a file', () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, line) => `${line},x\n`).join('');

  it.each([
    ['packed', 9],
    ['stored', 0],
  ] as const)('is all that is read of a large one, %s', async (_, level) => {
    const text = lines(100_000);
    const bytes = zipSync({ 'a.csv': strToU8(text), 'b.csv': strToU8(text), 'c.csv': strToU8('x') }, { level });
    expect(await contents(bytes, 50)).toEqual({ 'a.csv': lines(12), 'b.csv': lines(12), 'c.csv': 'x' });
    expect(await contents(bytes)).toEqual({ 'a.csv': text, 'b.csv': text, 'c.csv': 'x' });
  });

  it.each([
    ['ends with a whole line', lines(100), 50, lines(12)],
    ['does not end between quotes', `${lines(20)}5,"one\ntwo\nthree"\n`, lines(20).length + 10, lines(20)],
    ['does not mind a stray quote', `a,b"\n${lines(20)}`, 50, `a,b"\n${lines(11)}`],
    ['is left alone when it has no line end', 'x'.repeat(100), 50, 'x'.repeat(50)],
  ])('%s', async (_, text, headBytes, wanted) => {
    expect(await contents(zipSync({ 'a.csv': strToU8(text) }), headBytes)).toEqual({ 'a.csv': wanted });
  });

  it.each([
    ['with a mark', '\ufeff'],
    ['without', ''],
  ])('ends with a whole line in UTF-16 %s', async (_, mark) => {
    // U+0A0A has both bytes of a line feed and is none.
    const text = `${mark}a,b\n1,\u0a0a\n2,2\n`;
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    const kept = Buffer.from(`${mark}a,b\n`, 'utf16le').length;
    for (const whole of [little, big]) {
      const { 'a.csv': head } = await contents(zipSync({ 'a.csv': whole }), kept + 7);
      expect(Buffer.from(head ?? '', 'latin1')).toEqual(whole.subarray(0, kept));
    }
  });
});

describe('what is unpacked', () => {
  beforeEach(async () => {
    expect(await bench.unpacked()).toEqual([]);
  });

  it('lies under names of our own and is gone when it is disposed of', async () => {
    const path = await bench.write(zipSync({ 'a/b c.csv': strToU8('x'), 'd.csv': strToU8('y') }));
    const unpacked = await bench.reader.unpack(path, ALL);
    expect(unpacked.files.map((file) => basename(file.path))).toEqual(['0.csv', '1.csv']);
    await unpacked[Symbol.asyncDispose]();
  });

  it('is told of while it grows', async () => {
    const shares: number[] = [];
    const path = await bench.write(
      zipSync({ 'a.csv': Buffer.from('0123456789,abcdef\n'.repeat(1_000_000)) }, { level: 0 }),
    );
    await using _unpacked = await bench.reader.unpack(path, { ...ALL, onProgress: (share) => shares.push(share) });
    expect(shares.every((share, index) => share >= (shares[index - 1] ?? 0) && share <= 1)).toBe(true);
  });

  it('is gone when it is no longer wanted, and nobody writes on', async () => {
    const path = await bench.write(zipSync({ 'a.csv': Buffer.alloc(60_000_000, 'a,b\n') }, { level: 0 }));
    const abort = new AbortController();
    using _watch = onFirstFile(join(bench.folder, 'unpacked'), () => {
      abort.abort(new Error('not wanted'));
    });
    const unpacking = bench.reader.unpack(path, { headBytes: null, signal: abort.signal });
    await expect(unpacking).rejects.toThrow('not wanted');
    expect(await bench.unpacked()).toEqual([]);
  });

  it('of an earlier life is gone when a service begins', async () => {
    const folder = join(bench.folder, 'killed');
    await mkdir(join(folder, 'archive-abc'), { recursive: true });
    await writeFile(join(folder, 'archive-abc', '0.csv'), 'x');
    const reader = new ZipArchiveReader(folder);
    await reader.open();
    await expect(readFile(join(folder, 'archive-abc', '0.csv'))).rejects.toThrow('ENOENT');
  });

  it('does not outlive a process that takes too long or too much', async () => {
    const path = await bench.write(zipSync({ 'a.csv': strToU8('x') }));
    const small = { memoryBytes: 1, baseMs: 20_000, bytesPerSecond: 1e9 };
    await using tight = await anArchiveBench(small);
    await expect(tight.reader.unpack(path, ALL)).rejects.toMatchObject({ kind: 'invalid_input' });
    await using hasty = await anArchiveBench({ ...small, memoryBytes: 1e12, baseMs: 1 });
    await expect(hasty.reader.unpack(path, ALL)).rejects.toMatchObject({ kind: 'timed_out' });
    expect([await tight.unpacked(), await hasty.unpacked()]).toEqual([[], []]);
  });
});
