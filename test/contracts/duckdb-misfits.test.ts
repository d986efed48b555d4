import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMisfits } from '../../src/rows/import-misfits.js';
import { partsWithMissing } from '../../src/rows/import-parts.js';
import { ImportSql } from '../../src/rows/import-sql.js';
import { surveyFile, type SurveyedFile } from '../../src/rows/import-survey.js';
import { timeReading } from '../../src/rows/import-time.js';
import { plainDialect } from '../../src/ports/csv-inspector.js';
import { aFolder, HEADER, minutes } from './row-engine.fixture.js';

const HOME = process.cwd();
const NAMES = HEADER.trim().split(',');
const TYPES = ['time', 'text', 'number', 'integer', 'boolean', 'text'] as const;
const COLUMNS = NAMES.map((name, index) => ({ physical: `c${index}`, name, type: TYPES[index] ?? 'text' }));
const [TIME = NEVER(), META = NEVER()] = COLUMNS;
const TARGET = {
  columns: COLUMNS,
  time: TIME,
  meta: META,
  timeReading: timeReading('%Y-%m-%d %H:%M:%S'),
  importedAt: new Date(0),
};
const SQL = new ImportSql(TARGET);

function NEVER(): never {
  throw new Error('there are columns');
}

let folder: Awaited<ReturnType<typeof aFolder>>;
let instance: DuckDBInstance;
let connection: DuckDBConnection;
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

/** Loads what can be loaded of a file and says how many records are missing then. */
async function loaded(text: string): Promise<{ readonly file: SurveyedFile; readonly missing: number }> {
  const own = await mkdtemp(join(folder.path, 'misfits-'));
  process.chdir(own);
  await writeFile('in.csv', text);
  const source = { path: join(own, 'in.csv'), name: 'in.csv', dialect: plainDialect(NAMES.length), columns: NAMES };
  const file = await surveyFile(source, 0, () => undefined);
  await connection.run(`CREATE OR REPLACE TABLE data AS ${SQL.rows([file])}`);
  const reader = await connection.runAndReadAll('SELECT count(*) FROM data');
  return { file, missing: file.records - Number(reader.value(0, 0)) };
}

async function found(file: SurveyedFile, missing: number | null): Promise<readonly unknown[]> {
  await findMisfits({ connection, file, sql: SQL, target: TARGET }, { table: 'misfits', missing });
  const reader = await connection.runAndReadAll('SELECT CAST(record AS BIGINT), code FROM misfits ORDER BY record');
  return reader.getRows().map((row) => row.map(Number));
}

/** Rows in the order of time, twenty a minute, of which some can't be read. */
function withBad(places: readonly number[], lineEnd = '\n'): string {
  const lines = minutes(
    3000,
    Array.from({ length: 20 }, (_, index) => `d${index}`),
  )
    .trimEnd()
    .split('\n');
  const spoils = [
    (line: string): string => `x${line}`,
    (line: string): string => line.replace(/,\d+,/, ',many,'),
    (line: string): string => `${line},more`,
  ];
  for (const [index, place] of places.entries())
    lines[place] = spoils[index % spoils.length]?.(lines[place] ?? '') ?? '';
  return lines.map((line) => line + lineEnd).join('');
}

describe('the few records that are missing', () => {
  it.each([
    ['one in the middle', [30_000], '\n'],
    ['the first and the last', [1, 60_000], '\n'],
    ['neighbours, and some far away', [2000, 2001, 2002, 41_234, 55_555], '\r\n'],
    ['one on each side of a mark', [2001, 4000, 4001, 6000, 10_019, 10_020, 10_021], '\n'],
  ])('are found by reading a little again: %s', async (_, places, lineEnd) => {
    const { file, missing } = await loaded(withBad(places, lineEnd));
    expect(missing).toBe(places.length);
    const parts = await partsWithMissing(connection, file, TARGET, missing);
    expect(parts?.length).toBeGreaterThan(0);
    expect((await found(file, missing)).map((row) => (row as readonly number[])[0])).toEqual(places);
    expect(await found(file, missing)).toEqual(await found(file, null));
  });

  it('are found by reading all again where the rows are in no order', async () => {
    const [header = '', ...lines] = withBad([7, 30_000]).trimEnd().split('\n');
    const mixed = lines.map((line, index) => lines[(index * 7919) % lines.length] ?? line);
    const { file, missing } = await loaded([header, ...mixed].join('\n'));
    expect(await partsWithMissing(connection, file, TARGET, missing)).toBeNull();
    expect(await found(file, missing)).toHaveLength(2);
  });

  it('are found by reading all again where some rows are late', async () => {
    const [header = '', ...lines] = withBad([30_000]).trimEnd().split('\n');
    const late = [
      ...lines.slice(0, 5000),
      ...lines.slice(5003, 45_000),
      ...lines.slice(5000, 5003),
      ...lines.slice(45_000),
    ];
    const { file, missing } = await loaded([header, ...late].join('\n'));
    const all = await found(file, null);
    expect(await found(file, missing)).toEqual(all);
    expect(all).toHaveLength(1);
  });
});
