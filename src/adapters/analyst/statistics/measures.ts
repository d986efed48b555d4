import type { Aggregate } from '../../../ports/analysis-plan.js';
import type { MeasureDraft } from '../../../analyst/reading/draft.js';
import type { Asked } from './asked.js';
import type { Mark } from './marks.js';

const OF_POPULATION: Readonly<Partial<Record<Aggregate, Aggregate>>> = {
  stddev: 'stddev_pop',
  variance: 'variance_pop',
  skewness: 'skewness_pop',
  kurtosis: 'kurtosis_pop',
};
const OF_SAMPLE = 'I took the rows as a sample (dividing by n − 1).';

/** The figure as it is of a population or a sample. */
export function measureOf(asked: Asked, { aggregate, parameter }: Mark & { kind: 'figure' }): MeasureDraft {
  const whole = OF_POPULATION[aggregate];
  const isSaid =
    asked.clause.has('population') || asked.constraints.population !== null || /\bsample\b/i.test(asked.clause.text);
  if (whole !== undefined && !isSaid) asked.note(OF_SAMPLE);
  const chosen = whole !== undefined && asked.isPopulation ? whole : aggregate;
  return parameter === undefined ? { aggregate: chosen, column: null } : { aggregate: chosen, column: null, parameter };
}
