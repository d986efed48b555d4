import { readFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Place } from '../../src/ports/place-reader.js';
import { DATABASES_CA, mysqlServer, postgresqlServer } from '../support/databases.js';
import { NameServer } from '../support/name-server.js';
import { aPlace, aReader, aReaderHere, fetched, refusal } from './place-reader.fixture.js';

const ca = DATABASES_CA === '' ? '' : readFileSync(DATABASES_CA, 'utf8');
const SERVER = postgresqlServer ?? mysqlServer;

function placeOf(kind: 'postgresql' | 'mysql', url: URL, query: string): Place {
  const address = `${kind}://${url.host}${url.pathname}`;
  return aPlace({ kind, address, user: url.username, secret: url.password, query, ca, tls: kind === 'postgresql' });
}

describe.skipIf(postgresqlServer === undefined)('a query on PostgreSQL', () => {
  const url = postgresqlServer ?? new URL('postgresql://nowhere/');
  const asking = (query: string): Place => placeOf('postgresql', url, query);
  const schema = `places_${process.pid}`;
  let admin: pg.Client;

  beforeAll(async () => {
    admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    await admin.query(
      `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.sales (id int); CREATE SEQUENCE ${schema}.numbers`,
    );
  });
  afterAll(async () => {
    await admin.query(`DROP SCHEMA ${schema} CASCADE`);
    await admin.end();
  });

  it('gives its rows as CSV, with types, nulls and times as ISO has them', async () => {
    const { text, written } = await fetched(
      asking(`SELECT * FROM (VALUES
        (1, 9007199254740993::bigint, 0.1::numeric, 1.5::float8, true, '007'::text, DATE '2026-01-02', TIMESTAMPTZ '2026-01-02 03:04:05.5+02', 'a,"b"'||chr(10)),
        (2, NULL, 'NaN', 'Infinity', false, '', 'infinity', NULL, ' x ')) AS t (i, big, amount, ratio, ok, code, day, at, note);`),
    );
    expect(text).toBe(
      'i,big,amount,ratio,ok,code,day,at,note\n' +
        '1,9007199254740993,0.1,1.5,true,007,2026-01-02,2026-01-02 01:04:05.500000,"a,""b""\n"\n' +
        '2,,,,false,"",,," x "\n',
    );
    const types = ['integer', 'integer', 'number', 'number', 'boolean', 'text', 'time', 'time', 'text'];
    expect(written).toEqual({ isTable: true, types });
  });

  it('gives many rows through a cursor, and none when there are none', async () => {
    const { text } = await fetched(
      asking('SELECT n, md5(n::text) AS hash FROM generate_series(1, 50000) AS n ORDER BY n'),
    );
    const lines = text.trimEnd().split('\n');
    expect([lines.length, lines[1], lines.at(-1)?.split(',')[0]]).toEqual([
      50_001,
      '1,c4ca4238a0b923820dcc509a6f75849b',
      '50000',
    ]);
    expect((await fetched(asking(`SELECT id FROM ${schema}.sales`), aReaderHere())).text).toBe('id\n');
  });

  it.each([
    ['INSERT INTO SCHEMA.sales VALUES (1)', /syntax error/],
    ['WITH gone AS (DELETE FROM SCHEMA.sales RETURNING id) SELECT * FROM gone', /data-modifying/],
    ['SELECT 1; COMMIT; DROP TABLE SCHEMA.sales', /multiple commands/],
    ["SELECT set_config('transaction_read_only', 'off', false)", /read-write mode/],
    ["SELECT query_to_xml('INSERT INTO SCHEMA.sales VALUES (1)', true, true, '')", /read-only transaction/],
    ["SELECT nextval('SCHEMA.numbers')", /read-only transaction/],
    ["COPY (SELECT 1) TO PROGRAM 'touch FILE'", /syntax error/],
    ['SELECT nothing', /column "nothing" does not exist/],
  ])('that is not a question alone is refused: %s', async (query, message) => {
    const file = join(tmpdir(), `${schema}-file`);
    const text = query.replaceAll('SCHEMA', schema).replaceAll('FILE', file);
    expect(await refusal(asking(text))).toMatchObject({ kind: 'invalid_input', message });
    const { rows } = await admin.query<{ rows: string }>(`SELECT count(*) AS rows FROM ${schema}.sales`);
    expect(rows[0]?.rows).toBe('0');
    expect(existsSync(file)).toBe(false);
  });

  it('that sleeps is ended by the server, and one that changes that limit by us', async () => {
    const short = aReader({ timeoutMs: 1500 });
    expect(await refusal(asking('SELECT pg_sleep(600)'), short)).toMatchObject({ kind: 'timed_out' });
    const unlimited = "SELECT set_config('statement_timeout', '0', true), pg_sleep(600)";
    expect(await refusal(asking(unlimited), short)).toMatchObject({ kind: 'timed_out' });
    await expect
      .poll(
        async () =>
          (await admin.query("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'DECLARE place%' AND state = 'active'"))
            .rowCount,
        { timeout: 10_000 },
      )
      .toBe(0);
  });

  it('is refused with a sentence that never holds the password', async () => {
    const failure = await refusal({ ...asking('SELECT 1'), secret: 'not-the-password' }, aReader());
    expect(failure).toMatchObject({
      kind: 'invalid_input',
      message: /^the database answered: password authentication failed/,
    });
    expect(failure.message).not.toContain('not-the-password');
  });

  it('is asked over an encrypted connection whose certificate is checked', async () => {
    expect(await refusal({ ...asking('SELECT 1'), ca: '' })).toMatchObject({
      kind: 'invalid_input',
      message: /DEPTH_ZERO_SELF_SIGNED_CERT/,
    });
    await using names = await NameServer.start(() => '127.0.0.1');
    const reader = aReaderHere({ nameServers: [names.address] });
    const named = (name: string): Place => ({
      ...asking('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'),
      address: `postgresql://${name}:${url.port}/postgres`,
    });
    expect((await fetched(named('database.example'), reader)).text).toBe('ssl\ntrue\n');
    expect(await refusal(named('other.example'), reader)).toMatchObject({ message: /ERR_TLS_CERT_ALTNAME_INVALID/ });
  });
});

describe.skipIf(mysqlServer === undefined)('a query on MySQL', () => {
  const url = mysqlServer ?? new URL('mysql://nowhere/');
  const asking = (query: string): Place => placeOf('mysql', url, query);
  const table = `places_${process.pid}`;
  let admin: mysql.Connection;

  beforeAll(async () => {
    admin = await mysql.createConnection(url.href);
    await admin.query(`CREATE TABLE ${table} (
      id int, big bigint unsigned, amount decimal(10,3), ratio double, ok boolean, code varchar(20), day date, at datetime(3), raw blob, note text)`);
    await admin.query(`INSERT INTO ${table} VALUES
      (1, 9007199254740993, 0.1, 1.5, true, '007', '2026-01-02', '2026-01-02 03:04:05.5', x'00ff', 'ä,"b"\n'),
      (2, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, ' x ')`);
  });
  afterAll(async () => {
    await admin.query(`DROP TABLE IF EXISTS ${table}`);
    await admin.end();
  });

  it('gives its rows as CSV, with types, nulls and times as ISO has them', async () => {
    const { text, written } = await fetched(asking(`SELECT * FROM ${table} ORDER BY id;`));
    expect(text).toBe(
      'id,big,amount,ratio,ok,code,day,at,raw,note\n' +
        '1,9007199254740993,0.100,1.5,1,007,2026-01-02,2026-01-02 03:04:05.500,00ff,"ä,""b""\n"\n' +
        '2,,,,,"",,,," x "\n',
    );
    const types = ['integer', 'integer', 'number', 'number', 'integer', 'text', 'time', 'time', 'text', 'text'];
    expect(written).toEqual({ isTable: true, types });
  });

  it.each([
    'INSERT INTO TABLE (id) VALUES (3)',
    'DELETE FROM TABLE',
    'DROP TABLE TABLE',
    'SELECT 1; DROP TABLE TABLE',
    "SELECT 1 INTO OUTFILE 'FILE'",
    "SELECT 1) AS place INTO OUTFILE 'FILE' -- ",
    "SELECT 1) AS place INTO OUTFILE 'FILE' /*",
    "SELECT 1) AS place INTO OUTFILE 'FILE' #",
    "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE TABLE",
    'SELECT nothing',
  ])('that is not a question alone is refused: %s', async (query) => {
    const file = join(tmpdir(), `${table}-file`);
    const text = query
      .replace(/TABLE(?= TABLE)/g, 'table')
      .replaceAll('TABLE', table)
      .replaceAll('FILE', file);
    expect(await refusal(asking(text))).toMatchObject({ kind: 'invalid_input', message: /^the database answered: / });
    const [rows] = await admin.query(`SELECT id FROM ${table}`);
    expect(rows).toHaveLength(2);
    expect(existsSync(file)).toBe(false);
  });

  it('that calls what writes is refused', async () => {
    await admin.query(
      `CREATE FUNCTION ${table}_writes() RETURNS int BEGIN INSERT INTO ${table} (id) VALUES (3); RETURN 1; END`,
    );
    expect(await refusal(asking(`SELECT ${table}_writes() AS x`))).toMatchObject({ message: /READ ONLY/ });
    await admin.query(`DROP FUNCTION ${table}_writes`);
  });

  it('that sleeps is ended', async () => {
    const short = aReader({ timeoutMs: 1500 });
    expect(await refusal(asking('SELECT sleep(600) AS x, sleep(600) AS y'), short)).toMatchObject({
      kind: 'timed_out',
    });
  });

  it('is refused with a sentence that never holds the password', async () => {
    const failure = await refusal({ ...asking('SELECT 1 AS x'), secret: 'not-the-password' }, aReader());
    expect(failure).toMatchObject({ kind: 'invalid_input', message: /^the database answered: Access denied/ });
    expect(failure.message).not.toContain('not-the-password');
  });

  it('is asked over an encrypted connection whose certificate is checked, by name', async () => {
    await using names = await NameServer.start(() => '127.0.0.1');
    const reader = aReaderHere({ nameServers: [names.address] });
    const named = (name: string): Place => ({
      ...asking(
        "SELECT variable_value <> '' AS encrypted FROM information_schema.session_status WHERE variable_name = 'Ssl_cipher'",
      ),
      address: `mysql://${name}:${url.port}/test`,
      tls: true,
    });
    expect((await fetched(named('database.example'), reader)).text).toBe('encrypted\n1\n');
    expect(await refusal(named('other.example'), reader)).toMatchObject({ kind: 'invalid_input' });
    expect(await refusal({ ...named('database.example'), ca: '' }, reader)).toMatchObject({ kind: 'invalid_input' });
    expect(await refusal({ ...asking('SELECT 1 AS x'), tls: true })).toMatchObject({ message: /must be named/ });
  });
});

describe.skipIf(SERVER === undefined)('a database', () => {
  it('is refused on this machine unless the operator allows it, and without encryption elsewhere', async () => {
    const kind = SERVER === postgresqlServer ? 'postgresql' : 'mysql';
    const place = placeOf(kind, SERVER ?? new URL('http://nowhere/'), 'SELECT 1 AS x');
    const nobody = aReaderHere({ networks: [] });
    expect(await refusal({ ...place, tls: false }, nobody)).toMatchObject({
      message: 'the place must be asked with encryption',
    });
    expect(await refusal({ ...place, address: `${kind}://8.8.8.8/x`, tls: false })).toMatchObject({
      message: 'the place must be asked with encryption',
    });
  });
});
