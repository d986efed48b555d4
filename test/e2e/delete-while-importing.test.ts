import { expect, it } from 'vitest';
import { ObjectStore, type ObjectKey } from '../../src/ports/object-store.js';
import { RowEngine, type LoadReport, type LoadSource, type LoadWatch } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { ROWS_CSV, aDatasourceBody } from '../api/world.builder.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

async function rowFiles(api: TestApi): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { key } of api.get(ObjectStore).list('rows')) names.push(key.name);
  return names;
}

it('a datasource that is deleted at the very moment its rows are published leaves none of them', async () => {
  await using api = await startTestApi();
  const ada = await api.signIn('acme');
  let settle = (): void => undefined;
  const removed = new Promise<void>((resolve) => (settle = resolve));
  for (const rows of api.everywhere(RowEngine)) {
    const [load, remove] = [rows.load.bind(rows), rows.remove.bind(rows)];
    // The import does not hear that nobody wants it any more.
    rows.load = (table: TableRef, source: LoadSource, watch: LoadWatch): Promise<LoadReport> =>
      load(table, source, { ...watch, signal: new AbortController().signal });
    rows.remove = async (...args): Promise<void> => {
      await remove(...args);
      settle();
    };
  }
  // The deletion, and all its background work, comes just before the file gets its name.
  const stored: string[] = [];
  for (const objects of api.everywhere(ObjectStore)) {
    const adopt = objects.adopt.bind(objects);
    objects.adopt = async (key: ObjectKey, path: string): Promise<void> => {
      const [id = ''] = key.name.split('.');
      expect((await ada.delete('/secure/datasource', { id, permanent: true })).status).toBe(200);
      await removed;
      await adopt(key, path);
      stored.push(...(await rowFiles(api)));
    };
  }

  const { body: upload } = await ada.upload(ROWS_CSV);
  await ada.put('/secure/datasource', aDatasourceBody(String(upload['filename'])));
  await expect.poll(() => ada.get('/secure/datasources')).toMatchObject({ body: { total: 0 } });
  await api.drain();
  expect(stored).toHaveLength(1);
  expect(await rowFiles(api)).toEqual([]);
});
