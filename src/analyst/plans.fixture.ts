import type { Dimension, Filter, Measure } from '../ports/analysis-plan.js';

export { figures, listing, result, statistic } from '../ports/plans.fixture.js';

/** A measure that is called by what it is, such as `avg wind`. */
export function of(aggregate: Measure['aggregate'], column: string, more: Partial<Measure> = {}): Measure {
  return { aggregate, column, label: `${aggregate} ${column}`, ...more };
}

export function rowCount(more: Partial<Measure> = {}): Measure {
  return { aggregate: 'count', column: null, label: 'rows', ...more };
}

export function by(column: string): Dimension {
  return { kind: 'column', column, label: column };
}

export const BY_MONTH: Dimension = { kind: 'bucket', column: 'date', bucket: 'month', label: 'month' };
export const BY_YEAR: Dimension = { kind: 'bucket', column: 'date', bucket: 'year', label: 'year' };

export function is(column: string, ...values: readonly string[]): Extract<Filter, { kind: 'in' }> {
  return { kind: 'in', column, values, negated: false };
}
