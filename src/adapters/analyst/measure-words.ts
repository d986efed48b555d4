import type { AnalysisPlan, Computed, Measure, Summary } from '../../ports/analysis-plan.js';
import { filterWords } from './condition-words.js';
import { nameOfFigure } from './figure-names.js';
import { labelOfComputed, labelOfSummary } from './labels.js';

type Aggregation = AnalysisPlan & { readonly kind: 'aggregate' };

/** A figure as a sentence names it: `number of different country values where year is 2023`. */
export function measureWords(measure: Omit<Measure, 'label'>): string {
  const { filters = [] } = measure;
  const conditions = filters.length === 0 ? '' : ` where ${filters.map(filterWords).join(' and ')}`;
  return `${bareWords(measure)}${conditions}`;
}

/** The same without its own conditions. */
export function bareWords(measure: Omit<Measure, 'label'>): string {
  const { aggregate, column } = measure;
  const isNumber = column !== null && ['count', 'count_distinct', 'missing'].includes(aggregate);
  return `${isNumber ? 'number of ' : ''}${nameOfFigure(measure)}`;
}

/** `share of total revenue`, `average fare where sex is male minus average fare where sex is female`. */
export function computedWords(computed: Computed, plan: Aggregation): string {
  return labelOfComputed(computed, plan.measures.map(measureWords));
}

export function summaryWords(summary: Summary, plan: Aggregation): string {
  return labelOfSummary(summary, figureNames(plan));
}

/** The name of the figure of this index, counted through measures and then computed ones. */
export function nameOf(plan: Aggregation, index: number): string {
  return figureNames(plan)[index] ?? 'figure';
}

function figureNames(plan: Aggregation): readonly string[] {
  return [...plan.measures.map(measureWords), ...(plan.computed ?? []).map((one) => computedWords(one, plan))];
}
