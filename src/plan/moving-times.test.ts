import { expect, it } from 'vitest';
import type { AnalysisPlan, Filter } from '../ports/analysis-plan.js';
import { planAt } from './moving-times.js';

type Condition = Exclude<Filter, { kind: 'any' }>;

const during = (
  from: string | null,
  to: string | null,
  moving?: { from: string | null; to: string | null },
): Condition => ({
  ...{ kind: 'time', column: 'day', from, to },
  ...(moving === undefined ? {} : { moving }),
});

const LAST_WEEK = during('2024-01-01T00:00:00Z', '2024-01-08T00:00:00Z', { from: 'now-1w/w', to: 'now/w' });
const SINCE_MAY = during('2024-05-01T00:00:00Z', null, { from: null, to: 'now' });

it('all conditions of a plan move, and ends that stand still stay', () => {
  const cases = [{ filters: [LAST_WEEK], value: 'new' }];
  const plan: AnalysisPlan = {
    kind: 'aggregate',
    derived: [{ name: 'age', expression: { kind: 'case', cases, otherwise: 'old' } }],
    measures: [{ aggregate: 'count', column: null, label: 'n', filters: [LAST_WEEK] }],
    dimensions: [],
    filters: [SINCE_MAY, { kind: 'any', of: [[LAST_WEEK], [during(null, '2024-01-01T00:00:00Z')]] }],
    having: [],
    order: [],
    limit: null,
  };
  const moved = planAt(plan, new Date('2026-11-25T12:30:00Z'));
  const week = { ...LAST_WEEK, from: '2026-11-16T00:00:00Z', to: '2026-11-23T00:00:00Z' };
  expect(moved).toEqual({
    ...plan,
    derived: [
      { name: 'age', expression: { kind: 'case', cases: [{ filters: [week], value: 'new' }], otherwise: 'old' } },
    ],
    measures: [{ aggregate: 'count', column: null, label: 'n', filters: [week] }],
    filters: [
      { ...SINCE_MAY, to: '2026-11-25T12:30:00Z' },
      { kind: 'any', of: [[week], [during(null, '2024-01-01T00:00:00Z')]] },
    ],
  });
});
