import { describe, expect, it } from 'vitest';
import { numberColumn } from './fixtures/profile-builders.fixture.js';
import { BRIDGES, SAVINGS } from './fixtures/small-scenes.fixture.js';
import { ADMISSIONS, SINGERS } from './fixtures/plain-scenes.fixture.js';
import { factsOf } from './table-facts.js';
import { isYear } from './year-columns.js';

function isYearCalled(header: string, min: number, max: number): boolean {
  const profile = numberColumn(header, { min, max, mean: Math.round((min + max) / 2), distinct: 20 });
  const words = header.split('_');
  return isYear({ role: 'figure', words, profile, additive: false });
}

describe('columns of years', () => {
  it.each([
    ['opened', 1881, 2019, true],
    ['first_flight', 1978, 2021, true],
    ['release_year', 1960, 2023, true],
    ['capacity', 1500, 2000, false],
    ['opened', 20, 2019, false],
    ['finished', 1800, 5200, false],
  ])('%s from %d to %d: %s', (header, min, max, expected) => {
    expect(isYearCalled(header, min, max)).toBe(expected);
  });
});

describe('what a row is called', () => {
  it('is told by a column that differs in every row, whatever its header', () => {
    expect(factsOf(BRIDGES.table).identity?.name).toBe('Bridge');
    expect(factsOf(SINGERS.table).identity?.name).toBe('name');
  });

  it('is not told by the name of somebody else that comes again', () => {
    expect(factsOf(SAVINGS.table).identity?.name).toBe('acc_no');
    expect(factsOf(ADMISSIONS.table).identity?.name).toBe('patient_name');
  });
});
