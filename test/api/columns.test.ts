import { afterAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../support/test-api.js';
import { download } from './downloads.builder.js';
import { importedDatasource, openConversation } from './world.builder.js';

const STAFF = `name,dept,start date,salary
Ada,IT,31/01/2019,"82,000"
Ben,IT,02/11/2021,n/a
Cleo,HR,17/06/2021,"54,500"
`;
const CONFIG = { is_timeseries: false, metafield: 'dept', timefield: '', timeformat: '', values: [] };

const api = await startTestApi({ environment: { RATE_LIMIT: '0' } });
const ada = await api.signIn('acme');
afterAll(() => api[Symbol.asyncDispose]());

describe('a column of dates that is not the time field', () => {
  it('is one of times in the file’s own layout, in which it takes rows, or in ISO 8601; numbers that are missing stay numbers', async () => {
    const id = await importedDatasource(api, ada, STAFF, CONFIG);
    const { body: told } = await ada.get(`/secure/datasource/store-ds-schema-summary?id=${id}`);
    const { columns } = told['summary'] as { columns: object[] };
    expect(columns).toContainEqual(
      expect.objectContaining({ name: 'start date', type: 'time', min: '2019-01-31T00:00:00.000Z' }),
    );
    expect(columns).toContainEqual(expect.objectContaining({ name: 'salary', type: 'integer', null_count: 1 }));
    const row = { name: 'Dan', dept: 'HR', salary: '1' };
    const data = ['05/03/2022', '2022-03-06', '03/25/2022'].map((start) => ({ ...row, 'start date': start }));
    const { body } = await ada.patch('/secure/datasource/insert', { datasource_id: id, data });
    expect(body).toMatchObject({
      inserted_rows: 2,
      skipped: [{ row: 2, reason: '"start date" is not a time as in the file: "03/25/2022"' }],
    });
    const { text } = await download(ada, 'export', id);
    expect(text.trimEnd().split('\r\n').sort()).toEqual([
      'Ada,IT,31/01/2019,82000',
      'Ben,IT,02/11/2021,',
      'Cleo,HR,17/06/2021,54500',
      'Dan,HR,05/03/2022,1',
      'Dan,HR,06/03/2022,1',
      'name,dept,start date,salary',
    ]);
  });
});

const CSV = 'when,who,price,note,code\n2024-01-01,a,"37,000",x,1\n2024-01-02,b,n/a,y,2\n2024-01-03,a,12.5,z,3\n';
const KEYS = { is_timeseries: true, timefield: 'when', metafield: 'who' };

describe('columns that are changed before the import', () => {
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

  it('are refused when they make no table', async () => {
    const { filename } = (await ada.upload(CSV)).body;
    const refused: readonly (readonly [object[], string])[] = [
      [[{ column: 'nobody', name: 'x' }], 'config.column_changes has nobody, which is no column'],
      [[{ column: 'price', name: 'NOTE' }], 'config.column_changes gives two columns the name'],
      [[{ column: 'who', role: 'sum' }], 'config.column_changes says how who is used, which has no numbers'],
      [[{ column: 'price' }, { column: 'price' }], 'config.column_changes has a column twice'],
      [[{ column: 'price', type: 'money' }], 'type must be one of'],
    ];
    for (const [changes, problem] of refused) {
      const config = { ...KEYS, column_changes: changes };
      expect(await ada.put('/secure/datasource', { name: 'x', type: 'csv', filename, config })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(problem) as unknown },
      });
    }
  });
});
