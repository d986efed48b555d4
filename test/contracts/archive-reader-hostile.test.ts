import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZipDirectory } from '../../src/adapters/archives/zip-directory.js';
import { unpackAll } from '../../src/adapters/archives/zip-unpacking.js';
import { anArchiveBench, NO_ABORT, rawZip, type ArchiveBench, type RawEntry } from './archive-reader.fixture.js';

let bench: ArchiveBench;
beforeAll(async () => {
  bench = await anArchiveBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const GOOD: RawEntry = { name: 'good.csv', content: 'a,b\n1,2\n' };
const MANY_BYTES = Buffer.alloc(3_000_000, 'a,b\n');

/** As the process does it, without starting one each time. */
async function unpack(bytes: Uint8Array): Promise<void> {
  const folder = await mkdtemp(join(bench.folder, 'hostile-'));
  try {
    await using archive = await ZipDirectory.open(await bench.write(bytes));
    await unpackAll(archive, { folder, headBytes: null, onBytes: () => undefined });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function list(bytes: Uint8Array): Promise<void> {
  await (await ZipDirectory.open(await bench.write(bytes)))[Symbol.asyncDispose]();
}

/** Refused already by its directory. */
async function expectRefusedAtOnce(bytes: Uint8Array, message: RegExp | string): Promise<void> {
  const refusal = { kind: 'invalid_input', message: expect.stringMatching(message) as string };
  await expect(list(bytes)).rejects.toMatchObject(refusal);
  await expect(unpack(bytes)).rejects.toMatchObject(refusal);
}

async function expectRefused(bytes: Uint8Array, message: RegExp | string): Promise<void> {
  await expect(unpack(bytes)).rejects.toMatchObject({
    kind: 'invalid_input',
    message: expect.stringMatching(message) as string,
  });
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
    ['a name beyond all measure', { name: `${'a'.repeat(60_000)}.csv` }, /longer than 500: "a{120}…"/],
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

describe('through the process', () => {
  it.each<[string, RawEntry]>([
    ['what the directory tells', { name: 'a.txt' }],
    ['what the bytes tell', { name: 'a.csv', content: MANY_BYTES, size: 1000 }],
  ])('%s is refused alike, and nothing stays', async (_, entry) => {
    const path = await bench.write(rawZip([GOOD, entry]));
    const refusal = { kind: 'invalid_input', message: expect.stringContaining('"a.') as string };
    await expect(bench.reader.unpack(path, { headBytes: null, signal: NO_ABORT })).rejects.toMatchObject(refusal);
    expect(await bench.unpacked()).toEqual([]);
  });

  it('bytes that are no archive are refused alike', async () => {
    const path = await bench.write(randomBytes(5000));
    await expect(bench.reader.list(path)).rejects.toMatchObject({ kind: 'invalid_input' });
  });
});

it('an archive that is gone meanwhile is not found', async () => {
  const gone = join(bench.folder, 'gone.zip');
  await expect(bench.reader.isArchive(gone)).rejects.toMatchObject({ kind: 'not_found' });
  await expect(bench.reader.list(gone)).rejects.toMatchObject({ kind: 'not_found' });
});

describe('the number of entries', () => {
  const many = (count: number): Uint8Array =>
    zipSync(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.csv`, strToU8('')])), {
      level: 0,
    });

  it.each([
    ['a little', many(1001), /1001 entries; at most 1000/],
    ['far', many(65_000), /65000 entries/],
  ])('is refused when it is %s over the limit', async (_, bytes, message) => {
    await expectRefusedAtOnce(bytes, message);
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
    await unpack(rawZip([{ name: 'a.csv', content: 'a,b\n', packed }]));
  });
});

describe('bytes', () => {
  it('that are cut off anywhere are refused', async () => {
    const whole = Buffer.from(zipSync({ 'a.csv': randomBytes(3000), 'b.csv': strToU8('x'.repeat(500)) }));
    for (const kept of [0, 3, 4, 30, 1000, 3100, ...[90, 30, 22, 1].map((cut) => whole.length - cut)]) {
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
      const outcome = await unpack(bytes).catch((error: unknown) => error);
      expect([undefined, 'invalid_input']).toContain((outcome as { kind?: string } | undefined)?.kind);
    }
  });
});
