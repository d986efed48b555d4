import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAppError } from '../../src/shared/app-error.js';
import { openQueryFixture, type QueryFixture, SECRET } from './row-query.fixture.js';
import { hostileFamilies } from './row-query.hostile.js';

const isLong = process.env['TEST_LONG'] === '1';

/** After what lies beside the tables that a statement may read: others of the same files, schemas, databases, and names that hide one. */
const AFTER_OTHERS = [
  'SELECT * FROM facts',
  'SELECT * FROM columns',
  'SELECT * FROM others.main.data',
  'SELECT * FROM others.data',
  'SELECT * FROM main.others',
  'SELECT * FROM temp.others',
  'SELECT * FROM memory.main.others',
  'SELECT * FROM others.facts',
  'SELECT * FROM "data"."others"',
  'SELECT * FROM "others.data"',
  'SELECT * FROM others AT (VERSION => 1)',
  'SELECT * FROM others, facts WHERE "Region" = key',
  'SELECT * FROM others JOIN sqlite_master ON true',
  'SELECT * FROM others JOIN duckdb_settings() ON true',
  `SELECT * FROM others JOIN read_csv('/etc/passwd') ON true`,
  `SELECT * FROM others, query('FROM data')`,
  `SELECT * FROM others, query_table('data')`,
  `ATTACH '/f/n' AS others2`,
  'CREATE VIEW others AS FROM data',
  'CREATE OR REPLACE TEMP VIEW data AS FROM others',
  'DROP VIEW others',
  `COPY (FROM others) TO '/tmp/x.csv'`,
  'WITH others AS (SELECT 1) FROM others',
  'WITH OTHERS AS (FROM data) FROM data',
  'WITH RECURSIVE others AS (SELECT 1 UNION FROM others) FROM others',
  'SELECT * FROM data AS others',
  'SELECT * FROM (SELECT 1) AS others',
  'SELECT * FROM others AS data',
  'SELECT others.facts.upper() FROM others',
  'SELECT * FROM data JOIN others USING ("Region")',
  'SELECT * FROM data JOIN others ON data."Region" = others."Region"',
  'SELECT count(*) FROM data d WHERE EXISTS (SELECT 1 FROM others a, data b WHERE a."Region" = b."Region")',
];

describe('a hostile statement where several tables can be read', () => {
  let fixture: QueryFixture;
  beforeAll(async () => {
    fixture = await openQueryFixture();
  });
  afterAll(() => fixture.close());

  const problemOf = async (statement: string): Promise<string | null> => {
    try {
      await fixture.query(statement, { beside: fixture.neighbour });
      return `${statement} => passed`;
    } catch (error) {
      if (!isAppError(error, 'invalid_input')) return `${statement} => ${String(error)}`;
      // The engine's own words would mean that it had come past the gate.
      const told = [SECRET, fixture.folder, 'rows_'].filter((word) => !statement.includes(word));
      const isLeak = told.some((word) => error.message.includes(word));
      return isLeak || /^[A-Z]\w+ Error:/.test(error.message) ? `${statement} => ${error.message}` : null;
    }
  };

  it('is refused before it runs, whatever else it is after', async () => {
    const before = await fixture.mark();
    const wrong: string[] = [];
    // All of them are tried over one table; some of each family may do over two.
    const some = [...hostileFamilies(fixture).values()].flatMap((family) =>
      family.filter((_, index) => isLong || index % 4 === 0),
    );
    for (const statement of [...AFTER_OTHERS, ...some]) {
      const problem = await problemOf(statement);
      if (problem !== null) wrong.push(problem);
    }
    expect(wrong).toEqual([]);
    expect(await fixture.mark()).toBe(before);
  });

  it('is told from an honest one', async () => {
    const beside = fixture.neighbour;
    const { rows } = await fixture.query('SELECT (SELECT count(*) FROM others) = count(*) FROM data', { beside });
    expect(rows).toEqual([[true]]);
    await expect(fixture.query('SELECT count(*) FROM others')).rejects.toThrow('the only table is data');
  });
});
