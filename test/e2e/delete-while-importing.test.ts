import { mkdir, readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RowEngine, type LoadReport, type LoadSource, type LoadWatch } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { ROWS_CSV, aDatasourceBody } from '../api/world.builder.js';
import { eventually } from '../support/eventually.js';
import { startTestApi } from '../support/test-api.js';
import { notApplicable, ROWS_ELSEWHERE } from '../support/way.js';

const elsewhere = notApplicable(ROWS_ELSEWHERE, 'it watches the files of the row engine');

describe.skipIf(elsewhere)('a datasource that is deleted', () => {
  it('at the very moment its rows are published leaves none of them', async () => {
    await using api = await startTestApi();
    const ada = await api.signIn('acme');
    const rows = api.get(RowEngine);
    const load = rows.load.bind(rows);
    const rowFiles = async (): Promise<readonly string[]> =>
      (await readdir(join(api.dataDir, 'rows'), { recursive: true })).filter((name) => name.includes('base.'));

    let settle = (): void => undefined;
    const removed = new Promise<void>((resolve) => (settle = resolve));
    const remove = rows.remove.bind(rows);
    rows.remove = async (...args): Promise<void> => {
      await remove(...args);
      settle();
    };
    // The deletion, and all its background work, comes just before the file gets its name.
    rows.load = async (table: TableRef, source: LoadSource, watch: LoadWatch): Promise<LoadReport> => {
      const report = await load(table, source, { ...watch, signal: new AbortController().signal });
      const [name = ''] = await rowFiles();
      const [published, draft] = [join(api.dataDir, 'rows', name), join(api.dataDir, 'draft')];
      await rename(published, draft);
      expect((await ada.delete('/secure/datasource', { id: table.datasourceId })).status).toBe(200);
      await removed;
      await mkdir(dirname(published), { recursive: true });
      await rename(draft, published);
      return report;
    };

    const { body: upload } = await ada.upload(ROWS_CSV);
    await ada.put('/secure/datasource', aDatasourceBody(String(upload['filename'])));
    await eventually(
      () => ada.get('/secure/datasources'),
      ({ body }) => body['total'] === 0,
    );
    await api.drain();
    expect(await rowFiles()).toEqual([]);
  });
});
