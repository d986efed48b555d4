import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDbRowDownloads } from '../../src/rows/duckdb-row-downloads.js';
import { ExportRuns } from '../../src/rows/export-run.js';
import type { RowDownloads } from '../../src/ports/row-downloads.js';
import type { LoadSource, TypedRow } from '../../src/ports/row-engine.js';
import type { ColumnType, TableRef } from '../../src/ports/table.js';
import { messageOf } from '../../src/shared/app-error.js';
import { mongodbServer } from '../support/mongodb.js';
import { openDuckDb, type DuckDbStore } from './duckdb-store.fixture.js';
import { openMongoRows, type MongoStore } from './mongo-store.fixture.js';
import { PATIENT, textOf } from './row-export.fixture.js';
import { aSource, aTable, at, COLUMNS, HEADER, QUIET, type RowStore } from './row-engine.fixture.js';

const PATIENCE_MS = 120_000;
const LIMITS = { maxRows: 1000, timeoutMs: 60_000 };

const ODD = `${HEADER}2024-01-01 00:00:00,a,nan,1,true,x
2024-01-01 00:00:00,a,inf,2,true,x
2024-01-01 00:00:00,a,-inf,2,true,x
2024-01-01 00:00:00,a,1e999,2,true,x
2024-01-01 00:00:00,a,1.5,9007199254740993,true,x
2024-01-01 00:00:00,a,1.5,9007199254740993,true,x
2024-01-01 00:00:00,a,1.5,-9007199254740993,false,"$where"
2024-01-01 00:00:00,$m,0.1,9223372036854775807,false,
2024-01-01 00:00:00,a.b,-0,9223372036854775808,true,"{""$gt"": 1}"
1969-07-20 20:17:40,a,4,4,true,moon
0001-01-01 00:00:00,a,5,5,true,first
9999-12-31 23:59:59,a,6,6,true,last
`;

describe.skipIf(mongodbServer === undefined)('odd rows in MongoDB', () => {
  let far: MongoStore;
  let near: DuckDbStore;
  let nearDownloads: RowDownloads;

  beforeAll(async () => {
    [far, near] = [await openMongoRows(), await openDuckDb({ afterRows: 1_000_000 })];
    const runs = new ExportRuns(join(near.folder, 'exports'), PATIENT);
    await runs.open();
    nearDownloads = new DuckDbRowDownloads(near.process, near.files, runs);
  });
  afterAll(async () => {
    await far[Symbol.asyncDispose]();
    await near[Symbol.asyncDispose]();
  });

  const loaded = async (text: string, changes: Partial<LoadSource> = {}): Promise<TableRef> => {
    const table = aTable();
    const [one, other] = [await loadInto(near), await loadInto(far)];
    expect(other).toEqual(one);
    return table;

    async function loadInto(store: DuckDbStore | MongoStore): Promise<unknown> {
      const report = await store.engine.load(table, await aSource(store.folder, [{ text }], changes), QUIET);
      return { rows: report.rows, rejected: report.rejectedSample.map(({ line, reason }) => [line, reason]) };
    }
  };
  const exported = async (
    downloads: RowDownloads,
    table: TableRef,
    columns: readonly string[],
  ): Promise<readonly string[]> => {
    const query = { asset: null, from: null, to: null, columns, timeFormat: null };
    return (await textOf(await downloads.exportCsv(table, query))).split('\r\n').sort();
  };
  const names = COLUMNS.map(([name]) => name);
  const expectTheSame = async (table: TableRef, columns = names): Promise<void> => {
    expect(await exported(far.downloads, table, columns)).toEqual(await exported(nearDownloads, table, columns));
    const profile = await near.reader.profile(table);
    const found = await far.reader.profile(table);
    expect(found).toEqual({ ...profile, columns: profile.columns.map(withAbout) });
  };
  const inBoth = async (work: (store: RowStore) => Promise<unknown>): Promise<readonly unknown[]> =>
    Promise.all([near, far].map((store) => work(store).catch((error: unknown) => messageOf(error))));

  it(
    'are imported, left out, told and plotted as they are from files',
    async () => {
      const table = await loaded(ODD);
      await expectTheSame(table);
      const range = { asset: null, from: null, to: null, points: 100 };
      for (const column of ['value', 'count']) {
        const [one, other] = await inBoth((store) => store.reader.plot(table, { ...range, column }));
        expect(other).toEqual(one);
      }
      const all = { search: '', skip: 0, limit: 100 };
      const [one, other] = await inBoth((store) => store.reader.distinctMetadata(table, all));
      expect(other).toEqual(one);
    },
    PATIENCE_MS,
  );

  it(
    'are inserted, or refused with a sentence, as they are beside files',
    async () => {
      const table = await loaded(`${HEADER}2024-01-01 00:00:00,a,1,1,true,x\n`);
      const row = (changes: TypedRow): TypedRow => ({ time: at('2024-01-02T00:00:00Z'), device: 'a', ...changes });
      const given: readonly TypedRow[] = [
        row({ value: -0, note: '' }),
        row({ count: '9223372036854775807' }),
        row({ count: 9007199254740992 }),
        row({ note: '\ud800 half' }),
        row({ note: 'nul \0 inside' }),
        row({ device: '$m' }),
        row({ device: null }),
        row({ time: null }),
        row({ on: 'maybe' }),
        row({ note: 'x'.repeat(1_000_000) }),
        row({ value: 1e308 }),
        row({ value: 5e-324 }),
      ];
      for (const one of given) {
        const ends = await inBoth(async (store) => (await store.engine.append(table, [one])).earlierNote);
        expect(typeof ends[1], JSON.stringify([one, ends]).slice(0, 300)).toBe(typeof ends[0]);
      }
      await expectTheSame(table, names);
    },
    PATIENCE_MS,
  );

  it(
    'may have very many columns, of any names',
    async () => {
      const columns: { name: string; type: ColumnType }[] = [
        { name: 'time', type: 'time' },
        { name: 'device', type: 'text' },
        ...Array.from({ length: 1050 }, (_, index) => ({
          name: index % 2 === 0 ? `a.${index}` : `$c${index}`,
          type: 'number' as const,
        })),
      ];
      const header = columns.map(({ name }) => name).join(',');
      const line = (minute: number): string => {
        const cells = Array.from({ length: 1050 }, (_, index) => (index % 7 === minute ? '' : index + minute / 8));
        return `2024-01-01 00:0${minute}:00,d${minute % 2},${cells.join(',')}`;
      };
      const text = `${[header, ...[0, 1, 2, 3, 4].map(line)].join('\n')}\n`;
      const table = await loaded(text, { columns, values: ['a.0'] });
      const some = ['time', 'device', 'a.0', '$c1', 'a.1048', '$c1049'];
      expect(await exported(far.downloads, table, some)).toEqual(await exported(nearDownloads, table, some));
      const measures = [{ aggregate: 'sum', column: '$c1049', label: '$x.y' }] as const;
      const dimensions = [{ kind: 'column', column: 'device', label: 'a.b' }] as const;
      const plan = {
        kind: 'aggregate',
        measures,
        dimensions,
        filters: [],
        having: [],
        order: [],
        limit: null,
      } as const;
      const [one, other] = await inBoth(async (store) => (await store.reader.analyze(table, plan, LIMITS)).rows);
      expect(other).toEqual(one);
    },
    PATIENCE_MS,
  );
});

/** Beyond what a number can hold means differ in their last digits. */
function withAbout<T extends { readonly mean: number | null }>(column: T): object {
  return column.mean === null ? column : { ...column, mean: closeTo(column.mean) };
}

function closeTo(mean: number): unknown {
  return {
    asymmetricMatch: (other: unknown) => typeof other === 'number' && Math.abs(other - mean) <= 1e-12 * Math.abs(mean),
  };
}
