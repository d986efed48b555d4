import { type DuckDBConnection, DuckDBInstance, listValue } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timeReading } from '../../src/rows/import/casts.js';
import { isoText, timeText } from '../../src/rows/export/export-time.js';
import { parseLayout, parseTime } from '../../src/shared/time-format/time-format.js';
import { formatTime } from '../../src/shared/time-format/write-time.fixture.js';

// prettier-ignore
const LAYOUTS = [
  'yyyy-MM-dd', 'yyyy-MM-dd HH:mm:ss', "yyyy-MM-dd'T'HH:mm:ss.SSS", 'yyyy-MM-dd HH:mm:ss.S',
  'yyyy-MM-dd HH:mm:ss.SSSSSS', 'yyyy-MM-dd HH:mm:ss.SSSSSSSSS', '%Y-%m-%d %H:%M:%S.%f', '%Y-%m-%d %H:%M:%S.%g',
  '%Y-%m-%d %H:%M:%S.%n%z', "yyyy-MM-dd'T'HH:mm:ssXXX", "yyyy-MM-dd'T'HH:mm:ss[.SSS]XXX",
  'yyyy-MM-dd HH:mm:ss[.SSSSSSSSS] xx', 'yyyy-MM-dd HH:mm:ss z', 'd/M/yyyy H:m', 'dd/MM/yy', 'M-d-yy h:mm:ss a',
  'hh:mma dd.MM.yyyy', 'EEE, dd MMM yyyy HH:mm:ss xx', 'MMMM d, yyyy', 'ddMMMyyyy:HH:mm', 'MMM ppd yyyy',
  "yyyy-MM-dd'x'ppH:mm", 'yyyyMMddHHmmssSSS', "yyyyMMdd'T'HHmmssX", "yyyy'年'MM'月'dd'日'", '%Y-%m-%d 100%% (%H)',
  'yyyy-MM', 'yyyy', 'XXX yyyy-MM-dd', 'unix', 'unix_ms',
] as const;

/** What people, spreadsheets and broken exports put into a time column. */
// prettier-ignore
const HOSTILE = [
  '', ' ', '0', '-1', 'null', '2024-3-5', '2024-03-05', ' 2024-03-05', '2024-03-05 ', '2024-03-05\n',
  '2024-03-05  10:00:00', '2024-03-05\t10:00:00', '2024-3-5 07:08:09 ', '2023-02-29', '1900-02-29', '2000-02-29',
  '0000-02-29', '0000-00-00', '0001-01-01', '9999-12-31', '9999-12-31T23:59:59-15:00', '9999-12-31 23:59:59.999999999',
  '2262-04-11 23:47:16.854775807', '1677-01-01 00:00:00.000000001', '1960-01-01 00:00:00.123999', '2024-03-05 24:00:00',
  '2024-03-05 23:59:60', '2024-03-05 10:00:00.', '2024-03-05 10:00:00.5', '2024-03-05 10:00:00.1234567',
  '2024-03-05T10:00:00Z', '2024-03-05T10:00:00z', '2024-03-05t10:00:00Z', '2024-03-05T10:00:00+2',
  '2024-03-05T10:00:00+02', '2024-03-05T10:00:00+0230', '2024-03-05T10:00:00+02:30:15', '2024-03-05T10:00:00+99:99',
  '2024-03-05T10:00:00-00:30', '2024-03-05T10:00:00 +02:00', '2024-03-05 10:00:00 UTC', '2024-03-05 10:00:00 GMT',
  '2024-03-05 10:00:00 Z', '2024-03-05 10:00:00 utc', '2024-03-05 10:00:00 PST', '2024-03-05 10:00:00 Europe/Paris',
  '05/03/24', '5/3/2024 7:8', '05/03/2024 07:08', '05/03/69', '05/03/68', '3-5-24 12:00:00 AM', '3-5-24 12:00:00 pM',
  '3-5-24 00:00:00 AM', '3-5-24 13:00:00 PM', '12:30PM 05.03.2024', 'Tue, 05 Mar 2024 10:00:00 +0100',
  'Wed, 05 mar 2024 10:00:00 Z', 'Tuesday, 05 Mar 2024 10:00:00 +0100', 'MAY 5, 2024', 'May 005, 2024', 'Sept 5, 2024',
  'March 31, 2024', 'April 31, 2024', 'Mar  5 2024', 'Mar 5 2024', 'Mar 05 2024', '2024-03-05x 7:00', '2024-03-05x7:00',
  '2024-03-05x07:00', '20240305170809123', '20240305T170809Z', '20240305T170809+05', '2024年03月05日',
  '2024-03-05 100% (10)', '2024-03-05 100%% (10)', '2024-13', '2024', '24', '+02:00 2024-03-05', 'Z 2024-03-05',
  '٢٠٢٤-٠٣-٠٥', '２０２４-03-05', '2024\u201103\u201105', '\ufeff2024-03-05', '2024-03-05\u0000',
  "2024-03-05'; DROP TABLE rows", '1709658489', '1709658489.5', '-1709658489.9999999', '-1709658489.9999',
  '1709658489123', '1e9', '99999999999', '999999999999999', 'inf', '0x10',
] as const;

/** Layouts in which a time is written in one way alone, with some that are spelled otherwise. */
const WRITTEN = [
  ...LAYOUTS.filter((layout) => !layout.includes('[') && layout !== 'unix'),
  ...['%I:%M%P %d.%m.%Y', 'EEEE MMMM d, yyyy', "yyyy''MM", '2006-01-02T15:04:05.000Z07:00', 'Jan _2 2006 03:04PM'],
];

const MOMENTS = [
  ...['2024-01-31T00:00:00.000Z', '2024-02-29T12:34:56.789Z', '1999-12-01T09:05:07.080Z', '2024-03-05T11:59:59.999Z'],
  ...['0987-06-05T23:00:00.500Z', '1969-12-31T23:59:59.250Z', '9999-12-31T23:59:59.000Z'],
].map((iso) => new Date(iso));

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run('CREATE TABLE moments (moment TIMESTAMP)');
  for (const moment of MOMENTS)
    await connection.run('INSERT INTO moments VALUES ($1::TIMESTAMP)', [moment.toISOString().slice(0, -1)]);
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

describe('the row store and the service', () => {
  /** Milliseconds since 1970 as an import reads each text, null where it doesn't. */
  async function readByStore(layout: string, texts: readonly string[]): Promise<readonly (number | null)[]> {
    const reading = timeReading(layout);
    const reader = await connection.runAndReadAll(
      `SELECT CASE WHEN ${reading.fits('x', 'v')} THEN epoch_us(v) END FROM (SELECT *, ${reading.value('x')} AS v FROM
        (SELECT unnest($texts::VARCHAR[]) AS x, generate_subscripts($texts::VARCHAR[], 1) AS i)) ORDER BY i`,
      { texts: listValue(texts) },
    );
    const floored = (micros: bigint): number => Number((micros - (((micros % 1000n) + 1000n) % 1000n)) / 1000n);
    return reader.getRows().map(([micros]) => (typeof micros === 'bigint' ? floored(micros) : null));
  }

  it.each(LAYOUTS)(
    'read the same out of hostile texts with %s, of what it writes, and of what is nearly that',
    async (text) => {
      const layout = parseLayout(text);
      const moment = fc.date({ min: new Date('1700-01-01'), max: new Date('2259-01-01'), noInvalidDate: true });
      const texts = fc.sample(moment, 150).map((date) => formatTime(layout, date));
      const part = fc.constantFrom('', ' ', '0', '3', 'Z', ':', '-', 'T', 'a', '.5', '+01', '\t', '(BC)');
      const damaged = fc
        .sample(fc.tuple(fc.constantFrom(...texts), fc.nat(30), fc.integer({ min: 1, max: 3 }), part), 500)
        .map(([whole, at, cut, put]) => whole.slice(0, at) + put + whole.slice(at + cut));
      const all = [...texts, ...damaged, ...HOSTILE.filter((hostile) => !hostile.includes('\u0000'))];
      const here = all.map((one) => parseTime(layout, one)?.getTime() ?? null);
      expect(here.slice(0, texts.length)).not.toContain(null);
      expect(await readByStore(text, all)).toEqual(here);
    },
  );

  it('do not let the offset of one row reach the next', async () => {
    const texts = ['2024-03-05T10:00:00-15:00', '2024-03-05T10:00:00Z'];
    expect(await readByStore("yyyy-MM-dd'T'HH:mm:ssXXX", texts)).toEqual([
      Date.parse('2024-03-06T01:00:00Z'),
      Date.parse('2024-03-05T10:00:00Z'),
    ]);
  });
});

async function written(sql: string): Promise<readonly string[]> {
  return (await connection.runAndReadAll(`SELECT ${sql} FROM moments`)).getRows().map(([text]) => String(text));
}

describe('an exported time', () => {
  it.each(WRITTEN)('is what the service writes in the layout %s', async (text) => {
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
    const [first, second, third] = await written(isoText('moment'));
    const wanted = ['2024-01-31T00:00:00Z', '2024-02-29T12:34:56.789Z', '1999-12-01T09:05:07.08Z'];
    expect([first, second, third]).toEqual(wanted);
  });

  it('has its microseconds, however far away it is', async () => {
    const at = "TIMESTAMP '9876-05-04 03:02:01.000007'";
    const one = async (sql: string): Promise<unknown> => (await connection.runAndReadAll(`SELECT ${sql}`)).value(0, 0);
    expect(await one(timeText(at, parseLayout('unix')))).toBe(`${Date.UTC(9876, 4, 4, 3, 2, 1) / 1000}.000007`);
    expect(await one(timeText(at, parseLayout('ss.SSSSSSSSS yyyy-MM-dd HH:mm')))).toBe('01.000007000 9876-05-04 03:02');
    expect(await one(isoText(at))).toBe('9876-05-04T03:02:01.000007Z');
  });
});
