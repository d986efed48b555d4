import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LoadReport, LoadSource, RejectedLine } from '../../src/ports/row-engine.js';
import type { ColumnType } from '../../src/ports/table.js';
import { ASSET_KEY } from '../../src/rows/base-file.js';
import { describeCsv } from '../../src/rows/inspect/inspect-csv.js';
import { Importer } from '../../src/rows/import/importer.js';
import { rejectedLines, RejectsWriter } from '../../src/rows/import/rejects-file.js';
import { DRAFT_FILE, DRAFT_REJECTS, DRAFT_SPILL } from '../../src/rows/row-files.js';
import { aFolder, aSource, HEADER, minutes, type Written } from './row-engine.fixture.js';

interface Imported {
  readonly report: LoadReport;
  /** All rows as text, by time. */
  readonly rows: () => Promise<readonly (readonly (string | null)[])[]>;
}

interface ImportBench {
  readonly imported: (files: readonly Written[], changes?: Partial<LoadSource>) => Promise<Imported>;
}

/** Imports in this process. An import works in its own folder, which is left again after each test. */
function importBench(memoryMb = 512): ImportBench {
  const home = process.cwd();
  let folder: Awaited<ReturnType<typeof aFolder>>;
  beforeAll(async () => {
    folder = await aFolder();
  });
  afterEach(() => {
    process.chdir(home);
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  return {
    imported: async (files, changes = {}) => {
      const source = await aSource(folder.path, files, changes);
      const own = await mkdtemp(join(folder.path, 'job-'));
      await mkdir(join(own, DRAFT_SPILL));
      process.chdir(own);
      const order = { source: { ...source, importedAt: source.importedAt.toISOString() }, kept: null, memoryMb };
      return { report: await new Importer(order, 1).run(), rows: () => rowsIn(join(own, DRAFT_FILE)) };
    },
  };
}

async function rowsIn(path: string): Promise<readonly (readonly (string | null)[])[]> {
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(
    `SELECT CAST(COLUMNS(* EXCLUDE (${ASSET_KEY})) AS VARCHAR) FROM data ORDER BY ALL`,
  );
  connection.closeSync();
  instance.closeSync();
  return reader.getRows().map((row) => row.map((cell) => (cell === null ? null : String(cell))));
}

function typed(...columns: readonly (readonly [string, ColumnType])[]): Pick<LoadSource, 'columns'> {
  return { columns: columns.map(([name, type]) => ({ name, type })) };
}

const SMALL = typed(['time', 'time'], ['device', 'text'], ['value', 'number']);

const GOOD = '2024-01-01 00:00:00,a,1.5,1,true,x';

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
    expect(await rows()).toHaveLength(3);
    expect(report).toMatchObject({ rows: 3, rejected: 21 });
    expect(report.files).toEqual([{ name: 'bad.csv', size: text.length, rows: 3, rejected: 21 }]);
    const wanted = lines.flatMap(([line, reason], index) =>
      reason === null ? [] : [{ file: 'bad.csv', line: index + 2, reason, text: line.toString().slice(0, 500) }],
    );
    expect(report.rejectedSample).toEqual(wanted);
  });

  it('is found far into a file, behind records of several lines', async () => {
    const lines = minutes(30_000, ['a']).trimEnd().split('\n');
    const broken = lines.map((line, index) => (index > 0 && index % 3 === 0 ? line.replace('fine', '"a\nb"') : line));
    for (const index of [9_998, 10_001, 25_000]) broken[index] = `x${lines[index] ?? ''}`;
    const { report } = await imported([{ text: broken.join('\n') }]);
    expect(report).toMatchObject({ rows: 29_997, rejected: 3 });
    const all = broken.join('\n').split('\n');
    expect(
      report.rejectedSample.map(({ line, text }) => all[(line ?? 0) - 1] === text && text.startsWith('x')),
    ).toEqual([true, true, true]);
  });

  it('fails the import when there is no other, with the reason and an example', async () => {
    const text = `${HEADER}01/02/2024,a,1,1,true,x\n02/02/2024,a,1,1,true,x\n2024-01-01 00:00:00,,1,1,true,x\n`;
    await expect(imported([{ text }])).rejects.toMatchObject({
      kind: 'invalid_input',
      message:
        'no row fits: the timestamp does not fit the layout in 2 of 3 rows, for example line 2: 01/02/2024,a,1,1,true,x',
    });
  });

  it('is missed by nobody in a file of nothing but a header', async () => {
    await expect(imported([{ text: HEADER }])).rejects.toMatchObject({
      kind: 'invalid_input',
      message: 'the file has no rows',
    });
  });
});

describe('a cell', () => {
  it('is a number with its thousands parted in any one way, and refused where the database alone would take it', async () => {
    const fine = ['"1,234.5"', '1 234.5', "1'234.5", '1\u00a0234.5', '\u20091234.5'];
    const values = [...fine, '1_000', '+-5', '0x10', '1e999'];
    const lines = values.map((value) => `2024-01-01 00:00:00,a,${value}, NA ,true,x\n`);
    const { report, rows } = await imported([{ text: HEADER + lines.join('') }]);
    expect(report).toMatchObject({ rows: 5, rejected: 4 });
    expect((await rows()).map((row) => row.slice(2, 4))).toEqual(fine.map(() => ['1234.5', null]));
  });

  it('is null where its column can say so, and text where it can not', async () => {
    const markers = ['', 'NA', 'N/A', 'NaN', 'null', 'NULL', 'None'];
    const lines = markers.map((marker) => `2024-01-01 00:00:00,a,${marker},${marker},${marker},${marker}\n`);
    const { report, rows } = await imported([{ text: HEADER + lines.join('') }]);
    expect(report.rejected).toBe(0);
    const found = await rows();
    expect(found.map((row) => row.slice(2, 5))).toEqual(markers.map(() => [null, null, null]));
    expect(found.map((row) => row[5] ?? '').sort()).toEqual([...markers].sort());
  });

  it('makes a column of whole numbers one of numbers when it has a fraction', async () => {
    const text = `${HEADER}${GOOD}\n2024-01-02 00:00:00,a,1,2.5,true,x\n`;
    const { report, rows } = await imported([{ text }]);
    expect(report).toMatchObject({ rows: 2, rejected: 0 });
    expect(report.profile.columns[3]).toMatchObject({ name: 'count', type: 'number', max: 2.5 });
    expect((await rows()).map((row) => row[3])).toEqual(['1.0', '2.5']);
  });

  it('makes a column of booleans or times one of text when it is neither', async () => {
    const columns = typed(['time', 'time'], ['device', 'text'], ['on', 'boolean'], ['seen', 'time']);
    const text = 'time,device,on,seen\n2024-01-01 00:00:00,a,true,2024-01-01\n2024-01-02 00:00:00,a,maybe,yesterday\n';
    const { report, rows } = await imported([{ text }], { ...columns, values: [] });
    expect(report).toMatchObject({ rows: 2, rejected: 0 });
    expect(report.profile.columns.map(({ type }) => type)).toEqual(['time', 'text', 'text', 'text']);
    expect((await rows()).map((row) => row.slice(2))).toEqual([
      ['true', '2024-01-01'],
      ['maybe', 'yesterday'],
    ]);
  });

  it('has a decimal comma where the file is written so, and no other', async () => {
    const text =
      'time;device;value\n2024-01-01 00:00:00;a;1,5\n2024-01-02 00:00:00;a;-1.234.567,25\n2024-01-03 00:00:00;a;7\n2024-01-04 00:00:00;a;1.5\n';
    const { report, rows } = await imported([{ text, dialect: { delimiter: ';', decimal: ',' } }], SMALL);
    expect((await rows()).map((row) => row[2])).toEqual(['1.5', '-1234567.25', '7.0']);
    expect(report.rejectedSample).toMatchObject([{ line: 5, reason: 'not a number in "value"' }]);
  });
});

describe('numbers with a unit', () => {
  it('are read without it, and rejected where another one stands', async () => {
    const lines = [
      'time;device;value;total;share',
      '2024-01-01 00:00:01;a;-$1.234;-0,5 €;12,5 %',
      '2024-01-01 00:00:02;a;$7;3\u00a0€;7%',
      '2024-01-01 00:00:03;a;8;1.000,25 €;n/a',
    ];
    await using folder = await aFolder();
    const path = join(folder.path, 'file.csv');
    await writeFile(path, lines.join('\n'));
    const { dialect, columns, types } = await describeCsv(path);
    expect(types).toEqual(['time', 'text', 'integer', 'number', 'number']);

    const later = ['2024-01-01 00:00:04;a;€9;9 €;9 %', '2024-01-01 00:00:05;a;$9;$9;9 %'];
    const { report, rows } = await imported(
      [{ text: [...lines, ...later].join('\n'), dialect }],
      typed(...columns.map((name, index) => [name, types[index] ?? 'text'] as const)),
    );
    expect((await rows()).map((row) => row.slice(2, 5))).toEqual([
      ['-1234', '-0.5', '12.5'],
      ['7', '3.0', '7.0'],
      ['8', '1000.25', null],
    ]);
    expect(report.rejectedSample.map(({ line, reason }) => [line, reason])).toEqual([
      [5, 'not a number in "value"'],
      [6, 'not a number in "total"'],
    ]);
  });
});

describe('a timestamp', () => {
  const times = async (
    timeFormat: string,
    ...texts: readonly string[]
  ): Promise<readonly (string | null | undefined)[]> => {
    const text = `time,device,value\n${texts.map((time) => `"${time}",a,1\n`).join('')}`;
    const { rows } = await imported([{ text }], { ...SMALL, timeFormat });
    return (await rows()).map(([time]) => time);
  };

  it.each([
    [
      '2006-01-02T15:04:05Z07:00',
      ['2024-03-05T17:08:09+02:00', '2024-03-05T17:08:09Z'],
      ['2024-03-05 15:08:09', '2024-03-05 17:08:09'],
    ],
    ['M/d/yyyy h:mm a', ['3/5/2024 5:08 PM', '03/05/2024 05:08 PM '], ['2024-03-05 17:08:00']],
    ['unix', ['1709658489', '1709658489.5', 'soon'], ['2024-03-05 17:08:09', '2024-03-05 17:08:09.5']],
  ])('in the layout %s is read as UTC, or refused', async (layout, texts, wanted) => {
    expect(await times(layout, ...texts)).toEqual(wanted);
  });
});

describe('a file', () => {
  it('may have a line of nothing but quotes, up to the longest that a line may be', async () => {
    const device = '"'.repeat(1_000_000);
    const text = `time||device||value\n2024-01-01 00:00:00||${device}||1\n2024-01-02 00:00:00||b||2\n`;
    const dialect = { delimiter: '||', quote: '', escape: '' };
    const { report, rows } = await imported([{ text, dialect }], SMALL);
    expect(report).toMatchObject({ rows: 2, rejected: 0 });
    expect((await rows())[0]?.[1]).toBe(device);
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
    expect(await rows()).toEqual([
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

describe('what an import leaves', () => {
  it('groups the rows of an asset, in time order', async () => {
    const text = minutes(3000, ['c', 'a', 'b']);
    await imported([{ text }]);
    const instance = await DuckDBInstance.create(DRAFT_FILE, { access_mode: 'READ_ONLY' });
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(
      'SELECT count(*) FROM (SELECT c1, c0, lag(c1) OVER (ORDER BY rowid) AS p1, lag(c0) OVER (ORDER BY rowid) AS p0 FROM data) WHERE p1 <> c1 OR (p1 = c1 AND p0 > c0)',
    );
    expect(Number(reader.value(0, 0))).toBe(2);
    const assets = await connection.runAndReadAll(
      'SELECT value, n, CAST(min_ts AS VARCHAR) FROM assets ORDER BY value',
    );
    expect(assets.getRows()).toEqual(['a', 'b', 'c'].map((asset) => [asset, 3000n, '2024-01-01 00:00:00']));
    connection.closeSync();
    instance.closeSync();
  });
});

const MOST_COLUMNS = 2000;
/** A quarter of the columns in half of the memory take much less than a quarter of the time. */
const [COLUMNS, MEMORY_MB] = process.env['TEST_LONG'] === '1' ? [MOST_COLUMNS, 1024] : [MOST_COLUMNS / 4, 512];

/** The names of the columns that are numbers. */
function numbers(columns: number): readonly string[] {
  return Array.from({ length: columns - 2 }, (_, index) => `n${index}`);
}

function wide(columns: number): Partial<LoadSource> {
  const names = numbers(columns);
  return {
    ...typed(['time', 'time'], ['device', 'text'], ...names.map((name) => [name, 'integer'] as const)),
    values: names,
  };
}

/** A row for each minute; all numbers of a row are its number, but for one. */
function lines(columns: number, rows: number, odd: Readonly<Record<number, string>> = {}): string {
  const names = numbers(columns);
  const written = Array.from({ length: rows }, (_, row) => {
    const cells = names.map((_name, index) => (index === 300 ? (odd[row] ?? String(row)) : String(row)));
    return ['2024-01-01 00:0' + String(row % 10) + ':00', 'a', ...cells].join(',');
  });
  return [['time', 'device', ...names].join(','), ...written, ''].join('\n');
}

describe(`a table of ${COLUMNS} columns of numbers`, () => {
  const { imported } = importBench(MEMORY_MB);

  it('is imported, and what does not fit is found in its column', { timeout: 60_000 }, async () => {
    const { report } = await imported([{ text: lines(COLUMNS, 8, { 5: 'oops' }) }], wide(COLUMNS));
    expect(report).toMatchObject({ rows: 7, rejected: 1, profile: { rowCount: 7 } });
    expect(report.rejectedSample).toMatchObject([{ line: 7, reason: expect.stringContaining('n300') as string }]);
    const last = `n${COLUMNS - 3}`;
    expect(report.profile.columns.find(({ name }) => name === last)).toMatchObject({ type: 'integer' });
  });
});

describe('a table with more columns than there is memory for', () => {
  const { imported } = importBench(256);

  it('is refused, and the reason says who can help', { timeout: 60_000 }, async () => {
    await expect(imported([{ text: lines(MOST_COLUMNS, 3) }], wide(MOST_COLUMNS))).rejects.toThrow(
      'not enough memory to import 2000 columns; an operator can allow imports more (IMPORT_MEMORY_MB)',
    );
  });
});
