import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import type { RowEngine } from '../../src/ports/row-engine.js';
import type { MetadataQuery, RowReader } from '../../src/ports/row-reader.js';
import type { TableRef } from '../../src/ports/table.js';
import { aFolder, aSource, aTable, at, HEADER, minutes, QUIET, type RowStore, tableOf } from './row-engine.fixture.js';

const LIMITS = { maxRows: 100, timeoutMs: 10_000 };

const MOST_COUNT: AnalysisPlan = {
  ...{ kind: 'aggregate', dimensions: [], filters: [], having: [], order: [], limit: null },
  measures: [{ aggregate: 'max', column: 'count', label: 'most' }],
};

/** What every row store promises of rows that come later, and of the values of the metadata field. */
export function rowInsertsContract(name: string, open: () => Promise<RowStore>): void {
  describe(`${name} as a store of later rows`, () => {
    let store: RowStore;
    let folder: Awaited<ReturnType<typeof aFolder>>;
    let engine: RowEngine;
    let reader: RowReader;

    beforeAll(async () => {
      [store, folder] = [await open(), await aFolder()];
      ({ engine, reader } = store);
    });
    afterAll(async () => {
      await store[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    });

    const loaded = (text: string): Promise<TableRef> => tableOf(store, text);
    const textsOf = async (table: TableRef, column: string): Promise<readonly unknown[]> => {
      const { rows } = await reader.query(
        table,
        `SELECT CAST("${column}" AS VARCHAR) FROM data ORDER BY "time"`,
        LIMITS,
      );
      return rows.flat();
    };
    const series = { from: null, to: null, column: 'value', points: 1000 };
    const all: MetadataQuery = { search: '', skip: 0, limit: 100 };
    const row = (device: string, time = at('2024-01-02T00:00:00Z')): { time: Date; device: string; value: number } => ({
      time,
      device,
      value: 1,
    });

    it('makes a column of whole numbers one of numbers when a number comes that it can not hold', async () => {
      const table = await loaded(minutes(1, ['a']));
      await engine.append(table, [
        { ...row('a'), count: 7 },
        { ...row('a'), count: 2.5 },
      ]);
      await engine.append(table, [
        { ...row('a'), count: 1e30 },
        { ...row('a'), count: 3 },
      ]);
      const plot = await reader.plot(table, { ...series, asset: null, column: 'count' });
      expect(plot.points.map(({ value }) => value)).toEqual([0, 2.5, 3, 7, 1e30]);
      const { columns } = await reader.profile(table);
      expect(columns[3]).toMatchObject({ name: 'count', type: 'number', min: 0, max: 1e30 });
      const { columns: found } = await reader.analyze(table, MOST_COUNT, LIMITS);
      expect(found).toMatchObject([{ name: 'most', type: 'number' }]);
    });

    it('keeps numbers from the least to the most that there are', async () => {
      const table = await loaded(minutes(1, ['a']));
      const values = [-0, 5e-324, 1.7976931348623157e308, 2 ** 53];
      const rows = values.map((value, second) => ({
        ...row('a', new Date(Date.UTC(2024, 1, 1, 0, 0, second))),
        value,
      }));
      await engine.append(table, rows);
      const plot = await reader.plot(table, { ...series, asset: null });
      expect(plot.points.slice(1).map(({ value }) => value + 0)).toEqual(values.map((value) => value + 0));
    });

    it('stores texts whatever is in them', async () => {
      const table = await loaded(minutes(1, ['a']));
      const texts = ['\u0000', "'; DROP TABLE data; --", '💥', 'half \ud800', '"},{"', '\u202E'];
      await engine.append(
        table,
        texts.map((note) => ({ ...row('b'), note })),
      );
      const stored = texts.map((text) => text.replace(/\p{Surrogate}/gu, '\uFFFD'));
      expect([...(await textsOf(table, 'note'))].sort()).toEqual(['fine', ...stored].sort());
    });

    it('takes names of columns that every object knows', async () => {
      const names = ['time', 'constructor', '__proto__', 'toString'];
      const columns = names.map((column, index) => ({ name: column, type: index === 0 ? 'time' : 'text' }) as const);
      const table = aTable();
      const text = `${names.join(',')}\n2024-01-01 00:00:00,a,b,c\n`;
      const source = await aSource(folder.path, [{ text }], { columns, metaField: 'constructor', values: [] });
      await engine.load(table, source, QUIET);
      const time = at('2024-01-02T00:00:00Z');
      await expect(engine.append(table, [{ time }])).rejects.toMatchObject({ kind: 'invalid_input' });
      await engine.append(table, [
        { time, constructor: 'x' },
        Object.fromEntries([
          ['time', time],
          ['constructor', 'y'],
          ['__proto__', 'z'],
        ]),
      ]);
      const { columns: described } = await reader.profile(table);
      expect(described.map(({ nulls }) => nulls)).toEqual([0, 0, 1, 2]);
    });

    it('lists the values of the metadata field, sorted, of base and later rows, each once', async () => {
      const table = await loaded(minutes(2, ['b', 'Z', 'ä']));
      await engine.append(table, [row('b'), row('a'), row('💥'), row('a')]);
      expect(await reader.distinctMetadata(table, all)).toEqual({ values: ['Z', 'a', 'b', 'ä', '💥'], total: 5 });
    });

    it('lists a part of them, and tells how many there are', async () => {
      const table = await loaded(minutes(1, ['a']));
      await engine.append(
        table,
        ['e', 'd', 'c', 'b'].map((device) => row(device)),
      );
      expect(await reader.distinctMetadata(table, { ...all, skip: 1, limit: 2 })).toEqual({
        values: ['b', 'c'],
        total: 5,
      });
      expect(await reader.distinctMetadata(table, { ...all, skip: 50 })).toEqual({ values: [], total: 5 });
    });

    /** For all who only look for something in it. */
    let named: Promise<TableRef> | null = null;
    const withNames = async (): Promise<TableRef> => {
      const letters = ['Device 1', 'device 2', 'MÜLLER', 'Mu\u0308llerin', 'ЖУК', 'ΟΔΟΣ'];
      const devices = [...letters, '100%', 'a_b', 'back\\slash', "it's"];
      const table = await loaded(minutes(1, devices.slice(0, 4)));
      await engine.append(
        table,
        devices.slice(4).map((device) => row(device)),
      );
      return table;
    };

    it.each([
      ['DEVICE', ['Device 1', 'device 2']],
      ['MU\u0308LL', ['MÜLLER', 'Mu\u0308llerin']],
      ['%', ['100%']],
      ['\\', ['back\\slash']],
      ['οδοσ', ['ΟΔΟΣ']],
      ['nothing like it', []],
    ])('finds %j in them, whatever the case', async (search, found) => {
      const { values, total } = await reader.distinctMetadata(await (named ??= withNames()), { ...all, search });
      expect([...values].sort()).toEqual([...found].sort());
      expect(total).toBe(found.length);
    });

    it('lists no value whose rows have outlived the lifespan', async () => {
      const text = `${HEADER}2024-01-01 00:00:00,old,1,1,true,x\n2024-01-03 00:00:00,both,1,1,true,x\n2024-01-01 00:00:00,both,1,1,true,x\n`;
      const table = await loaded(text);
      await engine.append(table, [row('gone', at('2024-01-01T12:00:00Z')), row('late', at('2024-01-04T00:00:00Z'))]);
      const young = { ...table, visibleFrom: at('2024-01-02T00:00:00Z') };
      expect(await reader.distinctMetadata(young, all)).toEqual({ values: ['both', 'late'], total: 2 });
    });
  });
}
