import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isAppError } from '../../shared/app-error.js';
import { PlanTable } from './plan-compiler.fixture.js';
import { HOSTILE_COLUMNS, HOSTILE_ROWS, hostilePlan } from './plan-compiler.hostile.fixture.js';

const RUNS = process.env['TEST_LONG'] === '1' ? 2000 : 80;

describe('a plan of hostile names, values and combinations', () => {
  let table: PlanTable;
  beforeAll(async () => {
    table = await PlanTable.of(HOSTILE_COLUMNS, HOSTILE_ROWS);
  });

  it('is refused with a sentence, or answered, the query shown giving the same through the gate', async () => {
    const ends = { answered: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(hostilePlan, async (plan) => {
        try {
          const { columns, rows } = await table.careful(plan);
          for (const row of rows) expect(row).toHaveLength(columns.length);
          for (const cell of rows.flat()) expect(cell).not.toBeNaN();
          ends.answered++;
        } catch (error) {
          if (!isAppError(error, 'invalid_input')) throw error;
          ends.refused++;
        }
      }),
      { numRuns: RUNS },
    );
    // A generator whose plans are all refused would show nothing.
    expect(ends.answered).toBeGreaterThan(RUNS / 5);
    expect(await table.select('SELECT count(*) FROM stored')).toEqual([[6]]);
  }, 120_000);
});
