import {
  type Aggregate,
  type AggregatePlan,
  type AnalysisPlan,
  type Filter,
  type Measure,
  PAIR_AGGREGATES,
  type RowsPlan,
  type StatisticPlan,
} from '../ports/analysis-plan.js';
import type { StatisticMethod } from '../ports/plan-statistics.js';
import { MAX_FILTER_VALUES } from './plan-schema.conditions.js';
import { derivedProblems } from './plan-schema.expressions.js';

/** What contradicts itself in a plan, in sentences for whoever wrote it. */
export function planProblems(plan: AnalysisPlan): readonly string[] {
  const derived = plan.derived ?? [];
  const filters = filtersIn(plan);
  return [
    ...(valuesIn(filters) > MAX_FILTER_VALUES ? [`the filters have more than ${MAX_FILTER_VALUES} values`] : []),
    ...filters.flatMap(filterProblems),
    ...derivedProblems(derived),
    ...ofKind(plan),
  ];
}

function ofKind(plan: AnalysisPlan): readonly string[] {
  switch (plan.kind) {
    case 'aggregate':
      return aggregateProblems(plan);
    case 'rows':
      return limitProblems(plan);
    case 'statistic':
      return statisticProblems(plan);
  }
}

/** All conditions, also those inside of others. */
function filtersIn(plan: AnalysisPlan): readonly Filter[] {
  const cases = (plan.derived ?? []).flatMap(({ expression }) =>
    expression.kind === 'case' ? expression.cases.flatMap(({ filters }) => filters) : [],
  );
  const measured = plan.kind === 'aggregate' ? plan.measures.flatMap(({ filters = [] }) => filters) : [];
  return [...plan.filters, ...cases, ...measured].flatMap((filter) =>
    filter.kind === 'any' ? filter.of.flat() : [filter],
  );
}

function valuesIn(filters: readonly Filter[]): number {
  return filters.reduce((sum, filter) => sum + (filter.kind === 'in' ? filter.values.length : 0), 0);
}

function filterProblems(filter: Filter): readonly string[] {
  if (filter.kind !== 'against') return [];
  return [
    ...(isPair(filter.aggregate)
      ? [`a column can't be compared with a ${filter.aggregate}, which is of two columns`]
      : []),
    ...parameterProblems(filter),
  ];
}

function parameterProblems({ aggregate, parameter }: Pick<Measure, 'aggregate' | 'parameter'>): readonly string[] {
  const isPercentile = aggregate === 'percentile';
  if (isPercentile && parameter === undefined) return ['percentile needs a parameter from 0 to 1'];
  return !isPercentile && parameter !== undefined ? [`${aggregate} has no parameter`] : [];
}

function isPair(aggregate: Aggregate): boolean {
  return PAIR_AGGREGATES.some((pair) => pair === aggregate);
}

function aggregateProblems(plan: AggregatePlan): readonly string[] {
  const computed = plan.computed ?? [];
  const labels = [...plan.measures, ...plan.dimensions, ...computed].map(({ label }) => label);
  const figures = plan.measures.length + computed.length;
  return [
    ...(labels.length === 0 ? ['a plan needs a measure or a dimension'] : []),
    ...(new Set(labels.map((label) => label.toLowerCase())).size < labels.length ? ['the labels must differ'] : []),
    ...plan.measures.flatMap(measureProblems),
    ...computedProblems(plan),
    ...(plan.having.some(({ measure }) => measure >= figures) ? ['having names a measure that is not there'] : []),
    ...(plan.order.some(({ by }) => !labels.includes(by)) ? [`order must name a label: ${labels.join(', ')}`] : []),
    ...eachProblems(plan),
    ...summaryProblems(plan, figures),
  ];
}

function measureProblems(measure: Measure): readonly string[] {
  const { aggregate, column, second } = measure;
  const paired = isPair(aggregate);
  return [
    ...(column === null && aggregate !== 'count' ? ['only count goes without a column'] : []),
    ...(paired && second === undefined ? [`${aggregate} needs a second column`] : []),
    ...(!paired && second !== undefined ? [`${aggregate} takes no second column`] : []),
    ...parameterProblems(measure),
  ];
}

function computedProblems({ computed = [], measures }: AggregatePlan): readonly string[] {
  return computed.flatMap((one) => {
    const used = 'of' in one ? [one.of] : [one.left, one.right];
    const lacks = used.some((index) => index >= measures.length);
    const strange = 'of' in one && one.window !== undefined && one.kind !== 'moving_average';
    return [
      ...(lacks ? [`"${one.label}" is computed from a measure that is not there`] : []),
      ...(strange ? ['only a moving average has a window'] : []),
    ];
  });
}

function eachProblems(plan: AggregatePlan): readonly string[] {
  const labels = plan.dimensions.map(({ label }) => label);
  const unknown = (plan.each ?? []).some((label) => !labels.includes(label));
  return [...(unknown ? ['each must name labels of dimensions'] : []), ...limitProblems(plan)];
}

function limitProblems({ each = [], limit }: AggregatePlan | RowsPlan): readonly string[] {
  return each.length > 0 && limit === null ? ['each needs a limit'] : [];
}

function summaryProblems({ summary }: AggregatePlan, figures: number): readonly string[] {
  if (summary === undefined) return [];
  const { aggregate, measure } = summary;
  if (measure === null) return aggregate === 'count' ? [] : ['only a summary that counts goes without a measure'];
  return measure >= figures ? ['the summary names a measure that is not there'] : [];
}

const TWO_COLUMNS: readonly StatisticMethod[] = ['pearson', 'spearman', 'paired_t_test', 'chi_square'];
const BY_GROUPS: readonly StatisticMethod[] = [
  ...(['welch_t_test', 'student_t_test', 'mann_whitney', 'anova', 'kruskal_wallis'] as const),
];
const SEVERAL: ReadonlyMap<StatisticMethod, readonly [number, number]> = new Map([
  ['correlation_matrix', [2, 20]],
  ['regression', [2, 11]],
  ['describe', [1, 50]],
]);

function statisticProblems(plan: StatisticPlan): readonly string[] {
  const { method, by, value } = plan;
  return [
    ...columnProblems(plan),
    ...(BY_GROUPS.includes(method) && by === null ? [`${method} needs \`by\`, the column of groups`] : []),
    ...(method === 'one_sample_t_test' && value === undefined ? [`${method} needs a value`] : []),
    ...predictionProblems(plan),
  ];
}

function columnProblems({ method, columns }: StatisticPlan): readonly string[] {
  const one: readonly [number, number] = TWO_COLUMNS.includes(method) ? [2, 2] : [1, 1];
  const [fewest, most] = SEVERAL.get(method) ?? one;
  if (columns.length >= fewest && columns.length <= most) return [];
  return [`${method} takes ${fewest === most ? fewest : `${fewest} to ${most}`} columns`];
}

function predictionProblems({ method, columns, at }: StatisticPlan): readonly string[] {
  if (at === undefined) return [];
  if (method !== 'regression') return ['only a regression predicts'];
  return at.length === columns.length - 1 ? [] : ['at needs a number for each column after the first'];
}
