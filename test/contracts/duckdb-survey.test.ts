import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ImportSql } from '../../src/adapters/duckdb/import-sql.js';
import { surveyFile } from '../../src/adapters/duckdb/import-survey.js';
import { timeReading } from '../../src/adapters/duckdb/import-time.js';
import { parseLayout, parseTime } from '../../src/shared/time-format/time-format.js';
import { aFolder, DIALECT } from './row-engine.fixture.js';

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

/** Files of fields that are mostly well written, with something odd now and then. */
function anyFile(): fc.Arbitrary<Buffer> {
  const field = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom('a', '', 'é', '"a"', '"a,b"', '"a""b"', '""', ' z', 'q ', '"a\nb"', '"\r\n"'),
    },
    { weight: 1, arbitrary: fc.constantFrom('x"y', '"open', '"a"b', ' "a"', '   "a\nb"', '"a" ', '""""', '\u0000') },
    { weight: 1, arbitrary: fc.constant('\xe9') },
  );
  const record = fc.array(field, { minLength: 1, maxLength: 4 }).map((fields) => fields.join(','));
  const end = fc.oneof({ weight: 8, arbitrary: fc.constant('\n') }, fc.constantFrom('\r\n', '\r', '\n\n', ''));
  const lines = fc.array(
    fc.tuple(record, end).map((pair) => pair.join('')),
    { maxLength: 12 },
  );
  return lines.map((all) =>
    Buffer.concat(all.map((line) => Buffer.from(line, line.includes('\xe9') ? 'latin1' : 'utf8'))),
  );
}

it('comes to the same number of records as the database, whatever the file', async () => {
  await fc.assert(
    fc.asyncProperty(anyFile(), fc.integer({ min: 1, max: 3 }), fc.boolean(), async (text, width, hasHeader) => {
      const own = await mkdtemp(join(folder.path, 'survey-'));
      process.chdir(own);
      await writeFile('in.csv', text);
      const columns = Array.from({ length: width }, (_, index) => ({
        physical: `c${index}`,
        name: `n${index}`,
        type: 'text' as const,
      }));
      const names = columns.map(({ name }) => name);
      const source = { path: join(own, 'in.csv'), name: 'in.csv', dialect: { ...DIALECT, hasHeader }, columns: names };
      const file = await surveyFile(source, 0, () => undefined);
      const made = { physical: 'c9', name: 'made', type: 'time' as const };
      const [meta = made] = columns;
      const sql = new ImportSql({ columns, time: made, meta, timeReading: null, importedAt: new Date(0) });
      const rows = await numberOf(`SELECT count(*) FROM (${sql.rows([file])})`);
      const misfits = await numberOf(`SELECT count(*) FROM (${sql.misfits(file)})`);
      expect(rows + misfits).toBe(file.records);
    }),
    { numRuns: 400 },
  );
}, 120_000);

it('reads plain ISO timestamps exactly as strictly as every other layout', async () => {
  const layout = '%Y-%m-%d %H:%M:%S';
  const reading = timeReading(layout);
  const known = parseLayout(layout);
  const part = fc.constantFrom(
    '2024',
    '0000',
    '-',
    '0',
    '3',
    '02',
    '30',
    ' ',
    ':',
    '12',
    '60',
    '59',
    'T',
    'Z',
    '+01',
    '.5',
    '\t',
    'x',
    '(BC)',
  );
  const near = fc
    .tuple(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }), fc.nat(19), fc.nat(3), part)
    .map(([date, at, cut, put]) => {
      const text = date.toISOString().slice(0, 19).replace('T', ' ');
      return text.slice(0, at) + put + text.slice(at + cut);
    });
  const samples = fc.sample(
    fc.oneof(
      near,
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
    ),
    5000,
  );
  const reader = await connection.runAndReadAll(
    `SELECT s, CASE WHEN ${reading.fits('s', 'v')} THEN epoch_ms(v) END FROM
      (SELECT s, ${reading.value('s')} AS v FROM (SELECT unnest(from_json($1::VARCHAR, '["VARCHAR"]')) AS s))`,
    [JSON.stringify(samples)],
  );
  for (const [text, millis] of reader.getRows())
    expect([text, millis === null ? null : Number(millis)]).toEqual([
      text,
      parseTime(known, String(text))?.getTime() ?? null,
    ]);
});
