import type { Comparison } from '../ports/analysis-plan.js';
import { comparisonFrom } from '../plan/plan-words.js';

/** Plans also come from a model, as data that only looks typed. */
export function operatorFrom(operator: string): string {
  const known: Comparison = comparisonFrom(operator);
  return known === '!=' ? '<>' : known;
}
