import { MOST_SHAPIRO } from '../../../shared/statistics/raw.js';
import type { Stage } from './mongo-table.js';
import type { Condition } from './pipeline-conditions.js';
import { Accumulators } from './pipeline-accumulators.js';
import { figureTerm, type FormulaAggregate } from './pipeline-formulas.js';
import { interpolated } from './pipeline-lists.js';
import { populationCovariance } from './pipeline-pairs.js';
import { addMeanRanks } from './pipeline-ranks.js';
import type { PipelineSteps } from './pipeline-steps.js';
import { both, isPresent, type Term } from './pipeline-terms.js';

/** What a statistic is made of: the rows, and the expressions of its columns. */
export interface Material {
  readonly steps: PipelineSteps;
  readonly values: readonly Term[];
  readonly by: Term;
}

/** What a statistic is worked out from: its columns out of what the steps give in the end. */
export interface Raw {
  readonly outputs: readonly (readonly [string, Term])[];
  readonly after?: readonly Stage[];
}

/** Leaves out the rows that lack a value in one of the columns. */
export function complete({ steps, values, by }: Material): void {
  const needed = by === null ? values : [...values, by];
  steps.where(needed.map((value) => ({ test: isPresent(value), query: presence(value) })));
}

/** As a condition on a field, which the server looks at for many rows at once; null: the value is no field. */
function presence(value: Term): Condition['query'] {
  const isField = typeof value === 'string' && /^\$[^$.]+$/.test(value);
  return isField ? { [value.slice(1)]: { $ne: null } } : null;
}

/** One group of all rows. */
function overall(
  steps: PipelineSteps,
  outputs: (accumulators: Accumulators) => readonly (readonly [string, Term])[],
): Raw {
  const accumulators = new Accumulators(steps.writer);
  const found = outputs(accumulators);
  steps.add(...accumulators.stages(null));
  return { outputs: found };
}

const ofPair = (x: Term, y: Term, accumulators: Accumulators, isComplete: boolean): Term =>
  figureTerm('correlation', { x, y, isComplete }, accumulators);

export function onePair(material: Material): Raw {
  complete(material);
  const [x = null, y = null] = material.values;
  return overall(material.steps, (accumulators) => [
    ['correlation', ofPair(x, y, accumulators, true)],
    ['pairs', accumulators.count(null)],
  ]);
}

export function ranksOfPair(material: Material): Raw {
  complete(material);
  const [x = null, y = null] = material.values.map((value) => addMeanRanks(value, [], material.steps));
  return overall(material.steps, (accumulators) => [
    ['correlation', ofPair(x, y, accumulators, true)],
    ['pairs', accumulators.count(null)],
  ]);
}

/** Each two columns over the rows that have both. */
export function correlationMatrix({ values, steps }: Material): Raw {
  return overall(steps, (accumulators) =>
    values.flatMap((x, first) =>
      values.slice(first + 1).flatMap((y, more): readonly (readonly [string, Term])[] => {
        const pair = `${first + 1} and ${first + more + 2}`;
        return [
          [`correlation of ${pair}`, ofPair(x, y, accumulators, false)],
          [`pairs of ${pair}`, accumulators.count(both([isPresent(x), isPresent(y)]))],
        ];
      }),
    ),
  );
}

export function crossMoments(material: Material): Raw {
  complete(material);
  const { values, steps } = material;
  return overall(steps, (accumulators) => {
    const covariance = (x: Term, y: Term): Term => populationCovariance({ x, y, isComplete: true, accumulators });
    const means = values.map((x, index) => [`mean of ${index + 1}`, figureTerm('avg', { x }, accumulators)] as const);
    const covariances = values.flatMap((x, first) =>
      values
        .slice(first)
        .map((y, more) => [`covariance of ${first + 1} and ${first + more + 1}`, covariance(x, y)] as const),
    );
    return [['rows', accumulators.count(null)], ...means, ...covariances];
  });
}

export function differences(material: Material): Raw {
  complete(material);
  const [x = null, y = null] = material.values;
  const difference = { $subtract: [x, y] };
  return overall(material.steps, (accumulators) => [
    ['pairs', accumulators.count(null)],
    ['mean of the first', figureTerm('avg', { x }, accumulators)],
    ['mean of the second', figureTerm('avg', { x: y }, accumulators)],
    ['mean of the differences', figureTerm('avg', { x: difference }, accumulators)],
    ['variance of the differences', figureTerm('variance', { x: difference }, accumulators)],
  ]);
}

export function moments(material: Material): Raw {
  complete(material);
  const [x = null] = material.values;
  return overall(material.steps, (accumulators) => [
    ['rows', accumulators.count(null)],
    ['mean', figureTerm('avg', { x }, accumulators)],
    ['variance', figureTerm('variance', { x }, accumulators)],
  ]);
}

export function shapes(material: Material): Raw {
  complete(material);
  const [x = null] = material.values;
  const of = (aggregate: FormulaAggregate, accumulators: Accumulators): Term =>
    figureTerm(aggregate, { x }, accumulators);
  return overall(material.steps, (accumulators) => [
    ['rows', accumulators.count(null)],
    ['skewness', of('skewness_pop', accumulators)],
    ['kurtosis', of('kurtosis_pop', accumulators)],
  ]);
}

/** All values, or as many as the method takes, evenly from the lowest to the highest. */
export function sortedValues(material: Material): Raw {
  complete(material);
  const { steps, values } = material;
  const [x = null] = values;
  const accumulators = new Accumulators(steps.writer);
  const list = accumulators.sorted(x);
  const chosen = steps.writer.fresh('chosen');
  const size = { $size: list };
  const place = { $ceil: { $divide: [{ $multiply: ['$$number', size] }, MOST_SHAPIRO] } };
  const even = {
    $map: {
      input: { $range: [1, MOST_SHAPIRO + 1] },
      as: 'number',
      in: { $arrayElemAt: [list, { $toInt: { $subtract: [place, 1] } }] },
    },
  };
  const some = { $cond: [{ $lte: [size, MOST_SHAPIRO] }, list, even] };
  steps.add(...accumulators.stages(null), { $project: { _id: 0, [chosen]: some } }, { $unwind: `$${chosen}` });
  return { outputs: [['value', `$${chosen}`]] };
}

/** A row per column, each over the rows that have it. */
export function described({ steps, values }: Material): Raw {
  const accumulators = new Accumulators(steps.writer);
  const names = ['rows', 'missing', 'mean', 'standard deviation', 'lowest', '25 %', 'median', '75 %', 'highest'];
  const of = (aggregate: FormulaAggregate, x: Term): Term => figureTerm(aggregate, { x }, accumulators);
  const rows = values.map((x) => {
    const list = accumulators.sorted({ $cond: [isPresent(x), x, '$$REMOVE'] });
    const quartiles = [0.25, 0.5, 0.75].map((fraction) => interpolated(list, fraction));
    const figures = (['count', 'missing', 'avg', 'stddev', 'min'] as const).map((aggregate) => of(aggregate, x));
    return [...figures, ...quartiles, of('max', x)];
  });
  const row = steps.writer.fresh('row');
  steps.add(...accumulators.stages(null), { $project: { _id: 0, [row]: rows } }, { $unwind: `$${row}` });
  return { outputs: names.map((name, index) => [name, { $arrayElemAt: [`$${row}`, index] }] as const) };
}
