import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { messageOf } from '../../shared/app-error.js';
import { Gate } from './gate.js';
import { ALLOWED_FUNCTIONS } from './gate-functions.js';

const gate = new Gate(['sqlite_master']);
let connection: DuckDBConnection;
beforeAll(async () => {
  const instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
});

async function verdictOn(statement: string): Promise<string> {
  const parsed = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [statement]);
  try {
    gate.assertAllowed(String(parsed.getRows()[0]?.[0]));
    return 'allowed';
  } catch (error) {
    return messageOf(error);
  }
}

describe('the gate tells the writer', () => {
  it.each([
    ['SELECT * FROM other', `the table "other" can't be read; the only table is data`],
    ['SELECT * FROM a.b.c', `the table "a.b.c" can't be read; the only table is data`],
    [`FROM read_csv('x')`, `read_csv() can't be read from; the only table is data`],
    [`SELECT current_setting('x')`, 'the function current_setting() is not allowed'],
    ['SELECT region.upper() FROM data', 'write upper(value) in place of a call with a dot'],
    ['SELECT 1; SELECT 2', 'only one statement is allowed'],
    ['DROP TABLE data', 'only a SELECT is allowed'],
    ['SELEC 1', 'syntax error at or near "SELEC"'],
    ['SHOW TABLES', 'DESCRIBE, SHOW and SUMMARIZE are not allowed'],
    ['WITH RECURSIVE r AS (SELECT 1 UNION SELECT 1 FROM r) FROM r', 'WITH RECURSIVE is not allowed'],
    ['WITH data AS (SELECT 1) FROM data', `a WITH query can't be named "data"`],
    ['WITH Sqlite_Master AS (SELECT 1) FROM sqlite_master', `a WITH query can't be named "sqlite_master"`],
    ['FROM (SELECT 1) AS Data', `a table can't be given the name "data"`],
    ['SELECT $1', 'write values in place of parameters'],
    ['SELECT 1::mood', 'a cast to mood is not allowed'],
    ['SELECT [1]::BIT[]', 'a cast to BIT is not allowed'],
    [`SELECT repeat('x', 1001)`, 'repeat() is only allowed with a constant size of at most 1000'],
    ['SELECT range(a) FROM data', 'range() is only allowed with constant bounds'],
    ['SELECT range(100001)', 'range() is only allowed up to 100000 elements'],
    ['FROM range(0, 10000000, 2)', 'range() is only allowed up to 1000000 elements'],
    [`SELECT printf('%9999d', 1)`, 'printf() is only allowed with a constant layout and widths below 1000'],
  ])('%s', async (statement, message) => {
    expect(await verdictOn(statement)).toBe(message);
  });
});

describe('the gate lets through', () => {
  it.each([
    'FROM data AS data',
    'WITH a AS (FROM data), b AS (FROM a) FROM b, a',
    'FROM (WITH a AS (FROM data) FROM a)',
    'WITH a AS (FROM data) SELECT (SELECT max(x) FROM a)',
    `SELECT repeat('x', 1000), range(-5, 5), range(100000)`,
    'FROM range(1000000)',
    `SELECT generate_series(DATE '2024-01-01', TIMESTAMP '2024-12-31 00:00:00', INTERVAL 1 HOUR)`,
    `SELECT generate_series(DATE '2024-01-01', DATE '2020-12-31', INTERVAL '-1 month')`,
  ])('%s', async (statement) => {
    expect(await verdictOn(statement)).toBe('allowed');
  });
});

it('knows no function that the engine does not have', async () => {
  const known = await connection.runAndReadAll(
    `SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'macro', 'table')`,
  );
  const names = new Set(known.getRows().map(([name]) => String(name)));
  // These are made by the parser itself.
  for (const name of ['coalesce', 'ifnull', 'if', 'current_timestamp', 'row']) names.add(name);
  expect([...ALLOWED_FUNCTIONS].filter((name) => !names.has(name))).toEqual([]);
});
