import fc from 'fast-check';
import type { AggregatePlan, AnalysisPlan } from '../../src/ports/analysis-plan.js';
import { HOSTILE_COLUMNS, hostilePlan } from '../../src/rows/plans/plan-compiler.hostile.fixture.js';

const SUMMARIES = ['count', 'sum', 'avg', 'min', 'max', 'median', 'stddev'] as const;
const OF_ANYTHING = ['count', 'count_distinct', 'missing', 'mode', 'min', 'max'] as const;

const change = fc.record({
  skip: fc.constantFrom(undefined, undefined, 0, 1, 3),
  summary: fc.constantFrom(...SUMMARIES),
  isCalm: fc.boolean(),
  simple: fc.boolean(),
  figure: fc.constantFrom(...OF_ANYTHING),
  column: fc.constantFrom(...HOSTILE_COLUMNS.map(([name]) => name), null),
  derived: fc.boolean(),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** More of what hostile plans seldom have: figures of texts and times, groups by what is derived, rows that are passed over. */
export const variedPlan: fc.Arbitrary<AnalysisPlan> = fc.tuple(hostilePlan, change).map(([plan, one]) => {
  const derived = one.isCalm ? plan.derived?.slice(0, 1) : plan.derived;
  const filters = one.isCalm ? plan.filters.slice(0, 1) : plan.filters;
  if (plan.kind === 'statistic') return { ...plan, derived, filters };
  if (plan.kind === 'rows') return { ...plan, derived, filters, skip: one.skip };
  return aggregated({ ...plan, derived, filters, skip: one.skip }, one);
});

function aggregated(plan: AggregatePlan, one: Change): AggregatePlan {
  const summary = plan.summary && { ...plan.summary, aggregate: one.summary };
  return {
    ...plan,
    summary,
    measures: one.simple ? ofAnything(plan, one) : plan.measures,
    dimensions: byDerived(plan, one),
  };
}

function ofAnything({ measures }: AggregatePlan, { figure, column }: Change): AggregatePlan['measures'] {
  const [first, ...others] = measures;
  return column === null || !first ? measures : [{ ...first, aggregate: figure, column }, ...others];
}

function byDerived({ dimensions, derived = [] }: AggregatePlan, one: Change): AggregatePlan['dimensions'] {
  const [[dimension, ...rest], [column]] = [dimensions, derived];
  if (!one.derived || !dimension || !column) return dimensions;
  return [{ kind: 'column', column: column.name, label: dimension.label }, ...rest];
}
