import { afterAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../support/test-api.js';
import type { TestResponse } from '../support/test-client.js';
import { aDatasourceBody, importedDatasource } from './world.builder.js';

const api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
const ada = await api.signIn('acme');
afterAll(() => api[Symbol.asyncDispose]());

const CSV = `device,at,value,on
d1,2024-01-01 00:00:00,1,true
d1,2024-01-01 01:00:00,3,true
d2,2024-01-01 02:00:00,NA,false
`;
const ROW = { device: 'd3', at: '2024-01-05 00:00:00', value: 8, on: false };

const insert = (id: string, data: unknown): Promise<TestResponse> =>
  ada.patch('/secure/datasource/insert', { datasource_id: id, data });

const summarise = (id: string): Promise<TestResponse> => ada.get(`/secure/datasource/store-ds-schema-summary?id=${id}`);

const histogramsOf = async (id: string, bins: string | number): Promise<Readonly<Record<string, unknown>>> => {
  const { body } = await ada.get(`/secure/datasource/store-ds-schema-summary?id=${id}&bins=${String(bins)}`);
  const { columns } = body['summary'] as { columns: readonly { name: string; histogram?: unknown }[] };
  return Object.fromEntries(columns.map(({ name, histogram }) => [name, histogram]));
};

const metadataOf = (id: string, asked: object = {}): Promise<TestResponse> =>
  ada.post('/secure/datasource/distinct-metadata', { datasource_id: id, ...asked });

const hoursAgo = (hours: number): string =>
  new Date(api.clock.now().getTime() - hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

describe('the schema summary', () => {
  it('describes every column of the rows as they are now', async () => {
    const id = await importedDatasource(api, ada, CSV);
    await insert(id, [ROW]);
    const { status, body } = await summarise(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ error: false, message: 'schema summary stored' });
    const text: unknown = expect.stringContaining(
      '"device": text, what a row is about, 3 distinct, values "d1" "d2" "d3"',
    );
    expect(body['summary']).toEqual({
      row_count: 4,
      time_range: { from: '2024-01-01T00:00:00.000Z', to: '2024-01-05T00:00:00.000Z' },
      columns: [
        {
          ...{
            name: 'device',
            type: 'text',
            role: '',
            null_count: 0,
            distinct_count: 3,
            min: 'd1',
            max: 'd3',
            mean: null,
          },
          top_values: [
            { value: 'd1', count: 2 },
            { value: 'd2', count: 1 },
            { value: 'd3', count: 1 },
          ],
        },
        {
          ...{ name: 'at', type: 'time', role: '', null_count: 0, distinct_count: 4, mean: null, top_values: [] },
          ...{ min: '2024-01-01T00:00:00.000Z', max: '2024-01-05T00:00:00.000Z' },
        },
        {
          ...{ name: 'value', type: 'integer', role: 'sum', null_count: 1, distinct_count: 3, min: 1, max: 8, mean: 4 },
          top_values: [],
        },
        {
          ...{
            name: 'on',
            type: 'boolean',
            role: '',
            null_count: 0,
            distinct_count: 2,
            min: false,
            max: true,
            mean: null,
          },
          top_values: [
            { value: 'false', count: 2 },
            { value: 'true', count: 2 },
          ],
        },
      ],
      text,
    });
  });

  it('counts how numbers lie, when it is asked to', async () => {
    const id = await importedDatasource(
      api,
      ada,
      [
        'device,at,size,Bin,same,whole,gone',
        ...Array.from({ length: 11 }, (_, n) => {
          const at = `2024-01-01 ${String(n).padStart(2, '0')}:00:00`;
          return `d1,${at},${[0, 0.4, 2.5, 9.9][n] ?? 10},${n % 2},7,${n - 5},`;
        }),
      ].join('\n'),
    );
    // Both ends are in it, and rows that came later.
    await insert(id, [{ device: 'd1', at: '2024-01-05 00:00:00', size: -10, Bin: 3, same: 7, whole: '', gone: '' }]);
    expect(await histogramsOf(id, 4)).toEqual({
      size: [
        { from: -10, to: -5, count: 1 },
        { from: -5, to: 0, count: 0 },
        { from: 0, to: 5, count: 3 },
        { from: 5, to: 10, count: 8 },
      ],
      Bin: [
        { from: 0, to: 0, count: 6 },
        { from: 1, to: 1, count: 5 },
        { from: 2, to: 2, count: 0 },
        { from: 3, to: 3, count: 1 },
      ],
      same: [{ from: 7, to: 7, count: 12 }],
      // Every bin of whole numbers has as many of them.
      whole: [
        { from: -5, to: -2, count: 3 },
        { from: -2, to: 1, count: 3 },
        { from: 1, to: 4, count: 3 },
        { from: 4, to: 5, count: 2 },
      ],
    });
    expect(await histogramsOf(id, 1)).toMatchObject({ size: [{ from: -10, to: 10, count: 12 }] });
    for (const bins of ['0', '101', 'many'])
      expect(await ada.get(`/secure/datasource/store-ds-schema-summary?id=${id}&bins=${bins}`), bins).toMatchObject({
        status: 400,
        body: { message: /bins/ },
      });
  });

  it('is of no rows when all have outlived it', async () => {
    const id = await importedDatasource(api, ada, `device,at,value\nd1,${hoursAgo(30)},1\n`, { lifespan: 60 });
    expect((await summarise(id)).body['summary']).toMatchObject({ row_count: 0, time_range: null });
    expect(Object.values(await histogramsOf(id, 5))).toEqual([undefined, undefined, undefined]);
  });

  it('is refused while there are no rows, of which there is no metadata', async () => {
    const { body: upload } = await ada.upload(CSV);
    const { body } = await ada.put('/secure/datasource', aDatasourceBody(String(upload['filename'])));
    const id = String(body['datasource_id']);
    expect(await summarise(id)).toMatchObject({ status: 409, body: { error: true, message: /updating/ } });
    expect(await metadataOf(id)).toMatchObject({ status: 200, body: { metadata: [], total: 0 } });
    await api.drain();
    expect(await summarise(id)).toMatchObject({ status: 200 });
  });
});

it('distinct metadata comes sorted, 20 a page or as many as asked, each value once, searched literally', async () => {
  const devices = [...Array.from({ length: 25 }, (_, n) => `Sensor ${String(n).padStart(2, '0')}`), '100%', 'Ölpumpe'];
  const rows = devices.flatMap((device) => [0, 1].map((hour) => `${device},2024-01-01 0${hour}:00:00,1`));
  const id = await importedDatasource(api, ada, `device,at,value\n${rows.join('\n')}\n`);
  const first = await metadataOf(id, { search: '', page: 0 });
  expect(first.body).toMatchObject({ error: false, message: 'metadata retrieved', total: 27 });
  const pages = [first, await metadataOf(id, { page: 1 })].map(({ body }) => body['metadata'] as string[]);
  expect(pages.map(({ length }) => length)).toEqual([20, 7]);
  expect(pages.flat()).toEqual([...devices].sort());
  expect((await metadataOf(id, { page_size: 5, page: 1 })).body['metadata']).toHaveLength(5);
  expect((await metadataOf(id, { page: 'x' })).body['metadata']).toHaveLength(20);
  for (const [search, total] of [
    ['sensor 1', 10],
    ['%', 1],
    ["' OR '1'='1", 0],
  ] as const)
    expect((await metadataOf(id, { search })).body).toMatchObject({ total });
});
