import { meanRank } from './plan-compiler.figures.js';
import { as, complete, figure, type Material } from './plan-compiler.moments.js';

/** One more than a comparison can take, so that it sees when there are too many. */
const GROUPS = 3;

export function groupsOfNumbers(material: Material): string {
  complete(material);
  const { steps, values, by } = material;
  const [x = ''] = values;
  const variance = figure('variance', [x], material);
  const outputs = [as(by ?? '', 'group'), as('count(*)', 'rows'), as(`avg(${x})`, 'mean'), as(variance, 'variance')];
  return steps.statement(outputs, ['GROUP BY 1', 'ORDER BY 1', `LIMIT ${GROUPS}`]);
}

/** The values with their ranks among all, and how many are equal to each. */
function rank(material: Material): void {
  complete(material);
  const { steps, values, by } = material;
  const [x = ''] = values;
  steps.push(
    'ranked',
    [as(by ?? '', 'group'), as(x, 'value'), as(meanRank(x), 'rank'), as(`count(*) OVER (PARTITION BY ${x})`, 'equal')],
    [],
  );
}

/** Over all values: each of t equal ones brings t^2 - 1, together t^3 - t. */
const TIES = '(SELECT sum("equal"::DOUBLE * "equal" - 1) FROM ranked)';

export function rankedGroups(material: Material): string {
  rank(material);
  const outputs = [
    '"group"',
    as('count(*)', 'rows'),
    as('avg("value")', 'mean'),
    as('sum("rank")', 'sum of ranks'),
    as(TIES, 'ties'),
  ];
  return material.steps.statement(outputs, ['GROUP BY 1', 'ORDER BY 1', `LIMIT ${GROUPS}`]);
}

export function spreadOfGroups(material: Material): string {
  complete(material);
  const { steps, values, by } = material;
  const [x = ''] = values;
  const mean = steps.settled('complete');
  const variance = figure('variance', [x], material);
  const own = [as(by ?? '', 'group'), as('count(*)', 'rows'), as(`avg(${x})`, 'mean'), as(variance, 'variance')];
  steps.push('groups', own, ['GROUP BY 1']);
  const distance = `"mean" - (SELECT avg(${x}) FROM ${mean})`;
  return steps.statement(
    [
      as('count(*)', 'groups'),
      as('sum("rows")', 'rows'),
      as(`sum("rows" * power(${distance}, 2))`, 'between'),
      as('sum(("rows" - 1) * coalesce("variance", 0))', 'within'),
    ],
    [],
  );
}

export function spreadOfRanks(material: Material): string {
  rank(material);
  const { steps } = material;
  const middle = '((SELECT count(*) FROM ranked) + 1) / 2';
  steps.push('groups', ['"group"', as('count(*)', 'rows'), as('avg("rank")', 'mean rank')], ['GROUP BY 1']);
  return steps.statement(
    [
      as('count(*)', 'groups'),
      as('sum("rows")', 'rows'),
      as(`sum("rows" * power("mean rank" - ${middle}, 2))`, 'spread'),
      as(TIES, 'ties'),
    ],
    [],
  );
}

export function chiSquare(material: Material): string {
  complete(material);
  const { steps, values } = material;
  const [first = '', second = ''] = values;
  steps.push('pairs', [as(first, 'first'), as(second, 'second'), as('count(*)', 'rows')], ['GROUP BY 1, 2']);
  const sides = ['first', 'second'].map((side) => as(`sum("rows") OVER (PARTITION BY "${side}")`, `rows of ${side}`));
  steps.push('margins', ['*', ...sides], []);
  const part = 'power("rows", 2) / ("rows of first"::DOUBLE * "rows of second")';
  return steps.statement(
    [
      as('sum("rows")', 'rows'),
      as('count(DISTINCT "first")', 'values of the first'),
      as('count(DISTINCT "second")', 'values of the second'),
      as(`sum(${part})`, 'spread'),
    ],
    [],
  );
}
