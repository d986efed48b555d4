import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

function parsed(csv: string): readonly (readonly string[])[] {
  return papa.parse<string[]>(csv, { skipEmptyLines: true }).data;
}

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

  it('are all there, in their order, when they are 20,000 of all kinds', async () => {
    const lines = ['device,at,v'];
    const wanted: [string, string][] = [];
    const add = (line: string, reason: string | null): void => {
      lines.push(line);
      if (reason !== null) wanted.push([String(lines.length), reason]);
    };
    for (let row = 0; row < 10_000; row++) {
      add(`"d${row}",2024-01-01 00:00:00,${row}`, null);
      add(`d${row},2024-13-01 00:00:00,${row}`, 'the timestamp does not fit the layout');
      if (row % 3 === 0) add(`d${row},2024-01-01 00:00:00,"x" y`, 'a quote is not closed or not doubled');
      else if (row % 3 === 1) add(`d${row},,${row}`, 'no timestamp');
      else add(`,2024-01-01 00:00:00,${row}`, 'no value in the metadata field');
    }
    const id = await importedDatasource(api, ada, `${lines.join('\n')}\n`, LAYOUT);
    const found = parsed((await download(ada, 'rejects', id)).text).slice(1);
    expect(found).toHaveLength(20_000);
    const wrong = found.findIndex(([file, line, reason, text], index) => {
      const [wantedLine = '', wantedReason] = wanted[index] ?? [];
      return file !== 'rows.csv' || line !== wantedLine || reason !== wantedReason || text !== lines[Number(line) - 1];
    });
    expect(wrong).toBe(-1);
    const { body } = await ada.get(`/secure/datasource?id=${id}`);
    const { import: state } = body['datasource'] as { import: { rejected: number; rejected_sample: object[] } };
    expect(state.rejected).toBe(20_000);
    expect(state.rejected_sample).toHaveLength(100);
  });
});
