import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isoText, timeText } from '../../src/rows/export/export-time.js';
import { parseLayout, parseTime } from '../../src/shared/time-format/time-format.js';
import { formatTime } from '../../src/shared/time-format/write-time.fixture.js';

// prettier-ignore
const LAYOUTS = [
  'yyyy-MM-dd HH:mm:ss', 'yyyy-MM-dd HH:mm:ss.SSS', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'yyyy-MM-dd HH:mm:ss.SSSSSSSSS',
  '%Y-%m-%d %H:%M:%S.%f', '%Y-%m-%d %H:%M:%S.%n%z', "yyyy-MM-dd'T'HH:mm:ssXXX", 'yyyy-MM-dd HH:mm:ss z', 'd/M/yyyy H:m',
  'dd/MM/yy', 'M-d-yy h:mm:ss a', 'hh:mma dd.MM.yyyy', '%I:%M%P %d.%m.%Y', 'EEE, dd MMM yyyy HH:mm:ss xx',
  'EEEE MMMM d, yyyy', 'MMM ppd yyyy', "yyyy-MM-dd'x'ppH:mm", 'yyyyMMddHHmmssSSS', "yyyyMMdd'T'HHmmssX",
  "yyyy'年'MM'月'dd'日'", "yyyy''MM", '%Y-%m-%d 100%% (%H)', 'yyyy', 'XXX yyyy-MM-dd', '2006-01-02T15:04:05.000Z07:00',
  'Jan _2 2006 03:04PM', 'unix_ms',
] as const;

const MOMENTS = [
  '2024-01-31T00:00:00.000Z',
  '2024-02-29T12:34:56.789Z',
  '1999-12-01T09:05:07.080Z',
  '2024-03-05T11:59:59.999Z',
  '0987-06-05T23:00:00.500Z',
  '1969-12-31T23:59:59.250Z',
  '9999-12-31T23:59:59.000Z',
].map((iso) => new Date(iso));

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
  await connection.run('CREATE TABLE moments (moment TIMESTAMP)');
  for (const moment of MOMENTS)
    await connection.run('INSERT INTO moments VALUES ($1::TIMESTAMP)', [moment.toISOString().slice(0, -1)]);
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

async function written(sql: string): Promise<readonly string[]> {
  return (await connection.runAndReadAll(`SELECT ${sql} FROM moments`)).getRows().map(([text]) => String(text));
}

describe('an exported time', () => {
  it.each(LAYOUTS)('is what the service writes in the layout %s', async (text) => {
    const layout = parseLayout(text);
    const found = await written(timeText('moment', layout));
    expect(found).toEqual(MOMENTS.map((moment) => formatTime(layout, moment)));
  });

  it.each(["yyyy-MM-dd'T'HH:mm:ss[.SSS]XXX", '2006-01-02 15:04:05.999', 'unix'])('reads back from %s', async (text) => {
    const layout = parseLayout(text);
    const found = await written(timeText('moment', layout));
    // Seconds since 1970 are only read as far as their ten digits go.
    expect(found.slice(0, -1).map((each) => parseTime(layout, each))).toEqual(MOMENTS.slice(0, -1));
    expect(found[0]).not.toContain('.');
  });

  it('is ISO 8601 without a layout, with as much of a fraction as there is', async () => {
    expect((await written(isoText('moment'))).slice(0, 3)).toEqual([
      '2024-01-31T00:00:00Z',
      '2024-02-29T12:34:56.789Z',
      '1999-12-01T09:05:07.08Z',
    ]);
  });

  it('has its microseconds, however far away it is', async () => {
    const at = "TIMESTAMP '9876-05-04 03:02:01.000007'";
    const one = async (sql: string): Promise<unknown> => (await connection.runAndReadAll(`SELECT ${sql}`)).value(0, 0);
    expect(await one(timeText(at, parseLayout('unix')))).toBe(`${Date.UTC(9876, 4, 4, 3, 2, 1) / 1000}.000007`);
    expect(await one(timeText(at, parseLayout('ss.SSSSSSSSS yyyy-MM-dd HH:mm')))).toBe('01.000007000 9876-05-04 03:02');
    expect(await one(isoText(at))).toBe('9876-05-04T03:02:01.000007Z');
  });
});
