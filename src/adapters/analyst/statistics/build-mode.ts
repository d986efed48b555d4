import type { Asked, Built } from './asked.js';

const HOW_OFTEN =
  /\b(?:how often|how many times|frequency|number of (?:rows|times|records|occurrences|observations|values|entries)|its count|how many (?:rows|records|of them|times))\b/iu;

/** `the mode of a and how often it occurs`: the most frequent value with its number of rows. */
export function buildMode(asked: Asked): Built | null {
  const [figure, another] = asked.clause.all('figure');
  const [column, other] = asked.columns;
  if (figure?.aggregate !== 'mode' || another !== undefined || !HOW_OFTEN.test(asked.clause.text)) return null;
  if (column === undefined || other !== undefined || asked.dimensions.length > 0) return null;
  asked.use('figure');
  const built = asked.aggregate([{ aggregate: 'count', column: null }], {
    rank: { direction: 'desc', limit: 1 },
    by: column.name,
  });
  return built;
}
