import type { AnalysisPlan, Comparison, Filter } from '../ports/analysis-plan.js';

const SHOWN_VALUES = 5;

/** The conditions of a plan, one sentence each: `location is Seattle`. */
export function filterWords(plan: AnalysisPlan): readonly string[] {
  return [...plan.filters.map(inWords), ...havingWords(plan)];
}

function havingWords(plan: AnalysisPlan): readonly string[] {
  if (plan.kind !== 'aggregate') return [];
  const figures = [...plan.measures, ...(plan.computed ?? [])];
  return plan.having.map(
    ({ measure, operator, value }) => `${figures[measure]?.label ?? 'figure'} ${operator} ${value}`,
  );
}

function inWords(filter: Filter): string {
  switch (filter.kind) {
    case 'columns':
      return `${filter.left} ${filter.operator} ${filter.right}`;
    case 'any':
      return filter.of.map(allWords).join(' or ');
    case 'in':
    case 'compare':
    case 'between':
    case 'time':
    case 'contains':
    case 'null':
    case 'against':
    case 'outlier':
      return ofColumn(filter);
  }
}

type ColumnFilter = Exclude<Filter, { kind: 'any' | 'columns' }>;

function ofColumn(filter: ColumnFilter): string {
  const { column } = filter;
  switch (filter.kind) {
    case 'in':
      return `${column} is ${filter.negated ? 'not ' : ''}${listed(filter.values)}`;
    case 'compare':
      return `${column} ${filter.operator} ${filter.value}`;
    case 'between':
      return `${column} is between ${filter.low} and ${filter.high}`;
    case 'time':
      return timeInWords(column, filter.from, filter.to);
    case 'contains':
      return `${column} ${PLACES[filter.at ?? 'anywhere'][filter.negated ? 1 : 0]} ${filter.text}`;
    case 'null':
      return `${column} ${filter.negated ? 'has a value' : 'has no value'}`;
    case 'against':
    case 'outlier':
      return ofFigure(filter);
  }
}

const PLACES = {
  anywhere: ['contains', 'does not contain'],
  start: ['starts with', 'does not start with'],
  end: ['ends with', 'does not end with'],
} as const;

/** Conditions that set a value against a figure over many rows. */
function ofFigure(filter: Extract<Filter, { kind: 'against' | 'outlier' }>): string {
  const { column } = filter;
  if (filter.kind === 'outlier') {
    const distance = filter.method === 'iqr' ? 'times the interquartile range' : 'standard deviations';
    return `${column} is ${filter.negated ? 'no' : 'an'} outlier (${filter.threshold} ${distance})`;
  }
  const figure = filter.aggregate === 'percentile' ? `percentile ${filter.parameter ?? 0.5}` : nameOf(filter.aggregate);
  const rows = filter.reach === 'all' ? ' of all rows' : '';
  return `${column} ${signOf(filter.operator)} ${timesOf(filter.factor)}the ${figure} of ${filter.of ?? column}${rows}`;
}

function timesOf(factor: number | undefined): string {
  return factor === undefined ? '' : `${factor} times `;
}

function signOf(operator: Comparison): string {
  return operator === '=' ? 'is' : operator;
}

function nameOf(aggregate: string): string {
  const names: Readonly<Record<string, string>> = { max: 'highest', min: 'lowest', avg: 'average', sum: 'total' };
  return names[aggregate] ?? aggregate.replaceAll('_', ' ');
}

function allWords(all: readonly Filter[]): string {
  const words = all.map(inWords).join(' and ');
  return all.length > 1 ? `(${words})` : words;
}

function listed(values: readonly (string | number | boolean)[]): string {
  const shown = values.slice(0, SHOWN_VALUES).map(String);
  const rest = values.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} or one of ${rest} more` : shown.join(' or ');
}

function timeInWords(column: string, from: string | null, to: string | null): string {
  if (from === null && to === null) return `${column} is any time`;
  if (from === null) return `${column} is before ${to ?? ''}`;
  return to === null ? `${column} is from ${from}` : `${column} is from ${from} to before ${to}`;
}
