import type { Filter } from '../ports/analysis-plan.js';

/** Whether a condition compares with a figure over other rows, so that it can't be part of what the figure is over. */
export function looksAtOthers(filter: Filter): boolean {
  if (filter.kind === 'any') return filter.of.some((all) => all.some(looksAtOthers));
  return filter.kind === 'against' || filter.kind === 'outlier';
}
