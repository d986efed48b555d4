import { afterAll, beforeAll, expect, it } from 'vitest';
import { batchRows } from '../../src/rows/batch-rows.js';
import { RowObjects } from '../../src/rows/row-objects.js';
import { RowTables } from '../../src/rows/row-tables.js';
import { TableRequests } from '../../src/rows/table-requests.js';
import { SystemClock } from '../../src/adapters/system/system-clock.js';
import { eventually } from '../support/eventually.js';
import { type DuckDbStore, openDuckDb } from './duckdb-store.fixture.js';
import { at, minutes, tableOf } from './row-engine.fixture.js';

const never = new AbortController().signal;
const ROWS = Array.from({ length: 20 }, (_, value) => ({ time: at('2024-01-02T00:00:00Z'), device: 'a', value }));

function openRequests({ process, documents, objects, files }: DuckDbStore): TableRequests {
  const cache = { folder: files.cache, mostBytes: 1e9 };
  return new TableRequests(process, new RowTables(documents, new SystemClock()), new RowObjects(objects, cache));
}

let store: DuckDbStore;
beforeAll(async () => {
  store = await openDuckDb();
});
afterAll(() => store[Symbol.asyncDispose]());

it('what is told ahead comes to an end when the files are replaced meanwhile', async () => {
  const table = await tableOf(store, minutes(5));
  const requests = openRequests(store);
  await requests.ask('count', table, {}, 10_000);
  const { now } = await requests.tables.append(table, undefined, ({ columns, table: { timeField, metaField } }) =>
    batchRows({ columns, timeField, metaField }, ROWS),
  );
  expect(await store.engine.compact(table, never)).toBe(true);

  requests.tellAhead(table, now);
  expect(now.isTelling).toBe(true);
  await eventually(
    () => now.isTelling,
    (isTelling) => !isTelling,
  );
});

it('a question that fails by itself is not asked again, though the files are replaced meanwhile', async () => {
  const table = await tableOf(store, minutes(5));
  const requests = openRequests(store);
  let asked = 0;
  const request = store.process.request.bind(store.process);
  store.process.request = async (...input) => {
    asked += 1;
    await requests.tables.change((await requests.tables.now(table)).table, {});
    return request(...input);
  };
  const order = { sql: 'SELECT nothing FROM visible', params: [], maxRows: 1 };
  await expect(requests.ask('select', table, { order }, 10_000)).rejects.toThrow('nothing');
  expect(asked).toBe(1);
});
