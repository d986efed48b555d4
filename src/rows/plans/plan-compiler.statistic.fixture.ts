import { expect } from 'vitest';
import type { StatisticPlan } from '../../ports/analysis-plan.js';
import type { Cell } from '../../ports/table.js';
import { PlanTable } from './plan-compiler.fixture.js';

export function statistic(part: Partial<StatisticPlan>): StatisticPlan {
  return { kind: 'statistic', method: 'pearson', columns: ['x', 'y'], by: null, filters: [], ...part };
}

/** A table of numbers, and of groups where a row begins with a text. */
export async function tableOf(
  names: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): Promise<PlanTable> {
  const columns = names.map((name, index) => [name, typeof rows[0]?.[index] === 'string' ? 'text' : 'number'] as const);
  const literal = (value: string | number | null): string =>
    typeof value === 'string' ? `'${value}'` : value === null ? 'NULL' : `${value}::DOUBLE`;
  return PlanTable.of(columns, `VALUES ${rows.map((row) => `(${row.map(literal).join(', ')})`).join(', ')}`);
}

/** Relative to what is expected, to so many digits. */
export function expectRow(found: readonly Cell[] | undefined, expected: readonly Cell[], digits = 6): void {
  expect(found).toHaveLength(expected.length);
  expected.forEach((value, index) => {
    if (typeof value === 'number')
      expect(Number(found?.[index]) / (value || 1)).toBeCloseTo(value === 0 ? 0 : 1, digits);
    else expect(found?.[index]).toBe(value);
  });
}
