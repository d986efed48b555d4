import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import type { ColumnType } from '../../src/ports/table.js';
import { HOSTILE_COLUMNS } from '../../src/rows/plan-compiler.hostile.fixture.js';
import { mongodbServer } from '../support/mongodb.js';
import { BothTables, differenceOf, differenceOfRows, endOf } from './mongo-plans.fixture.js';
import { OTHER_COLUMNS, OTHER_NAMES, renamed, rowsFor, variedPlan } from './mongo-plans.generated.js';

const ROWS = 80;
const PLANS = process.env['TEST_LONG'] === '1' ? 1_000 : 200;
const TOO_LARGE = 'too large';

interface Ends {
  answered: number;
  refused: number;
  differences: string[];
}

async function run(
  columns: readonly (readonly [string, ColumnType])[],
  plans: readonly AnalysisPlan[],
  isScaled = false,
): Promise<Ends> {
  await using both = await BothTables.of(mongodbServer ?? '', columns, rowsFor(columns, ROWS), isScaled);
  const ends: Ends = { answered: 0, refused: 0, differences: [] };
  for (const plan of plans) {
    const difference = await differenceIn(both, plan, ends);
    if (difference !== null) ends.differences.push(`${difference}: ${JSON.stringify(plan)}`);
  }
  return ends;
}

async function differenceIn(both: BothTables, plan: AnalysisPlan, ends: Ends): Promise<string | null> {
  const expected = await endOf(both.inDuckDb(plan));
  const found = await endOf(both.inMongo(plan));
  // What is too large for one of them need not be so for the other.
  if (expected === TOO_LARGE) return null;
  if (typeof expected === 'string' || typeof found === 'string') {
    ends.refused++;
    return expected === found ? null : `${JSON.stringify(expected)} against ${JSON.stringify(found)}`;
  }
  ends.answered++;
  return differenceOf(plan, expected, found) ?? (await differenceOfShown(both, plan, found.rows));
}

/** Of no rows at all a person's pipeline gives no row; letters of other alphabets it takes for others than the one that runs. */
async function differenceOfShown(
  both: BothTables,
  plan: AnalysisPlan,
  rows: Parameters<typeof differenceOfRows>[0],
): Promise<string | null> {
  if (plan.kind !== 'aggregate' || /"contains"|"in"/.test(JSON.stringify(plan))) return null;
  const shown = await both.shown(plan);
  if (shown.length === 0 && (plan.dimensions.length === 0 || plan.summary !== undefined)) return null;
  return differenceOfRows(rows, shown.slice(0, rows.length), 1e-6);
}

describe.skipIf(mongodbServer === undefined)('plans in MongoDB', () => {
  it('find what they find in DuckDB, or are refused with the same sentence', async () => {
    const ends = await run(HOSTILE_COLUMNS, fc.sample(variedPlan, { seed: 11, numRuns: PLANS }));
    expect(ends.differences).toEqual([]);
    expect(ends.answered).toBeGreaterThan(PLANS / 5);
    expect(ends.refused).toBeGreaterThan(PLANS / 10);
  }, 600_000);

  it('do so where it is known about where the numbers lie', async () => {
    const ends = await run(HOSTILE_COLUMNS, fc.sample(variedPlan, { seed: 11, numRuns: PLANS }), true);
    expect(ends.differences).toEqual([]);
    expect(ends.answered).toBeGreaterThan(PLANS / 5);
  }, 600_000);

  it('do so whatever the columns are called', async () => {
    const plans = fc.sample(variedPlan, { seed: 12, numRuns: PLANS / 2 }).map((plan) => renamed(plan, OTHER_NAMES));
    const ends = await run(OTHER_COLUMNS, plans);
    expect(ends.differences).toEqual([]);
    expect(ends.answered).toBeGreaterThan(PLANS / 10);
  }, 600_000);
});
