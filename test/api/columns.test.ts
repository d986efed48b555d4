import { expect, it } from 'vitest';
import { theService } from './a-service.js';
import { download } from './downloads.builder.js';
import { answerAbout, importedDatasource, insert, look, rowsBySql, uploaded } from './world.builder.js';

const STAFF = `name,dept,start date,salary
Ada,IT,31/01/2019,"82,000"
Ben,IT,02/11/2021,n/a
Cleo,HR,17/06/2021,"54,500"
`;
const CSV = 'when,who,price,note,code\n2024-01-01,a,"37,000",x,1\n2024-01-02,b,n/a,y,2\n2024-01-03,a,12.5,z,3\n';
const KEYS = { is_timeseries: true, timefield: 'when', metafield: 'who' };

const api = await theService();
const ada = await api.signIn('acme');

async function columnsOf(id: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { body } = await ada.get(`/secure/datasource/store-ds-schema-summary?id=${id}`);
  return (body['summary'] as { columns: Record<string, unknown>[] }).columns;
}

it('a column of dates beside the time field is one of times in the file’s own layout, in which it takes rows, or in ISO 8601', async () => {
  const config = { is_timeseries: false, metafield: 'dept', timefield: '', timeformat: '', values: [] };
  const id = await importedDatasource(api, ada, STAFF, config);
  expect(await columnsOf(id)).toMatchObject([
    {},
    {},
    { name: 'start date', type: 'time', min: '2019-01-31T00:00:00.000Z' },
    { name: 'salary', type: 'integer', null_count: 1 },
    {},
  ]);
  const row = { name: 'Dan', dept: 'HR', salary: '1' };
  const data = ['05/03/2022', '2022-03-06', '03/25/2022'].map((start) => ({ ...row, 'start date': start }));
  expect((await insert(ada, id, data)).body).toMatchObject({
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

it('an upload says how much of a column of times has the layout that it tells', async () => {
  const rows = ['01.01.2025,a', '2025-01-02 00:00:00,b', '31.01.2025,c', '01.02.2025,d'];
  expect((await ada.upload(['day,who', ...rows].join('\n'), 'days.csv')).body).toMatchObject({
    times: [{ column: 'day', timeformat: 'dd.MM.yyyy', share: 0.75, misfit: '2025-01-02 00:00:00' }],
  });
});

it('columns that are changed before the import have the name, the type and the use that were asked for, and what does not fit is missing', async () => {
  const changes = [
    { column: 'price', name: 'Preis', type: 'number', role: 'sum' },
    { column: 'who', name: 'Shop' },
    { column: 'code', type: 'text' },
    { column: 'note', type: 'integer', role: 'none' },
  ];
  const id = await importedDatasource(api, ada, CSV, { ...KEYS, values: ['price'], column_changes: changes });
  expect(await look(ada, id)).toMatchObject({
    config: { metafield: 'Shop', timefield: 'when', values: ['Preis'] },
    import: { rows: 3, rejected: 0 },
  });
  expect(await rowsBySql(ada, id, 'SELECT "Shop", "Preis", note, code FROM data ORDER BY "when"')).toEqual([
    ['a', 37_000, null, '1'],
    ['b', null, null, '2'],
    ['a', 12.5, null, '3'],
  ]);
  const roles = new Map((await columnsOf(id)).map(({ name, role }) => [name, role]));
  expect([roles.get('Preis'), roles.get('note')]).toEqual(['sum', 'none']);
  expect(await answerAbout(ada, id, 'Preis by Shop')).toMatchObject({ query: 'total Preis by Shop' });
});

it.each<[object[], string]>([
  [[{ column: 'nobody', name: 'x' }], 'config.column_changes has nobody, which is no column'],
  [[{ column: 'price', name: 'NOTE' }], 'config.column_changes gives two columns the name'],
  [[{ column: 'who', role: 'sum' }], 'config.column_changes says how who is used, which has no numbers'],
  [[{ column: 'price' }, { column: 'price' }], 'config.column_changes has a column twice'],
  [[{ column: 'price', type: 'money' }], 'type must be one of'],
])('changes of columns that make no table are refused: %j', async (column_changes, problem) => {
  const asked = { name: 'x', type: 'csv', filename: await uploaded(ada, CSV), config: { ...KEYS, column_changes } };
  expect(await ada.put('/secure/datasource', asked)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(problem) as unknown },
  });
});
