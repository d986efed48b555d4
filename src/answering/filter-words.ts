import type { AnalysisPlan, Filter } from '../ports/analysis-plan.js';

const SHOWN_VALUES = 5;

/** The conditions of a plan, one sentence each: `location is Seattle`. */
export function filterWords(plan: AnalysisPlan): readonly string[] {
  const having = plan.kind === 'aggregate' ? plan.having : [];
  const measures = plan.kind === 'aggregate' ? plan.measures : [];
  return [
    ...plan.filters.map(inWords),
    ...having.map(({ measure, operator, value }) => `${measures[measure]?.label ?? 'figure'} ${operator} ${value}`),
  ];
}

function inWords(filter: Filter): string {
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
      return `${column} ${filter.negated ? 'does not contain' : 'contains'} ${filter.text}`;
    case 'null':
      return `${column} ${filter.negated ? 'has a value' : 'has no value'}`;
  }
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
