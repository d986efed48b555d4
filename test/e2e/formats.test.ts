import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedObjects } from '../support/stored-objects.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';

let api: TestApi;
let ada: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  ada = await api.signIn('acme');
});
afterAll(() => api[Symbol.asyncDispose]());

const TABLES = join(import.meta.dirname, '../fixtures/tables');
const CSV = 'device,at,value\nd1,2024-01-01 00:00:00,1.5\nd2,2024-01-01 01:00:00,2.5\nd1,soon,3\n';
const RECORDS = [
  { device: '007', at: '2024-01-01 00:00:00', value: 1.5, place: { city: 'Bern' } },
  { device: '008', at: '2024-01-02 00:00:00', value: null, place: { city: 'Basel' } },
];
const TIMED = { is_timeseries: true, timefield: 'at', metafield: 'device' };

function fixture(name: string): Promise<Buffer> {
  return readFile(join(TABLES, name));
}

async function made(
  client: TestClient,
  { content, name, config = TIMED, ...more }: { content: Uint8Array; name: string; config?: object; files?: string[] },
): Promise<Record<string, unknown>> {
  const { body: upload } = await client.upload(content, name);
  expect(upload).toMatchObject({ error: false });
  const asked = { name: 'Rows', type: 'csv', filename: upload['filename'], config, ...more };
  const { body } = await client.put('/secure/datasource', asked);
  expect(body).toMatchObject({ error: false });
  await api.drain();
  const { body: found } = await client.get(`/secure/datasource?id=${String(body['datasource_id'])}`);
  return found['datasource'] as Record<string, unknown>;
}

/** As it was imported, all columns. */
async function exported({ id }: Record<string, unknown>, columns = ''): Promise<string> {
  const { bytes } = await ada.bytes(
    `/secure/datasource/export?id=${String(id)}&columns=${encodeURIComponent(columns)}`,
  );
  return bytes.toString('utf8').replaceAll('\r\n', '\n');
}

describe('a packed text file', () => {
  it('is accounted for like what is in it', async () => {
    const plain = await made(ada, { content: strToU8(CSV), name: 'rows.csv' });
    const packed = await made(ada, { content: gzipSync(CSV), name: 'rows.csv.gz' });
    expect(packed).toMatchObject({
      files: ['rows.csv'],
      doc_count: 2,
      d_files: [{ file: 'rows.csv', size: CSV.length, rows: 2, rejected: 1 }],
      import: { status: 'ready', rows: 2, rejected: 1, rejected_sample: [{ file: 'rows.csv', line: 4 }] },
    });
    expect(await exported(packed)).toBe(await exported(plain));
  });

  it('larger than its head is imported whole', async () => {
    // Behind the head a column of numbers has texts.
    const codeOf = (at: number): string => (at < 24_000 ? String(at) : 'A7');
    const note = 'x'.repeat(400);
    const lines = Array.from(
      { length: 25_000 },
      (_, at) => `d${at % 7},2024-01-01 00:00:00,${at},${codeOf(at)},${note}`,
    );
    const content = gzipSync(`device,at,value,code,note\n${lines.join('\n')}\n`, { level: 1 });
    const config = { ...TIMED, values: ['value'] };
    expect(await made(ada, { content, name: 'many.csv.gz', config })).toMatchObject({
      doc_count: 25_000,
      import: { rejected: 0 },
    });
  });

  it('of tabs is read, and so is one of text', async () => {
    const content = strToU8(CSV.replaceAll(',', '\t'));
    expect(await made(ada, { content, name: 'rows.tsv' })).toMatchObject({ doc_count: 2 });
    expect(await made(ada, { content, name: 'rows.txt' })).toMatchObject({ doc_count: 2 });
  });
});

describe('a workbook', () => {
  it('tells its sheets, and becomes what is chosen of them', async () => {
    const content = await fixture('awkward.xlsx');
    const { body: upload } = await ada.upload(content, 'awkward.xlsx');
    expect(upload).toMatchObject({
      files: ['Sales', 'Codes', 'Empty', 'Wide', 'Gaps', 'Groups', 'Secret'],
      sheets: ['Sales', 'Codes', 'Wide', 'Gaps', 'Groups', 'Secret'].map((file) => ({ file })),
      sample: ['007', '2024-01-30 00:00:00', '2024-01-30 00:17:03', 'North', '0', '0.3', '0', '0'],
      times: [{ column: 'day' }, { column: 'at' }],
    });
    const first = await made(ada, { content, name: 'awkward.xlsx', config: { ...TIMED, metafield: 'region' } });
    expect(first).toMatchObject({ files: ['Sales'], doc_count: 24, import: { rejected: 0 } });
    const other = { config: { metafield: 'device' }, files: ['Gaps'] };
    expect(await made(ada, { content, name: 'awkward.xlsx', ...other })).toMatchObject({
      files: ['Gaps'],
      doc_count: 10,
      config: { values: ['value'], assets: ['d0', 'd1', 'd2'] },
    });
  });

  it('refuses a sheet that has no rows, and one that is not there', async () => {
    const { body: upload } = await ada.upload(await fixture('awkward.xlsx'), 'a.xlsx');
    for (const name of ['Empty', 'Nope']) {
      const asked = {
        name: 'x',
        type: 'xlsx',
        filename: upload['filename'],
        config: { metafield: 'a' },
        files: [name],
      };
      expect(await ada.put('/secure/datasource', asked)).toMatchObject({
        status: 400,
        body: { error: true, message: expect.stringContaining(`"${name}" has no rows`) as string },
      });
    }
    await ada.delete('/secure/datasource/upload', { filename: upload['filename'] });
  });
});

describe('a file with types', () => {
  it('of Parquet keeps them', async () => {
    const table = await made(ada, { content: await fixture('pandas.parquet'), name: 'pandas.parquet' });
    expect(table).toMatchObject({ doc_count: 40, import: { rejected: 0 }, files: ['pandas.parquet'] });
    const [, first] = (await exported(table, 'at,code,whole,price,day,place.city')).split('\n');
    expect(first).toBe('2024-01-01 00:00:00,000,0,0.1,2024-02-01T00:00:00Z,"Bern, old"');
  });

  it.each([
    ['an array', JSON.stringify(RECORDS), 'rows.json'],
    ['lines', RECORDS.map((record) => JSON.stringify(record)).join('\n'), 'rows.ndjson'],
  ])('of JSON as %s keeps them', async (_, content, name) => {
    const bytes = typeof content === 'string' ? strToU8(content) : content;
    const table = await made(ada, { content: bytes, name });
    expect(table).toMatchObject({ doc_count: 2, config: { assets: ['007', '008'], values: ['value'] } });
    expect(await exported(table, 'device,value,place.city')).toBe(
      'device,value,place.city\n007,1.5,Bern\n008,,Basel\n',
    );
  });

  it('may lie in a ZIP archive beside CSV files', async () => {
    const rows = { 'a/rows.csv': strToU8(CSV), 'b/rows.json': strToU8(JSON.stringify(RECORDS)) };
    const content = zipSync({ ...rows, 'c/book.xlsx': new Uint8Array(await fixture('dates1904.xlsx')) });
    expect(await made(ada, { content, name: 'all.zip' })).toMatchObject({
      files: ['a/rows.csv', 'b/rows.json', 'c/book.xlsx/Sheet'],
      doc_count: 14,
      import: { rejected: 1 },
    });
  });
});

it("is another company's in no way", async () => {
  const eve = await api.signIn('globex');
  const { body: upload } = await ada.upload(await fixture('awkward.xlsx'), 'a.xlsx');
  const asked = {
    name: 'x',
    type: 'csv',
    filename: upload['filename'],
    config: { metafield: 'device' },
    files: ['Gaps'],
  };
  expect(await eve.put('/secure/datasource', asked)).toMatchObject({ status: 404 });
  expect(await eve.delete('/secure/datasource/upload', { filename: upload['filename'] })).toMatchObject({
    status: 404,
  });
  const before = await storedObjects(api.dataDir);
  const table = await made(ada, { content: await fixture('pandas.parquet'), name: 'p.parquet' });
  expect(before.length).toBeGreaterThan(0);
  expect(await eve.get(`/secure/datasource?id=${String(table['id'])}`)).toMatchObject({ status: 404 });
});
