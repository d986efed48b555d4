import type { AnalysisPlan } from '../../../ports/analysis-plan.js';
import { distinct } from '../statistics/asked.js';
import type { Constraints } from '../statistics/script.js';
import type { Understanding } from './understanding.js';

/** Whether a text was understood as a question with a plan. */
export function isPlan(read: Understanding | 'defined'): read is Understanding & { kind: 'plan' } {
  return read !== 'defined' && read.kind === 'plan';
}

/** A plan of the table's grammar with the conditions that hold for it. */
export function withFilters(read: Understanding & { kind: 'plan' }, { filters }: Constraints): Understanding {
  if (filters.length === 0) return read;
  const plan = { ...read.plan, filters: distinct([...filters, ...read.plan.filters]) };
  return { ...read, plan };
}

const LOOKS_AROUND = /^(?:z-?\s?)?(?:normali[sz]e|standardi[sz]e|scale|rescale|fill|impute|replace)\b/iu;

/** What is to be made first was not. */
export function passesOver(text: string, { derived = [] }: AnalysisPlan): boolean {
  return LOOKS_AROUND.test(text) && derived.length === 0;
}

/** Its figures follow from others, which a question after it can't ask for by itself. */
export function worksOut(plan: AnalysisPlan | null): boolean {
  return plan?.kind === 'aggregate' && (plan.computed ?? []).length > 0;
}
