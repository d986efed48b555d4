import { Accumulators } from './pipeline-accumulators.js';
import { figureTerm } from './pipeline-formulas.js';
import { complete, type Material, type Raw } from './pipeline-statistic-moments.js';
import type { PipelineSteps } from './pipeline-steps.js';
import type { Term } from './pipeline-terms.js';

/** One more than a comparison can take, so that it sees when there are too many. */
const GROUPS = 3;

/** The groups' sizes, means and deviations, sorted. */
function grouped(material: Material): void {
  complete(material);
  const { steps, values, by } = material;
  const [x = null] = values;
  const accumulators = new Accumulators(steps.writer);
  const fields = {
    rows: accumulators.count(null),
    mean: figureTerm('avg', { x }, accumulators),
    variance: figureTerm('variance', { x }, accumulators),
  };
  steps.add(...accumulators.stages(by), { $project: fields });
}

export function groupsOfNumbers(material: Material): Raw {
  grouped(material);
  material.steps.add({ $sort: { _id: 1 } }, { $limit: GROUPS });
  return {
    outputs: [
      ['group', '$_id'],
      ['rows', '$rows'],
      ['mean', '$mean'],
      ['variance', '$variance'],
    ],
  };
}

/**
 * How often each value is in each group, with its mean rank among all, and how many are equal to it in all groups together. Values that
 * come more than once are one row.
 */
function ranked(material: Material): void {
  complete(material);
  const { steps, values, by } = material;
  const [x = null] = values;
  steps.add(
    { $group: { _id: { value: x, group: by }, times: { $sum: 1 } } },
    { $set: { value: '$_id.value' } },
    {
      $setWindowFields: {
        sortBy: { value: 1 },
        output: {
          upTo: { $sum: '$times', window: { range: ['unbounded', 0] } },
          equal: { $sum: '$times', window: { range: [0, 0] } },
        },
      },
    },
    { $set: { rank: { $subtract: ['$upTo', { $divide: [{ $subtract: ['$equal', 1] }, 2] }] } } },
  );
}

const times = (...factors: readonly Term[]): Term => ({ $multiply: factors });

/** Each of t equal ones brings t^2 - 1, together t^3 - t. */
const TIES: Term = { $sum: times('$times', { $subtract: [times('$equal', { $toDouble: '$equal' }), 1] }) };

/** The groups with their ranks; the ties of all. */
function rankedByGroup(steps: PipelineSteps): void {
  steps.add(
    {
      $group: {
        _id: '$_id.group',
        rows: { $sum: '$times' },
        sum: { $sum: times('$value', '$times') },
        ranks: { $sum: times('$rank', '$times') },
        tied: TIES,
      },
    },
    { $setWindowFields: { output: { ties: { $sum: '$tied' }, all: { $sum: '$rows' } } } },
  );
}

export function rankedGroups(material: Material): Raw {
  ranked(material);
  rankedByGroup(material.steps);
  material.steps.add({ $sort: { _id: 1 } }, { $limit: GROUPS });
  const outputs = [
    ['group', '$_id'],
    ['rows', '$rows'],
    ['mean', { $divide: ['$sum', '$rows'] }],
    ['sum of ranks', '$ranks'],
    ['ties', '$ties'],
  ] as const;
  return { outputs };
}

export function spreadOfGroups(material: Material): Raw {
  grouped(material);
  const total = { all: { $sum: '$rows' }, sum: { $sum: times('$rows', '$mean') } };
  const distance = { $subtract: ['$mean', { $divide: ['$sum', '$all'] }] };
  const own = times({ $subtract: ['$rows', 1] }, { $ifNull: ['$variance', 0] });
  material.steps.add(
    { $setWindowFields: { output: total } },
    {
      $group: {
        _id: null,
        groups: { $sum: 1 },
        rows: { $sum: '$rows' },
        between: { $sum: times('$rows', distance, distance) },
        within: { $sum: own },
      },
    },
  );
  return {
    outputs: [
      ['groups', '$groups'],
      ['rows', '$rows'],
      ['between', '$between'],
      ['within', '$within'],
    ],
  };
}

export function spreadOfRanks(material: Material): Raw {
  ranked(material);
  rankedByGroup(material.steps);
  const middle = { $divide: [{ $add: ['$all', 1] }, 2] };
  const distance = { $subtract: [{ $divide: ['$ranks', '$rows'] }, middle] };
  material.steps.add({
    $group: {
      _id: null,
      groups: { $sum: 1 },
      rows: { $sum: '$rows' },
      spread: { $sum: times('$rows', distance, distance) },
      ties: { $max: '$ties' },
    },
  });
  return {
    outputs: [
      ['groups', '$groups'],
      ['rows', '$rows'],
      ['spread', '$spread'],
      ['ties', '$ties'],
    ],
  };
}

export function chiSquare(material: Material): Raw {
  complete(material);
  const { steps, values } = material;
  const [first = null, second = null] = values;
  const margin = (side: string): Term => ({
    $setWindowFields: { partitionBy: { value: `$_id.${side}` }, output: { [side]: { $sum: '$rows' } } },
  });
  const part = { $divide: [times('$rows', '$rows'), times({ $toDouble: '$first' }, '$second')] };
  steps.add(
    { $group: { _id: { first, second }, rows: { $sum: 1 } } },
    margin('first') as Readonly<Record<string, unknown>>,
    margin('second') as Readonly<Record<string, unknown>>,
    {
      $group: {
        _id: null,
        rows: { $sum: '$rows' },
        first: { $addToSet: '$_id.first' },
        second: { $addToSet: '$_id.second' },
        spread: { $sum: part },
      },
    },
  );
  const outputs = [
    ['rows', '$rows'],
    ['values of the first', { $size: '$first' }],
    ['values of the second', { $size: '$second' }],
    ['spread', '$spread'],
  ] as const;
  return { outputs };
}
