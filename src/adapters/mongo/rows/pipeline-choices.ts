import type { Expression } from '../../../ports/analysis-plan.js';
import { binNames } from '../../../plan/plan-bins.js';
import { type Case, caseValues } from '../../../plan/plan-cases.js';
import { finite, storable } from '../../../plan/plan-values.js';
import type { Computation, ExpressionPlace } from './pipeline-computations.js';
import { testOf } from './pipeline-filters.js';
import { bound, isMissing, type Term, textTerm } from './pipeline-terms.js';

type Bins = Extract<Expression, { kind: 'bins' }>;

/** The interval that a number falls in, as a text. */
export function binned(expression: Bins, place: ExpressionPlace): Computation {
  const { edges, closed } = expression;
  const names = binNames(expression);
  const of = place.numeric(expression.of, place, 'intervals');
  const named = (index: number): Term => {
    const name = names[index] ?? null;
    return name === null ? null : textTerm(storable(name));
  };
  const below = closed === 'left' ? '$lt' : '$lte';
  const term = bound(of.term, (x) => ({
    $switch: {
      branches: [
        { case: isMissing(x), then: null },
        ...edges.map((edge, index) => ({ case: { [below]: [x, finite(edge)] }, then: named(index) })),
      ],
      default: named(edges.length),
    },
  }));
  return { term, type: 'text', ranked: [...new Set(names.filter((name) => name !== null))] };
}

/** The value of the first case that holds. */
export function chosenCase({ cases, otherwise }: Case, place: ExpressionPlace): Computation {
  const { type, ranked } = caseValues({ cases, otherwise });
  const written = (value: string | number | boolean): Term => {
    if (type === 'boolean') return value === true;
    return type === 'text' ? textTerm(storable(String(value))) : finite(Number(value));
  };
  const branches = cases.map(({ filters, value }) => ({
    case: testOf(filters, place) ?? true,
    then: written(value),
  }));
  return { term: { $switch: { branches, default: otherwise === null ? null : written(otherwise) } }, type, ranked };
}
