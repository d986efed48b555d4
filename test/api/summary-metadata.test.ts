import { expect, it } from 'vitest';
import type { TestResponse } from '../support/test-client.js';
import { theService } from './a-service.js';
import { importedDatasource, importingDatasource, insert } from './world.builder.js';

const api = await theService();
const ada = await api.signIn('acme');

const CSV = `device,at,value,on
d1,2024-01-01 00:00:00,1,true
d1,2024-01-01 01:00:00,3,true
d2,2024-01-01 02:00:00,NA,false
`;
const summarise = (id: string, more = ''): Promise<TestResponse> =>
  ada.get(`/secure/datasource/store-ds-schema-summary?id=${id}${more}`);

async function histogramsOf(id: string, bins: number): Promise<Readonly<Record<string, unknown>>> {
  const { columns } = (await summarise(id, `&bins=${bins}`)).body['summary'] as {
    columns: { name: string; histogram?: unknown }[];
  };
  return Object.fromEntries(columns.map(({ name, histogram }) => [name, histogram]));
}

const metadataOf = (id: string, asked: object = {}): Promise<TestResponse> =>
  ada.post('/secure/datasource/distinct-metadata', { datasource_id: id, ...asked });

it('the schema summary describes every column of the rows as they are now', async () => {
  const id = await importedDatasource(api, ada, CSV);
  await insert(ada, id, [{ device: 'd3', at: '2024-01-05 00:00:00', value: 8, on: false }]);
  const { status, body } = await summarise(id);
  expect({ status, ...body }).toMatchObject({ status: 200, error: false, message: 'schema summary stored' });
  const top_values = ['d1', 'd2', 'd3'].map((value, at) => ({ value, count: at === 0 ? 2 : 1 }));
  const nothing = { mean: null, top_values: [] };
  expect(body['summary']).toMatchObject({
    row_count: 4,
    time_range: { from: '2024-01-01T00:00:00.000Z', to: '2024-01-05T00:00:00.000Z' },
    columns: [
      { name: 'device', type: 'text', role: '', null_count: 0, distinct_count: 3, min: 'd1', max: 'd3', top_values },
      { ...nothing, name: 'at', type: 'time', min: '2024-01-01T00:00:00.000Z', max: '2024-01-05T00:00:00.000Z' },
      { name: 'value', type: 'integer', role: 'sum', null_count: 1, min: 1, max: 8, mean: 4, top_values: [] },
      { name: 'on', type: 'boolean', distinct_count: 2, min: false, max: true },
    ],
    text: expect.stringContaining('"device": text, what a row is about, 3 distinct, values "d1" "d2" "d3"') as string,
  });
});

it('the schema summary counts how numbers lie, when it is asked to', async () => {
  const rows = Array.from({ length: 11 }, (_, n) => {
    const at = `2024-01-01 ${String(n).padStart(2, '0')}:00:00`;
    return `d1,${at},${[0, 0.4, 2.5, 9.9][n] ?? 10},${n % 2},7,${n - 5},\n`;
  });
  const id = await importedDatasource(api, ada, `device,at,size,Bin,same,whole,gone\n${rows.join('')}`);
  // Both ends are in it, and rows that came later.
  await insert(ada, id, [{ device: 'd1', at: '2024-01-05 00:00:00', size: -10, Bin: 3, same: 7, whole: '', gone: '' }]);
  const bins = (...all: readonly (readonly [number, number, number])[]): object[] =>
    all.map(([from, to, count]) => ({ from, to, count }));
  expect(await histogramsOf(id, 4)).toEqual({
    size: bins([-10, -5, 1], [-5, 0, 0], [0, 5, 3], [5, 10, 8]),
    Bin: bins([0, 0, 6], [1, 1, 5], [2, 2, 0], [3, 3, 1]),
    same: bins([7, 7, 12]),
    // Every bin of whole numbers has as many of them.
    whole: bins([-5, -2, 3], [-2, 1, 3], [1, 4, 3], [4, 5, 2]),
  });
  expect(await histogramsOf(id, 1)).toMatchObject({ size: bins([-10, 10, 12]) });
  for (const wrong of ['0', '101', 'many'])
    expect(await summarise(id, `&bins=${wrong}`), wrong).toMatchObject({ status: 400, body: { message: /bins/ } });
});

it('the schema summary is of no rows when all have outlived it, and refused while there are none, of which there is no metadata', async () => {
  const old = await importedDatasource(api, ada, 'device,at,value\nd1,2001-01-01 00:00:00,1\n', { lifespan: 60 });
  expect((await summarise(old)).body['summary']).toMatchObject({ row_count: 0, time_range: null });
  expect(Object.values(await histogramsOf(old, 5))).toEqual([undefined, undefined, undefined]);
  const id = await importingDatasource(ada, CSV);
  expect(await summarise(id)).toMatchObject({ status: 409, body: { error: true, message: /updating/ } });
  expect(await metadataOf(id)).toMatchObject({ status: 200, body: { metadata: [], total: 0 } });
  await api.drain();
  expect(await summarise(id)).toMatchObject({ status: 200 });
});

it('distinct metadata comes sorted, 20 a page or as many as asked, searched literally', async () => {
  const devices = [...Array.from({ length: 25 }, (_, n) => `Sensor ${String(n).padStart(2, '0')}`), '100%', 'Ölpumpe'];
  const rows = devices.map((device) => `${device},2024-01-01 00:00:00,1\n`);
  const id = await importedDatasource(api, ada, `device,at,value\n${rows.join('')}`);
  const first = await metadataOf(id, { search: '', page: 0 });
  expect(first.body).toMatchObject({ error: false, message: 'metadata retrieved', total: 27 });
  const pages = [first, await metadataOf(id, { page: 1 })].map(({ body }) => body['metadata'] as string[]);
  expect(pages.map(({ length }) => length)).toEqual([20, 7]);
  expect(pages.flat()).toEqual([...devices].sort());
  expect((await metadataOf(id, { page_size: 5, page: 1 })).body['metadata']).toHaveLength(5);
  expect((await metadataOf(id, { page: 'x' })).body['metadata']).toHaveLength(20);
  expect((await metadataOf(id, { search: '%' })).body).toMatchObject({ metadata: ['100%'], total: 1 });
});
