import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import type { RowEngine } from '../../src/ports/row-engine.js';
import type { MetadataQuery, RowReader } from '../../src/ports/row-reader.js';
import type { ColumnType, TableRef } from '../../src/ports/table.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import {
  aFolder,
  aSource,
  aTable,
  at,
  HEADER,
  loadedInto,
  minutes,
  QUIET,
  type RowStore,
  tableOf,
} from './row-engine.fixture.js';

const LIMITS = { maxRows: 100, timeoutMs: 10_000 };

const COUNT_BY_DEVICE: AnalysisPlan = {
  kind: 'aggregate',
  measures: [{ aggregate: 'count', column: null, label: 'rows' }],
  dimensions: [{ kind: 'column', column: 'device', label: 'device' }],
  filters: [],
  having: [],
  order: [],
  limit: null,
};

const MOST_COUNT: AnalysisPlan = {
  ...{ kind: 'aggregate', dimensions: [], filters: [], having: [], order: [], limit: null },
  measures: [{ aggregate: 'max', column: 'count', label: 'most' }],
};

/** What every row store promises, by the ports alone. */
export function rowEngineContract(opened: () => RowStore): void {
  describe('a row store', () => {
    let store: RowStore;
    let folder: Awaited<ReturnType<typeof aFolder>>;
    let engine: RowEngine;
    let reader: RowReader;

    beforeAll(async () => {
      folder = await aFolder();
      store = opened();
      ({ engine, reader } = store);
    });
    afterAll(() => folder[Symbol.asyncDispose]());

    const loaded = async (text: string, table?: TableRef): Promise<TableRef> => {
      if (table === undefined) return tableOf(store, text);
      await loadedInto(engine, table, text);
      return table;
    };
    const series = { from: null, to: null, column: 'value', points: 1000 };
    const all: MetadataQuery = { search: '', skip: 0, limit: 100 };
    const row = (device: string, time = at('2024-01-02T00:00:00Z')): { time: Date; device: string; value: number } => ({
      time,
      device,
      value: 1,
    });

    it('loads a file and reports what came in', async () => {
      const table = aTable();
      const report = await engine.load(table, await aSource(folder.path, [{ text: minutes(3) }]), QUIET);
      expect(report).toMatchObject({ rows: 6, rejected: 0, rejectedSample: [], assets: ['a', 'b'] });
      expect(report.files).toEqual([{ name: 'file0.csv', size: minutes(3).length, rows: 6, rejected: 0 }]);
      expect(await engine.count(table)).toBe(6);
    });

    it('describes every column', async () => {
      const text =
        `${HEADER}2024-01-01 00:00:00,a,1.5,7,true,x\n2024-01-02 00:00:00,b,,8,false,x\n` +
        '2024-01-03 00:00:00,b,4.5,NA,true,"y, z"\n';
      const profile = await reader.profile(await loaded(text));
      expect(profile).toMatchObject({ rowCount: 3, timeField: 'time', metaField: 'device', values: ['value'] });
      expect(profile.timeRange).toEqual({ from: '2024-01-01T00:00:00.000Z', to: '2024-01-03T00:00:00.000Z' });
      const described = profile.columns.map(({ topValues, ...column }) => [
        ...[column.name, column.type, column.nulls, column.distinct, column.min, column.max, column.mean],
        topValues.map(({ value, count }) => `${value}: ${count}`).join(', '),
      ]);
      expect(described).toEqual([
        ['time', 'time', 0, 3, '2024-01-01T00:00:00.000Z', '2024-01-03T00:00:00.000Z', null, ''],
        ['device', 'text', 0, 2, 'a', 'b', null, 'b: 2, a: 1'],
        ['value', 'number', 1, 2, 1.5, 4.5, 3, ''],
        ['count', 'integer', 1, 2, 7, 8, 7.5, ''],
        ['on', 'boolean', 0, 2, false, true, null, 'true: 2, false: 1'],
        ['note', 'text', 0, 2, 'x', 'y, z', null, 'x: 2, y, z: 1'],
      ]);
    });

    it('adds rows that count, plot and profile see with the others', async () => {
      const table = await loaded(minutes(2));
      await engine.append(table, [
        { time: at('2024-01-02T00:00:00.250Z'), device: 'a', value: 99.5, count: 1, on: false, note: 'it\'s "new"' },
        { time: at('2024-01-02T00:01:00Z'), device: 'c', value: null },
      ]);
      expect(await engine.count(table)).toBe(6);
      const plot = await reader.plot(table, { ...series, asset: 'a' });
      expect(plot.points.at(-1)).toEqual({ timestamp: '2024-01-02T00:00:00.250Z', value: 99.5 });
      const profile = await reader.profile(table);
      expect(profile.rowCount).toBe(6);
      expect(profile.columns[1]).toMatchObject({ distinct: 3 });
      expect(profile.columns[5]?.topValues).toContainEqual({ value: 'it\'s "new"', count: 1 });
    });

    it('plots numbers whose sum is beyond all numbers, and rows within one millisecond', async () => {
      const table = await loaded(minutes(2));
      const values = Array.from({ length: 20 }, (_, number) => (number % 2 === 0 ? 1.5e308 : 1.7e308));
      await engine.append(
        table,
        values.map((value) => ({ ...row('large'), value })),
      );
      const plot = await reader.plot(table, { ...series, asset: 'large', points: 10 });
      expect(plot).toMatchObject({ total: 20, points: [{ min: 1.5e308, max: 1.7e308, count: 20 }] });
      expect((plot.points[0]?.value ?? 0) / 1.6e308).toBeCloseTo(1, 12);
    });

    it('plots and exports an asset that is only among the later rows, or whose name is a number', async () => {
      const table = await loaded(minutes(2));
      await engine.append(table, [{ time: at('2024-01-02T00:00:00Z'), device: 'new', value: 7 }]);
      expect((await reader.plot(table, { ...series, asset: 'new' })).points.map(({ value }) => value)).toEqual([7]);

      const numbered = aTable();
      const text = 'time,device,value\n2024-01-01 00:00:00,10,1\n2024-01-01 00:01:00,2.5,2\n2024-01-01 00:02:00,10,3\n';
      const types = { time: 'time', device: 'number', value: 'number' } as const;
      const columns = Object.entries(types).map(([column, type]) => ({ name: column, type }));
      await loadedInto(engine, numbered, text, { columns });
      await engine.append(numbered, [{ time: at('2024-01-02T00:00:00Z'), device: 10, value: 4 }]);
      const plot = await reader.plot(numbered, { ...series, asset: '10' });
      expect(plot.points.map(({ value }) => value)).toEqual([1, 3, 4]);
      expect((await reader.plot(numbered, { ...series, asset: '2.5' })).total).toBe(1);
      const exported = async (asset: string): Promise<string> => {
        const order = { asset, from: null, to: null, columns: ['device', 'value'], timeFormats: [] };
        return textOf(await store.downloads.exportRows(numbered, order, 'csv'));
      };
      expect(await exported('10')).toBe('device,value\r\n10,1\r\n10,3\r\n10,4\r\n');
      expect(await exported('10.0')).toBe('device,value\r\n');
    });

    it('plots nothing for an unknown asset and refuses an unknown column', async () => {
      const table = await loaded(minutes(2));
      const nothing = { total: 0, bucketMs: 0, points: [] };
      expect(await reader.plot(table, { ...series, asset: "a' OR 'a'='a" })).toEqual(nothing);
      const query = { ...series, asset: null };
      await expect(reader.plot(table, { ...query, column: 'nothing' })).rejects.toMatchObject({
        kind: 'invalid_input',
      });
      await expect(reader.plot(table, { ...query, column: 'note' })).rejects.toMatchObject({ kind: 'invalid_input' });
    });

    it('answers a plan, and says when an answer was cut', async () => {
      const table = await loaded(minutes(2));
      const answer = await reader.analyze(table, COUNT_BY_DEVICE, LIMITS);
      expect(answer.columns.map(({ name }) => name)).toEqual(['device', 'rows']);
      expect(answer).toMatchObject({
        rows: [
          ['a', 2],
          ['b', 2],
        ],
        truncated: false,
        rowsScanned: 4,
      });
      expect(answer.dbquery).toContain('device');
      const cut = await reader.analyze(table, COUNT_BY_DEVICE, { ...LIMITS, maxRows: 1 });
      expect(cut).toMatchObject({ rows: [['a', 2]], truncated: true });
      const described = { kind: 'statistic', method: 'describe', columns: ['value', 'count'] } as const;
      for (const maxRows of [1, 2]) {
        const { rows, truncated } = await reader.analyze(
          table,
          { ...described, by: null, filters: [] },
          { ...LIMITS, maxRows },
        );
        expect({ rows: rows.length, truncated }).toEqual({ rows: maxRows, truncated: maxRows === 1 });
      }
    });

    it('sees no row that has outlived the lifespan, wherever it lies', async () => {
      const table = await loaded(`${minutes(100, ['a'])}2024-01-01 00:00:00,old,1,1,true,x\n`);
      await engine.append(table, [
        { time: at('2023-01-01T00:00:00Z'), device: 'gone', value: 1 },
        { time: at('2024-01-01T02:00:00Z'), device: 'a', value: 2 },
      ]);
      const young = { ...table, visibleFrom: at('2024-01-01T01:38:00Z') };
      expect(await engine.count(young)).toBe(3);
      expect((await reader.plot(young, { ...series, asset: 'a' })).points.map(({ value }) => value)).toEqual([
        98, 99, 2,
      ]);
      expect((await reader.profile(young)).rowCount).toBe(3);
      expect((await reader.analyze(young, COUNT_BY_DEVICE, LIMITS)).rows).toEqual([['a', 3]]);
      expect(await reader.distinctMetadata(young, all)).toEqual({ values: ['a'], total: 1 });
    });

    it('shows another company nothing', async () => {
      const table = { ...(await loaded(minutes(2))), companyId: asId<CompanyId>('b'.repeat(24)) };
      await expect(engine.count(table)).rejects.toMatchObject({ kind: 'not_found' });
      await expect(reader.plot(table, { ...series, asset: null })).rejects.toMatchObject({ kind: 'not_found' });
      const metadata = reader.distinctMetadata(table, { search: '', skip: 0, limit: 10 });
      await expect(metadata).rejects.toMatchObject({ kind: 'not_found' });
      const row = { time: at('2024-01-02T00:00:00Z'), device: 'a' };
      await expect(engine.append(table, [row])).rejects.toMatchObject({ kind: 'not_found' });
      const climbing = { ...table, companyId: asId<CompanyId>('../../..') };
      await expect(Promise.resolve().then(() => engine.count(climbing))).rejects.toMatchObject({ kind: 'not_found' });
    });

    it('removes generations below one, and all of them', async () => {
      const first = await loaded(minutes(2));
      const second = await loaded(minutes(2), { ...first, generation: 2 });
      await engine.append(second, [{ time: at('2024-01-02T00:00:00Z'), device: 'a' }]);
      await engine.remove(first.companyId, first.datasourceId, 2);
      await expect(engine.count(first)).rejects.toMatchObject({ kind: 'not_found' });
      expect(await engine.count(second)).toBe(5);
      await engine.remove(first.companyId, first.datasourceId);
      await expect(engine.count(second)).rejects.toMatchObject({ kind: 'not_found' });
      await engine.remove(first.companyId, first.datasourceId);
    });

    it('replaces a generation that is loaded again, and what was inserted beside it, unless that fails', async () => {
      const table = await loaded(minutes(2));
      await engine.append(table, [row('a')]);
      const broken = await aSource(folder.path, [{ text: `${HEADER}nonsense,a,1,1,true,x\n` }]);
      await expect(engine.load(table, broken, QUIET)).rejects.toMatchObject({ kind: 'invalid_input' });
      expect(await engine.count(table)).toBe(5);
      await loaded(minutes(1, ['a']), table);
      expect(await engine.count(table)).toBe(1);
      await engine.append(table, [row('a')]);
      expect(await engine.count(table)).toBe(2);
    });

    it('takes any text as the name of a column', async () => {
      const metaField = 'a"b; DROP TABLE data';
      const numbers = ['current', 'größe 温度', 'c0', 'C0'];
      const texts = ["it's", 'select', ' ', '$1', 'constructor', '__proto__'];
      const names = ['time', metaField, ...numbers, ...texts];
      const typeOf = (name: string): ColumnType =>
        name === 'time' ? 'time' : numbers.includes(name) ? 'number' : 'text';
      const quoted = names.map((column) => `"${column.replaceAll('"', '""')}"`).join(',');
      const text = `${quoted}\n2024-01-01 00:00:00,x,1,2,3,4,a,b,c,d,e,f\n2024-01-01 00:01:00,y,5,6,7,8,a,b,c,d,e,f\n`;
      const columns = names.map((column) => ({ name: column, type: typeOf(column) }));
      const table = aTable();
      const source = await aSource(folder.path, [{ text }], { columns, metaField, values: ['current'] });
      expect(await engine.load(table, source, QUIET)).toMatchObject({ rows: 2, assets: ['x', 'y'] });
      const time = at('2024-01-02T00:00:00Z');
      await expect(engine.append(table, [{ time }])).rejects.toMatchObject({ kind: 'invalid_input' });
      await engine.append(table, [
        { time, [metaField]: 'x', C0: 40, c0: 30 },
        Object.fromEntries([
          ['time', time],
          [metaField, 'z'],
          ['__proto__', 'z'],
        ]),
      ]);
      const { columns: described } = await reader.profile(table);
      expect(described.map(({ name: column }) => column)).toEqual(names);
      expect(described.map(({ nulls }) => nulls)).toEqual([0, 0, 2, 2, 1, 1, 2, 2, 2, 2, 2, 1]);
      const lasts = ['c0', 'C0'].map((column) => reader.plot(table, { ...series, asset: 'x', column }));
      expect((await Promise.all(lasts)).map(({ points }) => points.at(-1)?.value)).toEqual([30, 40]);
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
      const notes = texts.map((note) => ({ ...row('b'), note }));
      await engine.append(table, notes);
      const { rows } = await reader.query(table, 'SELECT note FROM data', LIMITS);
      const stored = texts.map((text) => text.replace(/\p{Surrogate}/gu, '\uFFFD'));
      expect(rows.flat().map(String).sort()).toEqual(['fine', ...stored].sort());
    });

    it('lists the values of the metadata field, sorted, of base and later rows, each once, or a part of them', async () => {
      const table = await loaded(minutes(2));
      await engine.append(
        table,
        ['Z', 'ä', 'a', '💥', 'Z'].map((device) => row(device)),
      );
      expect(await reader.distinctMetadata(table, all)).toEqual({ values: ['Z', 'a', 'b', 'ä', '💥'], total: 5 });
      const part = { ...all, skip: 1, limit: 2 };
      expect(await reader.distinctMetadata(table, part)).toEqual({ values: ['a', 'b'], total: 5 });
      expect(await reader.distinctMetadata(table, { ...all, skip: 50 })).toEqual({ values: [], total: 5 });
    });

    /** For all who only look for something in it. */
    let named: Promise<TableRef> | null = null;
    const withNames = async (): Promise<TableRef> => {
      const letters = ['Device 1', 'device 2', 'MÜLLER', 'Mu\u0308llerin', 'ЖУК', 'ΟΔΟΣ'];
      const devices = [...letters, '100%', 'a_b', 'back\\slash', "it's"];
      const table = await loaded(minutes(2));
      await engine.append(
        table,
        devices.map((device) => row(device)),
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
  });
}
