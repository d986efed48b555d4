import type { AnalysisPlan, Dimension, Filter, Measure } from '../../ports/analysis-plan.js';
import { rangeWords } from './moments.js';

const AGGREGATE_WORDS: Readonly<Record<Measure['aggregate'], (column: string) => string>> = {
  count: (column) => `number of ${column} values`,
  sum: (column) => `total ${column}`,
  avg: (column) => `average ${column}`,
  min: (column) => `lowest ${column}`,
  max: (column) => `highest ${column}`,
  median: (column) => `median ${column}`,
  stddev: (column) => `standard deviation of ${column}`,
  count_distinct: (column) => `number of different ${column} values`,
};

const SIGNS: Readonly<Record<'<' | '<=' | '>' | '>=' | '=' | '!=', string>> = {
  '<': 'below',
  '<=': 'at most',
  '>': 'above',
  '>=': 'at least',
  '=': 'equal to',
  '!=': 'other than',
};

/** The question as it was understood: `total revenue by country, where channel is online, the 5 highest`. */
export function purposeOf(plan: AnalysisPlan): string {
  const parts = [plan.kind === 'rows' ? rowsWords(plan) : aggregateWords(plan)];
  const conditions = conditionsOf(plan);
  if (conditions.length > 0) parts.push(`where ${conditions.join(' and ')}`);
  if (plan.kind === 'aggregate') parts.push(...havingWords(plan), ...rankWords(plan));
  return parts.join(', ');
}

/** The filters in words, but that what is ranked by is there goes without saying. */
export function conditionsOf(plan: AnalysisPlan): readonly string[] {
  const ranked = plan.kind === 'rows' ? plan.order[0]?.by : undefined;
  return plan.filters
    .filter((filter) => !(filter.kind === 'null' && filter.negated && filter.column === ranked))
    .map(filterWords);
}

function rowsWords(plan: AnalysisPlan & { kind: 'rows' }): string {
  const [order] = plan.order;
  if (order === undefined) return 'rows';
  const end = order.direction === 'desc' ? 'highest' : 'lowest';
  return plan.limit === 1
    ? `the row with the ${end} ${order.by}`
    : `the ${plan.limit ?? ''} rows with the ${end} ${order.by}`;
}

function aggregateWords(plan: AnalysisPlan & { kind: 'aggregate' }): string {
  const groups = plan.dimensions.map(dimensionWords);
  if (plan.measures.length === 0) return `different values of ${groups.join(' and ')}`;
  const figures = plan.measures.map(measureWords).join(' and ');
  return groups.length === 0 ? figures : `${figures} by ${groups.join(' and ')}`;
}

export function measureWords({ aggregate, column }: Measure): string {
  return column === null ? 'number of rows' : AGGREGATE_WORDS[aggregate](column);
}

function dimensionWords(dimension: Dimension): string {
  if (dimension.kind === 'column') return dimension.column;
  if (dimension.kind === 'bucket') return dimension.bucket;
  return { hour: 'hour of the day', weekday: 'weekday', month: 'month of the year' }[dimension.part];
}

/** A condition in words: `location is Seattle`. */
export function filterWords(filter: Filter): string {
  const { column } = filter;
  switch (filter.kind) {
    case 'in':
      return `${column} is ${filter.negated ? 'not ' : ''}${filter.values.map(String).join(' or ')}`;
    case 'compare':
      return `${column} is ${SIGNS[filter.operator]} ${filter.value}`;
    case 'between':
      return `${column} is between ${filter.low} and ${filter.high}`;
    case 'time':
      return `${column} is ${rangeWords(filter.from, filter.to)}`;
    case 'contains':
      return `${column} ${filter.negated ? 'does not contain' : 'contains'} “${filter.text}”`;
    case 'null':
      return `${column} is ${filter.negated ? 'present' : 'missing'}`;
  }
}

function havingWords({ having, measures }: AnalysisPlan & { kind: 'aggregate' }): readonly string[] {
  return having.map(
    ({ measure, operator, value }) => `only with a ${measures[measure]?.label ?? 'figure'} ${SIGNS[operator]} ${value}`,
  );
}

function rankWords({ order, limit }: AnalysisPlan & { kind: 'aggregate' }): readonly string[] {
  const [first] = order;
  if (limit === null || first === undefined) return [];
  return [`the ${limit === 1 ? '' : `${limit} `}${first.direction === 'desc' ? 'highest' : 'lowest'}`];
}
