import { text as textOf } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ExportQuery, RowDownloads } from '../../src/ports/row-downloads.js';
import type { LoadSource, RejectedLine, RowEngine } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { aTable, at, COLUMNS, HEADER, loadedInto, minutes, type RowStore, tableOf } from './row-engine.fixture.js';

const BAD = 'x,a,1,1,true,bad\n';

/** As they are given, and as they are written. */
const NUMBERS = [
  ['0.1', '0.1'],
  ['20.0', '20'],
  ['-0', '0'],
  ['0.0001', '0.0001'],
  ['0.00001', '1e-05'],
  ['-0.0000123', '-1.23e-05'],
  ['1e300', '1e+300'],
  ['1.7976931348623157e308', '1.7976931348623157e+308'],
  ['5e-324', '5e-324'],
  ['123456789.123456789', '123456789.12345679'],
  ['1e15', '1000000000000000'],
  ['9007199254740992', '9007199254740992.0'],
  ['1e16', '1e+16'],
] as const;
const TEXTS = [
  ['=1+2', "'=1+2"],
  ['+cmd', "'+cmd"],
  ['@sum', "'@sum"],
  ['-a', "'-a"],
  ['-5', '-5'],
  ['-5+cmd', "'-5+cmd"],
  ['a=1', 'a=1'],
  [' x ', ' x '],
] as const;
const second = (row: number): string => `2024-01-01 00:00:${String(row).padStart(2, '0')}`;
/** Assets with cells of one kind each. */
const CELLS = [
  HEADER.replace('note', '=note'),
  '2024-01-01 10:00:00,Größe 東京,12.5,9223372036854775807,true,"a ""b"", c"\n',
  '2024-01-02 00:00:00,Größe 東京,,,,\n2024-01-03 00:00:00,Größe 東京,-3,-1,false,"two\nlines"\n',
  ...NUMBERS.map(([given], row) => `${second(row)},numbers,${given},1,true,x\n`),
  ...TEXTS.map(([given], row) => `${second(row)},texts,1,1,true,"${given}"\n`),
  `${second(1)},empty,,1,true,x\n${second(2)},empty,7,1,true,x\n`,
];

const LAYOUT = '%Y-%m-%d %H:%M:%S';

/** What every row store promises of rows as CSV and of the lines that an import has left out. */
export function rowDownloadsContract(opened: () => RowStore): void {
  describe('downloads of rows', () => {
    let store: RowStore;
    let engine: RowEngine;
    let downloads: RowDownloads;

    beforeAll(() => {
      store = opened();
      ({ engine, downloads } = store);
    });

    const loaded = async (text: string, table?: TableRef, changes: Partial<LoadSource> = {}): Promise<TableRef> => {
      if (table === undefined) return tableOf(store, text);
      await loadedInto(engine, table, text, changes);
      return table;
    };
    const all = (changes: Partial<ExportQuery> = {}): ExportQuery => {
      const columns = COLUMNS.map(([column]) => column);
      return { asset: null, from: null, to: null, columns, timeFormats: [['time', LAYOUT]], ...changes };
    };
    const exported = async (table: TableRef, changes: Partial<ExportQuery> = {}): Promise<string> =>
      textOf(await downloads.exportRows(table, all(changes), 'csv'));
    const recordsOf = async (table: TableRef, changes: Partial<ExportQuery> = {}): Promise<readonly string[]> =>
      (await exported(table, changes)).split('\r\n').slice(1, -1);
    const rejectsOf = async (table: TableRef): Promise<readonly RejectedLine[]> => {
      const lines: RejectedLine[] = [];
      for await (const line of await downloads.rejectedLines(table)) lines.push(line);
      return lines;
    };

    let cellsTable: Promise<TableRef> | null = null;
    const cells = (): Promise<TableRef> => {
      const columns = COLUMNS.map(([column, type]) => ({ name: column === 'note' ? '=note' : column, type }));
      return (cellsTable ??= loaded(CELLS.join(''), aTable(), { columns }));
    };

    it('writes cells as they were imported, nothing where there is none, and what one empty field is so that it is not passed over', async () => {
      const columns = ['time', 'device', 'value', 'count', 'on', '=note'];
      expect(await exported(await cells(), { asset: 'Größe 東京', columns })).toBe(
        "time,device,value,count,on,'=note\r\n" +
          '2024-01-01 10:00:00,Größe 東京,12.5,9223372036854775807,true,"a ""b"", c"\r\n' +
          '2024-01-02 00:00:00,Größe 東京,,,,\r\n' +
          '2024-01-03 00:00:00,Größe 東京,-3,-1,false,"two\nlines"\r\n',
      );
      expect(await exported(await cells(), { asset: 'empty', columns: ['value'] })).toBe('value\r\n""\r\n7\r\n');
    });

    it('writes numbers so that they read back as the same, the shortest way, and no formulas', async () => {
      const records = await recordsOf(await cells(), { columns: ['device', 'value', '=note'] });
      const numbers = records.filter((record) => record.startsWith('numbers'));
      expect(numbers).toEqual(NUMBERS.map(([, written]) => `numbers,${written},x`));
      const texts = records.filter((record) => record.startsWith('texts'));
      expect(texts).toEqual(TEXTS.map(([, written]) => `texts,1,${written}`));
    });

    it('writes times in the layout, and in ISO 8601 without one', async () => {
      const columns = [
        ...COLUMNS.map(([column, type]) => ({ name: column, type })),
        { name: 'seen', type: 'time' as const },
      ];
      const text = `${HEADER.trimEnd()},seen\n2024-01-01 00:00:01.5,a,1,1,true,x,2024-01-02 03:04:05.120456\n`;
      const table = await loaded(text, aTable(), { columns, timeFormat: 'yyyy-MM-dd HH:mm:ss[.S]' });
      const changes: Partial<ExportQuery> = { columns: ['time', 'seen'], timeFormats: [['time', 'dd.MM.yyyy, HH:mm']] };
      expect(await recordsOf(table, changes)).toEqual([`"01.01.2024, 00:00",2024-01-02T03:04:05.120456Z`]);
    });

    it('writes asset by asset, each in the order of time, with what was inserted later', async () => {
      const table = await loaded(minutes(50, ['b', 'a', 'c']));
      const imported = await recordsOf(table, { columns: ['device', 'value'] });
      for (const device of ['a', 'b', 'c']) {
        const own = imported.filter((record) => record.startsWith(device));
        expect(own).toEqual(Array.from({ length: 50 }, (_, minute) => `${device},${minute}`));
        expect(imported.lastIndexOf(own.at(-1) ?? '') - imported.indexOf(own[0] ?? '')).toBe(49);
      }
      await engine.append(table, [
        { time: at('2024-01-01T00:10:30Z'), device: 'a', value: 10.5 },
        { time: at('2024-02-01T00:00:00Z'), device: 'a', value: 99, note: '=late' },
      ]);
      expect(await recordsOf(table)).toHaveLength(152);
      const ofA = await recordsOf(table, { asset: 'a', columns: ['value', 'note'] });
      expect(ofA.slice(10, 13)).toEqual(['10,fine', '10.5,', '11,fine']);
      expect([ofA.length, ofA.at(-1)]).toEqual([52, "99,'=late"]);
    });

    it('writes the rows of an asset between two moments, and none that nobody may see any more', async () => {
      const table = await loaded(minutes(5));
      const time = at('2024-01-01T00:00:30Z');
      await engine.append(table, [
        { time, device: 'a\0b', value: 9 },
        { time, device: "it's", value: 8 },
      ]);
      const valuesOf = (changes: Partial<ExportQuery>, of = table): Promise<readonly string[]> =>
        recordsOf(of, { ...changes, columns: ['value'] });
      const [first, second] = [at('2024-01-01T00:01:00Z'), at('2024-01-01T00:02:00Z')];
      expect(await valuesOf({ asset: `%'%` })).toEqual([]);
      // Only among the later rows, and not cut at its zero.
      expect(await valuesOf({ asset: 'a\0b' })).toEqual(['9']);
      expect(await valuesOf({ asset: 'a', from: first, to: second })).toEqual(['1']);
      expect(await valuesOf({ asset: 'a', from: first }, { ...table, visibleFrom: second })).toEqual(['2', '3', '4']);
    });

    it('writes the same after a compaction, keeps what was left out, and goes on over files that are removed under it', async () => {
      const table = await loaded(minutes(2) + BAD, aTable());
      const row = { device: 'a', value: 0.5, note: '=late' };
      for (let hour = 0; hour < 20; hour++) {
        const time = new Date(Date.UTC(2024, 1, 1, hour));
        await engine.append(table, [
          { ...row, time },
          { ...row, time, device: 'b', count: 1.5 },
        ]);
      }
      const before = await recordsOf(table);
      const ofA = await recordsOf(table, { asset: 'a' });
      expect(before).toHaveLength(4 + 40);
      expect([ofA.length, ofA.at(-1)]).toEqual([2 + 20, `2024-02-01 19:00:00,a,0.5,,,'=late`]);
      expect(await engine.compact(table, new AbortController().signal)).toBe(true);
      expect([...(await recordsOf(table))].sort()).toEqual([...before].sort());
      expect(await recordsOf(table, { asset: 'a' })).toEqual(ofA);
      expect(await rejectsOf(table)).toHaveLength(1);

      await engine.append(table, [{ ...row, time: at('2024-03-01T00:00:00Z') }]);
      const stream = await downloads.exportRows(table, all(), 'csv');
      await engine.remove(table.companyId, table.datasourceId);
      expect((await textOf(stream)).trimEnd().split('\r\n')).toHaveLength(1 + 4 + 41);
    });

    it('has whoever waits for a place read the files that are there by then, and says so when there are none', async () => {
      const table = await tableOf(store, minutes(300));
      for (let hour = 0; hour < 20; hour++)
        await engine.append(table, [{ device: 'a', value: 0.5, time: new Date(Date.UTC(2024, 1, 1, hour)) }]);
      const limits = { maxRows: 1, timeoutMs: 60_000, skip: 0, signal: new AbortController().signal };
      // A company has three places.
      const countWhile = async (change: () => Promise<unknown>): Promise<unknown> => {
        const held = new AbortController();
        const endless =
          'SELECT count(*) FROM data a, data b, data c, data d WHERE a.value + b.value > c.value + d.value';
        const holding = Array.from({ length: 3 }, () =>
          downloads.resultPage(table, endless, { ...limits, signal: held.signal }),
        );
        const waiting = downloads.resultPage(table, 'SELECT count(*) FROM data', limits);
        // It may be refused while the others are still held.
        waiting.catch(() => undefined);
        await change();
        held.abort();
        await Promise.allSettled(holding);
        return waiting.then(({ rows }) => rows);
      };
      const never = new AbortController().signal;
      expect(await countWhile(() => engine.compact(table, never))).toEqual([[620]]);
      const removed = countWhile(() => engine.remove(table.companyId, table.datasourceId));
      await expect(removed).rejects.toMatchObject({ kind: 'not_found' });
    });

    it('refuses columns and tables that are not there, and another company', async () => {
      const table = await loaded(minutes(2));
      for (let turn = 0; turn < 3; turn++)
        await expect(downloads.exportRows(table, all({ columns: ['nothing'] }), 'csv')).rejects.toMatchObject({
          kind: 'invalid_input',
          message: 'there is no column "nothing"',
        });
      await expect(downloads.exportRows(aTable(), all(), 'csv')).rejects.toMatchObject({ kind: 'not_found' });
      const other = { ...table, companyId: asId<CompanyId>('b'.repeat(24)) };
      await expect(downloads.exportRows(other, all(), 'csv')).rejects.toMatchObject({ kind: 'not_found' });
      expect(await rejectsOf(other)).toEqual([]);
      expect(await recordsOf(table)).toHaveLength(4);
    });

    it('keeps the lines that an import has left out with their generation', async () => {
      const first = await loaded(minutes(2) + BAD, aTable());
      const second = await loaded(minutes(2) + BAD + BAD, { ...first, generation: 2 });
      const third = await loaded(minutes(2), { ...first, generation: 3 });
      expect(await rejectsOf(first)).toMatchObject([{ file: 'file0.csv', line: 6, text: BAD.trimEnd() }]);
      expect((await rejectsOf(second)).map(({ line }) => line)).toEqual([6, 7]);
      expect(await rejectsOf(third)).toEqual([]);
      await engine.remove(first.companyId, first.datasourceId, 2);
      expect(await rejectsOf(first)).toEqual([]);
      expect(await rejectsOf(second)).toHaveLength(2);
      await loaded(minutes(2) + BAD, second);
      expect(await rejectsOf(second)).toHaveLength(1);
    });
  });
}
