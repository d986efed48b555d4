import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';
import { download } from './downloads.builder.js';
import { importedDatasource } from './world.builder.js';

const LAYOUT = { timeformat: 'yyyy-MM-dd HH:mm:ss' };
const HEADER = 'file,line,reason,text\r\n';

let api: TestApi;
let ada: TestClient;
beforeAll(async () => {
  api = await startTestApi({ environment: { RATE_LIMIT: '0' } });
  ada = await api.signIn('acme');
});
afterAll(() => api[Symbol.asyncDispose]());

const elsewhere = notApplicable(SHARED_SERVERS, 'it damages a file of the data folder');

describe.skipIf(elsewhere)('a damaged list of rejected lines', () => {
  it('is a 503 with a sentence, and no shorter list', async () => {
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

describe('the rejected lines', () => {
  it('are none of a file that fits', async () => {
    const id = await importedDatasource(api, ada);
    const { status, headers, text } = await download(ada, 'rejects', id);
    expect({ status, text }).toEqual({ status: 200, text: HEADER });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=".+-rejects\.csv"/);
  });

  it('come with file, line, reason and text, and run nothing in a spreadsheet', async () => {
    const csv =
      'device,at,v\nd1,2024-01-01 00:00:00,1\n=1+2,today,1\nd1,2024-01-01 00:00:00,"a ""b"", c\nd2,2024-01-02 00:00:00,2\n';
    const id = await importedDatasource(api, ada, csv, LAYOUT);
    expect((await download(ada, 'rejects', id)).text).toBe(
      `${HEADER}rows.csv,3,the timestamp does not fit the layout,"'=1+2,today,1"\r\n` +
        'rows.csv,4,a quote is not closed or not doubled,"d1,2024-01-01 00:00:00,""a """"b"""", c"\r\n',
    );
  });
});

const warnings: string[] = [];
const hear = ({ message }: Error): unknown => warnings.push(message);
afterEach(() => process.off('warning', hear));

it('no response has more listeners than Node takes without a warning, a download included', async () => {
  const id = await importedDatasource(api, ada);
  process.on('warning', hear);
  expect((await download(ada, 'export', id)).status).toBe(200);
  expect((await download(ada, 'rejects', id)).status).toBe(200);
  expect(warnings).toEqual([]);
});
