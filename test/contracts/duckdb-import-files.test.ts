import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { DRAFT_FILE } from '../../src/rows/row-files.js';
import { importBench, SMALL, typed } from './duckdb-import.fixture.js';
import { minutes } from './row-engine.fixture.js';

const { imported } = importBench();

describe('a timestamp', () => {
  const times = async (
    timeFormat: string,
    ...texts: readonly string[]
  ): Promise<readonly (string | null | undefined)[]> => {
    const text = `time,device,value\n${texts.map((time) => `"${time}",a,1\n`).join('')}`;
    const { rows } = await imported([{ text }], { ...SMALL, timeFormat });
    return (await rows()).map(([time]) => time);
  };

  it.each([
    [
      '2006-01-02T15:04:05Z07:00',
      ['2024-03-05T17:08:09+02:00', '2024-03-05T17:08:09Z'],
      ['2024-03-05 15:08:09', '2024-03-05 17:08:09'],
    ],
    ['M/d/yyyy h:mm a', ['3/5/2024 5:08 PM', '03/05/2024 05:08 PM '], ['2024-03-05 17:08:00']],
    ['unix', ['1709658489', '1709658489.5', 'soon'], ['2024-03-05 17:08:09', '2024-03-05 17:08:09.5']],
  ])('in the layout %s is read as UTC, or refused', async (layout, texts, wanted) => {
    expect(await times(layout, ...texts)).toEqual(wanted);
  });

  it('is made when the table has none', async () => {
    const columns = typed(['device', 'text'], ['value', 'number'], ['created_at', 'time']);
    const { rows } = await imported([{ text: 'device,value\na,1\nb,2\n', columns: ['device', 'value'] }], {
      ...columns,
      timeField: 'created_at',
      timeFormat: null,
    });
    expect(await rows()).toEqual([
      ['a', '1.0', '2024-06-01 00:00:00'],
      ['b', '2.0', '2024-06-01 00:00:00'],
    ]);
  });
});

describe('a file', () => {
  it('may have a line of nothing but quotes, up to the longest that a line may be', async () => {
    const device = '"'.repeat(1_000_000);
    const text = `time||device||value\n2024-01-01 00:00:00||${device}||1\n2024-01-02 00:00:00||b||2\n`;
    const dialect = { delimiter: '||', quote: '', escape: '' };
    const { report, rows } = await imported([{ text, dialect }], SMALL);
    expect(report).toMatchObject({ rows: 2, rejected: 0 });
    expect((await rows())[0]?.[1]).toBe(device);
  });

  it('may be one of several, whose columns are united by name', async () => {
    const columns = typed(['time', 'time'], ['device', 'text'], ['value', 'number'], ['extra', 'text']);
    const { report, rows } = await imported(
      [
        {
          text: 'time,device,value\n2024-01-01 00:00:00,a,1\nbad,a,1\n',
          columns: ['time', 'device', 'value'],
          name: 'one.csv',
        },
        {
          text: 'extra;device;time\nmore;b;2024-01-02 00:00:00\n',
          columns: ['extra', 'device', 'time'],
          dialect: { delimiter: ';' },
          name: 'two.csv',
        },
        { text: 'device,value\nc,3\n', columns: ['device', 'value'], name: 'three.csv' },
      ],
      columns,
    );
    expect(await rows()).toEqual([
      ['2024-01-01 00:00:00', 'a', '1.0', null],
      ['2024-01-02 00:00:00', 'b', null, 'more'],
    ]);
    expect(report.files).toMatchObject([
      { name: 'one.csv', rows: 1, rejected: 1 },
      { name: 'two.csv', rows: 1, rejected: 0 },
      { name: 'three.csv', rows: 0, rejected: 1 },
    ]);
    expect(report.rejectedSample).toMatchObject([
      { file: 'one.csv', line: 3 },
      { file: 'three.csv', line: 2, reason: 'no timestamp' },
    ]);
  });
});

describe('what an import leaves', () => {
  it('groups the rows of an asset, in time order', async () => {
    const text = minutes(3000, ['c', 'a', 'b']);
    await imported([{ text }]);
    const instance = await DuckDBInstance.create(DRAFT_FILE, { access_mode: 'READ_ONLY' });
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(
      'SELECT count(*) FROM (SELECT c1, c0, lag(c1) OVER (ORDER BY rowid) AS p1, lag(c0) OVER (ORDER BY rowid) AS p0 FROM data) WHERE p1 <> c1 OR (p1 = c1 AND p0 > c0)',
    );
    expect(Number(reader.value(0, 0))).toBe(2);
    const assets = await connection.runAndReadAll(
      'SELECT value, n, CAST(min_ts AS VARCHAR) FROM assets ORDER BY value',
    );
    expect(assets.getRows()).toEqual(['a', 'b', 'c'].map((asset) => [asset, 3000n, '2024-01-01 00:00:00']));
    connection.closeSync();
    instance.closeSync();
  });
});
