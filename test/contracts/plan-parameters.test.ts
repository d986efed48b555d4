import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import { type CompiledPlan, compilePlan } from '../../src/rows/plans/plan-compiler.js';
import { HOSTILE_COLUMNS } from '../../src/rows/plans/plan-compiler.hostile.fixture.js';
import { isAppError } from '../../src/shared/app-error.js';
import { variedPlan } from './varied-plans.generated.js';

const RUNS = process.env['TEST_LONG'] === '1' ? 1500 : 400;
const COLUMNS = HOSTILE_COLUMNS.map(([name, type], index) => ({ name, type, physical: `c${index}` }));

/** Null: the plan does not fit the table. */
function compiled(plan: AnalysisPlan, guarded: boolean): CompiledPlan | null {
  try {
    return compilePlan(plan, COLUMNS, { maxRows: 100, guarded });
  } catch (error) {
    if (isAppError(error, 'invalid_input')) return null;
    throw error;
  }
}

/** Values that the query does not name; a database refuses to be given one of them. */
function unnamed({ sql, params }: CompiledPlan): readonly number[] {
  const named = new Set([...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  return params.map((_, index) => index + 1).filter((number) => !named.has(number));
}

describe('a plan as SQL', () => {
  it.each([1, 2, 3, 4, 5, 6])('names every value that it binds (seed %i)', (seed) => {
    let count = 0;
    for (const plan of fc.sample(variedPlan, { seed, numRuns: RUNS }))
      for (const guarded of [false, true]) {
        const found = compiled(plan, guarded);
        if (found === null) continue;
        count += 1;
        expect(unnamed(found), JSON.stringify(plan)).toEqual([]);
      }
    expect(count).toBeGreaterThan(RUNS / 3);
  });
});
