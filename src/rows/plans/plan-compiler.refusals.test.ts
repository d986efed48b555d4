import { describe, expect, it } from 'vitest';
import type { AnalysisPlan, Filter } from '../../ports/analysis-plan.js';
import { isAppError } from '../../shared/app-error.js';
import { aggregate, COUNT, listing } from './plan-compiler.fixture.js';
import type { TableColumn } from '../../plan/plan-columns.js';
import { compilePlan } from './plan-compiler.js';

const COLUMNS: readonly TableColumn[] = [
  { physical: 'c0', name: 'Sold at', type: 'time' },
  { physical: 'c1', name: 'region', type: 'text' },
  { physical: 'c2', name: 'units', type: 'integer' },
];

const DAY = { kind: 'bucket', column: 'Sold at', bucket: 'day', label: 'd' } as const;
const where = (filter: Filter): AnalysisPlan => listing({ filters: [filter] });

function problemOf(plan: AnalysisPlan): string {
  try {
    compilePlan(plan, COLUMNS, { maxRows: 100 });
  } catch (error) {
    if (isAppError(error, 'invalid_input')) return error.message;
    throw error;
  }
  return 'none';
}

describe('a plan that does not fit', () => {
  const dimension = { kind: 'column', column: 'region', label: 'n' } as const;

  it.each<[string, AnalysisPlan, RegExp]>([
    ['an unknown column', listing({ columns: ['nope'] }), /no column "nope"/],
    ['a sum of texts', aggregate({ measures: [{ aggregate: 'sum', column: 'region', label: 's' }] }), /sum needs/],
    ['a mean of times', aggregate({ measures: [{ aggregate: 'avg', column: 'Sold at', label: 's' }] }), /avg needs/],
    ['a sum of nothing', aggregate({ measures: [{ aggregate: 'sum', column: null, label: 's' }] }), /lacks a column/],
    ['a label twice', aggregate({ dimensions: [dimension] }), /"n" is used twice/],
    ['an empty label', aggregate({ measures: [{ ...COUNT, label: ' ' }] }), /no label/],
    ['nothing to show', aggregate({ measures: [] }), /neither measures nor dimensions/],
    ['an order by no label', aggregate({ order: [{ by: 'x', direction: 'asc' }] }), /no label of it/],
    ['a condition on no measure', aggregate({ having: [{ measure: 3, operator: '>', value: 1 }] }), /measure 3/],
    ['a bucket of a text', aggregate({ dimensions: [{ ...DAY, column: 'region' }] }), /time column/],
    ['a range of texts', where({ kind: 'between', column: 'region', low: 1, high: 2 }), /column of numbers/],
    ['a search in numbers', where({ kind: 'contains', column: 'units', text: '1', negated: false }), /text column/],
    ['no values', where({ kind: 'in', column: 'region', values: [], negated: false }), /no values/],
    ['a word as a number', where({ kind: 'in', column: 'units', values: ['x'], negated: false }), /can't be "x"/],
    ['no day', where({ kind: 'time', column: 'Sold at', from: '2024-02-30', to: null }), /no ISO 8601 time/],
    ['infinity', where({ kind: 'compare', column: 'units', operator: '>', value: Infinity }), /not finite/],
    ['a limit of nothing', listing({ limit: 0 }), /limit/],
    ['half a limit', listing({ limit: 1.5 }), /limit/],
  ])('is refused with a sentence: %s', (_, plan, sentence) => {
    expect(problemOf(plan)).toMatch(sentence);
  });

  it.each<[string, unknown]>([
    ['an aggregate', aggregate({ measures: [{ aggregate: 'sleep' as 'sum', column: 'units', label: 's' }] })],
    ['a bucket', aggregate({ dimensions: [{ ...DAY, bucket: "day', now())--" as 'day' }] })],
    ['an operator', where({ kind: 'compare', column: 'units', operator: '; DROP' as '=', value: 1 })],
  ])('is refused when a model made up %s', (_, plan) => {
    expect(problemOf(plan as AnalysisPlan)).not.toBe('none');
  });
});
