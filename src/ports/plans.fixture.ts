import type { AggregatePlan, RowsPlan, StatisticPlan } from './analysis-plan.js';
import type { Cell, ColumnProfile, ColumnType, QueryResult } from './table.js';

/** A plan of figures that says nothing but what the test says. */
export function figures(parts: Partial<AggregatePlan>): AggregatePlan {
  return {
    ...{ kind: 'aggregate', measures: [], dimensions: [], filters: [], having: [], order: [], limit: null },
    ...parts,
  };
}

export function listing(parts: Partial<RowsPlan>): RowsPlan {
  return { kind: 'rows', columns: [], filters: [], order: [], limit: null, ...parts };
}

export function statistic(parts: Pick<StatisticPlan, 'method' | 'columns'> & Partial<StatisticPlan>): StatisticPlan {
  return { kind: 'statistic', by: null, filters: [], ...parts };
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

/** A column that nothing is known of but what the test says. */
export function aColumn(name: string, type: ColumnType = 'text', parts: Partial<ColumnProfile> = {}): ColumnProfile {
  return { name, type, nulls: 0, distinct: 2, min: null, max: null, mean: null, topValues: [], ...parts };
}

/** A column of texts that has these values, each once. */
export function aTextColumn(name: string, ...values: readonly string[]): ColumnProfile {
  return aColumn(name, 'text', { distinct: values.length, topValues: values.map((value) => ({ value, count: 1 })) });
}
