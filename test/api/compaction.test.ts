import { expect, it } from 'vitest';
import { LifespanSweeper } from '../../src/features/datasource/compaction/datasource-compactor.js';
import { InsertLedger } from '../../src/features/datasource/data/insert-ledger.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { ROW_TABLES } from '../../src/rows/row-table.schema.js';
import { asId } from '../../src/shared/ids.js';
import { aService } from './a-service.js';
import { Inserter, ROW, type Row } from './insert.builder.js';

const HOUR = 3_600_000;

const api = await aService({ environment: { COMPACT_AFTER_ROWS: '50' } });

const anInserter = async (): Promise<Inserter> => new Inserter(api, await api.signIn('acme'));
const stamp = (agoMs: number): string => new Date(api.clock.now().getTime() - agoMs).toISOString().slice(0, 19);

/** How often the files of the rows were made anew. */
async function compactionsOf(id: string): Promise<readonly number[]> {
  const tables = api.get(DocumentStore).tenantCollection(ROW_TABLES).ofAll();
  return (await tables.find({ datasourceId: asId(id) })).map(({ version }) => version - 1);
}

it('rows that are inserted are merged when they are many, and nothing that can be seen changes', async () => {
  const own = await anInserter();
  const many = (rows: number, from = 0): Row[] =>
    Array.from({ length: rows }, (_, value) => ({ ...ROW, device: `d${value % 4}`, value: from + value }));
  const id = await own.datasource();
  await own.insert(id, many(40));
  await api.drain();
  expect(await compactionsOf(id)).toEqual([0]);
  await own.insert(id, many(20, 40));
  const seen = async (): Promise<unknown> => [await own.plot(id), await own.assets(id)];
  const before = await seen();
  await api.drain();
  expect(await compactionsOf(id)).toEqual([1]);
  expect(await seen()).toEqual(before);
  expect(await own.look(id)).toMatchObject({ doc_count: 63, updating: false });
});

it('rows that have outlived the lifespan are not counted any more, and leave the disk, when nobody inserts', async () => {
  const own = await anInserter();
  const csv = `device,at,value\nold,${stamp(HOUR)},1\nnew,${stamp(0)},2\n`;
  const [id, kept] = [await own.datasource(csv, { lifespan: 2 * 3600 }), await own.datasource(csv)];
  await own.insert(id, [{ device: 'later', at: stamp(0), value: '3' }]);
  // The mark of an insertion has rows counted that came in when a process died: a sweep leaves it.
  await api.get(LifespanSweeper).sweep();
  await api.drain();
  expect(await own.look(id)).toMatchObject({ doc_count: 3, config: { assets: ['later', 'new', 'old'] } });

  api.clock.advance(1.5 * HOUR);
  expect((await api.get(InsertLedger).abandoned(false)).map((marked) => marked.id)).toContain(id);
  const bob = await anInserter();
  await api.get(LifespanSweeper).sweep();
  await api.drain();
  expect(await bob.look(id)).toMatchObject({ doc_count: 2, config: { assets: ['later', 'new'] } });
  expect(await bob.look(kept)).toMatchObject({ doc_count: 2 });
  expect([await compactionsOf(id), await compactionsOf(kept)]).toEqual([[1], [0]]);

  api.clock.advance(2 * HOUR);
  const eve = await anInserter();
  await api.get(LifespanSweeper).sweep();
  await api.drain();
  expect(await eve.look(id)).toMatchObject({ doc_count: 0, config: { assets: [] } });
  expect(await eve.insert(id, [{ device: 'back', at: stamp(0), value: '4' }])).toMatchObject({ status: 200 });
  expect(await eve.look(id)).toMatchObject({ doc_count: 1, config: { assets: ['back'] } });
});
