import { expect, it } from 'vitest';
import { aScene, timeColumn } from '../profiles.fixture.js';
import { in2024, questionIn } from './question.fixture.js';
import { dueConditions, lateConditions, stateConditions } from './state-conditions.js';

/** The conditions that may be meant of invoices of which the last one is paid at that time. */
function filtersFor(message: string, conditions: typeof stateConditions, lastEnd = '2025-05-20T00:00:00Z'): unknown[] {
  const due = timeColumn('due', '2024-02-01T00:00:00Z', '2025-06-20T00:00:00Z');
  const paid = { ...timeColumn('paid', '2024-02-01T00:00:00Z', lastEnd), nulls: 80 };
  const invoices = aScene({ columns: [in2024('issued'), due, paid], now: '2025-05-21T12:00:00Z' });
  return conditions(questionIn(message, invoices)).map(({ filter }) => filter);
}

const UNPAID = { kind: 'null', column: 'paid', negated: false };
const TODAY = '2025-05-21T00:00:00Z';

it('what is overdue may be unpaid, and due before today', () => {
  expect(filtersFor('which invoices are overdue', stateConditions)).toContainEqual(UNPAID);
  const due = { kind: 'time', column: 'due', from: null, to: TODAY, moving: { from: null, to: 'now/d' } };
  expect(filtersFor('which invoices are overdue', dueConditions)).toContainEqual(due);
});

it('nothing that is said of all rows is late', () => {
  const all = [stateConditions, dueConditions, lateConditions];
  expect(all.flatMap((conditions) => filtersFor('total amount by customer', conditions))).toEqual([]);
});

it('what came late has one time after another of the same row', () => {
  const late = { kind: 'columns', left: 'paid', operator: '>', right: 'due' };
  expect(filtersFor('how many were paid late', lateConditions)).toContainEqual(late);
  expect(filtersFor('share paid on time', lateConditions)).toContainEqual({ ...late, operator: '<=' });
});

it('what is still going on has no end, or one to come where there are such', () => {
  const later = { kind: 'time', column: 'paid', from: TODAY, to: null, moving: { from: 'now/d', to: null } };
  const toCome = { kind: 'any', of: [[UNPAID], [later]] };
  expect(filtersFor('active ones', stateConditions)).not.toContainEqual(toCome);
  expect(filtersFor('active ones', stateConditions, '2025-07-01T00:00:00Z')).toContainEqual(toCome);
});
