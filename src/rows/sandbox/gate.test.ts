import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { messageOf } from '../../shared/app-error.js';
import { ALLOWED_FUNCTIONS } from './gate-functions.js';
import { Gate } from './gate.js';

const REPEATS = 'is only allowed with a size of at most 1000: a constant, or least(…, 1000)';
const LAYOUT = 'is only allowed with a constant layout and widths below 1000';
const STRUCTURE = 'from_json() is only allowed with a constant structure';
const BOUNDS = 'constant bounds, such as least(…, 1000), or between times in constant steps of a minute or longer';
const gate = new Gate(['sqlite_master']);
let connection: DuckDBConnection;
beforeAll(async () => {
  const instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
});

async function verdictOn(statement: string, by = gate): Promise<string> {
  const parsed = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [statement]);
  try {
    by.assertAllowed(String(parsed.getRows()[0]?.[0]));
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
    ['SELECT ?', 'write values in place of parameters'],
    ['SELECT 1e999', 'a number in the statement is too large'],
    ['PIVOT data ON x USING sum(v)', 'only a SELECT is allowed, and PIVOT only with a list of values: ON x IN (…)'],
    ['FROM data PIVOT (sum(v) FOR x IN moods)', 'PIVOT is only allowed with a list of values: ON x IN (…)'],
    ['SELECT system.main.abs(1)', 'write abs(value) in place of a call with a dot'],
    ['SELECT other.abs(1)', 'write abs(value) in place of a call with a dot'],
    ['FROM main.data', `the table "main.data" can't be read; the only table is data`],
    ['FROM data AT (VERSION => 1)', `the table "data" can't be read; the only table is data`],
    ['FROM data AS sqlite_master', `a table can't be given the name "sqlite_master"`],
    [`FROM "${'z'.repeat(200)}"`, `the table "${'z'.repeat(100)}" can't be read; the only table is data`],
    [`SELECT "${'y'.repeat(200)}"()`, `the function ${'y'.repeat(100)}() is not allowed`],
    [`SELECT 1::${'y'.repeat(200)}`, `a cast to ${'y'.repeat(100)} is not allowed`],
    [`SELECT ${'abs('.repeat(220)}1${')'.repeat(220)}`, 'the statement is nested too deeply'],
    [`SELECT 1::INT${'[]'.repeat(300)}`, 'the statement is nested too deeply'],
    ['SELECT nextval(x) OVER () FROM data', 'the function nextval() is not allowed'],
    [`SELECT nextval('x')::INTEGER`, 'the function nextval() is not allowed'],
    ['SELECT CASE WHEN nextval(x) THEN 1 END FROM data', 'the function nextval() is not allowed'],
    ['FROM data ORDER BY nextval(x)', 'the function nextval() is not allowed'],
    ['FROM data LIMIT (SELECT nextval(1))', 'the function nextval() is not allowed'],
    ['WITH RECURSIVE r AS (SELECT nextval(1) UNION FROM r) FROM r', 'the function nextval() is not allowed'],
    ['FROM range(nextval(1)::INTEGER)', `range() is only allowed with ${BOUNDS}`],
    ['FROM unnest([nextval(1)])', 'the function nextval() is not allowed'],
    ['SELECT x::STRUCT(a INTEGER, b mood) FROM data', 'a cast to mood is not allowed'],
    [`SELECT repeat('x', 1001)`, `repeat() ${REPEATS}`],
    [`SELECT repeat('x', '5')`, `repeat() ${REPEATS}`],
    [`SELECT repeat('x') FROM data`, `repeat() ${REPEATS}`],
    [`SELECT repeat('x', least(n, 10)::DOUBLE) FROM data`, `repeat() ${REPEATS}`],
    [`SELECT repeat('x', least(n, 1001)::INTEGER) FROM data`, `repeat() ${REPEATS}`],
    [`SELECT repeat('x', least(a, b)) FROM data`, `repeat() ${REPEATS}`],
    [`SELECT repeat('x', greatest(a, 10)) FROM data`, `repeat() ${REPEATS}`],
    [`SELECT lpad('x', least(a, 1001)) FROM data`, `lpad() ${REPEATS}`],
    ['SELECT bar(x, 0, 10, 1001) FROM data', `bar() ${REPEATS}`],
    ['SELECT printf(a, 1) FROM data', `printf() ${LAYOUT}`],
    [`SELECT printf('%*d', 1, 2)`, `printf() ${LAYOUT}`],
    [`SELECT format('{:>{}}', 1, 2)`, `format() ${LAYOUT}`],
    [`SELECT from_json(x, '"INT";') FROM data`, STRUCTURE],
    [`SELECT from_json(x, '${'['.repeat(51)}"INT"${']'.repeat(51)}') FROM data`, STRUCTURE],
    [
      'SELECT list_aggregate([1], 5)',
      'list_aggregate() is only allowed with the constant name of an aggregate function',
    ],
    ['SELECT range(0, 10, 0)', `range() is only allowed with ${BOUNDS}`],
    ['SELECT range(a, 10) FROM data', `range() is only allowed with ${BOUNDS}`],
    ['SELECT range(0, 10, a) FROM data', `range() is only allowed with ${BOUNDS}`],
    ['SELECT range(-60000, 60000)', 'range() is only allowed up to 100000 elements'],
    ['SELECT range(-99999, least(a, 2)) FROM data', 'range() is only allowed up to 100000 elements'],
    ['SELECT range(0, least(a, 200002), 2) FROM data', 'range() is only allowed up to 100000 elements'],
    [
      `SELECT range(DATE '2000-01-01', DATE '2024-01-01', INTERVAL 1 SECOND)`,
      'range() is only allowed up to 100000 elements',
    ],
    [`SELECT range(a, DATE '2024-01-02', INTERVAL 1 SECOND) FROM data`, `range() is only allowed with ${BOUNDS}`],
    [`SELECT range(DATE '2024-01-01', a, INTERVAL 1 SECOND) FROM data`, `range() is only allowed with ${BOUNDS}`],
    [`SELECT range(DATE 'never', DATE '2024-01-02', INTERVAL 1 SECOND)`, `range() is only allowed with ${BOUNDS}`],
    [`SELECT range(DATE '2024-01-01', DATE '2024-01-02', INTERVAL 0 DAY)`, `range() is only allowed with ${BOUNDS}`],
    [`SELECT range(a, b, INTERVAL '59 seconds') FROM data`, `range() is only allowed with ${BOUNDS}`],
    [`SELECT range(a, b, INTERVAL '1 fortnight') FROM data`, `range() is only allowed with ${BOUNDS}`],
    [`SELECT range(a, b, INTERVAL 'x 1 hour') FROM data`, `range() is only allowed with ${BOUNDS}`],
    [`SELECT range(a, b, '1 hour') FROM data`, `range() is only allowed with ${BOUNDS}`],
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
    'SELECT main.abs(1)',
    'VALUES (1)',
    'SELECT #1, a COLLATE nocase, x -> 1, COLUMNS(c -> c > 1) FROM data LIMIT 5%',
    `FROM data PIVOT (sum(v) FOR x IN ('a', 'b'))`,
    'SELECT x::JSON, y::json[], z::STRUCT(a INTEGER, b VARCHAR) FROM data',
    `SELECT repeat('x', least(n, 10)::INTEGER), repeat('x', least(a, 10, 5000)), bar(x, 0, 10) FROM data`,
    `SELECT printf('%999d', 1), printf('a {b} c{d', 1), format('{} and {}', 1, 2)`,
    `SELECT from_json(x, '${'['.repeat(50)}"INT"${']'.repeat(50)}') FROM data`,
    `SELECT list_aggregate([1], 'SUM')`,
    `SELECT ${'abs('.repeat(100)}1${')'.repeat(100)}`,
    'SELECT range(5, 200005, 2), range(-(5), 5), range(-99998, least(a, 2)), range(0, least(a, 200000), 2) FROM data',
    `SELECT range(DATE '2024-01-01', DATE '2024-01-02', INTERVAL 1 SECOND), range(a, b, INTERVAL 1 MINUTE) FROM data`,
    `SELECT range(a, b, INTERVAL ' 1 Hours ') FROM data`,
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

it('tells the writer of all tables that can be read', async () => {
  const two = new Gate([], new Map(['data', 'shops'].map((name) => [name, ['id']])));
  expect(await verdictOn('FROM other', two)).toBe(`the table "other" can't be read; the tables are data, shops`);
  expect(await verdictOn('FROM shops', two)).toBe('allowed');
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
