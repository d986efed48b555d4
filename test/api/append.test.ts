import { gzipSync, strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { DatasourceRepository } from '../../src/features/datasource/datasource.repository.js';
import { DatasourceImporter } from '../../src/features/datasource/import/datasource-importer.js';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import { JobQueue } from '../../src/ports/job-queue.js';
import { RowEngine } from '../../src/ports/row-engine.js';
import { RowReader } from '../../src/ports/row-reader.js';
import { asId, type CompanyId, type DatasourceId } from '../../src/shared/ids.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import type { TestResponse } from '../support/test-client.js';
import { theService } from './a-service.js';
import { download } from './downloads.builder.js';
import { importedDatasource, insert, look, rowsBySql, uploaded } from './world.builder.js';

const ORDERS = `order,at,shop,price,pieces,paid,due
1,2024-01-01 10:00:00,North,10.5,1,true,2024-02-01
2,2024-01-02 10:00:00,South,20.5,2,false,2024-02-02
3,2024-01-03 10:00:00,North,30.5,3,true,
`;
const CONFIG = { metafield: 'shop', values: ['price', 'pieces'] };
const BEFORE = [
  [1, 'North', 10.5, 1],
  [2, 'South', 20.5, 2],
  [3, 'North', 30.5, 3],
];
const FOURTH = 'order,at,shop,price,pieces\n4,2024-01-04 10:00:00,East,40.5,4\n';
const FIFTH = { order: 5, at: '2024-01-05 10:00:00', shop: 'East', price: 50.5, pieces: 5 };

const api = await theService();
let ada = await api.signIn('acme');

const orders = (config: object = {}): Promise<string> => importedDatasource(api, ada, ORDERS, { ...CONFIG, ...config });

/** Sessions end meanwhile. */
async function later(ms: number): Promise<void> {
  api.clock.advance(ms);
  ada = await api.signIn('acme');
}

const begin = (id: string, filename: string, more: object = {}, by = ada): Promise<TestResponse> =>
  by.post('/secure/datasource/append', { datasource_id: id, filename, ...more });

async function append(
  id: string,
  content: string | Uint8Array,
  more: object = {},
  name = 'more.csv',
): Promise<TestResponse> {
  const answer = await begin(id, await uploaded(ada, content, name), more);
  await api.drain();
  return answer;
}

/** As the engine has them: a query takes a process for each state of the rows. */
async function rowsOf(id: string, columns = ['order', 'shop', 'price', 'pieces'], from = 0): Promise<unknown> {
  const plan: AnalysisPlan = {
    ...{ kind: 'rows', columns, limit: null },
    filters: from > 0 ? [{ kind: 'compare', column: 'order', operator: '>=', value: from }] : [],
    order: [{ by: 'order', direction: 'asc' }],
  };
  const [companyId, datasourceId] = [asId<CompanyId>(ada.companyId), asId<DatasourceId>(id)];
  const { generation } = (await api.get(DatasourceRepository).find(companyId, datasourceId))!;
  const table = { companyId, datasourceId, generation, visibleFrom: null };
  return (await api.get(RowReader).analyze(table, plan, { maxRows: 100, timeoutMs: 20_000 })).rows;
}

describe('a further file', () => {
  it('adds its rows, whatever the order of its columns, and tells the room', async () => {
    const id = await orders();
    await using room = await StreamClient.open(streamUrl(api.url, id, String(ada.token)));
    const answer = await append(id, 'PRICE,at,order,Shop,extra\n40.5,2024-01-04 10:00:00,4,East,x\n');
    const told = { action: 'updated', doc_count: 4, message: '1 rows added, 0 replaced' };
    await room.hears({ event: 'datasource-updated', data: told });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        ...{ error: false, datasource_id: id, ignored_columns: ['extra'] },
        ...{ missing_columns: ['pieces', 'paid', 'due'], timeformat: 'yyyy-MM-dd HH:mm:ss' },
      },
    });
    expect(await rowsOf(id)).toEqual([...BEFORE, [4, 'East', 40.5, null]]);
    expect(await look(ada, id)).toMatchObject({
      doc_count: 4,
      updating: false,
      import: { status: 'ready', rows: 1, added: 1, replaced: 0, rejected: 0, error: null, percent: 100 },
      config: { assets: ['East', 'North', 'South'], values: ['price', 'pieces'] },
      d_files: [
        { file: 'rows.csv', rows: 3, rejected: 0 },
        { file: 'more.csv', rows: 1, rejected: 0 },
      ],
    });
    const { body } = await ada.get(`/secure/datasource/store-ds-schema-summary?id=${id}`);
    expect(body['summary']).toMatchObject({ row_count: 4 });
  });

  it('replaces the rows that have its keys; of rows with the same keys the last is taken, and none without keys', async () => {
    const id = await orders();
    const more = [
      'order,at,shop,price,pieces',
      '2,2024-01-02 11:00:00,South,21,2',
      '9,2024-01-09 10:00:00,East,1,1',
      ',2024-01-09 10:00:00,East,5,1',
      '9,2024-01-09 12:00:00,East,2,1',
      'x,2024-01-09 12:00:00,East,2,1',
      '3,2024-01-03 10:00:00,North,31,3',
    ];
    await append(id, more.join('\n'), { keys: ['order'] });
    const after = [
      [2, 'South', 21, 2],
      [3, 'North', 31, 3],
      [9, 'East', 2, 1],
    ];
    expect(await rowsOf(id)).toEqual([BEFORE[0], ...after]);
    expect(await look(ada, id)).toMatchObject({
      doc_count: 4,
      import: {
        ...{ rows: 3, added: 1, replaced: 2, rejected: 3 },
        rejected_sample: [
          { file: 'more.csv', line: 3, reason: 'a later row has the same key' },
          { line: 4, reason: 'no value in a key', text: ',2024-01-09 10:00:00,East,5,1' },
          { line: 6, reason: 'not a number in "order"' },
        ],
      },
    });
    const { text } = await download(ada, 'rejects', id);
    expect(text.split('\r\n').slice(1, -1)).toHaveLength(3);
    // Several keys together: a text, a number and a time.
    const two = 'order,at,shop,price\n1,2024-01-01 10:00:00,North,11\n0,2024-01-01 10:00:00,North,12\n';
    await append(id, two, { keys: ['shop', 'order', 'at'] });
    expect(await rowsOf(id)).toEqual([[0, 'North', 12, null], [1, 'North', 11, null], ...after]);
    expect(await look(ada, id)).toMatchObject({ doc_count: 5, import: { added: 1, replaced: 1 } });
  });

  it('of an archive counts the rows of the last of its files', async () => {
    const id = await orders();
    const file = (price: number): Uint8Array => strToU8(`order,at,shop,price\n3,2024-01-03 10:00:00,North,${price}\n`);
    await append(id, zipSync({ 'a.csv': file(1), 'b.csv': file(2), 'c.csv': file(3) }), { keys: ['order'] }, 'all.zip');
    expect(await rowsOf(id)).toEqual([...BEFORE.slice(0, 2), [3, 'North', 3, null]]);
    const report = { rows: 1, added: 0, replaced: 1, rejected: 2 };
    expect(await look(ada, id)).toMatchObject({ doc_count: 3, import: report });
  });

  it('may have another format than the first, and write its times in another way, in every column', async () => {
    const id = await orders();
    const more =
      'order;at;shop;price;due\n4;04.01.2024 10:00:00;East;40,5;05.02.2024\n5;31.01.2024 10:00:00;East;1;28.02.2024\n';
    await append(id, gzipSync(strToU8(more)), {}, 'more.csv.gz');
    const found = JSON.stringify(await rowsOf(id, ['order', 'price', 'at', 'due'], 4));
    expect(found).toMatch(/\[4,40.5,"2024-01-04.*2024-02-05.*\[5,1,"2024-01-31.*2024-02-28/);
    // What is inserted is read as before.
    const row = { order: '6', at: '2024-01-06 10:00:00', shop: 'East', price: '60.5' };
    expect((await insert(ada, id, [row])).body).toMatchObject({ inserted_rows: 1, error: false });
  });

  it('has numbers with the unit of those that are there, and so has what is inserted', async () => {
    const id = await importedDatasource(api, ada, ORDERS.replaceAll(/(\d\d\.5)/g, '$$$1'), CONFIG);
    expect(await rowsOf(id)).toEqual(BEFORE);
    await append(id, 'order,at,shop,price\n4,2024-01-04 10:00:00,East,$40.5\n5,2024-01-05 10:00:00,East,5\n');
    await append(id, 'order,at,shop,price\n6,2024-01-06 10:00:00,East,€60.5\n7,2024-01-07 10:00:00,East,7\n');
    expect((await look(ada, id))['import']).toMatchObject({ rejected_sample: [{ reason: 'not a number in "price"' }] });
    const data = ['$80.5', '€80.5'].map((price) => ({ ...FIFTH, order: 8, price }));
    expect((await insert(ada, id, data)).body).toMatchObject({ inserted_rows: 1, skipped: [{ row: 1 }] });
    const added = [
      [4, 40.5],
      [5, 5],
      [7, 7],
      [8, 80.5],
    ];
    expect(await rowsOf(id, ['order', 'price'], 4)).toEqual(added);
  });

  it('has columns of other names, or some that are not wanted', async () => {
    const id = await orders({ column_changes: [{ column: 'price', name: 'Euro' }], values: ['price'] });
    const mapping = [
      { column: 'nr', to: 'order' },
      { column: 'place', to: 'shop' },
      { column: 'pieces', to: null },
    ];
    const more = FOURTH.replace('order', 'nr').replace('shop', 'place');
    const { body } = await append(id, more, { mapping });
    expect(body).toMatchObject({ ignored_columns: ['pieces'], missing_columns: ['pieces', 'paid', 'due'] });
    expect(await rowsOf(id, ['order', 'shop', 'Euro', 'pieces'], 4)).toEqual([[4, 'East', 40.5, null]]);
  });

  it('makes whole numbers numbers unless they would not survive it; what does not fit another type is rejected', async () => {
    const columns = 'order,at,shop,price,pieces,paid,due,n\n';
    const first = `${columns}1,2024-01-01,North,10.5,1,true,2024-02-01,1\n`;
    const id = await importedDatasource(api, ada, first, CONFIG);
    await insert(ada, id, [{ order: 2, at: '2024-01-02', shop: 'North', n: '9007199254740993' }]);
    const more = [
      '4,2024-01-04,East,1,0.5,yes,2024-03-01,4',
      '5,2024-01-04,East,1,1,perhaps,,4',
      '6,2024-01-04,East,1,1,,soon,4',
      '7,2024-01-04,East,much,1,,,4',
      '8,2024-01-04,East,1,1,,,0.5',
    ];
    await append(id, columns + more.join('\n'));
    expect(await rowsBySql(ada, id, 'SELECT pieces, paid, due, CAST(n AS VARCHAR) FROM data ORDER BY "order"')).toEqual(
      [
        [1, true, expect.stringContaining('2024-02-01') as unknown, '1'],
        [null, null, null, '9007199254740993'],
        [0.5, true, expect.stringContaining('2024-03-01') as unknown, '4'],
      ],
    );
    expect((await look(ada, id))['import']).toMatchObject({
      rejected_sample: [
        { line: 3, reason: 'not a boolean in "paid"' },
        { line: 4, reason: 'not a time in "due"' },
        { line: 5, reason: 'not a number in "price"' },
        { line: 6 },
      ],
    });
  });

  it('comes to a table without times, whose rows get the time of their coming', async () => {
    const config = { is_timeseries: false, timefield: '', metafield: 'shop' };
    const id = await importedDatasource(api, ada, 'shop,price\na,1\nb,2\n', config);
    await later(86_400_000);
    const { body } = await append(id, 'shop,price,created_at\nb,3,never\nc,4,never\n', { keys: ['shop'] });
    expect(body).toMatchObject({ ignored_columns: ['created_at'], timeformat: '' });
    expect(await rowsBySql(ada, id, 'SELECT shop, price FROM data ORDER BY created_at, shop')).toEqual([
      ['a', 1],
      ['b', 3],
      ['c', 4],
    ]);
    const refused = await append(id, 'shop,price\nb,3\n', { keys: ['created_at'] });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: 'keys: "created_at" is no column of the datasource: shop, price' },
    });
  });
});

it('numbers of a further file that can be read either way are written as those of the datasource', async () => {
  const config = { is_timeseries: false, timefield: '', metafield: 'shop', values: ['price'] };
  const id = await importedDatasource(api, ada, 'shop;price\na;1,5\nb;2,25\n', config);
  await append(id, 'shop;price\nc;1.234\nd;5.678\n');
  expect(await rowsBySql(ada, id, 'SELECT price FROM data ORDER BY shop')).toEqual([[1.5], [2.25], [1234], [5678]]);
});

describe('rows that were inserted before', () => {
  it('stay, are replaced like others, and are not stored again under their key', async () => {
    const id = await orders();
    const rows = [{ ...FIFTH, order: 4, pieces: 1.5 }, FIFTH];
    const insertAll = (): Promise<TestResponse> =>
      ada.patch('/secure/datasource/insert', { datasource_id: id, data: rows }, { 'idempotency-key': 'four' });
    await insertAll();
    await append(id, 'order,at,shop,price\n5,2024-01-05 10:00:00,East,51\n', { keys: ['order'] });
    const again = await insertAll();
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(await rowsOf(id)).toEqual([...BEFORE, [4, 'East', 50.5, 1.5], [5, 'East', 51, null]]);
    await insert(ada, id, [{ ...FIFTH, order: 6 }]);
    expect(await look(ada, id)).toMatchObject({ doc_count: 6 });
  });

  it('leave when they have outlived the lifespan', async () => {
    const [old, now] = [90_000_000, 0].map((ms) => new Date(api.clock.now().getTime() - ms).toISOString().slice(0, 19));
    const csv = `order,at,shop,price\n1,${old},a,1\n2,${now},a,2\n`;
    const id = await importedDatasource(api, ada, csv, { ...CONFIG, values: ['price'], lifespan: 100_000 });
    await later(20_000_000);
    await append(id, `order,at,shop,price\n3,${now},a,3\n`);
    expect(await look(ada, id)).toMatchObject({ doc_count: 2, import: { added: 1, replaced: 0 } });
  });
});

describe('a file that can not be added', () => {
  it('because it does not fit the datasource stays an upload, and is told why', async () => {
    const id = await orders();
    const filename = await uploaded(ada, 'order,at,shop,price\n4,2024-01-04 10:00:00,East,40.5\n');
    const refused: readonly (readonly [object, string])[] = [
      [{ keys: ['nothing'] }, 'keys: "nothing" is no column of the datasource: order, at, shop, price, pieces'],
      [{ keys: ['__proto__'] }, 'keys: "__proto__" is no column'],
      [{ keys: ['pieces'] }, 'keys: the file has no column for "pieces": say in mapping which one it is'],
      [{ keys: Array.from({ length: 21 }, () => 'order') }, 'keys must contain no more than 20'],
      [{ mapping: [{ column: 'nothing', to: 'price' }] }, 'mapping: "nothing" is no column of the file'],
      [{ mapping: [{ column: 'price', to: 'nothing' }] }, 'mapping: "nothing" is no column of the datasource'],
      [{ mapping: [{ column: 'price', to: 'order' }] }, 'mapping: two columns of the file would be "order"'],
      [{ mapping: [{ column: 'price' }, { column: 'price' }] }, 'mapping: has a column twice'],
      [{ mapping: [{ column: 'shop', to: null }] }, 'metafield: the file has no column for "shop"'],
      [{ mapping: [{ column: 'at', to: null }] }, 'timefield: the file has no column for "at"'],
      [{ timeformat: 'dd/MM/yyyy' }, 'timeformat: dd/MM/yyyy does not match at'],
      [{ files: ['other.csv'] }, 'files: "other.csv" has no rows in this upload'],
    ];
    for (const [more, message] of refused)
      expect(await begin(id, filename, more)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(message) as unknown },
      });
    expect(await look(ada, id)).toMatchObject({ updating: false, doc_count: 3 });
  });

  it('because nothing in it fits leaves the rows as they were, and takes others afterwards', async () => {
    const id = await orders();
    const filename = await uploaded(ada, FOURTH.replace('40.5', 'much'));
    await begin(id, filename);
    await api.drain();
    const error: unknown = expect.stringMatching(/^no row fits: not a number in "price" in 1 of 1/);
    const kept = { updating: false, doc_count: 3, d_files: [{ rows: 3 }] };
    expect(await look(ada, id)).toMatchObject({ ...kept, import: { status: 'failed', error } });
    expect((await insert(ada, id, [FIFTH])).body).toMatchObject({ inserted_rows: 1 });
    await append(id, FOURTH);
    expect(await rowsOf(id)).toEqual([...BEFORE, [4, 'East', 40.5, 4], [5, 'East', 50.5, 5]]);
    expect(await begin(id, filename)).toMatchObject({ status: 404 });
  });

  /** To a datasource of another company: see matrix.test.ts. */
  it('because it is of another company, or another is being added', async () => {
    const id = await orders();
    const filename = await uploaded(ada, ORDERS);
    const eve = await api.signIn('globex');
    expect(await begin(await importedDatasource(api, eve, ORDERS, CONFIG), filename, {}, eve)).toMatchObject({
      status: 404,
    });
    const other = await uploaded(ada, ORDERS);
    const [first, second] = await Promise.all([begin(id, filename), begin(id, other)]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    await api.drain();
    // The one that had no turn is still there.
    expect(await begin(id, first.status === 409 ? filename : other)).toMatchObject({ status: 200 });
    await api.drain();
    expect(await look(ada, id)).toMatchObject({ doc_count: 9 });
  });
});

it('while a file is added the earlier rows are read, and an insertion is refused; one that came just before counts', async () => {
  const id = await orders();
  const filename = await uploaded(ada, FOURTH);
  const engines = api.everywhere(RowEngine);
  const queues = api.everywhere(JobQueue);
  const enqueue = queues.map((queue) => queue.enqueue.bind(queue));
  queues.forEach((queue) => (queue.enqueue = () => Promise.resolve()));
  const appends = engines.map((engine) => engine.append.bind(engine));
  // The file comes between the insertion's look at the datasource and its rows.
  let answer: TestResponse | undefined;
  engines.forEach((engine, at) => {
    engine.append = async (...args) => {
      answer = await begin(id, filename);
      return appends[at]!(...args);
    };
  });
  const before = await insert(ada, id, [FIFTH]);
  engines.forEach((engine, at) => (engine.append = appends[at]!));
  expect([answer?.status, before.status, before.body['inserted_rows']]).toEqual([200, 200, 1]);
  expect(await look(ada, id)).toMatchObject({ updating: true, doc_count: 4 });
  expect(await rowsOf(id)).toEqual([...BEFORE, [5, 'East', 50.5, 5]]);
  expect(await insert(ada, id, [FIFTH])).toMatchObject({ status: 409 });
  queues.forEach((queue, at) => (queue.enqueue = enqueue[at]!));
  const job = { companyId: asId<CompanyId>(ada.companyId), datasourceId: asId<DatasourceId>(id) };
  await api.get(DatasourceImporter).run(job, new AbortController().signal);
  expect(await rowsOf(id)).toEqual([...BEFORE, [4, 'East', 40.5, 4], [5, 'East', 50.5, 5]]);
});

it('while a file waits to be added the datasource can be deleted, with the file', async () => {
  const id = await orders();
  await begin(id, await uploaded(ada, ORDERS));
  expect(await ada.delete('/secure/datasource', { id })).toMatchObject({ status: 200 });
  await api.drain();
  expect(await ada.get(`/secure/datasource?id=${id}`)).toMatchObject({ status: 404 });
});
