import { randomBytes } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ZipArchiveReader } from '../../src/adapters/archives/zip-archive-reader.js';
import { ZipDirectory } from '../../src/adapters/archives/zip-directory.js';
import type { ArchiveEntry } from '../../src/ports/archive-reader.js';
import { ArchiveBench, NO_ABORT, type RawEntry, rawZip } from './archive-reader.fixture.js';

let bench: ArchiveBench;
beforeAll(async () => {
  bench = await ArchiveBench.open();
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

  it('gives the .csv files of all folders in its order, and not what systems put beside them', async () => {
    const bytes = zipSync({
      ...{ 'z.csv': strToU8('12345'), 'a/': strToU8(''), a: { 'b.CSV': strToU8('') }, './m.csv': strToU8('1') },
      ...{ '__MACOSX/a/._b.csv': strToU8('y'), 'a/.DS_Store': strToU8('z'), '.git/config': strToU8('z') },
      '.hidden.csv': strToU8('z'),
    });
    expect(await listed(bytes)).toEqual([
      { name: 'z.csv', size: 5 },
      { name: 'a/b.CSV', size: 0 },
      { name: 'm.csv', size: 1 },
    ]);
    expect(await contents(bytes)).toEqual({ 'z.csv': '12345', 'a/b.CSV': '', 'm.csv': '1' });
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
});

describe('the head of a file', () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, line) => `${line},x\n`).join('');

  it.each([
    ['packed', 9],
    ['stored', 0],
  ] as const)('is all that is read of a large one, %s', async (_, level) => {
    const text = lines(20_000);
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
    await using tight = await ArchiveBench.open(small);
    await expect(tight.reader.unpack(path, ALL)).rejects.toMatchObject({ kind: 'invalid_input' });
    await using hasty = await ArchiveBench.open({ ...small, memoryBytes: 1e12, baseMs: 1 });
    await expect(hasty.reader.unpack(path, ALL)).rejects.toMatchObject({ kind: 'timed_out' });
    expect([await tight.unpacked(), await hasty.unpacked()]).toEqual([[], []]);
  });
});

const GOOD: RawEntry = { name: 'good.csv', content: 'a,b\n1,2\n' };
const MANY_BYTES = Buffer.alloc(3_000_000, 'a,b\n');

function refusal(message: RegExp | string): object {
  return { kind: 'invalid_input', message: expect.stringMatching(message) as string };
}

async function expectRefused(bytes: Uint8Array, message: RegExp | string): Promise<void> {
  await expect(bench.unpackHere(bytes, null)).rejects.toMatchObject(refusal(message));
}

/** Already by its directory. */
async function expectRefusedAtOnce(bytes: Uint8Array, message: RegExp | string): Promise<void> {
  await expect(ZipDirectory.open(await bench.write(bytes))).rejects.toMatchObject(refusal(message));
  await expectRefused(bytes, message);
}

describe('a directory that breaks the rules is refused by name', () => {
  it.each<[string, RawEntry, RegExp]>([
    ['another kind of file', { name: 'notes/read me.txt' }, /else than tables \(.+\): "notes\/read me\.txt"/],
    ['an archive in it', { name: 'more.zip' }, /else than tables \(.+\): "more\.zip"/],
    ['a name without anything', { name: '' }, /else than tables \(.+\): ""/],
    ['an encrypted file', { name: 'a.csv', flags: 0x801 }, /encrypted file: "a\.csv"/],
    ['a symbolic link', { name: 'a.csv', mode: 0o120777 }, /no file: "a\.csv"/],
    ['another way of packing', { name: 'a.csv', method: 12 }, /method 12\): "a\.csv"/],
    ['a path upwards', { name: '../a.csv' }, /leaves it: "\.\.\/a\.csv"/],
    ['a path upwards that would be ignored', { name: '__MACOSX/../../b.csv' }, /leaves it/],
    ['a path from the root', { name: '/etc/a.csv' }, /leaves it/],
    ['a path with backslashes', { name: 'a\\b.csv' }, /leaves it/],
    ['a zero in a name', { name: 'a.csv\u0000.exe' }, /control characters: "a\.csv\ufffd\.exe"/],
    ['a name that turns the reading direction', { name: 'a\u202evsc.csv' }, /control characters/],
    ['a name beyond all measure', { name: `${'a'.repeat(60_000)}.csv` }, /longer than 500: "a{119}…"/],
    ['a name twice in disguise', { name: './/good.csv' }, /two files of one name: "good\.csv"/],
    ['more than 40 GiB', { name: 'a.csv', isZip64: true, size: 41 * 1024 ** 3 }, /more than 40 GiB/],
    ['more than 200 times its size', { name: 'a.csv', size: 20 * 1024 ** 2 }, /more than 200 times its size/],
    ['a stored file of another size', { name: 'a.csv', method: 0, content: 'abc', size: 5 }, /sizes that contradict/],
    ['a place beyond the end', { name: 'a.csv', offset: 0x7fffffff }, /damaged or incomplete/],
    ['bytes beyond the end', { name: 'a.csv', packedSize: 1_000_000 }, /damaged or incomplete/],
    ['bytes of the directory', { name: 'a.csv', content: 'x', packedSize: 30 }, /overlap: "a\.csv"/],
    ['the same bytes twice', { name: 'a.csv', offset: 0 }, /overlap/],
  ])('%s', async (_what, entry, message) => {
    await expectRefusedAtOnce(rawZip([GOOD, entry]), message);
  });

  it('nothing in it, or nothing but what is ignored', async () => {
    await expectRefusedAtOnce(zipSync({}), 'the archive holds no .csv file');
    await expectRefusedAtOnce(zipSync({ 'a/': strToU8(''), '.a.csv': strToU8('x') }), 'the archive holds no .csv file');
  });

  it('files that lie inside one another, as those of a bomb without layers do', async () => {
    const kernel = rawZip([{ name: 'b.csv', content: MANY_BYTES }]);
    const outer = { name: 'a.csv', method: 0, packed: kernel, content: kernel };
    const inner = { name: 'b.csv', offset: 35, content: MANY_BYTES, packed: Buffer.alloc(0) };
    const packedSize = deflateRawSync(MANY_BYTES).length;
    await expectRefusedAtOnce(rawZip([outer, { ...inner, packedSize }]), /overlap: "a\.csv"/);
  });
});

it.each<[string, Uint8Array]>([
  ['the directory tells', rawZip([GOOD, { name: 'a.txt' }])],
  ['the bytes tell', rawZip([GOOD, { name: 'a.csv', content: MANY_BYTES, size: 1000 }])],
])('what %s is refused by the process alike, and nothing stays', async (_, bytes) => {
  const path = await bench.write(bytes);
  await expect(bench.reader.unpack(path, ALL)).rejects.toMatchObject(refusal('"a.'));
  expect(await bench.unpacked()).toEqual([]);
});

it('an archive that is none, or gone meanwhile, is told', async () => {
  await expect(bench.reader.list(await bench.write(randomBytes(5000)))).rejects.toMatchObject(refusal(/./));
  const gone = join(bench.folder, 'gone.zip');
  await expect(bench.reader.isArchive(gone)).rejects.toMatchObject({ kind: 'not_found' });
  await expect(bench.reader.list(gone)).rejects.toMatchObject({ kind: 'not_found' });
});

describe('the number of entries', () => {
  const many = (count: number): Uint8Array =>
    zipSync(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.csv`, strToU8('')])), {
      level: 0,
    });

  it('is at most 1,000', async () => {
    expect(await listed(many(1000))).toHaveLength(1000);
    await expectRefusedAtOnce(many(1001), /1001 entries; at most 1000/);
  });

  it('is refused by the end record, without a look at the entries', async () => {
    const began = performance.now();
    await expectRefusedAtOnce(rawZip([GOOD], { zip64Count: 100_000 }), /100000 entries/);
    await expectRefusedAtOnce(rawZip([GOOD], { zip64Count: 2 ** 52 }), /entries/);
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  it('may not be less or more than there are', async () => {
    await expectRefusedAtOnce(rawZip([GOOD, { name: 'b.csv' }], { count: 1 }), /damaged or incomplete/);
    await expectRefusedAtOnce(rawZip([GOOD], { count: 2 }), /damaged or incomplete/);
  });
});

describe('a file that is not what its entry says is refused while it is unpacked', () => {
  it.each<[string, RawEntry, RegExp]>([
    ['longer', { name: 'a.csv', content: MANY_BYTES, size: 1000 }, /longer than it declares: "a\.csv"/],
    ['shorter', { name: 'a.csv', content: 'abc', size: 4 }, /shorter than it declares/],
    ['of another checksum', { name: 'a.csv', content: 'abc', crc: 1 }, /damaged: "a\.csv"/],
    [
      'cut',
      { name: 'a.csv', content: MANY_BYTES, packed: deflateRawSync(MANY_BYTES).subarray(0, 99) },
      /damaged: "a\.csv"/,
    ],
    ['nothing', { name: 'a.csv', content: 'abc', packed: Buffer.alloc(0) }, /damaged|shorter/],
  ])('%s', async (_what, entry, message) => {
    await expectRefused(rawZip([GOOD, entry]), message);
  });

  it('data behind the end of the packed data is no part of it', async () => {
    const packed = Buffer.concat([deflateRawSync(Buffer.from('a,b\n')), randomBytes(500_000)]);
    expect(await contents(rawZip([{ name: 'a.csv', content: 'a,b\n', packed }]))).toEqual({ 'a.csv': 'a,b\n' });
  });
});

describe('bytes', () => {
  it('that are cut off anywhere are refused', async () => {
    const whole = Buffer.from(zipSync({ 'a.csv': randomBytes(3000), 'b.csv': strToU8('x'.repeat(500)) }));
    for (const kept of [4, 30, 1000, 3100, ...[90, 30, 22, 1].map((cut) => whole.length - cut)]) {
      await expectRefused(whole.subarray(0, kept), /damaged or incomplete/);
    }
  });

  it('that were changed are refused or read as they are, and never take the service down', async () => {
    const whole = Buffer.from(zipSync({ 'a.csv': strToU8('a,b\n1,2\n'.repeat(50)), 'b.csv': strToU8('c,d\n') }));
    const spoiled = Array.from({ length: process.env['TEST_LONG'] === '1' ? 2_000 : 60 }, (_, turn) => {
      const bytes = Buffer.from(whole);
      const at = (turn * 7919) % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (turn % 8));
      return bytes;
    });
    for (const bytes of spoiled) {
      const outcome: unknown = await bench.unpackHere(bytes, null).catch((error: unknown) => error);
      if (!Array.isArray(outcome)) expect(outcome).toMatchObject({ kind: 'invalid_input' });
    }
  });
});
