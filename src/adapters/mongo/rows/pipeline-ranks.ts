import type { PipelineSteps } from './pipeline-steps.js';
import type { Term } from './pipeline-terms.js';

/** The places of values among the sorted ones of their part of the rows, equal values sharing the mean of theirs. Each row has a number. */
export function addMeanRanks(of: Term, within: readonly Term[], steps: PipelineSteps): Term {
  const { writer } = steps;
  const [key, upTo, equal] = [writer.fresh('sorted'), writer.fresh('up_to'), writer.fresh('equal')];
  // A list can be no part of the rows, a document can.
  const partition = Object.fromEntries(within.map((term, index) => [`part_${index}`, term]));
  steps.add(
    { $set: { [key]: of } },
    {
      $setWindowFields: {
        ...(within.length === 0 ? {} : { partitionBy: partition }),
        sortBy: { [key]: 1 },
        output: {
          [upTo]: { $sum: 1, window: { range: ['unbounded', 0] } },
          [equal]: { $sum: 1, window: { range: [0, 0] } },
        },
      },
    },
  );
  return { $subtract: [`$${upTo}`, { $divide: [{ $subtract: [`$${equal}`, 1] }, 2] }] };
}
