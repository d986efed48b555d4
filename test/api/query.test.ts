import { describe, expect, it } from 'vitest';
import type { TestResponse } from '../support/test-client.js';
import { theService } from './a-service.js';
import { fetched } from './downloads.builder.js';
import { importedDatasource, insert } from './world.builder.js';

const ROWS = 3400;
const CSV = [
  'device,at,value,note',
  ...Array.from({ length: ROWS }, (_, minute) => {
    const at = new Date(Date.UTC(2024, 0, 1, 0, minute)).toISOString().slice(0, 19).replace('T', ' ');
    return `d${String(minute % 5)},${at},${String(minute)},${minute === 0 ? '=1+2' : 'x'.repeat(minute === 1 ? 3000 : 1)}`;
  }),
].join('\n');
const ORDERED = 'SELECT device, "at", value, note FROM data ORDER BY "at"';

const api = await theService();
const ada = await api.signIn('acme');
const id = await importedDatasource(api, ada, CSV);

const ask = (asked: object): Promise<TestResponse> => ada.post('/secure/data/query', { datasource_id: id, ...asked });

const csv = (query: string, gone?: AbortSignal): Promise<Response> =>
  fetched(ada, '/secure/data/query/csv', { datasource_id: id, query }, gone);

describe('the result of a query', () => {
  it('is read page by page to its end, with the types of its columns', async () => {
    const last = await ask({ query: ORDERED, offset: ROWS - 400, limit: 1000 });
    const rows = last.body['rows'] as readonly (readonly unknown[])[];
    expect(last).toMatchObject({ status: 200, body: { total: ROWS, offset: ROWS - 400 } });
    expect(rows.map(([, , value]) => value)).toEqual(Array.from({ length: 400 }, (_, row) => ROWS - 400 + row));
    const types = { device: 'text', at: 'time', value: 'integer', note: 'text' };
    const columns = Object.entries(types).map(([name, type]) => ({ name, type }));
    const { body } = await ask({ query: ORDERED, offset: ROWS });
    expect(body).toMatchObject({ columns, rows: [], total: ROWS, rows_scanned: ROWS });
  });

  it('is a whole CSV file, with long texts and without formulas', async () => {
    const response = await csv(ORDERED);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain('-result.csv"');
    const lines = (await response.text()).split('\r\n');
    expect(lines.length).toBe(ROWS + 2);
    expect(lines[0]).toBe('device,at,value,note');
    expect(lines[1]).toBe(`d0,2024-01-01T00:00:00.000Z,0,'=1+2`);
    expect(lines[2]).toBe(`d1,2024-01-01T00:01:00.000Z,1,${'x'.repeat(3000)}`);
    expect(lines[ROWS]).toMatch(/^d4,.*,3399,x$/);
  });

  it('goes through the gate, and says what is wrong', async () => {
    const query = "SELECT * FROM read_csv('/etc/passwd')";
    expect(await ask({ query })).toMatchObject({ status: 400 });
    expect((await csv(query)).status).toBe(400);
    const unknown = await ask({ query: 'SELECT nothing FROM data' });
    expect(unknown.body['message']).toContain('"nothing" not found');
    expect(await ask({ query: ORDERED, limit: 5001 })).toMatchObject({ status: 400 });
    expect(await ask({ query: ORDERED, limit: 1, datasource_ids: null })).toMatchObject({ status: 200 });
  });

  it('holds no place when its reader is gone', async () => {
    for (let time = 0; time < 3; time += 1) {
      const gone = new AbortController();
      const response = await csv('SELECT a.* FROM data a, (SELECT 1 FROM data LIMIT 20) b', gone.signal);
      expect(response.status).toBe(200);
      gone.abort();
      await response.text().catch(() => undefined);
    }
    // Two at once are allowed.
    await expect.poll(async () => (await csv(ORDERED)).status).toBe(200);
  });
});

const SUMS = {
  kind: 'aggregate',
  measures: [{ aggregate: 'sum', column: 'value', label: 'total' }],
  dimensions: [{ kind: 'column', column: 'device', label: 'device' }],
  ...{ filters: [], having: [], order: [{ by: 'total', direction: 'desc' }], limit: null },
};

describe('a list of rows', () => {
  const list = async (plan: object, more: object = {}) => (await ask({ plan, ...more })).body;
  const BY_VALUE = [{ by: 'value', direction: 'desc' }];
  const ofDevices = (...values: string[]): object[] => [{ kind: 'in', column: 'device', values, negated: false }];

  it('has the columns, the conditions and the order of its plan, page by page', async () => {
    const plan = { columns: ['value', 'device'], filters: ofDevices('d3', 'd4'), order: BY_VALUE };
    expect(await list(plan, { offset: 1358, limit: 5 })).toMatchObject({
      columns: [
        { name: 'value', type: 'integer' },
        { name: 'device', type: 'text' },
      ],
      rows: [
        [4, 'd4'],
        [3, 'd3'],
      ],
      total: 1360,
      rows_scanned: ROWS,
    });
  });

  it('without a plan’s parts is every row, each on one page', async () => {
    const seen = new Set<unknown>();
    for (let offset = 0; offset < ROWS; offset += 1000) {
      const { rows, total } = await list({}, { offset, limit: 1000 });
      expect(total).toBe(ROWS);
      for (const [, , value] of rows as readonly unknown[][]) seen.add(value);
    }
    expect(seen.size).toBe(ROWS);
  });

  it('finds a text in any column, upper and lower case alike, and a number among numbers', async () => {
    expect((await list({}, { search: 'D3' }))['total']).toBe(ROWS / 5);
    expect(await list({ columns: ['value'], order: BY_VALUE }, { search: '1234' })).toMatchObject({ rows: [[1234]] });
    expect(await list({}, { search: "'%_; DROP" })).toMatchObject({ rows: [], total: 0 });
  });

  it('counts anew when rows have come', async () => {
    const own = await importedDatasource(api, ada, 'device,at,value\nd1,2024-01-01,1\nd2,2024-01-02,2');
    const asked = { datasource_id: own, plan: { filters: ofDevices('d1') } };
    expect((await ask(asked)).body).toMatchObject({ total: 1 });
    await insert(ada, own, [{ device: 'd1', at: '2024-01-03', value: '3' }]);
    expect((await ask(asked)).body).toMatchObject({ total: 2 });
  });

  it('is figures of groups where its plan is', async () => {
    const all = await list(SUMS);
    expect(all).toMatchObject({ columns: [{ name: 'device', type: 'text' }, { name: 'total' }], total: 5 });
    const rows = all['rows'] as readonly unknown[][];
    expect(await list(SUMS, { offset: 1, limit: 2 })).toMatchObject({ rows: rows.slice(1, 3), total: 5, offset: 1 });
    expect(await list({ ...SUMS, limit: 3 })).toMatchObject({ rows: rows.slice(0, 3), total: 3 });
    expect(await list(SUMS, { search: 'd3' })).toMatchObject({ rows: [rows.find(([device]) => device === 'd3')] });
    const minutes = { kind: 'bucket', column: 'at', bucket: 'minute', label: 'minute' };
    expect(await list({ ...SUMS, dimensions: [minutes], order: [] }, { limit: 1 })).toMatchObject({
      columns: [{ name: 'minute', type: 'time' }, { name: 'total' }],
    });
  });

  it.each([
    [{ plan: { columns: ['nothing'] } }, 'plan.columns.0: there is no column "nothing"'],
    [{ plan: { kind: 'statistic', method: 'ttest' } }, 'plan.kind must be rows or aggregate'],
    [{ plan: { limit: 3 } }, 'plan can have no limit here: offset and limit say which rows'],
    [{ plan: {}, query: 'SELECT 1' }, 'either query or plan must be given'],
    [{ query: null }, 'either query or plan must be given'],
    [{ plan: { filters: [{ kind: 'in' }] } }, 'plan.filters.0'],
  ])('is refused with a reason: %j', async (asked, problem) => {
    expect(await ask(asked)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(problem) as unknown },
    });
  });
});
