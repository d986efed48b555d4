import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ArchiveReader } from '../../src/ports/archive-reader.js';
import { aService } from '../api/a-service.js';
import { rawZip } from '../contracts/archive-reader.fixture.js';
import { storedObjects } from '../support/stored-objects.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { folderOf, INSTANCES } from '../support/way.js';

const api = await aService();
const ada = await api.signIn('acme');

const TABLES = join(import.meta.dirname, '../fixtures/tables');
const CSV = 'device,at,value\nd1,2024-01-01 00:00:00,1.5\nd2,2024-01-01 01:00:00,2.5\nd1,soon,3\n';
const RECORDS = [
  { device: '007', at: '2024-01-01 00:00:00', value: 1.5, place: { city: 'Bern' } },
  { device: '008', at: '2024-01-02 00:00:00', value: null, place: { city: 'Basel' } },
];
const TIMED = { is_timeseries: true, timefield: 'at', metafield: 'device' };
const JANUARY = 'device,at,temperature\nd1,2024-01-01 00:00:00,20\nd2,2024-01-01 01:00:00,21\n';
/** Another separator, order of columns and line end, and a column that the other lacks. */
const FEBRUARY = 'at;humidity;Device;temperature\r\n2024-02-01 00:00:00;40,5;d1;22,5\r\nsoon;1;d1;1\r\n';
/** Begins the name of a file of rows. */
const ROWS = /^[0-9a-f]{24}[.]\d+[.]/;

function fixture(name: string): Promise<Buffer> {
  return readFile(join(TABLES, name));
}

function aZip(files: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

function create(client: TestClient, filename: unknown, more: object = {}): Promise<TestResponse> {
  return client.put('/secure/datasource', { name: 'Rows', type: 'csv', filename, config: TIMED, ...more });
}

/** The datasource that is made of an upload. */
async function madeOf(filename: unknown, more: object = {}): Promise<Record<string, unknown>> {
  const { body } = await create(ada, filename, more);
  expect(body).toMatchObject({ error: false });
  await api.drain();
  const { body: found } = await ada.get(`/secure/datasource?id=${String(body['datasource_id'])}`);
  return found['datasource'] as Record<string, unknown>;
}

/** The datasource that is made of a file. */
async function made(content: Uint8Array | string, name: string, more: object = {}): Promise<Record<string, unknown>> {
  const { body: upload } = await ada.upload(content, name);
  expect(upload).toMatchObject({ error: false });
  return madeOf(upload['filename'], more);
}

/** As it was imported, all columns or some. */
async function exported({ id }: Record<string, unknown>, columns = ''): Promise<string> {
  const path = `/secure/datasource/export?id=${String(id)}&columns=${encodeURIComponent(columns)}`;
  return (await ada.bytes(path)).bytes.toString('utf8').replaceAll('\r\n', '\n');
}

/** Files that should be gone: uploads, and what was unpacked of them. */
async function leftOver(): Promise<readonly string[]> {
  const files = Array.from({ length: INSTANCES }, async (_, instance) => {
    const folder = join(folderOf(api.dataDir, instance), 'unpacked');
    const unpacked = await readdir(folder, { recursive: true, withFileTypes: true });
    return unpacked.filter((entry) => entry.isFile()).map(({ name }) => name);
  });
  const objects = (await storedObjects(api.dataDir)).filter((name) => !ROWS.test(name));
  return [...objects, ...(await Promise.all(files)).flat()];
}

describe('a packed text file', () => {
  it('is accounted for like what is in it', async () => {
    const packed = await made(gzipSync(CSV.replaceAll(',', '\t')), 'rows.tsv.gz');
    expect(packed).toMatchObject({
      files: ['rows.tsv'],
      doc_count: 2,
      d_files: [{ file: 'rows.tsv', size: CSV.length, rows: 2, rejected: 1 }],
      import: { status: 'ready', rows: 2, rejected: 1, rejected_sample: [{ file: 'rows.tsv', line: 4 }] },
    });
    expect(await exported(packed)).toBe(CSV.replace('d1,soon,3\n', ''));
  });

  it('larger than its head is imported whole', async () => {
    // Behind the head a column of numbers has texts.
    const codeOf = (at: number): string => (at < 2_900 ? String(at) : 'A7');
    const note = 'x'.repeat(4000);
    const lineOf = (_: unknown, at: number): string => `d${at % 7},2024-01-01 00:00:00,${at},${codeOf(at)},${note}`;
    const lines = Array.from({ length: 3_000 }, lineOf).join('\n');
    const config = { ...TIMED, values: ['value'] };
    const many = await made(gzipSync(`device,at,value,code,note\n${lines}\n`, { level: 1 }), 'many.csv.gz', { config });
    expect(many).toMatchObject({ doc_count: 3_000, import: { rejected: 0 } });
  });
});

it('a workbook tells its sheets, and becomes what is chosen of them, of those that have rows', async () => {
  const content = await fixture('awkward.xlsx');
  const { body: upload } = await ada.upload(content, 'awkward.xlsx');
  expect(upload).toMatchObject({
    files: ['Sales', 'Codes', 'Empty', 'Wide', 'Gaps', 'Groups', 'Secret'],
    sheets: ['Sales', 'Codes', 'Wide', 'Gaps', 'Groups', 'Secret'].map((file) => ({ file })),
    sample: ['007', '2024-01-30 00:00:00', '2024-01-30 00:17:03', 'North', '0', '0.3', '0', '0'],
    times: [{ column: 'day' }, { column: 'at' }],
  });
  for (const name of ['Empty', 'Nope']) {
    const asked = { config: { metafield: 'a' }, files: [name] };
    expect(await create(ada, upload['filename'], asked)).toMatchObject({
      status: 400,
      body: { error: true, message: expect.stringContaining(`"${name}" has no rows`) as string },
    });
  }
  const other = { config: { metafield: 'device' }, files: ['Gaps'] };
  expect(await madeOf(upload['filename'], other)).toMatchObject({
    files: ['Gaps'],
    doc_count: 10,
    config: { values: ['value'], assets: ['d0', 'd1', 'd2'] },
  });
});

it('a file with types of Parquet or JSON keeps them, and may lie in a ZIP archive beside CSV files', async () => {
  const table = await made(await fixture('pandas.parquet'), 'pandas.parquet');
  expect(table).toMatchObject({ doc_count: 40, import: { rejected: 0 }, files: ['pandas.parquet'] });
  const [, first] = (await exported(table, 'at,code,whole,price,day,place.city')).split('\n');
  expect(first).toBe('2024-01-01 00:00:00,000,0,0.1,2024-02-01T00:00:00Z,"Bern, old"');

  const records = await made(RECORDS.map((record) => JSON.stringify(record)).join('\n'), 'rows.ndjson');
  expect(records).toMatchObject({ doc_count: 2, config: { assets: ['007', '008'], values: ['value'] } });
  expect(await exported(records, 'device,value,place.city')).toBe(
    'device,value,place.city\n007,1.5,Bern\n008,,Basel\n',
  );

  const rows = { 'a/rows.csv': strToU8(CSV), 'b/rows.json': strToU8(JSON.stringify(RECORDS)) };
  const content = zipSync({ ...rows, 'c/book.xlsx': new Uint8Array(await fixture('dates1904.xlsx')) });
  expect(await made(content, 'all.zip')).toMatchObject({
    files: ['a/rows.csv', 'b/rows.json', 'c/book.xlsx/Sheet'],
    doc_count: 14,
    import: { rejected: 1 },
  });
});

describe('a ZIP archive of CSV files', () => {
  const EMPTY = { 'a.csv': '', 'b.csv': 'device,other\n' };
  const IGNORED = { '__MACOSX/2024/._01.csv': 'x', '.DS_Store': 'x' };
  const MONTHS = { '2024/01.csv': JANUARY, '2024/02.CSV': FEBRUARY, ...EMPTY, ...IGNORED };
  const FILES = ['2024/01.csv', '2024/02.CSV', 'a.csv', 'b.csv'];

  it('leaves nothing when its upload is deleted', async () => {
    const { body: upload } = await ada.upload(aZip(MONTHS), 'months.zip');
    const { filename } = upload;
    expect(await ada.delete('/secure/datasource/upload', { filename })).toMatchObject({ body: { error: false } });
    expect(await leftOver()).toEqual([]);
  });

  it('is described file by file, and becomes one datasource of its company, united by the names of the columns', async () => {
    const { status, body: upload } = await ada.upload(aZip(MONTHS), 'months.csv');
    expect(status).toBe(200);
    expect(upload).toMatchObject({
      file: 'months.csv',
      files: FILES,
      columns: [['device', 'at', 'temperature'], ['at', 'humidity', 'Device', 'temperature'], [], ['device', 'other']],
      types: [['text', 'time', 'integer'], ['text', 'number', 'text', 'number'], [], ['text', 'text']],
      sample: ['d1', '2024-01-01 00:00:00', '20'],
      dialects: [{ delimiter: ',' }, { delimiter: ';' }, {}, {}],
    });
    expect(await create(await api.signIn('globex'), upload['filename'])).toMatchObject({ status: 404 });
    const months = await madeOf(upload['filename']);
    expect(months).toMatchObject({
      updating: false,
      doc_count: 3,
      files: FILES,
      d_files: [
        { filename: months['filename'], file: '2024/01.csv', size: JANUARY.length, rows: 2, rejected: 0 },
        { filename: months['filename'], file: '2024/02.CSV', size: FEBRUARY.length, rows: 1, rejected: 1 },
        { file: 'a.csv', size: 0, rows: 0, rejected: 0 },
        { file: 'b.csv', size: 13, rows: 0, rejected: 0 },
      ],
      config: { values: ['temperature', 'humidity'], assets: ['d1', 'd2'], timeformat: 'yyyy-MM-dd HH:mm:ss' },
      import: { status: 'ready', rows: 3, rejected: 1, rejected_sample: [{ file: '2024/02.CSV', line: 3 }] },
    });
    expect(await leftOver()).toEqual([]);

    const plot = { datasource_id: months['id'], asset: 'd1', from: '', to: '', value: 'temperature' };
    expect((await ada.post('/secure/data/plot', plot)).body['data']).toEqual([
      { timestamp: '2024-01-01T00:00:00.000Z', value: 20 },
      { timestamp: '2024-02-01T00:00:00.000Z', value: 22.5 },
    ]);
  });

  const columnsOf = (file: number): readonly string[] => Array.from({ length: 900 }, (_, at) => `c${file}x${at}`);
  const wide = (file: number): string => `${columnsOf(file).join(',')}\n${'1,'.repeat(899)}1\n`;
  it.each<[string, Uint8Array, RegExp, object[]?]>([
    [
      'has a bomb that lies',
      rawZip([{ name: 'a.csv', content: Buffer.alloc(50_000_000, 'a,b\n'), size: 9_000_000 }]),
      /longer than it declares/,
    ],
    [
      'has no rows',
      aZip({ 'a.csv': '', 'b.csv': 'device,at\n' }),
      /^nothing in the file has rows: the file is empty \(a.csv\)$/,
      [{ field: 'a.csv' }, { field: 'b.csv', problem: 'the file has a header but no rows' }],
    ],
    ['has too many columns', aZip({ 'a.csv': wide(0), 'b.csv': wide(1), 'c.csv': wide(2) }), /more than 2000 columns/],
  ])('is refused when it %s, and nothing of it is left', async (_what, bytes, message, details) => {
    const before = await leftOver();
    const { status, body } = await ada.upload(bytes, 'x.zip');
    const told = { error: true, message: expect.stringMatching(message) as string, ...(details && { details }) };
    expect({ status, body }).toMatchObject({ status: 400, body: told });
    expect(await leftOver()).toEqual(before);
  });

  describe('that is unpacked', () => {
    afterEach(() => vi.restoreAllMocks());

    it.each(['before', 'after'] as const)('is gone when the datasource is deleted %s that', async (when) => {
      const { body: upload } = await ada.upload(aZip({ 'a.csv': JANUARY }), 'x.zip');
      const others = (await leftOver()).filter((name) => name !== upload['filename']);
      let ended: unknown = null;
      const removeAt = async (moment: string): Promise<void> => {
        if (moment !== when || ended !== null) return;
        const { body } = await ada.get('/secure/datasources?page_size=1');
        const [newest] = body['datasources'] as { id: string }[];
        ended = await ada.delete('/secure/datasource', { id: newest?.id, permanent: true });
      };
      for (const archives of api.everywhere(ArchiveReader)) {
        const unpack = archives.unpack.bind(archives);
        vi.spyOn(archives, 'unpack').mockImplementation(async (path, options) => {
          await removeAt('before');
          const files = await unpack(path, options);
          await removeAt('after');
          return files;
        });
      }
      await create(ada, upload['filename']).catch(() => undefined);
      await api.drain();
      expect(ended).toMatchObject({ status: 200 });
      expect(await leftOver()).toEqual(others);
    });
  });
});

describe('a file that can not be used', () => {
  it('is refused with a sentence, by its bytes and by its name, and nothing of it is left', async () => {
    const before = await leftOver();
    const bytes = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 256));
    expect(await ada.upload(bytes)).toMatchObject({
      status: 400,
      body: { error: true, message: expect.stringMatching(/^[a-z].{10,}/i) as string },
    });
    expect(await ada.upload('a,b\n1,2', 'rows.docx')).toMatchObject({ status: 415, body: { error: true } });
    expect(await ada.upload('a,b\n1,2', 'rows.csv', 'other')).toMatchObject({ status: 400, body: { error: true } });
    expect(await ada.post('/secure/datasource/upload', {})).toMatchObject({ status: 415, body: { error: true } });
    expect(await leftOver()).toEqual(before);
  });

  it('for its config can be used again with another one, once, and fails when no row of it fits', async () => {
    const { body: upload } = await ada.upload(`device,at,value\n${',2024-01-01,1\n'.repeat(20)}`);
    const refused = await create(ada, upload['filename'], { config: { metafield: 'nope' } });
    expect(refused).toMatchObject({ status: 400, body: { error: true } });
    const { status, body } = await create(ada, upload['filename']);
    expect(status).toBe(200);
    expect(await create(ada, upload['filename'])).toMatchObject({ status: 404 });
    await api.drain();
    const id = String(body['datasource_id']);
    const { body: found } = await ada.get(`/secure/datasource?id=${id}`);
    expect(found['datasource']).toMatchObject({
      updating: false,
      doc_count: 0,
      import: { status: 'failed', error: expect.stringMatching(/device|metafield|meta/i) as string },
    });
    expect((await storedObjects(api.dataDir)).filter((name) => name.startsWith(id))).toEqual([]);
  });
});

it('each line that the page on files calls rejected is, for the reason that it gives', async () => {
  const page = (await readFile('docs/ingest.md', 'utf8')).replaceAll('\r', '');
  const promised = [...page.matchAll(/^\| `(?<reason>[^`]+)` \| (?<examples>`.+) \|$/gm)].flatMap(({ groups }) =>
    [...groups!['examples']!.matchAll(/`([^`]+)`/g)].map(([, line]) => ({ reason: groups!['reason']!, line: line! })),
  );
  expect(promised.length).toBeGreaterThan(6);
  // One file of all of them: so much that is sound lies before and behind each that none makes the file look otherwise.
  const sound = Array.from({ length: 500 }, (_, row) => `2024-01-01,d${row % 3},${row}.5`);
  const config = { ...TIMED, timeformat: 'yyyy-MM-dd', values: ['value'] };
  const asPromised = async (some: typeof promised, end: readonly string[]): Promise<void> => {
    const lines = some.flatMap(({ line }) => [...sound, line]);
    const csv = `at,device,value\n${[...lines, ...end].join('\n')}\n`;
    expect(await made(csv, 'rows.csv', { config })).toMatchObject({
      doc_count: some.length * sound.length + end.length,
      import: {
        rejected: some.length,
        rejected_sample: some.map(({ reason, line: text }, at) => ({
          ...{ reason, text, line: (at + 1) * (sound.length + 1) + 1 },
        })),
      },
    });
  };
  // A line of totals is the last of its file.
  const isOfTotals = ({ reason }: (typeof promised)[number]): boolean => reason.startsWith('it sums up');
  await asPromised(
    promised.filter((one) => !isOfTotals(one)),
    sound,
  );
  await asPromised(promised.filter(isOfTotals), []);
});
