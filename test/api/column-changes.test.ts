import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { importedDatasource, openConversation } from './world.builder.js';

const CSV = 'when,who,price,note,code\n2024-01-01,a,"37,000",x,1\n2024-01-02,b,n/a,y,2\n2024-01-03,a,12.5,z,3\n';
const KEYS = { is_timeseries: true, timefield: 'when', metafield: 'who' };

describe('columns that are changed before the import', () => {
  let api: TestApi;
  let ada: TestClient;
  beforeAll(async () => {
    api = await startTestApi();
    ada = await api.signIn('acme');
  });
  afterAll(() => api[Symbol.asyncDispose]());

  async function rowsOf(id: string, query: string): Promise<unknown> {
    return (await ada.post('/secure/data/query', { datasource_id: id, query })).body['rows'];
  }

  it('have the name and the type that were asked for, and what does not fit is missing', async () => {
    const changes = [
      { column: 'price', name: 'Price', type: 'number' },
      { column: 'who', name: 'Shop' },
      { column: 'code', type: 'text' },
      { column: 'note', type: 'integer' },
    ];
    const config = { ...KEYS, values: ['price'], column_changes: changes };
    const id = await importedDatasource(api, ada, CSV, config);
    const { body } = await ada.get(`/secure/datasource?id=${id}`);
    expect(body['datasource']).toMatchObject({
      config: { metafield: 'Shop', timefield: 'when', values: ['Price'] },
      import: { rows: 3, rejected: 0 },
    });
    expect(await rowsOf(id, 'SELECT "Shop", "Price", note, code FROM data ORDER BY "when"')).toEqual([
      ['a', 37_000, null, '1'],
      ['b', null, null, '2'],
      ['a', 12.5, null, '3'],
    ]);
  });

  it('have the use that was said, whatever their name suggests', async () => {
    const csv = 'when,who,price,stars\n2024-01-01,a,2,1\n2024-01-02,a,4,3\n';
    const changes = [
      { column: 'price', name: 'Preis', role: 'sum' },
      { column: 'stars', role: 'none' },
    ];
    const id = await importedDatasource(api, ada, csv, { ...KEYS, column_changes: changes });
    const { columns } = (await ada.get(`/secure/datasource/store-ds-schema-summary?id=${id}`)).body['summary'] as {
      columns: { name: string; role: string }[];
    };
    const roles = new Map(columns.map(({ name, role }) => [name, role]));
    expect([roles.get('Preis'), roles.get('stars')]).toEqual(['sum', 'none']);
    const conversation_id = await openConversation(ada, id);
    const { body } = await ada.post('/secure/assistant/chat', { conversation_id, message: 'Preis by who' });
    expect(body['response']).toMatchObject({ query: 'total Preis by who' });
  });

  it.each([
    [[{ column: 'price', role: 'total' }], 'role must be one of'],
    [[{ column: 'nobody', name: 'x' }], 'config.column_changes has nobody, which is no column'],
    [[{ column: 'price', name: 'NOTE' }], 'config.column_changes gives two columns the name'],
    [[{ column: 'who', role: 'sum' }], 'config.column_changes says how who is used, which has no numbers'],
    [[{ column: 'price' }, { column: 'price' }], 'config.column_changes has a column twice'],
    [[{ column: 'price', type: 'money' }], 'type must be one of'],
    [['price'], 'column_changes'],
  ])('are refused when they make no table: %j', async (changes, problem) => {
    const { filename } = (await ada.upload(CSV)).body;
    const config = { ...KEYS, column_changes: changes };
    const { status, body } = await ada.put('/secure/datasource', { name: 'x', type: 'csv', filename, config });
    expect({ status, message: body['message'] }).toEqual({
      status: 400,
      message: expect.stringContaining(problem) as unknown,
    });
  });
});
