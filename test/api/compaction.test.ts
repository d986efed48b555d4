import { afterAll, describe, expect, it } from 'vitest';
import { LifespanSweeper } from '../../src/features/datasource/compaction/datasource-compactor.js';
import { InsertLedger } from '../../src/features/datasource/data/insert-ledger.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { ROW_TABLES } from '../../src/rows/row-table.schema.js';
import { asId } from '../../src/shared/ids.js';
import { startTestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { Inserter, ROW, type Row } from './insert.builder.js';

const ENVIRONMENT = { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0', COMPACT_AFTER_ROWS: '50' };
const HOUR = 3_600_000;

const api = await startTestApi({ environment: ENVIRONMENT });
afterAll(() => api[Symbol.asyncDispose]());

/** How often the files of the rows were made anew. */
async function compactionsOf(client: TestClient, id: string): Promise<readonly number[]> {
  const tables = api.get(DocumentStore).tenantCollection(ROW_TABLES).of(asId(client.companyId));
  return (await tables.find({ datasourceId: asId(id) })).map(({ version }) => version - 1);
}

const many = (rows: number, from = 0): Row[] =>
  Array.from({ length: rows }, (_, value) => ({ ...ROW, device: `d${value % 4}`, value: from + value }));

function stamp(agoMs: number): string {
  return new Date(api.clock.now().getTime() - agoMs).toISOString().slice(0, 19);
}

describe('rows that are inserted', () => {
  it('are merged when they are many, and nothing that can be seen changes', async () => {
    const ada = await api.signIn('acme');
    const own = new Inserter(api, ada);
    const id = await own.datasource();
    await own.insert(id, many(40));
    await api.drain();
    expect(await compactionsOf(ada, id)).toEqual([0]);
    const plots = Promise.all(Array.from({ length: 10 }, () => own.plot(id)));
    await own.insert(id, many(20, 40));
    await plots;
    const before = [await own.plot(id), await own.assets(id)];
    await api.drain();
    expect(await compactionsOf(ada, id)).toEqual([1]);
    expect([await own.plot(id), await own.assets(id)]).toEqual(before);
    expect(await own.look(id)).toMatchObject({ doc_count: 63, updating: false });
    const { body } = await ada.get(`/secure/datasource/store-ds-schema-summary?id=${id}`);
    expect(body['summary']).toMatchObject({ row_count: 63 });
  });
});

describe('rows that have outlived the lifespan', () => {
  it('are not counted any more, and leave the disk, when nobody inserts', async () => {
    const ada = await api.signIn('acme');
    const own = new Inserter(api, ada);
    const csv = `device,at,value\nold,${stamp(HOUR)},1\nnew,${stamp(0)},2\n`;
    const [id, kept] = [await own.datasource(csv, { lifespan: 2 * 3600 }), await own.datasource(csv)];
    await own.insert(id, [{ device: 'later', at: stamp(0), value: '3' }]);
    await api.drain();
    expect(await own.look(id)).toMatchObject({ doc_count: 3, config: { assets: ['later', 'new', 'old'] } });

    api.clock.advance(1.5 * HOUR);
    const bob = new Inserter(api, await api.signIn('acme'));
    await api.get(LifespanSweeper).sweep();
    await api.drain();
    expect(await bob.look(id)).toMatchObject({ doc_count: 2, config: { assets: ['later', 'new'] } });
    expect(await compactionsOf(ada, id)).toEqual([1]);
    expect(await bob.look(kept)).toMatchObject({ doc_count: 2 });
    expect(await compactionsOf(ada, kept)).toEqual([0]);

    api.clock.advance(2 * HOUR);
    const eve = new Inserter(api, await api.signIn('acme'));
    await api.get(LifespanSweeper).sweep();
    await api.drain();
    expect(await eve.look(id)).toMatchObject({ doc_count: 0, config: { assets: [] } });
    expect(await eve.insert(id, [{ device: 'back', at: stamp(0), value: '4' }])).toMatchObject({ status: 200 });
    expect(await eve.look(id)).toMatchObject({ doc_count: 1, config: { assets: ['back'] } });
  });

  it('are counted by a sweep without taking away the mark of an insertion', async () => {
    const ada = await api.signIn('acme');
    const own = new Inserter(api, ada);
    const id = await own.datasource(`device,at,value\nold,${stamp(HOUR)},1\n`, { lifespan: 3 * 3600 });
    await own.insert(id, [{ device: 'later', at: stamp(0), value: '3' }]);
    await api.get(LifespanSweeper).sweep();
    // The mark is what has rows counted that came in when a process died.
    api.clock.advance(2 * HOUR);
    const marked = await api.get(InsertLedger).abandoned(false);
    expect(marked.map((datasource) => datasource.id)).toContain(id);
  });
});
