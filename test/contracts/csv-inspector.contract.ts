import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CsvDescription, CsvInspector } from '../../src/ports/csv-inspector.js';
import { CSV_CASES, lines, REFUSED } from './csv-inspector.cases.js';

/** What every look into a CSV file tells, however it is written and however large it is. */
export function csvInspectorContract(create: () => CsvInspector): void {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csv-inspector-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const path = (): string => join(folder, 'file.csv');

  async function describeFile(content: string | Buffer): Promise<CsvDescription> {
    await writeFile(path(), content);
    return create().describe(path());
  }

  describe('reads', () => {
    it.each(CSV_CASES)('$name', async ({ content, expected }) => {
      const found = await describeFile(content);
      expect(found.size).toBe(Buffer.byteLength(content));
      expect(found.types).toHaveLength(found.columns.length);
      const { dialect, rows, ...others } = expected;
      expect(found).toMatchObject({ ...others, dialect: dialect ?? {} });
      if (rows !== undefined) expect(found.samples).toHaveLength(rows);
    });
  });

  describe('refuses with a sentence', () => {
    it.each(REFUSED)('%s', async (_, content, sentence) => {
      await expect(describeFile(content)).rejects.toMatchObject({
        kind: 'invalid_input',
        message: expect.stringMatching(sentence) as string,
      });
    });
  });

  largeFileContract(describeFile, create, path);
}

type DescribeFile = (content: string | Buffer) => Promise<CsvDescription>;

function largeFileContract(describeFile: DescribeFile, create: () => CsvInspector, path: () => string): void {
  describe('of a large file', () => {
    const row = (index: number): string => `${index},2024-01-01 00:00:00,name ${index}`;

    it('gives samples of the start, the middle and the end, a thousand at most, and none of half a row', async () => {
      const { samples, columns } = await describeFile(`id,at,name\n${lines(200_000, row)}`);
      expect(columns).toEqual(['id', 'at', 'name']);
      expect(samples).toHaveLength(1000);
      const ids = samples.map(([id]) => Number(id));
      expect(ids[0]).toBe(0);
      expect(ids.some((id) => id > 90_000 && id < 110_000)).toBe(true);
      expect(ids.some((id) => id > 190_000)).toBe(true);
      for (const [id, at, name] of samples) expect([at, name]).toEqual(['2024-01-01 00:00:00', `name ${String(id)}`]);
    });

    it.each(['utf-16le', 'utf-16be'])('reads the middle of %s, too', async (encoding) => {
      const { default: iconv } = await import('iconv-lite');
      const content = iconv.encode(`id,at,name\n${lines(100_000, row)}`, encoding, { addBOM: true });
      const { samples, types } = await describeFile(content);
      expect(types).toEqual(['integer', 'time', 'text']);
      expect(Number(samples.at(-1)?.[0])).toBeGreaterThan(50_000);
    });

    it('sees that a column of numbers has texts near its end', async () => {
      const content = `id,value\n${lines(300_000, (index) => `${index},1.5`)}${lines(100, () => '1,tba')}`;
      expect((await describeFile(content)).types).toEqual(['integer', 'text']);
    });

    it('sees that it is no UTF-8 near its end', async () => {
      const ascii = Buffer.from(`id,name\n${lines(200_000, (index) => `${index},abcd`)}`);
      const content = Buffer.concat([ascii, Buffer.from('1,M\xfcller\n'.repeat(50), 'latin1')]);
      expect((await describeFile(content)).dialect.encoding).toBe('iso-8859-1');
    });
  });

  describe('in a second and little memory', () => {
    async function describeSparse(begin: string, size: number): Promise<CsvDescription> {
      await writeFile(path(), begin);
      await truncate(path(), size);
      return create().describe(path());
    }

    async function writeRepeated(chunk: Buffer, times: number): Promise<void> {
      const file = await open(path(), 'w');
      for (let time = 0; time < times; time++) await file.write(chunk);
      await file.close();
    }

    it('refuses ten million columns in a line', async () => {
      await writeRepeated(Buffer.from('a,'.repeat(500_000)), 20);
      const begin = performance.now();
      await expect(create().describe(path())).rejects.toMatchObject({ message: 'the first line is longer than 1 MiB' });
      expect(performance.now() - begin).toBeLessThan(10_000);
    });

    it('refuses a line of a gigabyte', async () => {
      await writeRepeated(Buffer.alloc(8 * 1024 ** 2, 'x'), 4);
      // The rest of the gigabyte is a hole, which takes no room on the disk.
      await truncate(path(), 1024 ** 3);
      const begin = performance.now();
      await expect(create().describe(path())).rejects.toMatchObject({ kind: 'invalid_input' });
      expect(performance.now() - begin).toBeLessThan(10_000);
    });

    it('refuses a file that goes on as zeros', async () => {
      await expect(describeSparse(`a,b\n${lines(10, () => '1,2')}`, 10 * 1024 ** 3)).rejects.toMatchObject({
        message: 'this is a binary file, not a CSV',
      });
    });

    it.each([
      ['a million short lines', lines(1_000_000, () => '1,2')],
      ['quotes alone', '"'.repeat(3_000_000)],
      ['signs of all kinds', `${'^~:#/ !@$%&*§¬,;\t|'.repeat(60)}\n`.repeat(1000)],
      ['quotes that are never closed', `x,"\n${'""y\n'.repeat(300_000)}`],
      ['addresses', lines(20_000, () => `${'a.@'.repeat(20)},${'.b@c'.repeat(15)}`)],
      ['numbers of many groups', lines(60, () => `1${',111'.repeat(6000)}`)],
    ])('answers for %s', async (_, content) => {
      await writeFile(path(), content);
      const begin = process.cpuUsage();
      await create()
        .describe(path())
        .catch((error: unknown) => {
          expect(error).toMatchObject({ kind: 'invalid_input' });
        });
      // Of the processor, in microseconds: how busy the machine is does not count.
      const { user, system } = process.cpuUsage(begin);
      expect(user + system).toBeLessThan(2_500_000);
    });
  });
}
