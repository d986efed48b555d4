import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ArchiveReader } from '../../src/ports/archive-reader.js';
import { rawZip } from '../contracts/archive-reader.fixture.js';
import { storedObjects } from '../support/stored-objects.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { folderOf, INSTANCES } from '../support/way.js';

let api: TestApi;
let ada: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  ada = await api.signIn('acme');
});
afterAll(() => api[Symbol.asyncDispose]());

const JANUARY = 'device,at,temperature\nd1,2024-01-01 00:00:00,20\nd2,2024-01-01 01:00:00,21\n';
/** Another separator, order of columns and line end, and a column that the other lacks. */
const FEBRUARY = 'at;humidity;Device;temperature\r\n2024-02-01 00:00:00;40,5;d1;22,5\r\nsoon;1;d1;1\r\n';

function aZip(files: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

async function create(client: TestClient, filename: unknown, config: object = {}): Promise<TestResponse> {
  return client.put('/secure/datasource', {
    name: 'Months',
    type: 'csv',
    filename,
    config: { is_timeseries: true, timefield: 'at', metafield: 'device', ...config },
  });
}

async function datasource(client: TestClient, id: unknown): Promise<Record<string, unknown>> {
  const { body } = await client.get(`/secure/datasource?id=${String(id)}`);
  return body['datasource'] as Record<string, unknown>;
}

async function imported(client: TestClient, bytes: Uint8Array, config: object = {}): Promise<Record<string, unknown>> {
  const { body: upload } = await client.upload(bytes, 'months.zip');
  const { body } = await create(client, upload['filename'], config);
  expect(body).toMatchObject({ error: false });
  await api.drain();
  return datasource(client, body['datasource_id']);
}

/** Begins the name of a file of rows. */
const ROWS = /^[0-9a-f]{24}[.]\d+[.]/;

/** Files that should be gone: uploads, and what was unpacked of them. */
async function leftOver(dataDir = api.dataDir): Promise<readonly string[]> {
  const files = Array.from({ length: INSTANCES }, async (_, instance) => {
    const folder = join(folderOf(dataDir, instance), 'unpacked');
    const unpacked = await readdir(folder, { recursive: true, withFileTypes: true });
    return unpacked.filter((entry) => entry.isFile()).map(({ name }) => name);
  });
  const objects = (await storedObjects(dataDir)).filter((name) => !ROWS.test(name));
  return [...objects, ...(await Promise.all(files)).flat()];
}

describe('a ZIP archive of two CSV files', () => {
  const MONTHS = { '2024/01.csv': JANUARY, '2024/02.CSV': FEBRUARY, '__MACOSX/2024/._01.csv': 'x', '.DS_Store': 'x' };

  it('is described file by file', async () => {
    const { status, body: upload } = await ada.upload(aZip(MONTHS), 'months.zip');
    expect(status).toBe(200);
    expect(upload).toMatchObject({
      file: 'months.zip',
      files: ['2024/01.csv', '2024/02.CSV'],
      columns: [
        ['device', 'at', 'temperature'],
        ['at', 'humidity', 'Device', 'temperature'],
      ],
      types: [
        ['text', 'time', 'integer'],
        ['text', 'number', 'text', 'number'],
      ],
      sample: ['d1', '2024-01-01 00:00:00', '20'],
      dialects: [{ delimiter: ',' }, { delimiter: ';' }],
    });
    const { body } = await ada.delete('/secure/datasource/upload', { filename: upload['filename'] });
    expect(body).toMatchObject({ error: false });
    expect(await leftOver()).toEqual([]);
  });

  it('becomes one datasource, united by the names of the columns', async () => {
    const made = await imported(ada, aZip(MONTHS));
    expect(made).toMatchObject({
      updating: false,
      doc_count: 3,
      files: ['2024/01.csv', '2024/02.CSV'],
      d_files: [
        { filename: made['filename'], file: '2024/01.csv', size: JANUARY.length, rows: 2, rejected: 0 },
        { filename: made['filename'], file: '2024/02.CSV', size: FEBRUARY.length, rows: 1, rejected: 1 },
      ],
      config: { values: ['temperature', 'humidity'], assets: ['d1', 'd2'], timeformat: 'yyyy-MM-dd HH:mm:ss' },
      import: { status: 'ready', rows: 3, rejected: 1, rejected_sample: [{ file: '2024/02.CSV', line: 3 }] },
    });
    expect(await leftOver()).toEqual([]);

    const plot = { datasource_id: made['id'], asset: 'd1', from: '', to: '', value: 'temperature' };
    expect((await ada.post('/secure/data/plot', plot)).body['data']).toEqual([
      { timestamp: '2024-01-01T00:00:00.000Z', value: 20 },
      { timestamp: '2024-02-01T00:00:00.000Z', value: 22.5 },
    ]);
    const asked = { title: 'x', datasource_id: made['id'] };
    const { body: conversation } = await ada.post('/secure/assistant/conversation', asked);
    const question = { conversation_id: conversation['id'], message: 'average humidity by device' };
    expect((await ada.post('/secure/assistant/chat', question)).body['response']).toMatchObject({
      data: { rows: expect.arrayContaining([['d1', 40.5]]) as unknown },
    });
  });

  it("is another company's in no way", async () => {
    const eve = await api.signIn('globex');
    const { body: upload } = await ada.upload(aZip(MONTHS), 'months.zip');
    expect(await create(eve, upload['filename'])).toMatchObject({ status: 404 });
    const { status } = await eve.delete('/secure/datasource/upload', { filename: upload['filename'] });
    expect(status).toBe(404);
    const { body } = await create(ada, upload['filename']);
    await api.drain();
    expect(await eve.get(`/secure/datasource?id=${String(body['datasource_id'])}`)).toMatchObject({ status: 404 });
  });

  it('may be called .csv, and a CSV file .zip', async () => {
    expect((await ada.upload(aZip(MONTHS), 'months.csv')).body).toMatchObject({
      files: ['2024/01.csv', '2024/02.CSV'],
    });
    expect((await ada.upload(JANUARY, 'january.zip')).body).toMatchObject({ files: ['january.zip'] });
  });
});

describe('files of an archive', () => {
  it('that have no rows are taken along when others have some', async () => {
    const made = await imported(ada, aZip({ 'a.csv': '', 'b.csv': 'device,other\n', 'c.csv': JANUARY, 'd.csv': '' }));
    expect(made).toMatchObject({
      doc_count: 2,
      files: ['a.csv', 'b.csv', 'c.csv', 'd.csv'],
      config: { columns: [[], ['device', 'other'], ['device', 'at', 'temperature'], []], values: ['temperature'] },
      d_files: [
        { file: 'a.csv', size: 0, rows: 0, rejected: 0 },
        { file: 'b.csv', size: 13, rows: 0, rejected: 0 },
        { file: 'c.csv', size: JANUARY.length, rows: 2, rejected: 0 },
        { file: 'd.csv', size: 0, rows: 0, rejected: 0 },
      ],
    });
  });

  it('must not all be without rows', async () => {
    const { status, body } = await ada.upload(aZip({ 'a.csv': '', 'b.csv': 'device,at\n' }), 'x.zip');
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        message: 'no file of the archive has rows: the file is empty (a.csv)',
        details: [{ field: 'a.csv' }, { field: 'b.csv', problem: 'the file has a header but no rows' }],
      },
    });
  });

  it('that can not be used are named', async () => {
    const { status, body } = await ada.upload(aZip({ 'a.csv': JANUARY, 'b.csv': '%PDF-1.7' }), 'x.zip');
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { message: "a file of the archive can't be used: this is a PDF document, not a CSV (b.csv)" },
    });
  });
});

describe('what is unpacked', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each(['before', 'after'] as const)('is gone when the datasource is deleted %s it is unpacked', async (when) => {
    const { body: upload } = await ada.upload(aZip({ 'a.csv': JANUARY }), 'x.zip');
    const others = (await leftOver()).filter((name) => name !== upload['filename']);
    let ended: unknown = null;
    const remove = async (): Promise<void> => {
      const { body } = await ada.get('/secure/datasources?page_size=1');
      const [newest] = body['datasources'] as { id: string }[];
      ended = await ada.delete('/secure/datasource', { id: newest?.id, permanent: true });
    };
    for (const archives of api.everywhere(ArchiveReader)) {
      const unpack = archives.unpack.bind(archives);
      vi.spyOn(archives, 'unpack').mockImplementation(async (path, options) => {
        const isFirst = ended === null;
        if (isFirst && when === 'before') await remove();
        const files = await unpack(path, options);
        if (isFirst && when === 'after') await remove();
        return files;
      });
    }
    await create(ada, upload['filename']).catch(() => undefined);
    await api.drain();
    expect(ended).toMatchObject({ status: 200 });
    expect(await leftOver()).toEqual(others);
  });

  it('by a service that was killed is gone at the next start', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'das-zip-'));
    await mkdir(join(dataDir, 'unpacked', 'archive-killed'), { recursive: true });
    await writeFile(join(dataDir, 'unpacked', 'archive-killed', '0.csv'), JANUARY);
    {
      await using again = await startTestApi({ dataDir });
      expect(await leftOver(again.dataDir)).toEqual([]);
    }
    await rm(dataDir, { recursive: true });
  });
});

describe('an archive that can not be used is refused, and nothing of it is left', () => {
  it.each<[string, Uint8Array, RegExp]>([
    [
      'a bomb that lies',
      rawZip([{ name: 'a.csv', content: Buffer.alloc(50_000_000, 'a,b\n'), size: 9_000_000 }]),
      /longer than it declares/,
    ],
    ['a Word document', aZip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '' }), /Office document/],
    [
      'too many columns',
      aZip(
        Object.fromEntries(
          Array.from({ length: 3 }, (_, file) => [
            `${file}.csv`,
            `${Array.from({ length: 900 }, (_column, index) => `c${file}x${index}`).join(',')}\n${'1,'.repeat(899)}1\n`,
          ]),
        ),
      ),
      /more than 2000 columns/,
    ],
  ])('%s', async (_what, bytes, message) => {
    const before = await leftOver();
    const { status, body } = await ada.upload(bytes, 'x.zip');
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: true, message: expect.stringMatching(message) as string },
    });
    expect(await leftOver()).toEqual(before);
  });
});
