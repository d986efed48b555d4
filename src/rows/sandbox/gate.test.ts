import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { messageOf } from '../../shared/app-error.js';
import { ALLOWED_FUNCTIONS } from './gate-functions.js';
import { Gate } from './gate.js';

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

const NOT_READ = `can't be read; the only table is data`;
const ONLY_SELECT = 'only a SELECT is allowed, and PIVOT only with a list of values: ON x IN (…)';
const DESCRIBED = `only the table data and queries over it can be described; the only table is data`;

/** Statements of every kind that are refused are in test/contracts/row-query.hostile.ts; here is what is said of them. */
const TOLD: readonly (readonly [statement: string, message: string])[] = [
  ['SELECT * FROM other', `the table "other" ${NOT_READ}`],
  ['SELECT * FROM a.b.c', `the table "a.b.c" ${NOT_READ}`],
  [`FROM read_csv('x')`, `read_csv() can't be read from; the only table is data`],
  [`SELECT current_setting('x')`, 'the function current_setting() is not allowed'],
  ['SELECT region.upper() FROM data', 'write upper(value) in place of a call with a dot'],
  ['SELECT system.main.abs(1)', 'write abs(value) in place of a call with a dot'],
  ['SELECT 1; SELECT 2', 'only one statement is allowed'],
  ['DROP TABLE data', ONLY_SELECT],
  ['PIVOT data ON x USING sum(v)', ONLY_SELECT],
  ['FROM data PIVOT (sum(v) FOR x IN moods)', 'PIVOT is only allowed with a list of values: ON x IN (…)'],
  ['SELEC 1', 'syntax error at or near "SELEC"'],
  ['SHOW TABLES', DESCRIBED],
  ['DESCRIBE', DESCRIBED],
  ['WITH data AS (SELECT 1) FROM data', `a WITH query can't be named "data"`],
  ['FROM (SELECT 1) AS Data', `a table can't be given the name "data"`],
  ['SELECT $1', 'write values in place of parameters'],
  ['SELECT 1::mood', 'a cast to mood is not allowed'],
  ['SELECT x::STRUCT(a INTEGER, b mood) FROM data', 'a cast to mood is not allowed'],
  ['SELECT [1]::BIT[]', 'a cast to BIT is not allowed'],
  ['SELECT 1e999', 'a number in the statement is too large'],
  [`FROM "${'z'.repeat(200)}"`, `the table "${'z'.repeat(100)}" ${NOT_READ}`],
  [`SELECT "${'y'.repeat(200)}"()`, `the function ${'y'.repeat(100)}() is not allowed`],
  [`SELECT 1::${'y'.repeat(200)}`, `a cast to ${'y'.repeat(100)} is not allowed`],
  [`SELECT ${'abs('.repeat(220)}1${')'.repeat(220)}`, 'the statement is nested too deeply'],
  [`SELECT 1::INT${'[]'.repeat(300)}`, 'the statement is nested too deeply'],
  ['FROM range(1000001)', 'range() is only allowed up to 1000000 elements'],
  ['FROM range(0, -2000000, -1)', 'range() is only allowed up to 1000000 elements'],
];

const deep = (text: string): string => text.repeat(51);
/** Calls that ask for huge values by small arguments, by what is said of them behind the name of the function. */
// prettier-ignore
const HUGE: Readonly<Record<string, readonly string[]>> = {
  'with a size of at most 1000: a constant, or least(…, 1000)': [
    `repeat('x', 1001)`, `repeat('x', '5')`, `repeat('x')`, `repeat('x', 1e9)`, `repeat('x', (SELECT 1000000000))`,
    `repeat('x', length(r) * 1000000)`, `repeat('x', least(n, 10)::DOUBLE)`, `repeat('x', least(n, 10)::VARCHAR::INT)`,
    `repeat('x', least(n, 1001)::INTEGER)`, `repeat('x', least(a, b))`, `repeat('x', greatest(a, 10))`,
    `repeat('x', -(-1000000000))`, 'repeat([1], 1000000000)', `lpad('x', 1001, 'y')`, `rpad('', least(a, 1001), 'x')`,
    'bar(x, 0, 10, 1001)', 'bar(x, 0, 10, x * 1000000)', 'equi_width_bins(0, 1, 1000000000, true)',
    'equi_width_bins(0, 1000000, x * 1000, true)',
  ],
  'with a constant layout and widths below 1000': [
    'printf(a, 1)', `printf('%*d', 1, 2)`, `printf('%9999d', 1)`, `printf('%' || '1000000000d', 1)`, 'format(a, 1)',
    `format('{:>{}}', 1, 2)`, `format('{:1000000000}', 1)`,
  ],
  'with the constant name of an aggregate function': [
    'list_aggregate([1], 5)', `list_aggregate([1], 'nextval')`, 'list_aggr([1], x)', `array_aggregate([1], (SELECT 'sum'))`,
    `aggregate([1], 'x')`,
  ],
  'with a constant structure': [
    'from_json(x, y)', `from_json(x, '"INT";')`, `from_json(x, '${deep('[')}"INT"${deep(']')}')`, `from_json(x, '["a=b"]')`,
    `from_json_strict(x, '["a;b"]')`, `json_transform(x, '{"a": "INT"' || '}')`,
    `json_transform(x, '${deep('{"a":')}"INT"${deep('}')}')`,
  ],
  'up to 100000 elements': [
    'range(100001)', 'range(-60000, 60000)', 'range(0, -1000000000, -1)', 'range(-99999, least(a, 2))',
    'range(-9223372036854775808, 9223372036854775807)', 'range(0, least(a, 200002), 2)', 'range(least(a, 1000000))',
    `range(DATE '2000-01-01', DATE '2024-01-01', INTERVAL 1 SECOND)`,
    `generate_series(DATE '0001-01-01', DATE '9999-12-31', INTERVAL 1 SECOND)`,
  ],
  'with constant bounds, such as least(…, 1000), or between times in constant steps of a minute or longer': [
    'range(a)', 'range(a, 10)', 'range(0, 10, 0)', 'range(0, 10, a)', `range('1000000000')`, 'range(x * 1000000000)',
    'range(a, least(a, 1000))', 'range(0, least(a, 1000), -1)', 'range(9, least(a, 5), -2)', 'range(a, b, c)',
    `range(a, b, '1 hour')`, `range(a, b, INTERVAL '59 seconds')`, `range(a, b, INTERVAL '1 fortnight')`,
    `range(a, b, INTERVAL 'x 1 hour')`, 'range(a, b, INTERVAL 0 DAY)', 'range(a, b, INTERVAL (n) DAY)',
    'range(a, b, INTERVAL 1 DAY - INTERVAL 86399 SECOND)', `range(a, DATE '2024-01-02', INTERVAL 1 SECOND)`,
    `range(DATE '2024-01-01', a, INTERVAL 1 SECOND)`, `range(DATE 'never', DATE '2024-01-02', INTERVAL 1 SECOND)`,
    `range(DATE '2024-01-01', DATE '2024-01-02', INTERVAL 0 DAY)`,
  ],
};

describe('the gate tells the writer', () => {
  it.each(TOLD)('%s', async (statement, message) => {
    expect(await verdictOn(statement)).toBe(message);
  });

  it.each(Object.entries(HUGE))('a call is only allowed %s', async (rule, calls) => {
    for (const call of calls) {
      const message = `${/^\w+/.exec(call)?.[0] ?? ''}() is only allowed ${rule}`;
      expect([call, await verdictOn(`SELECT ${call} FROM data`)]).toEqual([call, message]);
    }
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
  // None is confirmed.
  expect(await verdictOn('FROM data JOIN shops USING (id)', two)).toContain(
    'joined along their confirmed relations alone',
  );
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
