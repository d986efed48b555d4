import type { QueryFixture } from './row-query.fixture.js';

type Places = Pick<QueryFixture, 'folder' | 'base' | 'neighbour' | 'delta' | 'secretFile'>;

/** Statements that must be refused before they run. */
export function hostileStatements({ folder, base, neighbour, delta, secretFile }: Places): readonly string[] {
  return [
    ...readingFiles(secretFile, base, neighbour, delta),
    ...writingFiles(folder, neighbour),
    ...NETWORK,
    ...SETTINGS,
    ...CATALOG,
    ...OTHER_TABLES,
    ...WRITES,
    ...SEVERAL,
    ...INDIRECT,
    ...BLOATING,
    ...DISGUISED,
  ];
}

function readingFiles(secret: string, base: string, neighbour: string, delta: string): readonly string[] {
  return [
    `SELECT * FROM read_csv('${secret}')`,
    `SELECT * FROM read_csv_auto('${secret}')`,
    `SELECT * FROM '${secret}'`,
    `SELECT * FROM "${secret}"`,
    `FROM '${secret}'`,
    `SELECT * FROM read_text('${secret}')`,
    `SELECT * FROM read_blob('${secret}')`,
    `SELECT * FROM read_json('${secret}')`,
    `SELECT * FROM read_ndjson_objects('${secret}')`,
    `SELECT * FROM read_parquet('${delta}')`,
    `SELECT * FROM parquet_scan('${delta}')`,
    `SELECT * FROM parquet_metadata('${delta}')`,
    `SELECT * FROM sniff_csv('${secret}')`,
    `SELECT * FROM glob('/etc/*')`,
    `SELECT * FROM read_text('/proc/self/environ')`,
    `SELECT * FROM read_text('/etc/passwd')`,
    `SELECT * FROM read_duckdb('${neighbour}')`,
    `SELECT * FROM '${neighbour}'`,
    `SELECT (SELECT content FROM read_text('/etc/passwd')) FROM data`,
    `SELECT * FROM data WHERE "Region" IN (SELECT content FROM read_text('${secret}'))`,
    `WITH x AS (SELECT * FROM read_csv('${secret}')) SELECT * FROM x`,
    `SELECT * FROM data, LATERAL (SELECT * FROM read_text('${secret}'))`,
    `SELECT 1 UNION ALL SELECT count(*) FROM read_blob('${base}')`,
    `SELECT * FROM (VALUES ((SELECT content FROM read_text('${secret}')))) v`,
    `SELECT * FROM data ORDER BY (SELECT content FROM read_text('${secret}'))`,
    `SELECT count(*) FILTER (WHERE EXISTS (SELECT 1 FROM glob('*'))) FROM data`,
    `SELECT sum(units) OVER (ORDER BY (SELECT size FROM read_blob('${secret}'))) FROM data`,
    `SELECT * FROM data LIMIT (SELECT size FROM read_blob('${secret}'))`,
  ];
}

function writingFiles(folder: string, neighbour: string): readonly string[] {
  return [
    `COPY data TO '${folder}/out.csv'`,
    `COPY (SELECT * FROM data) TO '${folder}/out.parquet'`,
    `COPY data FROM '${folder}/secret.csv'`,
    `EXPORT DATABASE '${folder}/export'`,
    `IMPORT DATABASE '${folder}/export'`,
    `ATTACH '${folder}/new.duckdb' AS n`,
    `ATTACH '${neighbour}' AS n (READ_ONLY)`,
    `ATTACH ':memory:' AS n`,
    `DETACH memory`,
    `USE system`,
  ];
}

const NETWORK = [
  `SELECT * FROM read_csv('http://127.0.0.1:1/x.csv')`,
  `SELECT * FROM 'https://example.invalid/x.parquet'`,
  `SELECT * FROM read_parquet('s3://bucket/x.parquet')`,
  `INSTALL httpfs`,
  `LOAD httpfs`,
  `UPDATE EXTENSIONS`,
  `CREATE SECRET s (TYPE S3)`,
  `FROM which_secret('s3://x', 's3')`,
  `FROM duckdb_secrets()`,
];

const SETTINGS = [
  `SET memory_limit = '100GB'`,
  `SET enable_external_access = true`,
  `SET lock_configuration = false`,
  `RESET threads`,
  `PRAGMA threads = 64`,
  `PRAGMA database_list`,
  `PRAGMA enable_profiling`,
  `PRAGMA database_size`,
  `SET VARIABLE x = 1`,
  `SELECT current_setting('temp_directory')`,
  `SELECT getvariable('x')`,
  `SELECT getenv('PATH')`,
  `CALL enable_logging()`,
  `CALL pragma_version()`,
  `SELECT version()`,
];

const CATALOG = [
  `SHOW TABLES`,
  `SHOW ALL TABLES`,
  `SHOW DATABASES`,
  `DESCRIBE data`,
  `SUMMARIZE data`,
  `SELECT * FROM (DESCRIBE data)`,
  `FROM duckdb_databases()`,
  `FROM duckdb_settings()`,
  `FROM duckdb_tables()`,
  `FROM duckdb_columns()`,
  `FROM duckdb_views()`,
  `FROM duckdb_temporary_files()`,
  `FROM duckdb_databases`,
  `FROM duckdb_tables`,
  `FROM sqlite_master`,
  `FROM sqlite_schema`,
  `FROM pg_catalog.pg_tables`,
  `FROM pg_class`,
  `FROM information_schema.tables`,
  `FROM information_schema.columns`,
  `FROM pragma_database_list`,
  `FROM pragma_table_info('data')`,
  `FROM pragma_storage_info('data')`,
  `SELECT current_database()`,
  `SELECT current_schemas(true)`,
  `SELECT current_query()`,
  `SELECT pg_get_viewdef(1)`,
];

const OTHER_TABLES = [
  `SELECT * FROM columns`,
  `SELECT * FROM facts`,
  `SELECT * FROM assets`,
  `SELECT * FROM visible`,
  `SELECT * FROM memory.main.data`,
  `SELECT * FROM main.data`,
  `SELECT * FROM temp.data`,
  `SELECT * FROM system.main.duckdb_tables`,
  `SELECT * FROM base.facts`,
  `SELECT * FROM data AT (VERSION => 1)`,
  `SELECT * FROM facts, (WITH facts AS (SELECT 1) SELECT * FROM facts) x`,
  `SELECT * FROM sqlite_master, (WITH sqlite_master AS (SELECT 1) SELECT * FROM sqlite_master) x`,
  `SELECT * FROM (WITH facts AS (SELECT 1) SELECT * FROM facts) x, facts`,
  `WITH data AS (SELECT 1) SELECT * FROM data`,
  `WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a`,
  `WITH a AS (SELECT * FROM a) SELECT * FROM a`,
  `SELECT * FROM (SELECT 1) AS data`,
  `SELECT * FROM (SELECT 1) AS sqlite_master`,
  `FROM query('SELECT 1')`,
  `FROM query_table('data')`,
  `FROM query_table(['facts'])`,
];

const WRITES = [
  `INSERT INTO data VALUES (1)`,
  `UPDATE data SET units = 0`,
  `DELETE FROM data`,
  `TRUNCATE data`,
  `DROP TABLE data`,
  `DROP VIEW data`,
  `ALTER TABLE data RENAME TO x`,
  `CREATE TABLE x AS SELECT * FROM data`,
  `CREATE TEMP TABLE x AS SELECT 1`,
  `CREATE OR REPLACE TEMP VIEW data AS SELECT 1`,
  `CREATE MACRO f() AS 1`,
  `CREATE SEQUENCE s`,
  `CREATE TYPE t AS ENUM ('a')`,
  `SELECT nextval('s')`,
  `BEGIN`,
  `COMMIT`,
  `ROLLBACK`,
  `CHECKPOINT`,
  `VACUUM`,
  `ANALYZE`,
  `PREPARE p AS SELECT 1`,
  `EXECUTE p`,
  `EXPLAIN SELECT * FROM data`,
  `EXPLAIN ANALYZE DELETE FROM data`,
  `WITH x AS (DELETE FROM data RETURNING *) SELECT * FROM x`,
  `MERGE INTO data USING data ON true WHEN MATCHED THEN DELETE`,
  `COMMENT ON TABLE data IS 'x'`,
  ``,
  `;`,
  `-- nothing`,
];

const SEVERAL = [
  `SELECT 1; SELECT 2`,
  `SELECT 1; DROP TABLE data`,
  `SELECT 1;; SELECT 2`,
  `SELECT 1 /* ; */ ; ATTACH ':memory:' AS x`,
  `SELECT * FROM data; CREATE TEMP TABLE x AS SELECT 1`,
  `PIVOT data ON product USING sum(units)`,
];

const INDIRECT = [
  `SELECT json_execute_serialized_sql('{}')`,
  `FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))`,
  `SELECT json_serialize_sql('SELECT 1')`,
  `SELECT json_serialize_plan('SELECT 1')`,
  `FROM sql_auto_complete('SEL')`,
  `FROM check_peg_parser('SELECT 1')`,
  `SELECT parse_path('/etc/passwd')`,
  `SELECT sleep_ms(100000)`,
  `SELECT pg_sleep(100)`,
  `SELECT write_log('x')`,
  `SELECT error('x')`,
  `SELECT list_aggregate([1], 'sum')`,
  `SELECT 'a'::regclass`,
  `SELECT 1::mood`,
  `SELECT '1'::BIT`,
  `SELECT $1`,
  `SELECT ?`,
  `FROM test_all_types()`,
  `FROM seq_scan('data')`,
  `FROM repeat_row(1, num_rows = 1000000000)`,
];

const BLOATING = [
  `SELECT repeat('x', 2000000000)`,
  `SELECT sum(length(repeat("Region", 200000000))) FROM data`,
  `SELECT repeat('x', units * 100000000) FROM data`,
  `SELECT repeat(repeat('x', 1000), 1001)`,
  `SELECT lpad('x', 1000000000, 'y')`,
  `SELECT rpad("Region", 1000000000, 'y') FROM data`,
  `SELECT len(range(500000000))`,
  `SELECT len(range(units * 100000000)) FROM data`,
  `SELECT unnest(range(100000000)) FROM data`,
  `SELECT unnest(generate_series(0, 100000000)) FROM data`,
  `SELECT * FROM range(100000000000)`,
  `SELECT * FROM generate_series(0, 170141183460469231731687303715884105727)`,
  `SELECT unnest(generate_series(TIMESTAMP '1000-01-01', TIMESTAMP '2024-01-01', INTERVAL 1 SECOND))`,
  `SELECT unnest(generate_series(min("Order Date"), max("Order Date"), INTERVAL '1 microsecond')) FROM data`,
  `SELECT printf('%1000000000d', 1)`,
  `SELECT printf('%*d', 1000000000, 1)`,
  `SELECT format('{:1000000000}', 1)`,
  `SELECT format('{:{}}', 1, 1000000000)`,
  `SELECT format("Region", 1) FROM data`,
  `SELECT bar(1, 0, 1, 1000000000)`,
  `SELECT equi_width_bins(0, 1, 1000000000, true)`,
  `SELECT list_resize([1], 1000000000)`,
  `SELECT repeat('1', 1000000000)::BIT`,
  `SELECT levenshtein('a', 'b')`,
  `SELECT to_base(1, 2, 1000000000)`,
  `WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r`,
  `SELECT ${'('.repeat(3000)}1${')'.repeat(3000)} + ${Array.from({ length: 3000 }, () => '1').join('+')}`,
  `SELECT ${Array.from({ length: 900 }, () => '1').join('+')}`,
  `SELECT '${'x'.repeat(20_001)}'`,
];

const DISGUISED = [
  `SELECT * FROM Read_Text('/etc/passwd')`,
  `SELECT * FROM "read_text"('/etc/passwd')`,
  `SELECT * FROM main.read_text('/etc/passwd')`,
  `SELECT * FROM system.main.read_text('/etc/passwd')`,
  `SELECT 'temp_directory'.current_setting()`,
  `SELECT system.main.current_setting('temp_directory')`,
  `SELECT "current_setting"('temp_directory')`,
  `SELECT/**/current_setting('temp_directory')`,
  `SELECT * FROM data WHERE current_setting('temp_directory') = ''`,
  `SELECT [current_setting(x) FOR x IN ['temp_directory']]`,
  `SELECT list_transform(['temp_directory'], x -> current_setting(x))`,
  `SELECT list_transform(['temp_directory'], LAMBDA x : current_setting(x))`,
  `SELECT CASE WHEN true THEN current_setting('temp_directory') END`,
  `SELECT * REPLACE (current_setting('temp_directory') AS "Region") FROM data`,
  `SELECT COLUMNS(c -> c = current_setting('temp_directory')) FROM data`,
  `SELECT max(current_setting('temp_directory')) OVER () FROM data`,
  `SELECT {'a': current_setting('temp_directory')}`,
  `SELECT string_agg("Region", current_setting('temp_directory')) FROM data`,
  `SELECT * FROM data GROUP BY ALL HAVING current_setting('temp_directory') = ''`,
  `SELECT * FROM data QUALIFY current_setting('temp_directory') = ''`,
  `SELECT * FROM data JOIN data b ON current_setting('temp_directory') = ''`,
  `SELECT DISTINCT ON (current_setting('temp_directory')) * FROM data`,
  `SELECT current_setting('temp_directory')::VARCHAR`,
  `SELECT * FROM unnest([current_setting('temp_directory')])`,
  `SELECT TRY(current_setting('temp_directory'))`,
  `SELECT * FROM (PIVOT data ON "Region" IN ('North') USING max(current_setting('temp_directory')))`,
];

/** Statements that pass the gate and would take for ever, or all memory there is. */
export const BOMBS: readonly string[] = [
  `SELECT count(*) FROM data a, data b, data c, data d`,
  `SELECT count(DISTINCT a."Revenue (€)" + b.units * c.units) FROM data a, data b, data c`,
  `SELECT a."Region", row_number() OVER (ORDER BY a.units * b.units * c.units) FROM data a, data b, data c`,
  `SELECT list(a."Region") FROM data a, data b, data c`,
  `SELECT string_agg(a."Region", ',') FROM data a, data b, data c`,
  `SELECT * FROM data a, data b, data c ORDER BY a.units + b.units + c.units`,
  `SELECT a.units, b.units, c.units, count(*) FROM data a, data b, data c, data d GROUP BY ALL`,
  `SELECT sum(x.range * y.range) FROM range(1000000) x, range(1000000) y`,
  `SELECT length(${doubled('repeat("Region", 1000)', 30)}) FROM data`,
  `WITH ${grown(9)} SELECT sum(length(s)) FROM s9`,
  `SELECT list_transform(range(100000), x -> list_sum(list_transform(range(100000), y -> x * y)))`,
  `SELECT list_sort(list_concat(range(100000), range(100000))) FROM data a, data b`,
  `SELECT len(list_distinct(flatten([range(100000) FOR i IN range(100000)])))`,
  `SELECT histogram(a."Revenue (€)" * random()) FROM data a, data b`,
  `SELECT count(*) FROM data a, data b, data c WHERE regexp_matches(a."Region" || b."Region" || c.product, '(a|b|c|aa)*$')`,
  `SELECT replace(replace(replace(repeat('x', 1000), 'x', repeat('y', 1000)), 'y', repeat('z', 1000)), 'z', repeat('w', 1000)) FROM data`,
];

/** Text of 2 to the power of `times` times the length, at each level twice the one below. */
function doubled(text: string, times: number): string {
  const levels = Array.from({ length: times });
  return levels.reduce<string>((grownText) => `replace(${grownText}, 'o', 'ooo')`, text);
}

function grown(levels: number): string {
  const steps = Array.from({ length: levels }, (_, level) => {
    const before = `s${String(level)}`;
    const ten = Array.from({ length: 10 }, () => 's').join('||');
    return `s${String(level + 1)} AS (SELECT ${ten} AS s FROM ${before})`;
  });
  return [`s0 AS (SELECT "Region" AS s FROM data)`, ...steps].join(', ');
}
