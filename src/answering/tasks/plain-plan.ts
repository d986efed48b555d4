import type { AnalysisPlan, Filter } from '../../ports/analysis-plan.js';
import type { Aggregation } from './finding.js';

/** Conditions that look at the other rows, so that one more condition beside them changes what they let through. */
const LOOKING_AROUND: readonly Filter['kind'][] = ['against', 'outlier'];

/**
 * Figures of columns that the table has, by groups, and nothing that follows from them: from such a plan another can be made, by more
 * conditions or other groups, that speaks of the same figures.
 */
export function isPlain(plan: AnalysisPlan | null | undefined): plan is Aggregation {
  if (plan?.kind !== 'aggregate' || plan.summary !== undefined) return false;
  const isLess = [plan.derived, plan.computed, plan.each].some((parts) => parts !== undefined && parts.length > 0);
  if (isLess || plan.measures.some(({ filters }) => filters !== undefined && filters.length > 0)) return false;
  return plan.filters.every(({ kind }) => !LOOKING_AROUND.includes(kind));
}
