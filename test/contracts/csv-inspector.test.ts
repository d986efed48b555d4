import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CsvDescription, CsvDialect } from '../../src/ports/csv-inspector.js';
import { EngineCsvInspector } from '../../src/rows/engine/engine-client.js';
import { describeCsv } from '../../src/rows/inspect/inspect-csv.js';

interface ExpectedCsv {
  readonly dialect?: Partial<CsvDialect>;
  readonly columns?: readonly string[];
  readonly types?: readonly string[];
  readonly sample?: readonly string[];
  readonly rows?: number;
}

type CsvCase = readonly [name: string, content: string | Buffer, expected: ExpectedCsv];

function csv(...given: CsvCase): CsvCase {
  return given;
}

/** So many lines, each made from its number. */
function lines(count: number, pattern: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${pattern(index)}\n`).join('');
}

/** The dirty files have the other signs, line ends, encodings and headers: see dirty-import.test.ts. */
const CASES: readonly CsvCase[] = [
  csv('decimal commas between semicolons', 'a;b\n1,5;2,25\n3,5;4\n', {
    dialect: { delimiter: ';', decimal: ',' },
    types: ['number', 'number'],
  }),
  csv('decimal commas without a header', '1,5;2,25\n3,5;4,75\n', {
    dialect: { delimiter: ';', decimal: ',', headerRows: 0 },
    types: ['number', 'number'],
  }),
  csv('commas inside texts between semicolons', 'id;text\n1;a, b, c\n2;d\n3;e, f\n', {
    dialect: { delimiter: ';', decimal: '.' },
    types: ['integer', 'text'],
  }),
  csv('quotation marks, doubled inside', 'a,b\n"x ""y"" z","1,5"\n', {
    dialect: { quote: '"', decimal: ',' },
    sample: ['x "y" z', '1,5'],
    types: ['text', 'number'],
  }),
  csv('apostrophes that are none', "a,b\nO'Neill,1\nrock 'n' roll,2\n", { dialect: { quote: '"' } }),
  csv('one column of texts with spaces', 'note\nhello there\nwhat else\n', { columns: ['note'], rows: 2 }),
  csv('Latin-1 with one letter', iconv.encode('time,temp °C\n2024-01-01,5\n', 'latin1'), {
    dialect: { encoding: 'iso-8859-1' },
    columns: ['time', 'temp °C'],
  }),
  csv('Windows-1252', iconv.encode('name;price €\n“x”;1\n', 'windows-1252'), {
    dialect: { encoding: 'windows-1252' },
    columns: ['name', 'price €'],
  }),
  csv('Shift_JIS', iconv.encode(`名前,都市\n${lines(40, () => '太郎さんは学生です,東京都千代田区')}`, 'shift_jis'), {
    dialect: { encoding: 'shift_jis' },
    columns: ['名前', '都市'],
  }),
  csv(
    'UTF-8 with one bad byte',
    Buffer.concat([Buffer.from(`größe,x\n${lines(50, () => 'ü,1')}`), Buffer.from([0xff])]),
    { dialect: { encoding: 'utf-8' }, columns: ['größe', 'x'] },
  ),
  csv('texts alone', 'name,city\nAda,London\nEve,Paris\n', { dialect: { headerRows: 1 }, columns: ['name', 'city'] }),
  csv('texts alone without a header', 'on,red\noff,blue\non,red\noff,red\n', { dialect: { headerRows: 0 } }),
  csv('names twice', 'a,b,a,A,a_2\n1,2,3,4,5\n', { columns: ['a', 'b', 'a_3', 'A_4', 'a_2'] }),
  csv('names missing', ',b,,\n1,2,3,4\n', { columns: ['column1', 'b', 'column3', 'column4'] }),
  csv('names with blanks and line breaks', ' a ,"b\nc",d\u0000\n1,2,3\n'.replace('\u0000', '\u200b'), {
    columns: ['a', 'b\nc', 'd\u200b'],
  }),
  csv('a name of a thousand characters and more', `${'é'.repeat(1200)},b\n1,2\n`, { columns: ['é'.repeat(1000), 'b'] }),
  csv(
    'a total in the column of days',
    'Tag;Ort;Betrag\n01.02.2026;A;400,50 €\n14.02.2026;B;74,17 €\nSumme;;474,67 €\n',
    {
      dialect: { footer: { column: 0, labels: ['Summe'] } },
      types: ['time', 'text', 'number'],
      rows: 2,
    },
  ),
  csv(
    'totals and averages',
    `shop,sold,paid\n${lines(9, (index) => `s${index},${index},2.5`)}Total,36,22.5\nAverage,4,\n`,
    {
      dialect: { footer: { column: 0, labels: ['Total', 'Average'] } },
      rows: 9,
    },
  ),
  csv('a company that is called Total', 'company,sold\nShell,3\nBP,4\nTotal,5\n', {
    dialect: { footer: undefined },
    rows: 3,
  }),
  csv('a group that is called Total', 'sex,born\nf,3\nm,4\nTotal,7\nf,5\nm,6\nTotal,11\n', {
    dialect: { footer: undefined },
    rows: 6,
  }),
  csv('titles of groups above names', 'site,,north,\nday,hour,min,max\n2024-01-01,1,2,3\n2024-01-02,4,5,6\n', {
    dialect: { headerRows: 2 },
    columns: ['site day', 'site hour', 'north min', 'north max'],
    types: ['time', 'integer', 'integer', 'integer'],
    rows: 2,
  }),
  csv('units in brackets', 'at,speed,name\n[s],[m/s],[-]\n1,2.5,x\n2,3.5,y\n', {
    dialect: { headerRows: 2 },
    columns: ['at [s]', 'speed [m/s]', 'name [-]'],
    types: ['integer', 'number', 'text'],
  }),
  csv('texts that look like a second header row', 'name,city\nfirst,place\nAda,London\nEve,Paris\n', {
    dialect: { headerRows: 1 },
    rows: 3,
  }),
  csv('units below names of columns that have them', 'item,price,share\n,$,%\nx,$5,7.5 %\ny,$6,8 %\n', {
    ...{ dialect: { headerRows: 2, units: ['', '$', '%'] }, columns: ['item', 'price $', 'share %'] },
    types: ['text', 'integer', 'number'],
  }),
  csv('units of which some are not known', 'at,temp,speed\n,°C,1/min\n2024-01-01,2.5,3\n2024-01-02,3.5,4\n', {
    ...{ dialect: { headerRows: 2 }, columns: ['at', 'temp °C', 'speed 1/min'], types: ['time', 'number', 'integer'] },
  }),
  csv('days that are names', 'figure,2024-01-01,2024-02-01\ncosts,1,2\nprofit,3,4\n', {
    ...{ columns: ['figure', '2024-01-01', '2024-02-01'], types: ['text', 'integer', 'integer'], rows: 2 },
  }),
  csv('no header above amounts', 'x,$5\ny,$6\nz,$7\n', { dialect: { headerRows: 0 }, types: ['text', 'integer'] }),
  csv('percentiles that are names', '25%,50%,75%\n1,2,3\n4,5,6\n', { columns: ['25%', '50%', '75%'], rows: 2 }),
  csv('a header again in the middle', `a,b\n${lines(20, () => '1,2')}a,b\n${lines(20, () => '3,4')}`, {
    columns: ['a', 'b'],
    types: ['integer', 'integer'],
    rows: 40,
  }),
];

/** Values of one column beside a column of texts, and the type that they have. */
const TYPES: readonly (readonly [type: string, values: readonly string[], decimal?: ','])[] = [
  ['integer', ['1', '-2', '0', '+3']],
  ['integer', ['1', '', 'NA', 'N/A', 'NaN', 'null', 'NULL', 'None', '2']],
  ['number', ['1', '2.5', '-0.1', '1e3', '.5', '5.']],
  ['text', ['1', '2', 'three']],
  ['text', ['007', '008']],
  ['integer', ['9007199254740991', '-9007199254740991']],
  ['text', ['123456789012345678', '123456789012345679']],
  ['text', ['', 'NA', 'null']],
  ['boolean', ['true', 'False', 'TRUE', '']],
  ['time', ['2024-01-01', '2024-12-31', '']],
  ['time', ['2024-01-01 10:00', '2024-01-01 11:30']],
  ['time', ['2024-01-01T10:00:00Z', '2024-01-01T11:30:00+02:00']],
  ['text', ['2024-01-01', '2024-01-01 10:00:00']],
  ['text', ['2024-02-30', '2024-01-01']],
  ['time', ['01/02/2024', '13/02/2024']],
  ['time', ['3.1.2024', 'n/a', '13.11.2024']],
  ['time', ['Jan 5, 2024', 'Feb 6, 2024'], ','],
  ['text', ['01/02/2024', '03/04/2024']],
  ['text', ['1.10.12', '2.11.13', '1.30.99']],
  ['integer', ["24'000", 'n/a', '-', "37'000", 'k.A.']],
  ['integer', ['1704067200', '1704067260']],
  ['integer', ['1 000', '2 000']],
  ['text', ['100 200 300', '100 200 301', '100 200 302']],
  ['number', ["1'000.5", "12'345'678"]],
  ['number', ['1.234,5', '12.345.678'], ','],
  ['number', ['1,234', '5,678'], ','],
  ['text', ['+4917012345678', '+4917087654321']],
  ['integer', [...Array.from({ length: 25 }, (_, index) => String(index)), 'Total']],
  ['text', [...Array.from({ length: 10 }, (_, index) => String(index)), 'Total']],
  ['text', [...Array.from({ length: 25 }, (_, index) => String(index)), 'lost', '7', '8']],
  ['text', [...Array.from({ length: 25 }, (_, index) => String(index)), '007']],
  ['integer', ['$54', '-$3', '$ 7', '', '12']],
  ['number', ['12.5 %', '7%', 'n/a']],
  ['number', ['1.234,50 €', '7,5\u00a0€'], ','],
  ['number', ['EUR 12,5', 'EUR 1.000'], ','],
  ['text', ['$5', '€6']],
  ['text', ['$5', '6 USD']],
  ['text', ['50%', 'half']],
  ['text', ['$007', '$008']],
  ['text', ['(5 €)', '(6 €)']],
];

function typeCase([type, values, decimal]: (typeof TYPES)[number]): CsvCase {
  const delimiter = decimal === ',' ? ';' : ',';
  const content = `x${delimiter}word\n${values.map((value) => `${value}${delimiter}w\n`).join('')}`;
  return csv(`${type} of ${values.join(' ')}`, content, { types: [type, 'text'], columns: ['x', 'word'] });
}

/** Files that can't be used, and what is said of them. */
const REFUSED: readonly (readonly [name: string, content: Buffer, sentence: RegExp])[] = [
  ['an empty file', Buffer.alloc(0), /^the file is empty$/],
  ['white space', Buffer.from(' \n\t\r\n  '), /nothing but white space/],
  ['a mark and nothing else', Buffer.from('\uFEFF'), /nothing but white space/],
  ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n'), /PDF document, not a CSV/],
  ['a ZIP', Buffer.from('PK\u0003\u0004rest of it', 'latin1'), /^this is a ZIP archive, not a CSV$/],
  ['an XLSX', Buffer.from('PK\u0003\u0004....[Content_Types].xml..xl/workbook.xml', 'latin1'), /Excel workbook/],
  ['a Parquet file', Buffer.from('PAR1....'), /Parquet/],
  ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]), /program/],
  ['a zero among text', Buffer.from('a,b\n1,\0\n'), /binary file/],
  ['UTF-32', iconv.encode('a,b\n1,2\n', 'utf-32le', { addBOM: true }), /UTF-32/],
  ['an empty list of JSON', Buffer.from('[]\n'), /JSON document without records/],
  ['HTML', Buffer.from('<!DOCTYPE html><html></html>'), /HTML/],
  ['2,001 columns', Buffer.from(`${'a,'.repeat(2000)}a\n${'1,'.repeat(2000)}1\n`), /2001 columns; at most 2000/],
  [
    'titles carried over too many columns',
    Buffer.from(
      `,${'t'.repeat(1000)}${','.repeat(1498)}u\n${'a,'.repeat(1499)}a\n${lines(5, () => `${'1,'.repeat(1499)}1`)}`,
    ),
    /names of the columns are too long/,
  ],
  ['a million columns', Buffer.from(`${'a,'.repeat(500_000)}a\n1\n`), /columns; at most 2000/],
];

const inspector = new EngineCsvInspector({ request: (_, { path }) => describeCsv(path) });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'csv-inspector-'));
});
afterAll(() => rm(folder, { recursive: true }));

const path = (): string => join(folder, 'file.csv');

async function describeFile(content: string | Buffer): Promise<CsvDescription> {
  await writeFile(path(), content);
  return inspector.describe(path());
}

describe('reads', () => {
  it.each([...CASES, ...TYPES.map(typeCase)])('%s', async (_, content, expected) => {
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

  it('reads the middle of UTF-16, too', async () => {
    const content = iconv.encode(`id,at,name\n${lines(100_000, row)}`, 'utf-16le', { addBOM: true });
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
  /** The pieces lie at these places, in MiB; between them is a hole, which takes no room on the disk. */
  it.each([
    ['ten million columns in a line', 'a,'.repeat(10_000_000), [0], 'the first line is longer than 1 MiB'],
    ['a line of a gigabyte', 'x'.repeat(8 * 1024 ** 2), [0, 508, 1016], 'the first line is longer than 1 MiB'],
    ['a file that goes on as zeros', `a,b\n${lines(10, () => '1,2')}`, [0, 10_240], 'this is a binary file, not a CSV'],
  ])('refuses %s', async (_, piece, places, message) => {
    const file = await open(path(), 'w');
    for (const at of places) await file.write(piece, at * 1024 ** 2);
    await file.close();
    const began = performance.now();
    await expect(inspector.describe(path())).rejects.toMatchObject({ kind: 'invalid_input', message });
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it.each([
    ['a million short lines', '1,2\n'.repeat(1_000_000)],
    ['quotes alone', '"'.repeat(3_000_000)],
    ['signs of all kinds', `${'^~:#/ !@$%&*§¬,;\t|'.repeat(60)}\n`.repeat(1000)],
    ['quotes that are never closed', `x,"\n${'""y\n'.repeat(300_000)}`],
    ['addresses', lines(20_000, () => `${'a.@'.repeat(20)},${'.b@c'.repeat(15)}`)],
    ['numbers of many groups', lines(60, () => `1${',111'.repeat(6000)}`)],
  ])('answers for %s', async (_, content) => {
    await writeFile(path(), content);
    const begin = process.cpuUsage();
    await inspector.describe(path()).catch((error: unknown) => {
      expect(error).toMatchObject({ kind: 'invalid_input' });
    });
    // Of the processor, in microseconds: how busy the machine is does not count.
    const { user, system } = process.cpuUsage(begin);
    expect(user + system).toBeLessThan(2_500_000);
  });
});
