import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CANARY, rowQueryContract } from './row-query.contract.js';
import { eventually } from '../support/eventually.js';
import { openQueryFixture, type QueryFixture, ROWS } from './row-query.fixture.js';
import { SALES } from './row-query.legitimate.tables.js';

let fixture: QueryFixture;
beforeAll(async () => {
  vi.stubEnv('JWT_SECRET', CANARY);
  fixture = await openQueryFixture();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await fixture.close();
});

describe('statements in the DuckDB sandbox', () => {
  rowQueryContract(() => fixture);
});

describe('the pool of sandboxes', () => {
  it('says what is wrong without telling where the rows lie', async () => {
    const { query, folder } = fixture;
    const error = await query('SELECT revenu FROM data').catch(String);
    expect(error).toContain('Referenced column "revenu" not found');
    expect(error).not.toContain(folder);
    expect(error).not.toMatch(/rows_|c0|memory\./);
  });

  it.each(['SELECT revenu FROM data', 'SELECT nothing(1) FROM data', 'SELECT FROM WHERE'])(
    'goes on in the same process after a statement that was not run: %s',
    async (wrong) => {
      const { query, folder } = fixture;
      const open = async (): Promise<readonly string[]> => (await readdir(join(folder, 'tmp'))).sort();
      await query('SELECT count(*) FROM data');
      const before = await eventually(open, ({ length }) => length === 2);
      await query(wrong).catch(String);
      await query('SELECT count(*) FROM data');
      expect(await open()).toEqual(before);
    },
  );

  it('never answers for one datasource with the rows of another', async () => {
    const { query, base, neighbour } = fixture;
    const own = `SELECT count(*) FROM data WHERE "Order Date" >= TIMESTAMP '2025-01-01'`;
    const answers = await Promise.all(
      // Each of them changes the datasource of a process.
      Array.from({ length: 4 }, (_, index) =>
        query(own, index % 2 === 0 ? { of: base, withDelta: true } : { of: neighbour }),
      ),
    );
    expect(answers.map(({ rows }) => rows[0]?.[0])).toEqual(answers.map((_, index) => (index % 2 === 0 ? 1 : 0)));
  });

  it('is unavailable when the file is no database', async () => {
    const { query, secretFile } = fixture;
    await expect(query('SELECT 1', { of: secretFile })).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('sees the new rows when an import replaces the file under the same name', async () => {
    const { query, add, folder, writeBase } = fixture;
    const of = await add('replaced', SALES);
    expect((await query('SELECT count(*) FROM data', { of })).rows).toEqual([[ROWS]]);
    await writeBase(join(folder, 'again.duckdb'), 10);
    await rename(join(folder, 'again.duckdb'), of);
    expect((await query('SELECT count(*) FROM data', { of })).rows).toEqual([[10]]);
  });

  it('is unavailable when the rows are gone', async () => {
    const { query, add } = fixture;
    const of = await add('gone', SALES);
    await rm(of);
    await expect(query('SELECT 1', { of })).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'the rows can not be read now',
    });
  });

  it('turns callers away when too many wait; ends what runs or waits when it is stopped, and takes nothing more', async () => {
    const { query, stop } = fixture;
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
    await stop();
    for (const error of await Promise.all(ends)) expect(error).toMatchObject({ kind: 'unavailable' });
    await expect(query('SELECT 1')).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
