import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { RowEngine } from '../../src/ports/row-engine.js';
import { asId } from '../../src/shared/ids.js';
import { eventually } from '../support/eventually.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';
import { theService } from './a-service.js';
import { anImportThatWaits } from './agent-world.js';
import { download, fetched } from './downloads.builder.js';
import { aDatasourceBody, importedDatasource, importingDatasource, insert, uploaded } from './world.builder.js';

const CSV = `device,at,"value, ""exact""",count,on,seen,=note
d2,2024-01-01 00:00:00,1.5,1,true,2024-01-01,first
d1,2024-01-01 01:00:00,2.25,2,false,2024-01-02,=1+2
d1,2024-01-01 02:00:00,NA,,,,"two, ""lines""
here"
größe,2024-01-01 03:00:00,-4,-5,true,2024-01-03,-7
`;

const api = await theService();
const ada = await api.signIn('acme');

/** Records of an export by device: which asset comes first is nobody's to say. */
const records = (text: string): readonly string[] => text.slice(0, text.lastIndexOf('\r\n')).split('\r\n');
const LAYOUT = { timeformat: 'yyyy-MM-dd HH:mm:ss' };

describe('an export', () => {
  it('is the file again, or the columns, the asset and the time that are asked for, in a form that no spreadsheet runs', async () => {
    const id = await importedDatasource(api, ada, CSV);
    const { status, headers, text } = await download(ada, 'export', id);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, ...rows] = records(text);
    expect(header).toBe(`device,at,"value, ""exact""",count,on,seen,'=note`);
    expect([...rows].sort()).toEqual([
      `d1,2024-01-01 01:00:00,2.25,2,false,2024-01-02T00:00:00Z,'=1+2`,
      `d1,2024-01-01 02:00:00,,,,,"two, ""lines""\nhere"`,
      'd2,2024-01-01 00:00:00,1.5,1,true,2024-01-01T00:00:00Z,first',
      'größe,2024-01-01 03:00:00,-4,-5,true,2024-01-03T00:00:00Z,-7',
    ]);
    const some = await download(ada, 'export', id, {
      asset: 'd1',
      from: '2024-01-01T01:00:00Z',
      to: '2024-01-01 02:00:00',
      columns: '=note, "value, ""exact""",device',
    });
    expect(some.text).toBe(`'=note,"value, ""exact""",device\r\n'=1+2,2.25,d1\r\n`);
  });

  it('is refused as JSON, and no file', async () => {
    const id = await importedDatasource(api, ada, CSV);
    for (const [query, message] of [
      [{ columns: 'device,nothing' }, 'there is no column "nothing"'],
      [{ from: '2024-01-02', to: '2024-01-01' }, 'to must not be before from'],
      [{ format: 'exe' }, 'format must be one of'],
    ] as const) {
      const { status, headers, text } = await download(ada, 'export', id, query);
      expect([status, headers.get('content-disposition')], message).toEqual([400, null]);
      expect(headers.get('content-type')).toContain('application/json');
      expect(JSON.parse(text)).toMatchObject({ error: true, message: expect.stringContaining(message) as string });
    }
  });

  it('is not found when its rows are removed before they are read', async () => {
    const id = await importedDatasource(api, ada, CSV);
    const folder = join(api.dataDir, 'exports');
    const before = await readdir(folder);
    const begun = download(ada, 'export', id);
    // Its process is started, and has opened nothing yet.
    await eventually(
      () => readdir(folder),
      (now) => now.some((name) => !before.includes(name)),
    );
    await api.get(RowEngine).remove(asId(ada.companyId), asId(id));
    expect(await begun).toMatchObject({ status: 404 });
  });

  it('is a conflict before the first import is done, and when it failed', async () => {
    const expectConflict = async (id: string, why: string): Promise<void> => {
      for (const what of ['export', 'rejects'] as const) {
        const { status, text } = await download(ada, what, id);
        expect({ status, text }).toEqual({ status: 409, text: expect.stringContaining(why) as string });
      }
    };
    const [late, arrive] = await anImportThatWaits(api, ada);
    await expectConflict(late, 'is updating');
    await arrive();
    const failed = await importingDatasource(ada, 'device,at,v\n,2024-01-01 00:00:00,1\n', LAYOUT);
    await api.drain();
    await expectConflict(failed, 'its import failed');
  });
});

describe('the rejected lines', () => {
  it('come with file, line, reason and text, and run nothing in a spreadsheet', async () => {
    const csv =
      'device,at,v\nd1,2024-01-01 00:00:00,1\n=1+2,today,1\nd1,2024-01-01 00:00:00,"a ""b"", c\nd2,2024-01-02 00:00:00,2\n';
    const id = await importedDatasource(api, ada, csv, LAYOUT);
    expect((await download(ada, 'rejects', id)).text).toBe(
      'file,line,reason,text\r\n' +
        `rows.csv,3,the timestamp does not fit the layout,"'=1+2,today,1"\r\n` +
        'rows.csv,4,a quote is not closed or not doubled,"d1,2024-01-01 00:00:00,""a """"b"""", c"\r\n',
    );
  });

  it('are none of a file that fits, and no response has more listeners than Node takes', async () => {
    const id = await importedDatasource(api, ada);
    const warnings: string[] = [];
    const hear = ({ message }: Error): unknown => warnings.push(message);
    process.on('warning', hear);
    expect((await download(ada, 'export', id)).status).toBe(200);
    const { status, headers, text } = await download(ada, 'rejects', id);
    process.off('warning', hear);
    expect({ status, text }).toEqual({ status: 200, text: 'file,line,reason,text\r\n' });
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=".+-rejects\.csv"/);
    expect(warnings).toEqual([]);
  });

  const elsewhere = notApplicable(SHARED_SERVERS, 'it damages a file of the data folder');
  it.skipIf(elsewhere)('are a 503 with a sentence when their list is damaged, and no shorter list', async () => {
    const id = await importedDatasource(api, ada, 'device,at,v\nd1,2024-01-01 00:00:00,1\nd1,today,1\n', LAYOUT);
    const folder = join(api.dataDir, 'objects', ada.companyId, 'rows');
    const name = (await readdir(folder)).find((file) => file.startsWith(id) && file.endsWith('.rejects'));
    const path = join(folder, name ?? '');
    const bytes = await readFile(path);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(path, bytes);
    const { status, text } = await download(ada, 'rejects', id);
    expect(status).toBe(503);
    expect(text).toContain('is damaged: restore the data folder from a backup');
  });
});

const FORMATS = [
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['parquet', 'application/vnd.apache.parquet'],
] as const;
/** Types, formulas, escapes of Excel's and of XML, blanks, a number that it would round, times with a fraction and before its first day. */
const HARD = `device,at,v,big,on,seen,"=a, ""b"""
d1,2024-01-01 01:00:00,2.25,9007199254740991,false,2024-05-06 01:02:03,=1+2
d1,2024-01-01 02:00:00,,,,,"two, ""lines""
here <b>&amp;</b> _x0041_ \u0001"
d2,2024-01-01 00:00:00,0.1,-1,true,2024-01-02 03:04:05.25,' -x '
`;

async function saved(path: string, body?: object): Promise<{ readonly response: Response; readonly bytes: Buffer }> {
  const response = await fetched(ada, path, body);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function imported(bytes: Uint8Array, name: string): Promise<string> {
  const asked = { ...aDatasourceBody(await uploaded(ada, bytes, name)), file: name };
  const { body, status } = await ada.put('/secure/datasource', asked);
  expect({ status, body }).toMatchObject({ status: 200 });
  await api.drain();
  return String(body['datasource_id']);
}

async function inParquet(bytes: Buffer, sql: string): Promise<unknown> {
  const path = join(api.dataDir, 'test.parquet');
  await writeFile(path, bytes);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  return (await connection.runAndReadAll(sql.replace('FILE', `'${path}'`))).getRowsJson();
}

describe('an export in another format', () => {
  it('is the same rows when it is uploaded again', async () => {
    const first = await importedDatasource(api, ada, HARD);
    const later = { device: 'd2', at: '2024-01-01 05:00:00', v: 7, big: 2, on: true, '=a, "b"': '@late' };
    expect(await insert(ada, first, [later])).toMatchObject({ status: 200 });
    const rowsOf = async (id: string): Promise<readonly string[]> => {
      const { text } = await download(ada, 'export', id, { columns: 'device,v,big,on,seen,"=a, ""b"""' });
      return records(text.replaceAll(/(\d\d:\d\d)(?:\.0+)?Z/g, '$1')).toSorted();
    };
    const rows = await rowsOf(first);
    for (const [format, type] of FORMATS) {
      const { response, bytes } = await saved(`/secure/datasource/export?id=${first}&format=${format}`);
      expect(response.headers.get('content-type')).toBe(type);
      expect(response.headers.get('content-disposition')).toContain(`.${format}"`);
      expect(await rowsOf(await imported(bytes, `again.${format}`)), format).toEqual(rows);
    }
  });

  it('is the same rows where Excel has no such day', async () => {
    const old = 'device,at,v\nd1,1066-10-14 06:30:00,1\nd1,2024-01-01 01:00:00,2\n';
    const { bytes } = await saved(
      `/secure/datasource/export?id=${await importedDatasource(api, ada, old)}&format=xlsx`,
    );
    const again = await imported(bytes, 'old.xlsx');
    expect(records((await download(ada, 'export', again)).text)).toEqual(old.trim().split('\n'));
  });

  it('keeps the types in Parquet, asset by asset in the order of time, and has what is asked for', async () => {
    const id = await importedDatasource(api, ada, HARD);
    const asked = async (more: Readonly<Record<string, string>>, sql: string): Promise<unknown> => {
      const query = new URLSearchParams({ id, format: 'parquet', ...more });
      return inParquet((await saved(`/secure/datasource/export?${query.toString()}`)).bytes, sql);
    };
    const types = 'SELECT name, type FROM parquet_schema(FILE) WHERE type IS NOT NULL';
    expect(Object.fromEntries((await asked({}, types)) as [string, string][])).toEqual({
      ...{ device: 'BYTE_ARRAY', at: 'INT64', v: 'DOUBLE', big: 'INT64', on: 'BOOLEAN', seen: 'INT64' },
      '=a, "b"': 'BYTE_ARRAY',
    });
    const some = { asset: 'd1', columns: 'at,v', to: '2024-01-01 02:00:00' };
    expect(await asked(some, 'SELECT * FROM FILE')).toEqual([['2024-01-01 01:00:00', 2.25]]);
    expect(await asked({ asset: 'nobody' }, 'SELECT count(*) FROM FILE')).toEqual([['0']]);
  });

  it('says of rows that are too long for Parquet what can be done', async () => {
    const rows = ['d1', 'd2'].map((device) => `${device},2024-01-01 00:00:00,${device.repeat(20_000)}\n`);
    const id = await importedDatasource(api, ada, `device,at,note\n${rows.join('')}`);
    const refused = await ada.get(`/secure/datasource/export?id=${id}&format=parquet`);
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('too long') as string } });
    const { bytes } = await saved(`/secure/datasource/export?id=${id}&format=parquet&columns=device`);
    expect(await inParquet(bytes, 'SELECT count(*) FROM FILE')).toEqual([['2']]);
    expect((await saved(`/secure/datasource/export?id=${id}&format=xlsx`)).response.status).toBe(200);
  });

  it('is what a query or a list gives, and no statement writes anything else', async () => {
    const datasource_id = await importedDatasource(api, ada, HARD);
    const query = 'SELECT device, sum(v) AS total, max("at") AS last FROM data GROUP BY 1 ORDER BY 1; -- all';
    const parquet = await saved('/secure/data/query/csv', { datasource_id, query, format: 'parquet' });
    expect(await inParquet(parquet.bytes, 'SELECT * FROM FILE')).toEqual([
      ['d1', 2.25, '2024-01-01 02:00:00'],
      ['d2', 0.1, '2024-01-01 00:00:00'],
    ]);
    const workbook = await saved('/secure/data/query/csv', { datasource_id, query, format: 'xlsx' });
    expect(workbook.response.headers.get('content-disposition')).toContain('-result.xlsx"');
    expect(workbook.bytes.subarray(0, 2).toString()).toBe('PK');
    const plan = { kind: 'rows', columns: ['v'], filters: [], order: [], limit: null };
    const list = await saved('/secure/data/query/csv', { datasource_id, plan, search: 'd2', format: 'parquet' });
    expect(await inParquet(list.bytes, 'SELECT * FROM FILE')).toEqual([[0.1]]);
    const hostile = { datasource_id, query: "SELECT 1) TO '/tmp/x' --", format: 'parquet' };
    expect((await saved('/secure/data/query/csv', hostile)).response.status).toBe(400);
  }, 60_000);
});
