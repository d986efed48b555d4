import type { AnalysisPlan, Dimension, Filter, Measure, StatisticPlan } from '../ports/analysis-plan.js';
import type { Cell, ColumnType, QueryResult } from '../ports/table.js';

type Aggregation = Extract<AnalysisPlan, { kind: 'aggregate' }>;
type Listing = Extract<AnalysisPlan, { kind: 'rows' }>;

export function figures(parts: Partial<Aggregation>): Aggregation {
  return {
    kind: 'aggregate',
    measures: [],
    dimensions: [],
    filters: [],
    having: [],
    order: [],
    limit: null,
    ...parts,
  };
}

export function listing(parts: Partial<Listing>): Listing {
  return { kind: 'rows', columns: [], filters: [], order: [], limit: null, ...parts };
}

export function statistic(parts: Pick<StatisticPlan, 'method' | 'columns'> & Partial<StatisticPlan>): StatisticPlan {
  return { kind: 'statistic', by: null, filters: [], ...parts };
}

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

/** Columns by their names and types, and the rows below them. */
export function result(
  columns: Readonly<Record<string, ColumnType>>,
  rows: readonly (readonly Cell[])[],
  truncated = false,
): QueryResult {
  const named = Object.entries(columns).map(([name, type]) => ({ name, type }));
  return { columns: named, rows, truncated, dbquery: '', rowsScanned: 1000 };
}
