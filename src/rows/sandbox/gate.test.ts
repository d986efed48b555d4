import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { messageOf } from '../../shared/app-error.js';
import { ALLOWED_FUNCTIONS } from './gate-functions.js';
import { Gate } from './gate.js';

const BOUNDS = 'constant bounds, such as least(…, 1000), or between times in constant steps of a minute or longer';
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
    ['DROP TABLE data', 'only a SELECT is allowed, and PIVOT only with a list of values: ON x IN (…)'],
    ['SELEC 1', 'syntax error at or near "SELEC"'],
    ['SHOW TABLES', 'only the table data and queries over it can be described; the only table is data'],
    ['DESCRIBE', 'only the table data and queries over it can be described; the only table is data'],
    ['SUMMARIZE facts', `the table "facts" can't be read; the only table is data`],
    [`FROM (DESCRIBE 'x.csv')`, `the table "x.csv" can't be read; the only table is data`],
    ['WITH RECURSIVE r AS (FROM r UNION SELECT 1) FROM r', `the table "r" can't be read; the only table is data`],
    ['WITH RECURSIVE data AS (SELECT 1 UNION FROM data) FROM data', `a WITH query can't be named "data"`],
    [
      'WITH RECURSIVE a AS (SELECT 1 UNION FROM b), b AS (FROM a) FROM b',
      `the table "b" can't be read; the only table is data`,
    ],
    [
      'WITH RECURSIVE a AS (FROM data) FROM recurring.a',
      `the table "recurring.a" can't be read; the only table is data`,
    ],
    ['WITH "\u212A" AS (SELECT 1) FROM k', `the table "k" can't be read; the only table is data`],
    [
      `SELECT list_aggregate([1], 'nextval')`,
      'list_aggregate() is only allowed with the constant name of an aggregate function',
    ],
    [`SELECT list_aggr([1], "Region")`, 'list_aggr() is only allowed with the constant name of an aggregate function'],
    [`SELECT from_json(x, x) FROM data`, 'from_json() is only allowed with a constant structure'],
    ['WITH data AS (SELECT 1) FROM data', `a WITH query can't be named "data"`],
    ['WITH Sqlite_Master AS (SELECT 1) FROM sqlite_master', `a WITH query can't be named "sqlite_master"`],
    ['FROM (SELECT 1) AS Data', `a table can't be given the name "data"`],
    ['SELECT $1', 'write values in place of parameters'],
    ['SELECT 1::mood', 'a cast to mood is not allowed'],
    ['SELECT [1]::BIT[]', 'a cast to BIT is not allowed'],
    [`SELECT repeat('x', 1001)`, 'repeat() is only allowed with a size of at most 1000: a constant, or least(…, 1000)'],
    [
      `SELECT lpad('x', least(a, 1001)) FROM data`,
      'lpad() is only allowed with a size of at most 1000: a constant, or least(…, 1000)',
    ],
    ['SELECT range(a) FROM data', `range() is only allowed with ${BOUNDS}`],
    ['SELECT range(0, least(a, 1000), -1) FROM data', `range() is only allowed with ${BOUNDS}`],
    ['SELECT range(a, least(a, 1000)) FROM data', `range() is only allowed with ${BOUNDS}`],
    ['SELECT range(least(a, 1000000)) FROM data', 'range() is only allowed up to 100000 elements'],
    ['SELECT range(a, b, INTERVAL 1 SECOND) FROM data', `range() is only allowed with ${BOUNDS}`],
    ['SELECT range(a, b, c) FROM data', `range() is only allowed with ${BOUNDS}`],
    ['SELECT range(a, b, INTERVAL (n) DAY) FROM data', `range() is only allowed with ${BOUNDS}`],
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
    'SUMMARIZE data',
    'FROM (DESCRIBE SELECT x FROM data)',
    `SELECT repeat('#', least(n, 50)) FROM data`,
    'WITH a AS (FROM data), b AS (FROM a) FROM b, a',
    'FROM (WITH a AS (FROM data) FROM a)',
    'WITH a AS (FROM data) SELECT (SELECT max(x) FROM a)',
    `SELECT repeat('x', 1000), range(-5, 5), range(100000)`,
    'FROM range(1000000)',
    'SELECT range(least(max(x), 1000)), range(1, least(10, max(x)), 3) FROM data',
    `SELECT generate_series(min(x), max(x), INTERVAL '15 minutes') FROM data`,
    'FROM generate_series((SELECT min(x) FROM data), (SELECT max(x) FROM data), INTERVAL 1 DAY)',
    'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 9), s AS (FROM r) FROM s',
    `SELECT list_aggregate([1], 'stddev_samp'), from_json(x, '["VARCHAR"]') FROM data, json_each(y)`,
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
