import { BLOATING as MORE_BLOATING, CASTS, DISGUISED, shadowing } from './row-query.hostile.disguises.js';
import {
  CATALOG_READERS,
  CATALOG_VIEWS,
  FILE_READERS,
  FORBIDDEN_CALLS,
  SINGLE_CALLS,
} from './row-query.hostile.names.js';
import { CALL_PLACES, TABLE_PLACES } from './row-query.hostile.positions.js';
import { OTHER_STATEMENTS } from './row-query.hostile.statements.js';
import type { QueryFixture } from './row-query.fixture.js';

type Places = Pick<QueryFixture, 'folder' | 'base' | 'neighbour' | 'delta' | 'secretFile'>;

/** Statements that must be refused, by what they are after; no two are alike. */
export function hostileFamilies(places: Places): ReadonlyMap<string, readonly string[]> {
  const { folder, base, neighbour, delta, secretFile } = places;
  const families: Readonly<Record<string, readonly string[]>> = {
    'reading files': [...readingFiles(secretFile, base, neighbour, delta), ...everyReader(secretFile)],
    'writing files': writingFiles(folder, neighbour),
    'the network': NETWORK,
    settings: SETTINGS,
    'the catalog': [...CATALOG, ...CATALOG_VIEWS.map((view) => `SELECT * FROM ${view}`)],
    'functions of the catalog': CATALOG_READERS.map((name) => `SELECT * FROM ${name}()`),
    'functions that are no computation': SINGLE_CALLS.map((call) => `SELECT ${call}`),
    'other tables': OTHER_TABLES,
    'names of its own': shadowing(delta),
    writes: WRITES,
    'other statements': OTHER_STATEMENTS,
    'several statements': SEVERAL,
    'SQL in a text': INDIRECT,
    casts: CASTS,
    'huge values': [...BLOATING, ...MORE_BLOATING],
    disguises: DISGUISED,
    'every place of a table': everyPlace(TABLE_PLACES, forbiddenTables(places), 3),
    'every place of a call': everyPlace(CALL_PLACES, FORBIDDEN_CALLS, 2),
  };
  const seen = new Set<string>();
  const isNew = (statement: string): boolean => !seen.has(statement) && seen.add(statement).size > 0;
  return new Map(Object.entries(families).map(([family, statements]) => [family, statements.filter(isNew)]));
}

/** Each place with some of what must not stand there, so that each of that comes to stand in many places. */
function everyPlace(places: readonly string[], fillings: readonly string[], each: number): readonly string[] {
  const turn = (from: number): readonly string[] => [...fillings, ...fillings].slice(from, from + each);
  return places.flatMap((place, index) =>
    turn((index * each) % fillings.length).map((filling) => place.replaceAll('§', () => filling)),
  );
}

function forbiddenTables({ secretFile, neighbour }: Places): readonly string[] {
  const files = [`read_csv('${secretFile}')`, `'${secretFile}'`, `read_text('/proc/self/environ')`, `'${neighbour}'`];
  return [
    ...files,
    'facts',
    'sqlite_master',
    'duckdb_settings()',
    `query('SELECT 1')`,
    `query_table('facts')`,
    'memory.main.data',
  ];
}

function everyReader(secretFile: string): readonly string[] {
  return FILE_READERS.flatMap((name) => [
    `SELECT * FROM ${name}('${secretFile}')`,
    `SELECT count(*) FROM ${name}('/proc/self/environ') WHERE true`,
    `FROM ${name}('https://evil.example/x')`,
  ]);
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
  `SELECT to_base(1, 2, 1000000000)`,
  `SELECT ${'('.repeat(3000)}1${')'.repeat(3000)} + ${Array.from({ length: 3000 }, () => '1').join('+')}`,
  `SELECT ${Array.from({ length: 900 }, () => '1').join('+')}`,
  `SELECT '${'x'.repeat(20_001)}'`,
];
