import { expect, it } from 'vitest';
import type { AnalysisPlan, Filter } from '../ports/analysis-plan.js';
import { aTextColumn, listing, result } from '../ports/plans.fixture.js';
import { mendingHint, spellingNote } from './query-hints.js';

const PROFILE = {
  ...{ rowCount: 10, timeRange: null, timeField: '', metaField: '', values: [] },
  columns: [
    aTextColumn('region', 'North', 'South'),
    aTextColumn('unit price'),
    aTextColumn('product', 'Chair', 'Armchair'),
  ],
};

function aPlan(...filters: readonly Filter[]): { readonly plan: AnalysisPlan } {
  return { plan: listing({ filters }) };
}

const isIn = (column: string, value: string): Extract<Filter, { kind: 'in' }> => ({
  kind: 'in',
  column,
  values: [value],
  negated: false,
});
const contains = (text: string): Filter => ({ kind: 'contains', column: 'product', text, negated: false });
const NROTH = '"region" has no "Nroth"; it has "North", "South"';

it.each<[string, Parameters<typeof mendingHint>[1], string]>([
  ['there is no column', aPlan(isIn('regoin', 'x')), '; nearest to "regoin": "region"'],
  [
    'Binder Error: Referenced column "unit_prices" not found in FROM clause!',
    { sql: 'SELECT unit_prices FROM data' },
    '; nearest to "unit_prices": "unit price"',
  ],
  ['it took too long', aPlan(isIn('region', 'x')), ''],
  ['the function constructor() is not allowed', { sql: '' }, ''],
])('of a query that failed the nearest names are told: %s', (problem, query, hint) => {
  expect(mendingHint(problem, query, PROFILE)).toBe(hint);
});

it('of a function that is not allowed it is told what does instead', () => {
  const statement = { sql: "SELECT to_char(time, 'YYYY') FROM data" };
  expect(mendingHint('the function to_char() is not allowed', statement, PROFILE)).toContain('use strftime(');
});

it.each<[string, Parameters<typeof spellingNote>[0], string | null]>([
  ['a value of a plan', aPlan(isIn('region', 'Nroth')), NROTH],
  ['a value inside', aPlan({ kind: 'any', of: [[isIn('region', 'Nroth')]] }), NROTH],
  ['a part of no value', aPlan(contains('chiar')), '"product" has no "chiar"; it has "Chair", "Armchair"'],
  ['SQL', { sql: `SELECT 1 FROM data WHERE "region" = 'north'` }, '"region" has no "north"; it has "North"'],
  ['what is spelled right', aPlan(isIn('region', 'north')), null],
  ['SQL without a value', { sql: 'SELECT 1 FROM data WHERE false' }, null],
])('where nothing was found it is told how the column spells it: %s', (_, asked, note) => {
  expect(spellingNote(asked, result({}, []), PROFILE)).toBe(note);
});

it.each([
  [[[3]], null],
  [[[0, null]], NROTH],
])('%j was found, or not', (rows, note) => {
  expect(spellingNote(aPlan(isIn('region', 'Nroth')), result({}, rows), PROFILE)).toBe(note);
});
