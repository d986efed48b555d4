import { describe, expect, it } from 'vitest';
import type { Filter } from '../../ports/analysis-plan.js';
import { aScene, numberColumn, type Scene, textColumn, timeColumn } from '../profiles.fixture.js';
import { questionIn } from './question.fixture.js';
import { dueConditions, lateConditions, stateConditions } from './state-conditions.js';

function invoices(lastEnd: string): Scene {
  return aScene({
    name: 'invoices',
    rowCount: 500,
    columns: [
      timeColumn('issued', '2024-01-02T00:00:00Z', '2025-05-20T00:00:00Z', 300),
      textColumn('customer', ['Huber', 'Meier']),
      numberColumn('amount', { min: 5, max: 9000 }),
      timeColumn('due', '2024-02-01T00:00:00Z', '2025-06-20T00:00:00Z', 300),
      { ...timeColumn('paid', '2024-02-01T00:00:00Z', lastEnd, 300), nulls: 80 },
    ],
    timeField: 'issued',
    metaField: 'customer',
    now: '2025-05-21T12:00:00Z',
  });
}

function filtersFor(message: string, conditions: typeof stateConditions, lastEnd = '2025-05-20T00:00:00Z'): Filter[] {
  return conditions(questionIn(message, invoices(lastEnd))).map(({ filter }) => filter);
}

const UNPAID = { kind: 'null', column: 'paid', negated: false };
const TODAY = '2025-05-21T00:00:00Z';

describe('what is overdue', () => {
  it('may be unpaid, and due before today', () => {
    expect(filtersFor('which invoices are overdue', stateConditions)).toContainEqual(UNPAID);
    const due = { kind: 'time', column: 'due', from: null, to: TODAY };
    expect(filtersFor('which invoices are overdue', dueConditions)).toContainEqual(due);
  });

  it('is nothing that is said of all rows', () => {
    const message = 'total amount by customer';
    expect([stateConditions, dueConditions, lateConditions].flatMap((one) => filtersFor(message, one))).toEqual([]);
  });
});

describe('what came late', () => {
  it('has one time after another of the same row', () => {
    const late = { kind: 'columns', left: 'paid', operator: '>', right: 'due' };
    expect(filtersFor('how many were paid late', lateConditions)).toContainEqual(late);
    expect(filtersFor('share paid on time', lateConditions)).toContainEqual({ ...late, operator: '<=' });
  });
});

describe('what is still going on', () => {
  it('has no end, or one to come where there are such', () => {
    const toCome = { kind: 'any', of: [[UNPAID], [{ kind: 'time', column: 'paid', from: TODAY, to: null }]] };
    expect(filtersFor('active ones', stateConditions)).not.toContainEqual(toCome);
    expect(filtersFor('active ones', stateConditions, '2025-07-01T00:00:00Z')).toContainEqual(toCome);
  });
});
