import { MOST_SHAPIRO } from '../shared/statistics/raw.js';
import { aggregateSql, type FormulaAggregate } from './plan-compiler.aggregates.js';
import type { PlanColumns } from '../plan/plan-columns.js';
import { meanRank } from './plan-compiler.figures.js';
import { figureOver } from './plan-compiler.scope.js';
import type { Steps } from './plan-compiler.steps.js';

/** What a statistic is made of: the rows, and the expressions of its columns. */
export interface Material {
  readonly steps: Steps;
  readonly columns: PlanColumns;
  readonly values: readonly string[];
  readonly by: string | null;
}

/** A figure of the rows that wait. */
export function figure(aggregate: FormulaAggregate, [x = '', y]: readonly string[], { steps }: Material): string {
  const centre = figureOver(`avg(${x})`, { relation: steps.relation, where: [] });
  return aggregateSql(aggregate, { x, y, centre }, steps.writer);
}

/** Leaves out the rows that lack a value in one of the columns. */
export function complete({ steps, values, by }: Material): void {
  const needed = by === null ? values : [...values, by];
  steps.where(needed.map((value) => `${value} IS NOT NULL`));
}

export function as(expression: string, name: string): string {
  return `${expression} AS "${name}"`;
}

export function onePair(material: Material): string {
  complete(material);
  const found = figure('correlation', material.values, material);
  return material.steps.statement([as(found, 'correlation'), as('count(*)', 'pairs')], []);
}

export function ranksOfPair(material: Material): string {
  complete(material);
  const { steps, values } = material;
  const [x = '', y = ''] = values;
  const ranks = [as(meanRank(x), 'rank_1'), as(meanRank(y), 'rank_2')];
  steps.push('ranked', ranks, []);
  const found = figure('correlation', ['"rank_1"', '"rank_2"'], material);
  return steps.statement([as(found, 'correlation'), as('count(*)', 'pairs')], []);
}

/** Each two columns over the rows that have both. */
export function correlationMatrix(material: Material): string {
  const { values, steps } = material;
  const outputs = values.flatMap((x, first) =>
    values.slice(first + 1).flatMap((y, more) => {
      const pair = `${first + 1} and ${first + more + 2}`;
      return [
        as(figure('correlation', [x, y], material), `correlation of ${pair}`),
        as(`regr_count(${x}, ${y})`, `pairs of ${pair}`),
      ];
    }),
  );
  return steps.statement(outputs, []);
}

export function crossMoments(material: Material): string {
  complete(material);
  const { values, steps } = material;
  const means = values.map((x, index) => as(`avg(${x})`, `mean of ${index + 1}`));
  const covariances = values.flatMap((x, first) =>
    values
      .slice(first)
      .map((y, more) => as(`covar_pop(${x}, ${y})`, `covariance of ${first + 1} and ${first + more + 1}`)),
  );
  return steps.statement([as('count(*)', 'rows'), ...means, ...covariances], []);
}

export function differences(material: Material): string {
  complete(material);
  const { values, steps } = material;
  const [x = '', y = ''] = values;
  return steps.statement(
    [
      as('count(*)', 'pairs'),
      as(`avg(${x})`, 'mean of the first'),
      as(`avg(${y})`, 'mean of the second'),
      as(`avg(${x} - ${y})`, 'mean of the differences'),
      as(figure('variance', [`${x} - ${y}`], material), 'variance of the differences'),
    ],
    [],
  );
}

export function moments(material: Material): string {
  complete(material);
  const [x = ''] = material.values;
  const variance = figure('variance', [x], material);
  return material.steps.statement([as('count(*)', 'rows'), as(`avg(${x})`, 'mean'), as(variance, 'variance')], []);
}

export function shape(material: Material): string {
  complete(material);
  const { steps, values } = material;
  const skewness = figure('skewness_pop', values, material);
  const kurtosis = figure('kurtosis_pop', values, material);
  return steps.statement([as('count(*)', 'rows'), as(skewness, 'skewness'), as(kurtosis, 'kurtosis')], []);
}

/** All values, or as many as the method takes, evenly from the lowest to the highest. */
export function sortedValues(material: Material): string {
  complete(material);
  const { steps, values } = material;
  const [x = ''] = values;
  const place = `row_number() OVER (ORDER BY ${x})`;
  steps.push('sorted', [as(`${x}::DOUBLE`, 'value'), as(place, 'place'), as('count(*) OVER ()', 'size')], []);
  // A place is kept where the number of those kept so far grows.
  steps.where([
    `"size" <= ${MOST_SHAPIRO} OR ("place" * ${MOST_SHAPIRO}) // "size" > (("place" - 1) * ${MOST_SHAPIRO}) // "size"`,
  ]);
  return steps.statement(['"value"'], ['ORDER BY "value"']);
}

/** A row per column, each over the rows that have it. */
export function described(material: Material): string {
  const { steps, values } = material;
  const relation = steps.settled('fitting');
  const rows = values.map((x, index) => {
    const figures = [
      as(String(index + 1), 'position'),
      as(`count(${x})`, 'rows'),
      as(`count(*) - count(${x})`, 'missing'),
      as(`avg(${x})`, 'mean'),
      as(figure('stddev', [x], material), 'standard deviation'),
      as(`min(${x})::DOUBLE`, 'lowest'),
      // One list for all three: each call of its own would sort again.
      ...['25 %', 'median', '75 %'].map((name, place) => as(`(${quartiles(x)})[${place + 1}]`, name)),
      as(`max(${x})::DOUBLE`, 'highest'),
    ];
    return `SELECT ${figures.join(', ')} FROM ${relation}`;
  });
  steps.pushText('described', rows.join('\n  UNION ALL '));
  return steps.statement(['* EXCLUDE ("position")'], ['ORDER BY "position"']);
}

function quartiles(x: string): string {
  return `quantile_cont(${x}, [0.25, 0.5, 0.75])`;
}
