import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rejectedLines, RejectsWriter } from '../../src/rows/import/rejects-file.js';
import { DRAFT_REJECTS } from '../../src/rows/row-files.js';
import type { LoadSource, RejectedLine } from '../../src/ports/row-engine.js';
import { GOOD, importBench } from './duckdb-import.fixture.js';
import { aFolder, HEADER, minutes, type Written } from './row-engine.fixture.js';

const { imported } = importBench();

/** What an import of the files leaves out, as it is kept beside the draft. */
async function rejectsOf(
  files: readonly Written[],
  changes: Partial<LoadSource> = {},
): Promise<readonly RejectedLine[]> {
  const { report } = await imported(files, changes);
  const kept = await linesIn(join(process.cwd(), DRAFT_REJECTS));
  expect(kept).toHaveLength(report.rejected);
  expect(kept.slice(0, 100).map(({ line, reason }) => [line, reason])).toEqual(
    report.rejectedSample.map(({ line, reason }) => [line, reason]),
  );
  return kept;
}

async function linesIn(path: string): Promise<readonly RejectedLine[]> {
  const lines: RejectedLine[] = [];
  for await (const line of rejectedLines(createReadStream(path))) lines.push(line);
  return lines;
}

const LINES = minutes(20_000, ['a']).trimEnd().split('\n');

/** The file with some lines, counted from 1, spoilt; and what is to be kept of them. */
function spoilt(isSpoilt: (line: number) => ((line: string) => readonly [string, string]) | null): {
  readonly text: string;
  readonly wanted: readonly RejectedLine[];
} {
  const wanted: RejectedLine[] = [];
  const lines = LINES.map((line, index) => {
    const spoil = index === 0 ? null : isSpoilt(index + 1);
    if (spoil === null) return line;
    const [text, reason] = spoil(line);
    wanted.push({ file: 'file0.csv', line: index + 1, reason, text });
    return text;
  });
  return { text: `${lines.join('\n')}\n`, wanted };
}

const noTime = (line: string): readonly [string, string] => [`x${line}`, 'the timestamp does not fit the layout'];
const badQuote = (line: string): readonly [string, string] => [`${line}"" "x`, 'a quote is not closed or not doubled'];
const notClosed = (line: string): readonly [string, string] => [`"${line}`, 'a quote is not closed or not doubled'];
const fewer = (line: string): readonly [string, string] => [
  line.slice(0, line.lastIndexOf(',')),
  'fewer fields than the header',
];

describe('what an import leaves out', () => {
  it('is found in order where some are no records', async () => {
    const kinds = [noTime, fewer, null, badQuote, null, notClosed];
    const { text, wanted } = spoilt((line) =>
      line > 10_000 && line % 11 < 5 ? null : (kinds[line % kinds.length] ?? null),
    );
    expect(await rejectsOf([{ text: text.replaceAll('fine"" "x', '"fine"" "x') }])).toEqual(
      wanted.map((line) => ({ ...line, text: line.text.replaceAll('fine"" "x', '"fine"" "x') })),
    );
  });

  it('is found behind a long stretch in quotes that nobody closes', async () => {
    const { text, wanted } = spoilt((line) =>
      line === 3 || line === 19_000 ? notClosed : line % 2 === 0 ? noTime : null,
    );
    expect(await rejectsOf([{ text }])).toEqual(wanted);
  });

  it('comes file by file, of one that is not in UTF-8 too', async () => {
    const bad = (name: string): string => `x,${name},1,1,true,größe`;
    const kept = await rejectsOf([
      { name: 'one.csv', text: `${HEADER}${bad('a')}\n${GOOD}\n${bad('b')}\n` },
      { name: 'two.csv', text: `${HEADER}${GOOD}\n` },
      {
        name: 'three.csv',
        text: Buffer.from(`${HEADER}${GOOD}\r\n${bad('c')}\r\n`, 'latin1'),
        dialect: { encoding: 'iso-8859-1' },
      },
    ]);
    expect(kept.map(({ file, line, text }) => [file, line, text])).toEqual([
      ['one.csv', 2, bad('a')],
      ['one.csv', 4, bad('b')],
      ['three.csv', 3, bad('c')],
    ]);
  });

  it('is written once, when columns become wider on the way', async () => {
    const text = `${HEADER}${GOOD}\nx,a,1,1,true,x\n2024-01-02 00:00:00,a,1,2.5,true,x\n2024-01-02 00:00:00,a,1,y,true,x\n`;
    const kept = await rejectsOf([{ text }]);
    expect(kept.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'the timestamp does not fit the layout'],
      [5, 'not a number in "count"'],
    ]);
  });

  it('has up to 2,000 characters of a line, and no half of one', async () => {
    const long = `x,a,1,1,true,${'é'.repeat(1986)}😀${'z'.repeat(500)}`;
    const [kept] = await rejectsOf([{ text: `${HEADER}${GOOD}\n${long}\n` }]);
    expect(kept?.text).toBe(long.slice(0, 1999));
  });
});

describe('the file of rejected lines', () => {
  const line = (number: number): RejectedLine => ({ file: 'a.csv', line: number, reason: 'bad', text: 'x\n"y"\u2028' });

  it.each([
    ['lines', { lines: 3, bytes: 1000 }],
    ['bytes', { lines: 1000, bytes: 200 }],
  ])('ends where it is full of %s, without a gap', async (_name, bounds) => {
    await using folder = await aFolder();
    const path = join(folder.path, 'rejects.ndjson');
    const writer = new RejectsWriter(path, bounds);
    for (const number of [1, 2, 3]) writer.add(line(number));
    expect(writer.isFull).toBe(false);
    writer.add({ ...line(4), text: 'long'.repeat(20) });
    expect(writer.isFull).toBe(true);
    writer.add(line(5));
    await writer.end();
    await writer.close();
    expect(await linesIn(path)).toEqual([1, 2, 3].map(line));
  });

  it('that is cut says so, and is no shorter list', async () => {
    await using folder = await aFolder();
    const path = join(folder.path, 'rejects.ndjson');
    await writeFile(path, `${JSON.stringify(line(1))}\n{"file":`);
    await expect(linesIn(path)).rejects.toThrow();
  });
});
