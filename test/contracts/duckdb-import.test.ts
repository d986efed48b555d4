import iconv from 'iconv-lite';
import { createReadStream } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LoadSource, RejectedLine } from '../../src/ports/row-engine.js';
import type { ColumnType } from '../../src/ports/table.js';
import { describeCsv } from '../../src/rows/inspect/inspect-csv.js';
import { rejectedLines, RejectsWriter } from '../../src/rows/import/rejects-file.js';
import { DRAFT_REJECTS } from '../../src/rows/row-files.js';
import { importedFrom, type ImportedRows } from './dirty-import.fixture.js';
import { aFolder, aSource, HEADER, minutes, type Written } from './row-engine.fixture.js';

let folder: Awaited<ReturnType<typeof aFolder>>;
const HOME = process.cwd();
beforeAll(async () => {
  folder = await aFolder();
});
afterEach(() => {
  process.chdir(HOME);
});
afterAll(() => folder[Symbol.asyncDispose]());

async function imported(
  files: readonly Written[],
  changes: Partial<LoadSource> = {},
  memoryMb?: number,
): Promise<ImportedRows> {
  return importedFrom(folder.path, await aSource(folder.path, files, changes), memoryMb);
}

function typed(...columns: readonly (readonly [string, ColumnType])[]): Pick<LoadSource, 'columns'> {
  return { columns: columns.map(([name, type]) => ({ name, type })) };
}

const SMALL = typed(['time', 'time'], ['device', 'text'], ['value', 'number']);

const GOOD = '2024-01-01 00:00:00,a,1.5,1,true,x';

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
    const bad = (name: string): string => `x,${name},1,1,true,größe in €`;
    const kept = await rejectsOf([
      { name: 'one.csv', text: `${HEADER}${bad('a')}\n${GOOD}\n${bad('b')}\n` },
      { name: 'two.csv', text: `${HEADER}${GOOD}\n` },
      {
        name: 'three.csv',
        text: iconv.encode(`${HEADER}${GOOD}\r\n${bad('c')}\r\n`, 'windows-1252'),
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
    const long = `x,a,1,1,true,${'€'.repeat(1986)}😀${'z'.repeat(500)}`;
    const [kept] = await rejectsOf([{ text: `${HEADER}${GOOD}\n${long}\n` }]);
    expect(kept?.text).toBe(long.slice(0, 1999));
  });
});

describe('the file of rejected lines', () => {
  const line = (number: number): RejectedLine => ({ file: 'a.csv', line: number, reason: 'bad', text: 'x\n"y"\u2028' });
  const pathOfOwn = async (): Promise<string> => join(await mkdtemp(join(folder.path, 'rejects-')), 'rejects.ndjson');

  it.each([
    ['lines', { lines: 3, bytes: 1000 }],
    ['bytes', { lines: 1000, bytes: 200 }],
  ])('ends where it is full of %s, without a gap', async (_name, bounds) => {
    const path = await pathOfOwn();
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
    const path = await pathOfOwn();
    await writeFile(path, `${JSON.stringify(line(1))}\n{"file":`);
    await expect(linesIn(path)).rejects.toThrow();
  });
});

describe('a record that does not fit', () => {
  it('is counted with its reason, its line and its text, whatever is wrong with it', async () => {
    const lines: readonly (readonly [string | Buffer, string | null])[] = [
      [GOOD, null],
      ['not a time,a,1,1,true,x', 'the timestamp does not fit the layout'],
      ['2024-01-01 00:00,a,1,1,true,x', 'the timestamp does not fit the layout'],
      ['2024-1-01 00:00:00,a,1,1,true,x', 'the timestamp does not fit the layout'],
      ['2024-02-30 00:00:00,a,1,1,true,x', 'the timestamp does not fit the layout'],
      ['2024-01-01 00:00:0 ,a,1,1,true,x', 'the timestamp does not fit the layout'],
      [',a,1,1,true,x', 'no timestamp'],
      ['NA,a,1,1,true,x', 'no timestamp'],
      ['2024-01-01 00:00:00,,1,1,true,x', 'no value in the metadata field'],
      ['2024-01-01 00:00:00,"",1,1,true,x', 'no value in the metadata field'],
      ['2024-01-01 00:00:00,a,1,1,true', 'fewer fields than the header'],
      ['2024-01-01 00:00:00', 'fewer fields than the header'],
      ['2024-01-01 00:00:00,a,1,1,true,x,y', 'more fields than the header'],
      ['2024-01-01 00:00:00,a,1,1,true,x,', 'more fields than the header'],
      ['2024-01-01 00:00:00,a,abc,1,true,x', 'not a number in "value"'],
      ['2024-01-01 00:00:00,a,"1,5",1,true,x', 'not a number in "value"'],
      ['2024-01-01 00:00:00,a,inf,1,true,x', 'not a number in "value"'],
      ['2024-01-01 00:00:00,a,1,many,true,x', 'not a number in "count"'],
      [Buffer.from('2024-01-01 00:00:00,a,1,1,true,\xe9', 'latin1'), 'invalid bytes'],
      ['2024-01-01 00:00:00,a,1,1,true,"x" y', 'a quote is not closed or not doubled'],
      ['2024-01-01 00:00:00,a,1,1,true,"not closed', 'a quote is not closed or not doubled'],
      [GOOD, null],
      [`2024-01-01 00:00:00,a,1,1,true,${'x'.repeat(1_100_000)}`, 'the line is too long'],
      [GOOD, null],
    ];
    const text = Buffer.concat([
      Buffer.from(HEADER),
      ...lines.flatMap(([line]) => [Buffer.from(line), Buffer.from('\n')]),
    ]);
    const { report, rows } = await imported([{ text, name: 'bad.csv' }]);
    expect(rows).toHaveLength(3);
    expect(report).toMatchObject({ rows: 3, rejected: 21 });
    expect(report.files).toEqual([{ name: 'bad.csv', size: text.length, rows: 3, rejected: 21 }]);
    const wanted = lines.flatMap(([line, reason], index) =>
      reason === null ? [] : [{ file: 'bad.csv', line: index + 2, reason, text: line.toString().slice(0, 500) }],
    );
    expect(report.rejectedSample).toEqual(wanted);
  });

  it('fails the import when there is no other, with the reason and an example', async () => {
    const lines = ['01/02/2024,a,1,1,true,x', '02/02/2024,a,1,1,true,x', '2024-01-01 00:00:00,,1,1,true,x', ''];
    const example = 'the timestamp does not fit the layout in 2 of 3 rows, for example line 2: 01/02/2024,a,1,1,true,x';
    for (const [text, message] of [
      [HEADER + lines.join('\n'), `no row fits: ${example}`],
      [HEADER, 'the file has no rows'],
    ] as const)
      await expect(imported([{ text }])).rejects.toMatchObject({ kind: 'invalid_input', message });
  });
});

describe('a cell', () => {
  it('is a number with its thousands parted in any one way, and refused where the database alone would take it', async () => {
    const fine = ['"1,234.5"', '1 234.5', "1'234.5", '1\u00a0234.5', '\u20091234.5'];
    const values = [...fine, '1_000', '+-5', '0x10', '1e999'];
    const lines = values.map((value) => `2024-01-01 00:00:00,a,${value}, NA ,true,x\n`);
    const { report, rows } = await imported([{ text: HEADER + lines.join('') }]);
    expect(report).toMatchObject({ rows: 5, rejected: 4 });
    expect(rows.map((row) => row.slice(2, 4))).toEqual(fine.map(() => ['1234.5', null]));
  });

  it('is null where its column can say so, and text where it can not', async () => {
    const markers = ['', 'NA', 'N/A', 'NaN', 'null', 'NULL', 'None'];
    const lines = markers.map((marker) => `2024-01-01 00:00:00,a,${marker},${marker},${marker},${marker}\n`);
    const { report, rows } = await imported([{ text: HEADER + lines.join('') }]);
    expect(report.rejected).toBe(0);
    expect(rows.map((row) => row.slice(2, 5))).toEqual(markers.map(() => [null, null, null]));
    expect(rows.map((row) => row[5] ?? '').sort()).toEqual([...markers].sort());
  });

  it('makes a column of whole numbers one of numbers when it has a fraction', async () => {
    const text = `${HEADER}${GOOD}\n2024-01-02 00:00:00,a,1,2.5,true,x\n`;
    const { report, rows } = await imported([{ text }]);
    expect(report).toMatchObject({ rows: 2, rejected: 0 });
    expect(report.profile.columns[3]).toMatchObject({ name: 'count', type: 'number', max: 2.5 });
    expect(rows.map((row) => row[3])).toEqual(['1.0', '2.5']);
  });

  it('makes a column of booleans or times one of text when it is neither', async () => {
    const columns = typed(['time', 'time'], ['device', 'text'], ['on', 'boolean'], ['seen', 'time']);
    const text = 'time,device,on,seen\n2024-01-01 00:00:00,a,true,2024-01-01\n2024-01-02 00:00:00,a,maybe,yesterday\n';
    const { report, rows } = await imported([{ text }], { ...columns, values: [] });
    expect(report).toMatchObject({ rows: 2, rejected: 0 });
    expect(report.profile.columns.map(({ type }) => type)).toEqual(['time', 'text', 'text', 'text']);
    expect(rows.map((row) => row.slice(2))).toEqual([
      ['true', '2024-01-01'],
      ['maybe', 'yesterday'],
    ]);
  });

  it('has a decimal comma where the file is written so, and no other', async () => {
    const text =
      'time;device;value\n2024-01-01 00:00:00;a;1,5\n2024-01-02 00:00:00;a;-1.234.567,25\n2024-01-03 00:00:00;a;7\n2024-01-04 00:00:00;a;1.5\n';
    const { report, rows } = await imported([{ text, dialect: { delimiter: ';', decimal: ',' } }], SMALL);
    expect(rows.map((row) => row[2])).toEqual(['1.5', '-1234567.25', '7.0']);
    expect(report.rejectedSample).toMatchObject([{ line: 5, reason: 'not a number in "value"' }]);
  });
});

it('numbers with a unit are read without it, and rejected where another one stands', async () => {
  const lines = [
    'time;device;value;total;share',
    '2024-01-01 00:00:01;a;-$1.234;-0,5 €;12,5 %',
    '2024-01-01 00:00:02;a;$7;3\u00a0€;7%',
    '2024-01-01 00:00:03;a;8;1.000,25 €;n/a',
  ];
  const path = join(folder.path, 'file.csv');
  await writeFile(path, lines.join('\n'));
  const { dialect, columns, types } = await describeCsv(path);
  expect(types).toEqual(['time', 'text', 'integer', 'number', 'number']);

  const text = [...lines, '2024-01-01 00:00:04;a;€9;9 €;9 %', '2024-01-01 00:00:05;a;$9;$9;9 %'].join('\n');
  const named = columns.map((name, index) => [name, types[index] ?? 'text'] as const);
  const { report, rows } = await imported([{ text, dialect }], typed(...named));
  expect(rows.map((row) => row.slice(2, 5).join(' '))).toEqual(['-1234 -0.5 12.5', '7 3.0 7.0', '8 1000.25 ']);
  expect(report.rejectedSample.map(({ line, reason }) => [line, reason])).toEqual([
    [5, 'not a number in "value"'],
    [6, 'not a number in "total"'],
  ]);
});

describe('a file', () => {
  it('may have a line of nothing but quotes, up to the longest that a line may be', async () => {
    const device = '"'.repeat(1_000_000);
    const text = `time||device||value\n2024-01-01 00:00:00||${device}||1\n2024-01-02 00:00:00||b||2\n`;
    const dialect = { delimiter: '||', quote: '', escape: '' };
    const { report, rows } = await imported([{ text, dialect }], SMALL);
    expect(report).toMatchObject({ rows: 2, rejected: 0 });
    expect(rows[0]?.[1]).toBe(device);
  });

  it('may be one of several, whose columns are united by name', async () => {
    const columns = typed(['time', 'time'], ['device', 'text'], ['value', 'number'], ['extra', 'text']);
    const { report, rows } = await imported(
      [
        {
          text: 'time,device,value\n2024-01-01 00:00:00,a,1\nbad,a,1\n',
          columns: ['time', 'device', 'value'],
          name: 'one.csv',
        },
        {
          text: 'extra;device;time\nmore;b;2024-01-02 00:00:00\n',
          columns: ['extra', 'device', 'time'],
          dialect: { delimiter: ';' },
          name: 'two.csv',
        },
        { text: 'device,value\nc,3\n', columns: ['device', 'value'], name: 'three.csv' },
      ],
      columns,
    );
    expect(rows).toEqual([
      ['2024-01-01 00:00:00', 'a', '1.0', null],
      ['2024-01-02 00:00:00', 'b', null, 'more'],
    ]);
    expect(report.files).toMatchObject([
      { name: 'one.csv', rows: 1, rejected: 1 },
      { name: 'two.csv', rows: 1, rejected: 0 },
      { name: 'three.csv', rows: 0, rejected: 1 },
    ]);
    expect(report.rejectedSample).toMatchObject([
      { file: 'one.csv', line: 3 },
      { file: 'three.csv', line: 2, reason: 'no timestamp' },
    ]);
  });
});

describe('a table of many columns', () => {
  const isLong = process.env['TEST_LONG'] === '1';
  /** A part of the columns in a part of the memory takes much less than that part of the time. */
  const [COLUMNS, MEMORY_MB] = isLong ? [2000, 1024] : [250, 512];
  const [TOO_MANY, TOO_LITTLE_MB] = isLong ? [2000, 256] : [600, 96];

  /** Numbers behind a time and a device; all of a row are its number, but for one in the sixth. */
  const imports = (columns: number, rows: number, memoryMb: number): Promise<ImportedRows> => {
    const names = Array.from({ length: columns - 2 }, (_, index) => `n${index}`);
    const lines = Array.from({ length: rows }, (_, row) => {
      const cells = names.map((name) => (name === 'n200' && row === 5 ? 'oops' : row));
      return `2024-01-01 00:0${row}:00,a,${cells.join(',')}\n`;
    });
    const text = `time,device,${names.join(',')}\n${lines.join('')}`;
    const numbers = names.map((name) => [name, 'integer'] as const);
    const source = { ...typed(['time', 'time'], ['device', 'text'], ...numbers), values: names };
    return imported([{ text }], source, memoryMb);
  };

  it(`is imported, ${COLUMNS} of them, and what does not fit is found in its column`, async () => {
    const { report } = await imports(COLUMNS, 8, MEMORY_MB);
    expect(report).toMatchObject({ rows: 7, rejected: 1, profile: { rowCount: 7 } });
    expect(report.rejectedSample).toMatchObject([{ line: 7, reason: expect.stringContaining('n200') as string }]);
    expect(report.profile.columns.at(-1)).toMatchObject({ name: `n${COLUMNS - 3}`, type: 'integer' });
  });

  it('is refused when there is not memory for all, and the reason says who can help', async () => {
    await expect(imports(TOO_MANY, 3, TOO_LITTLE_MB)).rejects.toThrow(
      `not enough memory to import ${TOO_MANY} columns; an operator can allow imports more (IMPORT_MEMORY_MB)`,
    );
  });
});
