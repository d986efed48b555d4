import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import iconv from 'iconv-lite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Importer } from '../../src/adapters/duckdb/importer.js';
import { DRAFT_FILE, DRAFT_SPILL } from '../../src/adapters/duckdb/row-files.js';
import type { LoadReport, LoadSource } from '../../src/ports/row-engine.js';
import type { ColumnType } from '../../src/ports/table.js';
import { aFolder, aSource, HEADER, minutes, type Written } from './row-engine.fixture.js';

/** An import works in its own folder, as its process does. */
const HOME = process.cwd();
let folder: Awaited<ReturnType<typeof aFolder>>;

beforeAll(async () => {
  folder = await aFolder();
});
afterEach(() => {
  process.chdir(HOME);
});
afterAll(() => folder[Symbol.asyncDispose]());

interface Imported {
  readonly report: LoadReport;
  /** All rows as text, by time. */
  readonly rows: () => Promise<readonly (readonly (string | null)[])[]>;
}

async function imported(files: readonly Written[], changes: Partial<LoadSource> = {}): Promise<Imported> {
  const source = await aSource(folder.path, files, changes);
  const own = await mkdtemp(join(folder.path, 'job-'));
  await mkdir(join(own, DRAFT_SPILL));
  process.chdir(own);
  const order = { source: { ...source, importedAt: source.importedAt.toISOString() }, memoryMb: 512 };
  const report = await new Importer(order, 1).run();
  return { report, rows: () => rowsIn(join(own, DRAFT_FILE)) };
}

async function rowsIn(path: string): Promise<readonly (readonly (string | null)[])[]> {
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll('SELECT CAST(COLUMNS(*) AS VARCHAR) FROM data ORDER BY ALL');
  connection.closeSync();
  instance.closeSync();
  return reader.getRows().map((row) => row.map((cell) => (cell === null ? null : String(cell))));
}

const GOOD = '2024-01-01 00:00:00,a,1.5,1,true,x';

function typed(...columns: readonly (readonly [string, ColumnType])[]): Pick<LoadSource, 'columns'> {
  return { columns: columns.map(([name, type]) => ({ name, type })) };
}

const SMALL = typed(['time', 'time'], ['device', 'text'], ['value', 'number']);

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

  it('costs one line when it opens a quote that nobody closes', async () => {
    const before = minutes(1000);
    const { report } = await imported([
      { text: `${before}"2024-01-01 00:00:00,a,1,1,true,x\n${minutes(5000).slice(HEADER.length)}` },
    ]);
    expect(report).toMatchObject({ rows: 12_000, rejected: 1 });
    expect(report.rejectedSample).toMatchObject([{ line: 2002, reason: 'a quote is not closed or not doubled' }]);
  });

  it('is in the sample when it is one of the first hundred, and in the count always', async () => {
    const lines = minutes(20_000, ['a']).trimEnd().split('\n');
    const text = lines.map((line, index) => (index > 0 && index % 4 === 0 ? `x${line}` : line)).join('\n');
    const { report } = await imported([{ text }]);
    expect(report).toMatchObject({ rows: 15_000, rejected: 5000 });
    expect(report.rejectedSample.map(({ line }) => line)).toEqual(
      Array.from({ length: 100 }, (_, index) => index * 4 + 5),
    );
    expect(report.rejectedSample[0]?.text).toBe(`x${lines[4] ?? ''}`);
  });

  it('is found on its line behind records of several lines', async () => {
    const text = `${HEADER}2024-01-01 00:00:00,a,1,1,true,"one\r\ntwo\nthree"\n\nnonsense,a,1,1,true,x\n`;
    const { report, rows } = await imported([{ text }]);
    expect(report.rejectedSample).toMatchObject([{ line: 6, text: 'nonsense,a,1,1,true,x' }]);
    expect((await rows())[0]?.[5]).toBe('one\r\ntwo\nthree');
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

  it('keeps every digit of a large whole number', async () => {
    const { rows } = await imported([{ text: `${HEADER}2024-01-01 00:00:00,a,1,9007199254740993,true,x\n` }]);
    expect((await rows())[0]?.[3]).toBe('9007199254740993');
  });

  it('has a decimal comma where the file is written so, and no other', async () => {
    const text =
      'time;device;value\n2024-01-01 00:00:00;a;1,5\n2024-01-02 00:00:00;a;-1.234.567,25\n2024-01-03 00:00:00;a;7\n2024-01-04 00:00:00;a;1.5\n';
    const { report, rows } = await imported([{ text, dialect: { delimiter: ';', decimal: ',' } }], SMALL);
    expect((await rows()).map((row) => row[2])).toEqual(['1.5', '-1234567.25', '7.0']);
    expect(report.rejectedSample).toMatchObject([{ line: 5, reason: 'not a number in "value"' }]);
  });

  it('of the metadata field may be a number', async () => {
    const columns = typed(['time', 'time'], ['device', 'number'], ['value', 'number']);
    const text = 'time,device,value\n2024-01-01 00:00:00,10,1\n2024-01-01 00:00:00,2.5,1\n2024-01-01 00:00:00,NA,1\n';
    const { report } = await imported([{ text }], columns);
    expect(report).toMatchObject({ rows: 2, rejected: 1, assets: ['10', '2.5'] });
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
    ['%d.%m.%Y %H:%M', ['05.03.2024 17:08', '5.3.2024 17:08'], ['2024-03-05 17:08:00']],
    ['M/d/yyyy h:mm a', ['3/5/2024 5:08 PM', '03/05/2024 05:08 PM '], ['2024-03-05 17:08:00']],
    ['yyyy-MM-dd HH:mm:ss.SSS', ['2024-03-05 17:08:09.250'], ['2024-03-05 17:08:09.25']],
    ['unix', ['1709658489', '1709658489.5', 'soon'], ['2024-03-05 17:08:09', '2024-03-05 17:08:09.5']],
    ['unix_ms', ['1709658489250', '99999999999999999999'], ['2024-03-05 17:08:09.25']],
  ])('in the layout %s is read as UTC, or refused', async (layout, texts, wanted) => {
    expect(await times(layout, ...texts)).toEqual(wanted);
  });

  it('is made when the table has none', async () => {
    const columns = typed(['device', 'text'], ['value', 'number'], ['created_at', 'time']);
    const { rows } = await imported([{ text: 'device,value\na,1\nb,2\n', columns: ['device', 'value'] }], {
      ...columns,
      timeField: 'created_at',
      timeFormat: null,
    });
    expect(await rows()).toEqual([
      ['a', '1.0', '2024-06-01 00:00:00'],
      ['b', '2.0', '2024-06-01 00:00:00'],
    ]);
  });
});

describe('a file', () => {
  const SOME = 'time,device,value\n2024-01-01 00:00:00,Zürich,1\n2024-01-02 00:00:00,"a\nb",2\n';
  const WANTED = [
    ['2024-01-01 00:00:00', 'Zürich', '1.0'],
    ['2024-01-02 00:00:00', 'a\nb', '2.0'],
  ];

  it.each(['utf-8', 'utf-16le', 'utf-16be', 'iso-8859-1', 'windows-1252'])('is read in %s', async (encoding) => {
    const { rows, report } = await imported([{ text: iconv.encode(SOME, encoding), dialect: { encoding } }], SMALL);
    expect(report.rejected).toBe(0);
    expect(await rows()).toEqual(WANTED);
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be'])('may begin with a byte order mark in %s', async (encoding) => {
    const text = iconv.encode(SOME, encoding, { addBOM: true });
    const { rows } = await imported([{ text, dialect: { encoding } }], SMALL);
    expect(await rows()).toEqual(WANTED);
  });

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
    ['blank lines between', '\n\n\n'],
  ])('may end its lines with %s', async (_, end) => {
    const { report } = await imported([{ text: minutes(50).replaceAll('\n', end) }]);
    expect(report).toMatchObject({ rows: 100, rejected: 0 });
  });

  it('may mix its line ends, begin with blank lines and lack the last line end', async () => {
    const lines = minutes(50).trimEnd().split('\n');
    const text = `\n\r\n${lines.map((line, index) => line + (index === 100 ? '' : (['\n', '\r\n', '\r'][index % 3] ?? ''))).join('')}`;
    const { report } = await imported([{ text }]);
    expect(report).toMatchObject({ rows: 100, rejected: 0 });
  });

  it('may have no header', async () => {
    const { report } = await imported([{ text: `${GOOD}\n${GOOD}\n`, dialect: { hasHeader: false } }]);
    expect(report).toMatchObject({ rows: 2, rejected: 0 });
  });

  it('may be full of quoted line breaks', async () => {
    const record = '2024-01-01 00:00:00,a,1,1,true,"one ""two""\nthree, four"\n';
    const { report } = await imported([{ text: HEADER + record.repeat(30_000) }]);
    expect(report).toMatchObject({ rows: 30_000, rejected: 0 });
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
