import { readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Cell, QueryResult } from '../../src/ports/table.js';
import { isAppError } from '../../src/shared/app-error.js';
import { eventually } from '../support/eventually.js';
import { openQueryFixture, type QueryFixture, ROWS, SECRET } from './row-query.fixture.js';
import { AFTER_OTHERS, BOMBS, hostileFamilies, ODDITIES } from './row-query.hostile.js';
import { LEGITIMATE, type LegitimateQuery } from './row-query.legitimate.js';
import { SALES } from './row-query.legitimate.tables.js';

const isLong = process.env['TEST_LONG'] === '1';
/** A third of them: nearly each ends its process, and a new one takes half a second. */
const some = (statements: readonly string[]): readonly string[] =>
  isLong ? statements : statements.filter((_, index) => index % 3 === 0);
const [SOME_BOMBS, SOME_ODDITIES] = [some(BOMBS), some(ODDITIES)];
const BOMB_MS = 100;
const ODDITY_MS = 1000;
/** Until a process that does not answer is killed, with time to start another on a busy machine. */
const MERCY_MS = 2000 + 20_000;
const PLACES = { folder: '/f', base: '/f/base', neighbour: '/f/n', delta: '/f/d', secretFile: '/f/s' };
/** What the service's environment holds, and no statement may learn. */
const CANARY = 'canary-of-the-environment-7f3a';
/** What a complaint would hold that tells where things lie or what they are called inside. */
const INTERNAL = [SECRET, CANARY, tmpdir(), process.cwd(), 'node_modules', 'sandbox-', 'memory.main', 'temp.main'];

interface End {
  readonly kind: string;
  readonly message: string;
}

let fixture: QueryFixture;
beforeAll(async () => {
  vi.stubEnv('JWT_SECRET', CANARY);
  fixture = await openQueryFixture();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await fixture.close();
});

const query: QueryFixture['query'] = (statement, options) => fixture.query(statement, options);

async function endOf(statement: string, options: Parameters<QueryFixture['query']>[1] = {}): Promise<End> {
  try {
    const { rows } = await query(statement, { timeoutMs: 10_000, ...options });
    return { kind: 'passed', message: JSON.stringify(rows).slice(0, 500) };
  } catch (error) {
    return isAppError(error) ? error : { kind: 'unforeseen', message: String(error) };
  }
}

async function expectRefused(statements: readonly string[], options: { beside?: string } = {}): Promise<void> {
  const before = await fixture.mark();
  const wrong: string[] = [];
  for (const statement of statements) {
    const end = await endOf(statement, options);
    const problem = refusalProblem(statement, end);
    if (problem !== null) wrong.push(`${statement.slice(0, 200)} => ${problem}: ${end.message}`);
  }
  expect(wrong).toEqual([]);
  expect(await fixture.mark()).toBe(before);
}

async function expectHealthy(): Promise<void> {
  const { rows } = await query('SELECT count(*), max("Region") FROM data');
  expect(rows).toEqual([[ROWS, 'West']]);
}

describe('a hostile statement', () => {
  const families = hostileFamilies(PLACES);

  it.each([...families.keys()])('is refused, changes nothing and learns nothing: %s', async (family) => {
    await expectRefused(hostileFamilies(fixture).get(family) ?? []);
    await expectHealthy();
  });

  it('is refused where two tables can be read, too', async () => {
    const beside = fixture.neighbour;
    // All of them are tried over one table; some of each family may do over two.
    const few = [...hostileFamilies(fixture).values()].flatMap((family) =>
      family.filter((_, index) => isLong || index % 8 === 0),
    );
    await expectRefused([...AFTER_OTHERS, ...few], { beside });
    const { rows } = await query('SELECT (SELECT count(*) FROM others) = count(*) FROM data', { beside });
    expect(rows).toEqual([[true]]);
    await expect(query('SELECT count(*) FROM others')).rejects.toThrow('the only table is data');
  });
});

/** Tries all, two at once, and tells which did not end as they should, or in time. */
async function expectEnds(
  statements: readonly string[],
  timeoutMs: number,
  isFine: (end: End, statement: string) => boolean,
): Promise<void> {
  const left = [...statements];
  const wrong: string[] = [];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const began = performance.now();
      const end = await endOf(next, { timeoutMs });
      const ms = Math.round(performance.now() - began);
      if (!isFine(end, next) || ms > timeoutMs + MERCY_MS)
        wrong.push(`${next.slice(0, 200)} => ${end.kind} after ${ms} ms: ${end.message}`);
    }
  };
  await Promise.all([worker(), worker()]);
  expect(wrong).toEqual([]);
  await expectHealthy();
}

describe('a bomb', () => {
  it(`ends in time and leaves nothing behind: ${SOME_BOMBS.length} of ${BOMBS.length}`, async () => {
    const before = await fixture.mark();
    const outOf = (end: End): boolean => end.kind === 'invalid_input' && end.message.includes('memory');
    await expectEnds(SOME_BOMBS, BOMB_MS, (end) => end.kind === 'timed_out' || outOf(end));
    expect(await fixture.mark()).toBe(before);
  }, 240_000);

  it(`of another kind is refused, or answered in few rows: ${SOME_ODDITIES.length} of ${ODDITIES.length}`, async () => {
    await expectEnds(SOME_ODDITIES, ODDITY_MS, ({ kind, message }, statement) =>
      kind === 'passed' ? leakIn(statement, message) === null : ['invalid_input', 'timed_out'].includes(kind),
    );
  }, 240_000);
});

describe('an analyst’s statement', () => {
  it.each(Object.entries(LEGITIMATE))('gives the rows it should: %s', async (name, { table, queries }) => {
    const of = await fixture.add(name, table);
    const wrong: string[] = [];
    for (const asked of queries) {
      const problem = await query(asked[0], { of }).then(
        (result) => resultProblem(asked, result),
        (error: unknown) => String(error),
      );
      if (problem !== null) wrong.push(`${asked[0]} => ${problem}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('a result', () => {
  it('has the header’s names, their types and plain values, and tells the statement and how many rows the table had', async () => {
    const { columns, rows, ...told } = await query('  SELECT * FROM data ORDER BY "Order Date" LIMIT 2 ');
    expect(columns.map(({ name, type }) => `${name}: ${type}`).join(', ')).toBe(
      'Order Date: time, Region: text, product: text, units: integer, Revenue (€): number, returned: boolean',
    );
    expect(rows).toEqual([
      ['2024-01-01T00:00:00.000Z', 'North', null, 0, 0, true],
      ['2024-01-01T01:00:00.000Z', 'South', 'Product 1', 1, 1.5, false],
    ]);
    const dbquery = 'SELECT * FROM data ORDER BY "Order Date" LIMIT 2';
    expect(told).toMatchObject({ dbquery, rowsScanned: ROWS, truncated: false });
  });

  it('is cut at the most rows that were asked for and says so, and is not called cut when it is exactly as long', async () => {
    const cut = await query('SELECT units FROM data', { maxRows: 7 });
    const whole = await query('SELECT units FROM data LIMIT 7', { maxRows: 7 });
    expect([cut.rows.length, cut.truncated, whole.rows.length, whole.truncated]).toEqual([7, true, 7, false]);
  });

  it('has texts of at most 2,000 characters, and a megabyte in all', async () => {
    expect((await query(`SELECT repeat(repeat('x', 1000), 3)`)).rows).toEqual([[`${'x'.repeat(1999)}…`]]);
    const result = await query(`SELECT repeat('x', 1000) || "Region" FROM data`, { maxRows: 100_000 });
    expect(JSON.stringify(result).length).toBeLessThan(1_001_000);
    expect(result.truncated).toBe(true);
  });

  it('is cut when its lists are longer than can be read in time', async () => {
    const result = await query(`SELECT repeat([repeat('x', 1000)], 200) FROM data LIMIT 200`);
    expect(result.truncated).toBe(true);
    expect(result.rows.length).toBeLessThan(200);
    expect(result.rows[0]?.[0]).toMatch(/^\['x{1000}', 'x.*…$/);
  });

  it('has numbers, days and lists in a form that JSON holds', async () => {
    const { columns, rows } = await query(
      `SELECT DATE '2024-02-29' AS d, 'nan'::DOUBLE AS nan, 1.25::DECIMAL(9, 2) AS dec, [1, 2] AS l, NULL AS n, sum(units) AS s,
         TIMESTAMP_NS '2024-01-01 00:00:00.123456789' AS ns, INTERVAL 3 DAY AS i FROM data`,
    );
    expect(columns.map(({ type }) => type).join(' ')).toBe('time number number text integer integer time text');
    expect(rows).toEqual([
      ['2024-02-29T00:00:00.000Z', null, 1.25, '[1, 2]', null, 5995, '2024-01-01T00:00:00.123Z', '3 days'],
    ]);
  });

  it('names every column differently', async () => {
    const { columns } = await query('SELECT units, units, 1 AS units FROM data');
    expect(new Set(columns.map(({ name }) => name)).size).toBe(3);
  });

  it('is of the base with later inserts, and of no rows that have outlived their lifespan', async () => {
    const visibleFrom = new Date(Date.UTC(2024, 0, 1) + (ROWS - 5) * 3_600_000);
    const result = await query('SELECT max("Order Date"), count(*) FROM data', { withDelta: true, visibleFrom });
    expect(result).toMatchObject({ rows: [['2025-01-01T00:00:00.000Z', 6]], rowsScanned: 6 });
  });
});

describe('the pool of sandboxes', () => {
  it.each([
    ['SELECT revenu FROM data', 'Referenced column "revenu" not found'],
    ['SELECT nothing(1) FROM data', 'nothing'],
    ['SELECT FROM WHERE', 'syntax error'],
  ])('says what is wrong with %s but not where the rows lie, and goes on in the same process', async (wrong, told) => {
    const open = async (): Promise<readonly string[]> => (await readdir(join(fixture.folder, 'tmp'))).sort();
    await query('SELECT count(*) FROM data');
    const before = await eventually(open, ({ length }) => length === 2);
    const { kind, message } = await endOf(wrong);
    expect(kind).toBe('invalid_input');
    expect(message).toContain(told);
    // The engine repeats the statement under its complaint.
    expect(message).not.toContain('LINE 1');
    expect(leakIn(wrong, message)).toBeNull();
    await query('SELECT count(*) FROM data');
    expect(await open()).toEqual(before);
  });

  it('never answers for one datasource with the rows of another', async () => {
    const { base, neighbour } = fixture;
    const own = `SELECT count(*) FROM data WHERE "Order Date" >= TIMESTAMP '2025-01-01'`;
    const answers = await Promise.all(
      // Each of them changes the datasource of a process.
      Array.from({ length: 4 }, (_, index) =>
        query(own, index % 2 === 0 ? { of: base, withDelta: true } : { of: neighbour }),
      ),
    );
    expect(answers.map(({ rows }) => rows[0]?.[0])).toEqual(answers.map((_, index) => (index % 2 === 0 ? 1 : 0)));
  });

  it('sees the new rows when an import replaces the file under the same name', async () => {
    const of = await fixture.add('replaced', SALES);
    expect((await query('SELECT count(*) FROM data', { of })).rows).toEqual([[ROWS]]);
    await rename(await fixture.add('again', { ...SALES, rows: SALES.rows.slice(0, 10) }), of);
    expect((await query('SELECT count(*) FROM data', { of })).rows).toEqual([[10]]);
  });

  it('is unavailable when the rows are gone, or their file is no database', async () => {
    const gone = await fixture.add('gone', SALES);
    await rm(gone);
    for (const of of [gone, fixture.secretFile])
      await expect(query('SELECT 1', { of })).rejects.toMatchObject({
        kind: 'unavailable',
        message: 'the rows can not be read now',
      });
  });

  it('turns callers away when too many wait; ends what runs or waits when it is stopped, and takes nothing more', async () => {
    let refusals = 0;
    const ends = Array.from({ length: 80 }, () =>
      query('SELECT count(*) FROM data a, data b, data c, data d').catch((error: unknown) => {
        refusals += 1;
        return error;
      }),
    );
    // One of the four places is kept for other companies.
    const refused = await Promise.all(ends.slice(3 + 64));
    expect(refusals).toBe(refused.length);
    for (const error of refused) expect(error).toMatchObject({ kind: 'unavailable', retryAfter: 2 });
    await fixture.pool.stop();
    for (const error of await Promise.all(ends)) expect(error).toMatchObject({ kind: 'unavailable' });
    await expect(query('SELECT 1')).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

/** Why this is no proper refusal. */
function refusalProblem(statement: string, { kind, message }: End): string | null {
  if (kind !== 'invalid_input') return kind;
  // The gate refuses in its own words; the engine's would mean that the statement had come as far as the engine.
  return /^[A-Z]\w+ Error:/.test(message) ? 'came past the gate' : leakIn(statement, message);
}

/** What a message tells that its statement did not. */
function leakIn(statement: string, message: string): string | null {
  const own = statement.replaceAll('"', '');
  const told = INTERNAL.find((word) => message.includes(word) && !own.includes(word));
  if (told !== undefined) return `tells ${told}`;
  return /rows_[0-9a-f]{8}|\bc\d\b/.test(message) ? 'tells a name of the service' : null;
}

function resultProblem([, rows, first = []]: LegitimateQuery, result: QueryResult): string | null {
  if (result.rows.length !== rows) return `${result.rows.length} rows in place of ${rows}`;
  if (result.rows.some((row) => row.length !== result.columns.length)) return 'ragged rows';
  const begin = result.rows[0] ?? [];
  return first.every((cell, index) => isNear(begin[index], cell)) ? null : `begins with ${JSON.stringify(begin)}`;
}

function isNear(found: Cell | undefined, wanted: Cell): boolean {
  if (typeof found !== 'number' || typeof wanted !== 'number') return found === wanted;
  return Math.abs(found - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));
}
