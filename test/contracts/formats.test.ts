import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { strToU8, zipSync } from 'fflate';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindOfFormat, numberText } from '../../src/adapters/archives/workbook-parts.js';
import type { UnpackedFile } from '../../src/ports/archive-reader.js';
import { describeCsv } from '../../src/rows/inspect/inspect-csv.js';
import { ArchiveBench, NO_ABORT } from './archive-reader.fixture.js';

let bench: ArchiveBench;
beforeAll(async () => {
  bench = await ArchiveBench.open();
});
afterAll(() => bench[Symbol.asyncDispose]());

const TABLES = join(import.meta.dirname, '../fixtures/tables');

interface Table {
  readonly file: UnpackedFile;
  readonly rows: readonly (readonly string[])[];
  readonly types: readonly string[];
}

async function opened(bytes: Uint8Array): Promise<Readonly<Record<string, Table>>> {
  const tables: Record<string, Table> = {};
  for (const file of await bench.unpackHere(bytes, null)) {
    const rows = rowsOf(await readFile(file.path, 'utf8'));
    const types = rows.length < 2 ? [] : (await describeCsv(file.path, file.written)).types;
    tables[file.name] = { file, rows, types };
  }
  return tables;
}

function rowsOf(text: string): readonly (readonly string[])[] {
  return Papa.parse<string[]>(text).data.filter((row) => row.some((cell) => cell !== ''));
}

function fixture(name: string): Promise<Buffer> {
  return readFile(join(TABLES, name));
}

async function reference(name: string): Promise<readonly (readonly string[])[]> {
  return rowsOf(await readFile(join(TABLES, name), 'utf8'));
}

/** What both programs mean by a cell: a day has no clock in the one, a share has its sign, a clock has twelve hours. */
function meant(cell: string): string {
  const share = /^(-?[\d.]+)%$/.exec(cell)?.[1];
  if (share !== undefined) return String(Number(share) / 100);
  if (/^(?:TRUE|FALSE|True|False)$/.test(cell)) return cell.toLowerCase();
  const day = cell.replace(/ 00:00:00(?:\.0+)?$/, '');
  return day !== '' && Number.isFinite(Number(day)) && !/^0\d/.test(day) ? String(Number(day)) : day;
}

function columnOf(rows: Table['rows'] | undefined, name: string): readonly string[] {
  const column = rows?.[0]?.indexOf(name) ?? -1;
  return (rows ?? []).map((row) => meant(row[column] ?? ''));
}

describe('a workbook has the values that LibreOffice reads', () => {
  let tables: Readonly<Record<string, Table>>;
  beforeAll(async () => {
    tables = await opened(await fixture('awkward.xlsx'));
  });

  it.each(['Wide', 'Gaps', 'Secret'])('in the sheet %s', async (sheet) => {
    expect(tables[sheet]?.rows).toEqual(await reference(`awkward.${sheet}.csv`));
  });

  it('in a sheet of sales with a title, codes, dates, shares and formulas', async () => {
    const { Sales } = tables;
    const expected = await reference('awkward.Sales.csv');
    const withoutRegion = (rows: readonly (readonly string[])[]): unknown =>
      rows.map((row) => row.filter((_, column) => column !== 3).map(meant));
    expect(withoutRegion(Sales?.rows ?? [])).toEqual(withoutRegion(expected));
    expect(Sales?.types).toEqual(['text', 'time', 'time', 'text', 'integer', 'number', 'number', 'number']);
    // A cell that is merged downwards counts for each of its rows; in the other program for the first.
    expect(Sales?.rows.slice(2, 7).map((row) => row[3])).toEqual(['North', 'North', 'North', 'North', 'South']);
  });

  it('in a sheet of codes, clocks, durations and texts', async () => {
    const { Codes } = tables;
    const expected = await reference('awkward.Codes.csv');
    const columns = (rows: readonly (readonly string[])[]): unknown =>
      rows.map((row) => [0, 2, 5].map((column) => meant(row[column] ?? '')));
    expect(columns(Codes?.rows ?? [])).toEqual(columns(expected));
    expect(Codes?.rows[1]?.slice(0, 5)).toEqual(['1000', '00100', 'true', '00:30:15', '20:05:00']);
    expect(Codes?.rows[5]?.[4]).toBe('24:05:00');
    expect(Codes?.types).toEqual(['text', 'text', 'boolean', 'text', 'text', 'text', 'number']);
  });

  it('with days counted from 1904', async () => {
    const { Sheet } = await opened(await fixture('dates1904.xlsx'));
    const times = (rows: readonly (readonly string[])[]): readonly number[] =>
      rows.slice(1).map((row) => Date.parse(`${row[1] ?? ''}Z`));
    const expected = times(await reference('dates1904.csv'));
    // The other program cuts seconds off, where a fraction of a day is not exactly one.
    expect(times(Sheet?.rows ?? []).map((time, row) => Math.abs(time - (expected[row] ?? 0)) <= 1000)).toEqual(
      expected.map(() => true),
    );
    expect(Sheet?.rows[6]).toEqual(['d1', '1972-06-13 05:00:00', '5']);
  });

  it('and names from two rows of a header that is merged', async () => {
    const path = await bench.write(await fixture('awkward.xlsx'));
    await using unpacked = await bench.reader.unpack(path, { headBytes: null, signal: NO_ABORT, only: ['Groups'] });
    const [file] = unpacked.files;
    expect(unpacked.files).toHaveLength(1);
    const { columns } = await describeCsv(file?.path ?? '', file?.written);
    expect(columns).toEqual(['Region', 'Temperature low', 'Temperature high', 'Rain mm', 'Rain hours']);
  });
});

it.each([
  ['45000', 'yyyy-mm-dd', '2023-03-15 00:00:00'],
  // The 29th of February 1900 never was.
  ['60.25', 'm/d/yy', '1900-03-01 06:00:00'],
  ['0.75', 'h:mm AM/PM', '18:00:00'],
  ['1.5', '[h]:mm', '36:00:00'],
  ['0.10000000000000001', '0.00%', '0.1'],
  ['12', '[$€-407] #,##0.00', '12'],
  ['1.5E3', 'General', '1500'],
])('the number %s in the format %s is %s', (raw, format, text) => {
  expect(numberText(raw, kindOfFormat(format), false)).toBe(text);
});

describe('a file of pandas', () => {
  it('in Parquet has the values and the types', async () => {
    const { 'the file': table } = await opened(await fixture('pandas.parquet'));
    const expected = await reference('pandas.csv');
    for (const name of expected[0] ?? []) {
      if (name !== 'zoned') expect(columnOf(table?.rows, name)).toEqual(columnOf(expected, name));
    }
    expect(columnOf(table?.rows, 'zoned')[1]).toBe('2024-05-31 22:00:00');
    expect(Object.fromEntries((table?.rows[0] ?? []).map((name, at) => [name, table?.types[at]]))).toMatchObject({
      ...{ device: 'text', at: 'time', code: 'text', whole: 'text', ratio: 'number', small: 'number' },
      ...{ price: 'number', ok: 'boolean', day: 'time', zoned: 'time', tags: 'text', 'place.pos.lat': 'number' },
    });
  });

  it('in JSON too', async () => {
    const { 'the file': table } = await opened(await fixture('pandas.json'));
    expect(table?.rows).toHaveLength(41);
    expect(table?.types.join(' ')).toBe('text time text text number number text boolean time text');
  });
});

it('a file that another program has packed by zstd is read', async () => {
  const path = await bench.write(new Uint8Array());
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    `COPY (SELECT 'd' || i % 7 AS device, i AS value FROM range(20000) t(i)) TO '${path}.zst' (FORMAT csv, HEADER, COMPRESSION zstd)`,
  );
  connection.closeSync();
  instance.closeSync();
  const { 'the file': table } = await opened(await readFile(`${path}.zst`));
  expect(table?.rows).toHaveLength(20_001);
  expect(table?.rows.at(-1)).toEqual(['d0', '19999']);
});

it.each([
  ['{"data":[{"k":"a","v":1},{"k":"b","v":2}]}', 'k,v\na,1\nb,2\n'],
  // What stands around the records stands on each of them.
  ['\n{"k":7,"page":{"of":1},"rows":[{"k":"a"},{"v":2}]}', 'k,page.of,rows.k,v\n7,1,a,\n7,1,,2\n'],
  ['[{"k":1,"parts":[{"v":1}]}]', 'k,parts\n1,"[{""v"":1}]"\n'],
  ['{"a":[{"v":1}],"b":[{"v":2}]}', 'a,b\n"[{""v"":1}]","[{""v"":2}]"\n'],
  // Behind a byte order mark, as PowerShell writes one.
  ['\ufeff{"data":[{"k":"ä","v":1},{"k":"b","v":2}]}', 'k,v\nä,1\nb,2\n'],
])('the rows of a document that is one object are its only list of records: %s', async (document, csv) => {
  const path = await bench.write(strToU8(document));
  await using unpacked = await bench.reader.unpack(path, { headBytes: null, signal: NO_ABORT, name: 'rows.json' });
  expect(await readFile(unpacked.files[0]?.path ?? '', 'utf8')).toBe(csv);
});

it('a line of NDJSON that is no object becomes an empty record in its place', async () => {
  const lines = ['{"device":"a","value":1}', '{"device":"b","val', '[1]', '{"device":"c","value":3}', '{"device":"d"}'];
  const path = await bench.write(strToU8(lines.join('\n')));
  await using unpacked = await bench.reader.unpack(path, { headBytes: null, signal: NO_ABORT, name: 'rows.ndjson' });
  const text = await readFile(unpacked.files[0]?.path ?? '', 'utf8');
  expect(text).toBe('device,value\na,1\n,\n,\nc,3\nd,\n');
});

it('a number of JSON that is too large stays one that the import rejects', async () => {
  const path = await bench.write(strToU8('{"k":"a","v":1.5}\n{"k":"b","v":1e400}\n'));
  await using unpacked = await bench.reader.unpack(path, { headBytes: null, signal: NO_ABORT, name: 'rows.ndjson' });
  expect(await readFile(unpacked.files[0]?.path ?? '', 'utf8')).toBe('k,v\na,1.5\nb,inf\n');
});

function aWorkbook(sheet: string, shared = '<sst/>'): Uint8Array {
  const relations =
    '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/s.xml"/></Relationships>';
  return zipSync({
    '[Content_Types].xml': strToU8('<Types/>'),
    'xl/workbook.xml': strToU8('<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': strToU8(relations),
    'xl/worksheets/s.xml': strToU8(sheet),
    'xl/sharedStrings.xml': strToU8(shared),
  });
}

const ENTITIES = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>';

describe('a hostile file is refused with a sentence', () => {
  it.each([
    ['an external entity', aWorkbook(`${ENTITIES}<worksheet><c t="str"><v>&e;</v></c></worksheet>`), /document type/],
    ['entities in the texts', aWorkbook('<worksheet/>', `${ENTITIES}<sst><si><t>&e;</t></si></sst>`), /document type/],
    ['an unknown entity', aWorkbook('<worksheet>&e;</worksheet>'), /no XML/],
    ['deep XML', aWorkbook('<a>'.repeat(50_000)), /nested too deeply/],
    ['a cell far to the right', aWorkbook('<row r="1"><c r="XFD1"><v>1</v></c></row>'), /more than 2000 columns/],
    ['rows beyond all sheets', aWorkbook('<row r="9999999"/>'), /out of order/],
    ['a text that is not there', aWorkbook('<row><c t="s"><v>9</v></c></row>'), /a text is missing/],
    ['a workbook that is a bomb', aWorkbook(`<x>${'<row/>'.repeat(3_000_000)}</x>`), /200 times its size/],
    ['a bomb of gzip', gzipSync('1,2\n'.repeat(10_000_000), { level: 9 }), /200 times its size/],
    ['gzip in gzip', gzipSync(gzipSync('a,b\n1,2\n')), /packed more than once/],
    ['half of a gzip file', gzipSync('a,b\n1,2\n'.repeat(9999)).subarray(0, 60), /damaged or incomplete/],
    ['deep JSON', strToU8(`[{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}]`), /nested too deeply/],
    [
      'thousands of fields',
      strToU8(`{"a":1${Array.from({ length: 3000 }, (_, at) => `,"k${at}":1`).join('')}}`),
      /3001 columns/,
    ],
    ['a record of JSON with a key twice', strToU8('{"a":1}\n{"a":2,"a":3}\n'), /the key "a" twice in line 2$/],
    ['broken lines of JSON', strToU8('{"a":1}\n{"a":2\n{"a":3\n'), /damaged or incomplete in line/],
    ['a hundred thousand brackets', strToU8('['.repeat(100_000)), /nested too deeply/],
    ['no Parquet', strToU8(`PAR1\u0015${'x'.repeat(100)}PAR1`), /Parquet file is damaged/],
    ['an archive in the archive', zipSync({ 'a.json': zipSync({ 'a.csv': strToU8('a') }) }), /archive in the archive/],
  ])('%s', async (_, bytes, message) => {
    const refusal = { kind: 'invalid_input', message: expect.stringMatching(message) as string };
    // Nothing that the whole tells is left to be found out by the import: 8 MiB are looked at of an upload.
    for (const headBytes of [null, 8 * 1024 ** 2])
      await expect(bench.unpackHere(bytes, headBytes)).rejects.toMatchObject(refusal);
  });
});
