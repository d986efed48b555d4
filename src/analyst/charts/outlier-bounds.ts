import type { AnalysisPlan, Filter, Measure } from '../../ports/analysis-plan.js';
import type { QueryResult } from '../../ports/table.js';
import type { Bounds } from '../answer-text/telling.js';

type OutlierFilter = Extract<Filter, { kind: 'outlier' }>;

const [LOW, HIGH] = ['first', 'second'];

/** The figures that say from where on a value is an outlier, where one condition of the plan asks for those. */
export function boundsPlanFor(plan: AnalysisPlan): AnalysisPlan | null {
  const outlier = outlierOf(plan);
  if (outlier === null) return null;
  const { column, method, population } = outlier;
  const measures: readonly Measure[] =
    method === 'iqr'
      ? [
          { aggregate: 'percentile', column, parameter: 0.25, label: LOW },
          { aggregate: 'percentile', column, parameter: 0.75, label: HIGH },
        ]
      : [
          { aggregate: 'avg', column, label: LOW },
          { aggregate: population ? 'stddev_pop' : 'stddev', column, label: HIGH },
        ];
  return {
    kind: 'aggregate',
    measures,
    dimensions: [],
    ...(plan.derived === undefined ? {} : { derived: plan.derived }),
    // What is far from the rest is measured by those that fit the other conditions.
    filters: plan.filters.filter(({ kind }) => kind !== 'outlier' && kind !== 'against'),
    having: [],
    order: [],
    limit: null,
  };
}

export function boundsFrom(plan: AnalysisPlan, result: QueryResult): Bounds | null {
  const outlier = outlierOf(plan);
  const [first, second] = result.rows[0] ?? [];
  if (outlier === null || typeof first !== 'number' || typeof second !== 'number') return null;
  const { column, method, threshold } = outlier;
  return method === 'iqr'
    ? { column, low: tidy(first - threshold * (second - first)), high: tidy(second + threshold * (second - first)) }
    : { column, low: tidy(first - threshold * second), high: tidy(first + threshold * second) };
}

function outlierOf(plan: AnalysisPlan): OutlierFilter | null {
  const [only, another] = plan.filters.filter((filter) => filter.kind === 'outlier');
  return plan.kind === 'statistic' || only === undefined || another !== undefined ? null : only;
}

/** Without the dust of subtracting. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
