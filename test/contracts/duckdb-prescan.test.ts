import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ImportSql } from '../../src/rows/import/import-sql.js';
import { prescanFile } from '../../src/rows/import/prescan.js';
import { RecordScanner } from '../../src/rows/import/record-scanner.js';
import { fieldsOf } from '../../src/rows/inspect/plain-fields.fixture.js';
import { splitText } from '../../src/rows/inspect/records.js';
import { type CsvDialect, plainDialect } from '../../src/ports/csv-inspector.js';
import { aFolder } from './row-engine.fixture.js';

let folder: Awaited<ReturnType<typeof aFolder>>;
let instance: DuckDBInstance;
let connection: DuckDBConnection;
const HOME = process.cwd();

beforeAll(async () => {
  folder = await aFolder();
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
});
afterAll(async () => {
  process.chdir(HOME);
  connection.closeSync();
  instance.closeSync();
  await folder[Symbol.asyncDispose]();
});

async function numberOf(sql: string): Promise<number> {
  return Number((await connection.runAndReadAll(sql)).value(0, 0));
}

/** Every kind of dialect: such as the database reads by itself, and others. */
function anyDialect(): fc.Arbitrary<CsvDialect> {
  return fc
    .record({
      // prettier-ignore
      delimiter: fc.constantFrom(
        ',', ',', ';', '\t', '|', ':', '~', '^', '\u0001', ' ', '||', ', ', '§', '::|', ' | ', 'x',
      ),
      wrapping: fc.constantFrom<readonly [string, string]>(...WRAPPINGS),
      preambleLines: fc.constantFrom(0, 0, 1, 2),
      headerRows: fc.constantFrom(1, 1, 0, 2),
      trims: fc.constantFrom(false, false, true),
      fewestFields: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ wrapping: [quote, escape], ...dialect }) => ({ ...plainDialect(3), ...dialect, quote, escape }));
}

// prettier-ignore
const WRAPPINGS: readonly (readonly [string, string])[] = [
  ['"', '"'], ['"', '"'], ["'", "'"], ['"', '\\'], ["'", '\\'], ['', ''], ['`', '`'], ['´', '´'], ['"', '¶'],
];

/** Files of fields that are mostly well written, with something odd now and then. Commas and quotation marks are those of the dialect. */
function aFile({ delimiter, quote, escape }: CsvDialect): fc.Arbitrary<Buffer> {
  const field = fc.oneof(
    {
      weight: 6,
      // prettier-ignore
      arbitrary: fc.constantFrom(
        'a', '', 'é', '"a"', '"a,b"', '"a""b"', '""', ' z', 'q ', '"a\nb"', '"\r\n"', '"a\rb"', '"\\""',
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...['x"y', '"open', '"a"b', ' "a"', '   "a\nb"', '"a" ', '""""', '\u0000', "'", '"\\\\"', '"\\a\\"', '\\,'],
        ...['  ', '\t', '"', '`', '"é\\"é"  ', '\ufeff', '_'],
      ),
    },
    { weight: 1, arbitrary: fc.constant('\xe9') },
  );
  const record = fc.array(field, { minLength: 1, maxLength: 5 }).map((fields) => fields.join(','));
  const mixed = fc.oneof(
    { weight: 8, arbitrary: fc.constant('\n') },
    fc.constantFrom('\r\n', '\r', '\n\n', '', '\n  \n'),
  );
  const one = fc.constantFrom('\n', '\r\n', '\r').map((end) => fc.constantFrom(end, end, end, end + end));
  const lines = fc.oneof(fc.constant(mixed), one).chain((end) => fc.array(fc.tuple(record, end), { maxLength: 12 }));
  const signs: Readonly<Record<string, string>> = {
    ',': delimiter,
    '"': quote,
    '\\': escape === quote ? '\\' : escape,
  };
  return lines.map((all) =>
    Buffer.concat(
      all.map(([text, lineEnd]) => {
        const line = text.replace(/[,"\\]/g, (sign) => signs[sign] ?? sign) + lineEnd;
        return Buffer.from(
          line,
          line.includes('\xe9') && quote !== '´' && !line.includes('\ufeff') ? 'latin1' : 'utf8',
        );
      }),
    ),
  );
}

/** Sound records, the headers aside, as the scanner cuts them. */
function recordsIn(text: Buffer, dialect: CsvDialect): readonly string[] {
  const records: string[] = [];
  let headers = dialect.headerRows;
  const scanner = new RecordScanner(
    { ...dialect, headerRows: 0, converted: false },
    {
      record: (bytes, start, end) => {
        if (headers-- <= 0) records.push(bytes.toString('utf8', start, end));
      },
      fault: () => headers--,
    },
  );
  scanner.push(text);
  scanner.end();
  return records;
}

/** What a row should hold: null for nothing; no row at all when it has too few or too many fields. */
function rowOf(fields: readonly string[], width: number, fewest: number): readonly (string | null)[] | null {
  if (fields.length > width || fields.length < Math.min(fewest, width)) return null;
  return Array.from({ length: width }, (_, index) =>
    fields[index] ? Buffer.from(fields[index]).toString('hex').toUpperCase() : null,
  );
}

it('reads every dialect as it stands, and comes to the same number of records as the database', async () => {
  const anyCase = anyDialect().chain((dialect) =>
    fc.tuple(fc.constant(dialect), aFile(dialect), fc.integer({ min: 1, max: 3 })),
  );
  await fc.assert(
    fc.asyncProperty(anyCase, async ([dialect, text, width]) => {
      const own = await mkdtemp(join(folder.path, 'prescan-'));
      process.chdir(own);
      await writeFile('in.csv', text);
      const names = Array.from({ length: width }, (_, index) => `n${index}`);
      const columns = names.map((name, index) => ({ physical: `c${index}`, name, type: 'text' as const }));
      const source = { path: join(own, 'in.csv'), name: 'in.csv', dialect, columns: names };
      const file = await prescanFile(source, 0, () => undefined);

      const made = { physical: 'c9', name: 'made', type: 'time' as const };
      const sql = new ImportSql({ columns, time: made, meta: made, importedAt: new Date(0) });
      // As bytes: on the way to JavaScript a text loses the mark that it begins with.
      const rows = await connection.runAndReadAll(`SELECT hex(COLUMNS(*)) FROM (${sql.rows([file])})`);
      const misfits = await numberOf(`SELECT count(*) FROM (${sql.misfits(file)})`);
      const records = recordsIn(text, dialect);
      const wanted = records.flatMap((record) => {
        const row = rowOf(fieldsOf(record, dialect), width, dialect.fewestFields);
        return row === null ? [] : [row];
      });
      expect(rows.getRows()).toEqual(wanted);
      expect([file.records, rows.currentRowCount + misfits]).toEqual([records.length, records.length]);
    }),
    { numRuns: process.env['TEST_LONG'] === undefined ? 80 : 5000 },
  );
}, 600_000);

it('parts every dialect into records and fields as the look at an upload does', () => {
  const anyCase = anyDialect().chain((dialect) => fc.tuple(fc.constant(dialect), aFile(dialect)));
  fc.assert(
    fc.property(anyCase, ([dialect, bytes]) => {
      // Decoded as it is before, without a mark.
      const text = bytes.toString('utf8').replace(/^\ufeff/, '');
      const { rows, faults } = splitText(text, dialect);
      const wanted = { records: [] as unknown[], faults: [] as number[] };
      const scanner = new RecordScanner(
        { ...dialect, preambleLines: 0, headerRows: 0, converted: false },
        {
          record: (found, start, end, line) =>
            wanted.records.push([line, fieldsOf(found.toString('utf8', start, end), dialect)]),
          fault: (_found, _start, _end, line) => wanted.faults.push(line),
        },
      );
      scanner.push(Buffer.from(text));
      scanner.end();
      expect({ records: rows.map(({ line, cells }) => [line, cells]), faults }).toEqual(wanted);
    }),
    { numRuns: process.env['TEST_LONG'] === undefined ? 1500 : 100_000 },
  );
});
