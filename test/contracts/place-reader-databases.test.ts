import { existsSync, readFileSync } from 'node:fs';
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
const NOWHERE = new URL('http://nowhere/');
/** Where a statement would write that may. */
const FILE = join(tmpdir(), `places-${process.pid}-file`);
const NAME = `places_${process.pid}`;

interface Database {
  readonly kind: 'postgresql' | 'mysql';
  readonly url: URL;
  readonly sleeping: readonly string[];
  /** How many of our queries run there. */
  readonly running: () => Promise<number>;
  /** Tells whether it is asked with encryption, and what it answers then. */
  readonly encrypted: readonly [query: string, text: string];
}

function asking({ kind, url }: Database, query: string, more: Partial<Place> = {}): Place {
  const address = `${kind}://${url.host}${url.pathname}`;
  const tls = kind === 'postgresql';
  return aPlace({ kind, address, user: url.username, secret: url.password, query, ca, tls, ...more });
}

/** What holds of every kind of database. */
function databaseContract(database: Database): void {
  it('that sleeps is ended, by the server or by us', async () => {
    const short = aReader({ timeoutMs: 1500 });
    for (const query of database.sleeping)
      expect(await refusal(asking(database, query), short)).toMatchObject({ kind: 'timed_out' });
    await expect.poll(database.running, { timeout: 10_000 }).toBe(0);
  });

  it('is refused with a sentence that never holds the password', async () => {
    const failure = await refusal(asking(database, 'SELECT 1 AS x', { secret: 'not-the-password' }), aReader());
    const message = /^the database answered: (?:password authentication failed|Access denied)/;
    expect(failure).toMatchObject({ kind: 'invalid_input', message });
    expect(failure.message).not.toContain('not-the-password');
  });

  it('is asked over an encrypted connection whose certificate is checked, by name', async () => {
    await using names = await NameServer.start(() => '127.0.0.1');
    const reader = aReaderHere({ nameServers: [names.address] });
    const [query, text] = database.encrypted;
    const named = (name: string, more: Partial<Place> = {}): Place => {
      const { kind, url } = database;
      return asking(database, query, { address: `${kind}://${name}:${url.port}${url.pathname}`, tls: true, ...more });
    };
    expect((await fetched(named('database.example'), reader)).text).toBe(text);
    expect(await refusal(named('other.example'), reader)).toMatchObject({
      ...{ kind: 'invalid_input', message: /ERR_TLS_CERT_ALTNAME_INVALID|altnames/ },
    });
    expect(await refusal(named('database.example', { ca: '' }), reader)).toMatchObject({
      ...{ kind: 'invalid_input', message: /SELF_SIGNED_CERT|self-signed/ },
    });
  });

  it('is not asked on this machine unless the operator allows it, nor without encryption elsewhere', async () => {
    const message = 'the place must be asked with encryption';
    const place = asking(database, 'SELECT 1 AS x', { tls: false });
    expect(await refusal(place, aReaderHere({ networks: [] }))).toMatchObject({ message });
    expect(await refusal({ ...place, address: `${database.kind}://8.8.8.8/x` })).toMatchObject({ message });
  });
}

describe.skipIf(postgresqlServer === undefined)('a query on PostgreSQL', () => {
  const postgresql: Database = {
    kind: 'postgresql',
    url: postgresqlServer ?? NOWHERE,
    sleeping: ['SELECT pg_sleep(600)', "SELECT set_config('statement_timeout', '0', true), pg_sleep(600)"],
    running: async () => {
      const active = "SELECT 1 FROM pg_stat_activity WHERE query LIKE 'DECLARE place%' AND state = 'active'";
      return (await admin.query(active)).rowCount ?? 0;
    },
    encrypted: ['SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()', 'ssl\ntrue\n'],
  };
  let admin: pg.Client;
  beforeAll(async () => {
    admin = new pg.Client({ connectionString: postgresql.url.href });
    await admin.connect();
    await admin.query(`CREATE SCHEMA ${NAME}; CREATE TABLE ${NAME}.sales (id int); CREATE SEQUENCE ${NAME}.numbers`);
  });
  afterAll(async () => {
    await admin.query(`DROP SCHEMA ${NAME} CASCADE`);
    await admin.end();
  });

  databaseContract(postgresql);

  it('gives its rows as CSV, with types, nulls and times as ISO has them', async () => {
    const { text, written } = await fetched(
      asking(
        postgresql,
        `SELECT * FROM (VALUES
        (1, 9007199254740993::bigint, 0.1::numeric, 1.5::float8, true, '007'::text, DATE '2026-01-02', TIMESTAMPTZ '2026-01-02 03:04:05.5+02', 'a,"b"'||chr(10)),
        (2, NULL, 'NaN', 'Infinity', false, '', 'infinity', NULL, ' x ')) AS t (i, big, amount, ratio, ok, code, day, at, note);`,
      ),
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
    const { text } = await fetched(asking(postgresql, 'SELECT n FROM generate_series(1, 50000) AS n ORDER BY n'));
    expect(text).toBe(`n\n${Array.from({ length: 50_000 }, (_, index) => `${index + 1}\n`).join('')}`);
    expect((await fetched(asking(postgresql, `SELECT id FROM ${NAME}.sales`), aReaderHere())).text).toBe('id\n');
  });

  it.each([
    [`INSERT INTO ${NAME}.sales VALUES (1)`, /syntax error/],
    [`WITH gone AS (DELETE FROM ${NAME}.sales RETURNING id) SELECT * FROM gone`, /data-modifying/],
    [`SELECT 1; COMMIT; DROP TABLE ${NAME}.sales`, /multiple commands/],
    ["SELECT set_config('transaction_read_only', 'off', false)", /read-write mode/],
    [`SELECT query_to_xml('INSERT INTO ${NAME}.sales VALUES (1)', true, true, '')`, /read-only transaction/],
    [`SELECT nextval('${NAME}.numbers')`, /read-only transaction/],
    [`COPY (SELECT 1) TO PROGRAM 'touch ${FILE}'`, /syntax error/],
    ['SELECT nothing', /column "nothing" does not exist/],
  ])('that is not a question alone is refused: %s', async (query, message) => {
    expect(await refusal(asking(postgresql, query))).toMatchObject({ kind: 'invalid_input', message });
    expect((await admin.query(`SELECT * FROM ${NAME}.sales`)).rowCount).toBe(0);
    expect(existsSync(FILE)).toBe(false);
  });
});

describe.skipIf(mysqlServer === undefined)('a query on MySQL', () => {
  const status = 'information_schema.session_status';
  const mariadb: Database = {
    kind: 'mysql',
    url: mysqlServer ?? NOWHERE,
    sleeping: ['SELECT sleep(600) AS x, sleep(600) AS y'],
    running: async () => {
      const asked =
        "SELECT 1 FROM information_schema.processlist WHERE info LIKE '%sleep(600)%' AND id <> connection_id()";
      const [rows] = await admin.query<mysql.RowDataPacket[]>(asked);
      return rows.length;
    },
    encrypted: [
      `SELECT variable_value <> '' AS encrypted FROM ${status} WHERE variable_name = 'Ssl_cipher'`,
      'encrypted\n1\n',
    ],
  };
  let admin: mysql.Connection;
  beforeAll(async () => {
    admin = await mysql.createConnection(mariadb.url.href);
    await admin.query(`CREATE TABLE ${NAME} (
      id int, big bigint unsigned, amount decimal(10,3), ratio double, ok boolean, code varchar(20), day date, at datetime(3), raw blob, note text)`);
    await admin.query(`INSERT INTO ${NAME} VALUES
      (1, 9007199254740993, 0.1, 1.5, true, '007', '2026-01-02', '2026-01-02 03:04:05.5', x'00ff', 'ä,"b"\n'),
      (2, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, ' x ')`);
    await admin.query(
      `CREATE FUNCTION ${NAME}_writes() RETURNS int BEGIN INSERT INTO ${NAME} (id) VALUES (3); RETURN 1; END`,
    );
  });
  afterAll(async () => {
    await admin.query(`DROP FUNCTION IF EXISTS ${NAME}_writes`);
    await admin.query(`DROP TABLE IF EXISTS ${NAME}`);
    await admin.end();
  });

  databaseContract(mariadb);

  it('gives its rows as CSV, with types, nulls and times as ISO has them', async () => {
    const { text, written } = await fetched(asking(mariadb, `SELECT * FROM ${NAME} ORDER BY id;`));
    expect(text).toBe(
      'id,big,amount,ratio,ok,code,day,at,raw,note\n' +
        '1,9007199254740993,0.100,1.5,1,007,2026-01-02,2026-01-02 03:04:05.500,00ff,"ä,""b""\n"\n' +
        '2,,,,,"",,,," x "\n',
    );
    const types = ['integer', 'integer', 'number', 'number', 'integer', 'text', 'time', 'time', 'text', 'text'];
    expect(written).toEqual({ isTable: true, types });
  });

  it.each([
    `INSERT INTO ${NAME} (id) VALUES (3)`,
    `DELETE FROM ${NAME}`,
    `DROP TABLE ${NAME}`,
    `SELECT 1; DROP TABLE ${NAME}`,
    `SELECT 1 INTO OUTFILE '${FILE}'`,
    `SELECT 1) AS place INTO OUTFILE '${FILE}' -- `,
    `SELECT 1) AS place INTO OUTFILE '${FILE}' /*`,
    `SELECT 1) AS place INTO OUTFILE '${FILE}' #`,
    `LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE ${NAME}`,
    `SELECT ${NAME}_writes() AS x`,
    'SELECT nothing',
  ])('that is not a question alone is refused: %s', async (query) => {
    const message = /^the database answered: /;
    expect(await refusal(asking(mariadb, query))).toMatchObject({ kind: 'invalid_input', message });
    const [rows] = await admin.query(`SELECT id FROM ${NAME}`);
    expect(rows).toHaveLength(2);
    expect(existsSync(FILE)).toBe(false);
  });

  it('must be named by a name to be asked with encryption', async () => {
    const failure = await refusal(asking(mariadb, 'SELECT 1 AS x', { tls: true }));
    expect(failure).toMatchObject({ message: /must be named/ });
  });
});
