import { describe, expect, it } from 'vitest';
import type { AnalysisPlan, Filter } from '../ports/analysis-plan.js';
import { aTextColumn, listing, result } from '../ports/plans.fixture.js';
import type { TableProfile } from '../ports/table.js';
import { mendingHint, spellingNote } from './query-hints.js';

const PROFILE: TableProfile = {
  rowCount: 10,
  timeRange: null,
  columns: [
    aTextColumn('region', 'North', 'South'),
    aTextColumn('unit price'),
    aTextColumn('product', 'Chair', 'Armchair'),
  ],
  timeField: '',
  metaField: '',
  values: [],
};
const NOTHING = result({}, []);

function aPlan(...filters: readonly Filter[]): { readonly plan: AnalysisPlan } {
  return { plan: listing({ filters }) };
}

function equals(column: string, value: string): Extract<Filter, { kind: 'in' }> {
  return { kind: 'in', column, values: [value], negated: false };
}

describe('what is told of a query that failed', () => {
  it('has the nearest names of a column that is not there', () => {
    expect(mendingHint('there is no column', aPlan(equals('regoin', 'x')), PROFILE)).toBe(
      '; nearest to "regoin": "region"',
    );
    const statement = { sql: 'SELECT unit_prices FROM data' };
    const problem = 'Binder Error: Referenced column "unit_prices" not found in FROM clause!';
    expect(mendingHint(problem, statement, PROFILE)).toBe('; nearest to "unit_prices": "unit price"');
  });

  it('has what does instead of a function that is not allowed', () => {
    const statement = { sql: "SELECT to_char(time, 'YYYY') FROM data" };
    expect(mendingHint('the function to_char() is not allowed', statement, PROFILE)).toContain('use strftime(');
  });

  it('has nothing more where nothing is near', () => {
    expect(mendingHint('it took too long', aPlan(equals('region', 'x')), PROFILE)).toBe('');
    expect(mendingHint('the function constructor() is not allowed', { sql: '' }, PROFILE)).toBe('');
  });
});

describe('what is told where nothing was found', () => {
  it.each<[string, Parameters<typeof spellingNote>[0], string]>([
    ['a value of a plan', aPlan(equals('region', 'Nroth')), '"region" has no "Nroth"; it has "North", "South"'],
    [
      'a value inside',
      aPlan({ kind: 'any', of: [[equals('region', 'X')]] }),
      '"region" has no "X"; it has "North", "South"',
    ],
    [
      'a part of no value',
      aPlan({ kind: 'contains', column: 'product', text: 'chiar', negated: false }),
      '"product" has no "chiar"; it has "Chair", "Armchair"',
    ],
    ['SQL', { sql: `SELECT 1 FROM data WHERE "region" = 'north'` }, '"region" has no "north"; it has "North"'],
  ])('is how the column spells it: %s', (_what, asked, note) => {
    expect(spellingNote(asked, NOTHING, PROFILE)).toBe(note);
  });

  it('is nothing where the spelling is right, or something was found', () => {
    expect(spellingNote(aPlan(equals('region', 'north')), NOTHING, PROFILE)).toBeNull();
    expect(spellingNote(aPlan(equals('region', 'Nroth')), { ...NOTHING, rows: [[3]] }, PROFILE)).toBeNull();
    expect(spellingNote(aPlan(equals('region', 'Nroth')), { ...NOTHING, rows: [[0, null]] }, PROFILE)).not.toBeNull();
    expect(spellingNote({ sql: 'SELECT 1 FROM data WHERE false' }, NOTHING, PROFILE)).toBeNull();
  });
});
