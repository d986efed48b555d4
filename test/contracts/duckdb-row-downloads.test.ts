import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportQuery } from '../../src/ports/row-downloads.js';
import type { RejectedLine } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { type DuckDbStore, openDuckDb } from './duckdb-store.fixture.js';
import { textOf } from './row-export.fixture.js';
import { aSource, aTable, at, COLUMNS, minutes, QUIET, tableOf } from './row-engine.fixture.js';

let store: DuckDbStore;
beforeAll(async () => {
  store = await openDuckDb();
});
afterAll(() => store[Symbol.asyncDispose]());

const BAD = 'x,a,1,1,true,bad\n';

async function rejectsOf(table: TableRef): Promise<readonly RejectedLine[]> {
  const lines: RejectedLine[] = [];
  for await (const line of await store.downloads.rejectedLines(table)) lines.push(line);
  return lines;
}

function all(changes: Partial<ExportQuery> = {}): ExportQuery {
  const columns = COLUMNS.map(([name]) => name);
  return { asset: null, from: null, to: null, columns, timeFormats: [['time', '%Y-%m-%d %H:%M:%S']], ...changes };
}

async function exported(table: TableRef, changes: Partial<ExportQuery> = {}): Promise<readonly string[]> {
  return (await textOf(await store.downloads.exportRows(table, all(changes), 'csv'))).trimEnd().split('\r\n');
}

it('rejected lines stay when the generation is compacted', async () => {
  const table = aTable();
  await store.engine.load(table, await aSource(store.folder, [{ text: minutes(2) + BAD }]), QUIET);
  await appendMany(table);
  await store.engine.compact(table, new AbortController().signal);
  expect(await rejectsOf(table)).toHaveLength(1);
});

async function appendMany(table: TableRef): Promise<void> {
  for (let hour = 0; hour < 20; hour++) {
    const row = {
      time: at(`2024-02-01T${String(hour).padStart(2, '0')}:00:00Z`),
      device: 'a',
      value: hour + 0.5,
      note: '=late',
    };
    await store.engine.append(table, [row, { ...row, device: 'b', count: 1.5 }]);
  }
}

describe('an export', () => {
  it('is the same before and after later rows were merged', async () => {
    const table = await tableOf(store, minutes(50));
    await appendMany(table);
    const before = await exported(table);
    const ofA = await exported(table, { asset: 'a' });
    expect(before).toHaveLength(1 + 100 + 40);
    expect(ofA).toHaveLength(1 + 50 + 20);
    expect(ofA.at(-1)).toBe(`2024-02-01 19:00:00,a,19.5,,,'=late`);
    await store.engine.compact(table, new AbortController().signal);
    expect([...(await exported(table))].sort()).toEqual([...before].sort());
    expect(await exported(table, { asset: 'a' })).toEqual(ofA);
  });

  it('goes on over files that are removed under it', async () => {
    const table = await tableOf(store, minutes(50));
    await appendMany(table);
    const stream = await store.downloads.exportRows(table, all(), 'csv');
    await store.engine.remove(table.companyId, table.datasourceId);
    expect((await textOf(stream)).trimEnd().split('\r\n')).toHaveLength(1 + 100 + 40);
  });
});
