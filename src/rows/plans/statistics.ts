import type { PlanColumns } from '../../plan/plan-columns.js';
import { type MethodNeeds, METHODS } from '../../plan/plan-methods.js';
import type { StatisticPlan } from '../../ports/analysis-plan.js';
import { STATISTIC_METHODS, type StatisticMethod } from '../../ports/plan-statistics.js';
import type { Cell, ResultColumn } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { finishStatistic } from '../../shared/statistics/finish.js';
import { MOST_SHAPIRO } from '../../shared/statistics/raw.js';
import { aggregateSql, type FormulaAggregate } from './aggregate-functions.js';
import { meanRank } from './figures.js';
import { figureOver, type PlanWriter, type Steps } from './query.js';
import { assertKnown } from './plan-checks.js';
import { selectionOf } from './selection.js';

/** A query for what an answer is worked out from, and the rest of the way. */
export interface FinishedQuery {
  readonly statement: string;
  /** Most rows it gives; null: as many as are asked for. */
  readonly most: number | null;
  readonly finish: (rows: readonly (readonly Cell[])[]) => {
    readonly columns: readonly ResultColumn[];
    readonly rows: readonly (readonly Cell[])[];
  };
}

const QUERIES: Readonly<Record<StatisticMethod, (material: Material) => string>> = {
  pearson: onePair,
  spearman: ranksOfPair,
  correlation_matrix: correlationMatrix,
  regression: crossMoments,
  welch_t_test: groupsOfNumbers,
  student_t_test: groupsOfNumbers,
  mann_whitney: rankedGroups,
  paired_t_test: differences,
  one_sample_t_test: (material) => material.steps.statement(moments(material)),
  anova: spreadOfGroups,
  kruskal_wallis: spreadOfRanks,
  chi_square: chiSquare,
  shapiro_wilk: sortedValues,
  normality: shape,
  jarque_bera: shape,
  describe: described,
};

/** @throws AppError `invalid_input` when the method does not fit the columns. */
export function statisticQuery(plan: StatisticPlan, table: PlanColumns, writer: PlanWriter): FinishedQuery {
  assertKnown(plan.method, STATISTIC_METHODS);
  const method = METHODS[plan.method];
  assertFits(plan, method);
  const material = materialOf(plan, method, selectionOf(plan, table, writer));
  // Each pair of a matrix, and each column that is described, has rows of its own.
  if (plan.method !== 'correlation_matrix' && plan.method !== 'describe') complete(material);
  const statement = QUERIES[plan.method](material);
  return { statement, most: MOST_SHAPIRO, finish: (rows) => finishStatistic(plan, rows) };
}

function assertFits(plan: StatisticPlan, method: MethodNeeds): void {
  const said = plan.method.replaceAll('_', ' ');
  assertColumns(plan.columns, method.columns, said);
  if (method.by && plan.by === null) {
    throw new AppError('invalid_input', `${said} needs a column that tells the groups`);
  }
  if (plan.method === 'regression') assertNumbers(plan.at, plan.columns.length - 1);
  if (plan.method === 'one_sample_t_test' && !Number.isFinite(plan.value)) {
    throw new AppError('invalid_input', `${said} needs a value to compare the mean with`);
  }
}

function assertColumns(columns: readonly string[], [few, many]: MethodNeeds['columns'], said: string): void {
  if (columns.length < few || columns.length > many) {
    const wanted = few === many ? String(few) : `${few} to ${many}`;
    throw new AppError('invalid_input', `${said} needs ${wanted} ${many === 1 ? 'column' : 'columns'}`);
  }
  const different = new Set(columns.map((column) => column.toLowerCase()));
  if (different.size < columns.length) throw new AppError('invalid_input', `${said} needs different columns`);
}

function assertNumbers(at: StatisticPlan['at'], wanted: number): void {
  if (at === undefined || (at.length === wanted && at.every(Number.isFinite))) return;
  throw new AppError('invalid_input', 'a prediction needs a number for each column after the first');
}

function materialOf(plan: StatisticPlan, method: MethodNeeds, selection: ReturnType<typeof selectionOf>): Material {
  const { context, steps } = selection;
  const { columns, writer } = context;
  const values = plan.columns.map((name) => {
    const column = columns.named(name);
    const isNumber = method.categories !== true;
    if (isNumber && column.type !== 'boolean') columns.typed(name, 'numeric', plan.method.replaceAll('_', ' '));
    const stored = writer.column(column);
    if (!isNumber) return stored;
    // Differences of whole numbers can overflow.
    if (writer.guarded) return `${stored}::DOUBLE`;
    return column.type === 'boolean' ? `${stored}::INTEGER` : stored;
  });
  const by = method.by && plan.by !== null ? writer.column(columns.named(plan.by)) : '';
  const figure: Material['figure'] = (aggregate, [first = '', second]) => {
    const centre = figureOver(`avg(${first})`, { relation: steps.relation, where: [] });
    return aggregateSql(aggregate, { x: first, y: second, centre }, steps.writer);
  };
  const [x = '', y = ''] = values;
  return { steps, values, x, y, by, figure };
}

/** What a statistic is made of: the rows, and the expressions of its columns. */
interface Material {
  readonly steps: Steps;
  readonly values: readonly string[];
  /** The first of the values, and the second. */
  readonly x: string;
  readonly y: string;
  /** Tells the groups; empty where there are none. */
  readonly by: string;
  /** A figure of the rows that wait. */
  readonly figure: (aggregate: FormulaAggregate, of: readonly string[]) => string;
}

/** Leaves out the rows that lack a value in one of the columns. */
function complete({ steps, values, by }: Material): void {
  const needed = by === '' ? values : [...values, by];
  steps.where(needed.map((value) => `${value} IS NOT NULL`));
}

function as(expression: string, name: string): string {
  return `${expression} AS "${name}"`;
}

function onePair({ steps, values, figure }: Material): string {
  return steps.statement([as(figure('correlation', values), 'correlation'), as('count(*)', 'pairs')]);
}

function ranksOfPair(material: Material): string {
  const { steps, x, y } = material;
  steps.push('ranked', [as(meanRank(x), 'rank_1'), as(meanRank(y), 'rank_2')]);
  return onePair({ ...material, values: ['"rank_1"', '"rank_2"'] });
}

/** Each two columns over the rows that have both. */
function correlationMatrix({ steps, values, figure }: Material): string {
  const outputs = values.flatMap((x, first) =>
    values.slice(first + 1).flatMap((y, more) => {
      const pair = `${first + 1} and ${first + more + 2}`;
      return [
        as(figure('correlation', [x, y]), `correlation of ${pair}`),
        as(`regr_count(${x}, ${y})`, `pairs of ${pair}`),
      ];
    }),
  );
  return steps.statement(outputs);
}

function crossMoments({ steps, values }: Material): string {
  const means = values.map((x, index) => as(`avg(${x})`, `mean of ${index + 1}`));
  const covariances = values.flatMap((x, first) =>
    values
      .slice(first)
      .map((y, more) => as(`covar_pop(${x}, ${y})`, `covariance of ${first + 1} and ${first + more + 1}`)),
  );
  return steps.statement([as('count(*)', 'rows'), ...means, ...covariances]);
}

function differences({ steps, x, y, figure }: Material): string {
  return steps.statement([
    as('count(*)', 'pairs'),
    as(`avg(${x})`, 'mean of the first'),
    as(`avg(${y})`, 'mean of the second'),
    as(`avg(${x} - ${y})`, 'mean of the differences'),
    as(figure('variance', [`${x} - ${y}`]), 'variance of the differences'),
  ]);
}

function moments({ x, figure }: Material): readonly string[] {
  return [as('count(*)', 'rows'), as(`avg(${x})`, 'mean'), as(figure('variance', [x]), 'variance')];
}

function shape({ steps, values, figure }: Material): string {
  const [skewness, kurtosis] = [figure('skewness_pop', values), figure('kurtosis_pop', values)];
  return steps.statement([as('count(*)', 'rows'), as(skewness, 'skewness'), as(kurtosis, 'kurtosis')]);
}

/** All values, or as many as the method takes, evenly from the lowest to the highest. */
function sortedValues({ steps, x }: Material): string {
  const place = `row_number() OVER (ORDER BY ${x})`;
  steps.push('sorted', [as(`${x}::DOUBLE`, 'value'), as(place, 'place'), as('count(*) OVER ()', 'size')]);
  // A place is kept where the number of those kept so far grows.
  steps.where([
    `"size" <= ${MOST_SHAPIRO} OR ("place" * ${MOST_SHAPIRO}) // "size" > (("place" - 1) * ${MOST_SHAPIRO}) // "size"`,
  ]);
  return steps.statement(['"value"'], ['ORDER BY "value"']);
}

/** A row per column, each over the rows that have it. */
function described({ steps, values, figure }: Material): string {
  const relation = steps.settled('fitting');
  const rows = values.map((x, index) => {
    // One list for all three: each call of its own would sort again.
    const quartiles = `quantile_cont(${x}, [0.25, 0.5, 0.75])`;
    const figures = [
      as(String(index + 1), 'position'),
      as(`count(${x})`, 'rows'),
      as(`count(*) - count(${x})`, 'missing'),
      as(`avg(${x})`, 'mean'),
      as(figure('stddev', [x]), 'standard deviation'),
      as(`min(${x})::DOUBLE`, 'lowest'),
      ...['25 %', 'median', '75 %'].map((name, place) => as(`(${quartiles})[${place + 1}]`, name)),
      as(`max(${x})::DOUBLE`, 'highest'),
    ];
    return `SELECT ${figures.join(', ')} FROM ${relation}`;
  });
  steps.pushText('described', rows.join('\n  UNION ALL '));
  return steps.statement(['* EXCLUDE ("position")'], ['ORDER BY "position"']);
}

/** One more group than a comparison can take, so that it sees when there are too many. */
const FIRST_GROUPS = ['GROUP BY 1', 'ORDER BY 1', 'LIMIT 3'];

function groupsOfNumbers(material: Material): string {
  return material.steps.statement([as(material.by, 'group'), ...moments(material)], FIRST_GROUPS);
}

/** The values with their ranks among all, and how many are equal to each. */
function rank({ steps, x, by }: Material): void {
  const equal = `count(*) OVER (PARTITION BY ${x})`;
  steps.push('ranked', [as(by, 'group'), as(x, 'value'), as(meanRank(x), 'rank'), as(equal, 'equal')]);
}

/** Over all values: each of t equal ones brings t^2 - 1, together t^3 - t. */
const TIES = '(SELECT sum("equal"::DOUBLE * "equal" - 1) FROM ranked)';

function rankedGroups(material: Material): string {
  rank(material);
  const figures = [as('count(*)', 'rows'), as('avg("value")', 'mean'), as('sum("rank")', 'sum of ranks')];
  return material.steps.statement(['"group"', ...figures, as(TIES, 'ties')], FIRST_GROUPS);
}

function spreadOfGroups(material: Material): string {
  const { steps, x, by } = material;
  const complete = steps.settled('complete');
  steps.push('groups', [as(by, 'group'), ...moments(material)], ['GROUP BY 1']);
  return steps.statement([
    as('count(*)', 'groups'),
    as('sum("rows")', 'rows'),
    as(`sum("rows" * power("mean" - (SELECT avg(${x}) FROM ${complete}), 2))`, 'between'),
    as('sum(("rows" - 1) * coalesce("variance", 0))', 'within'),
  ]);
}

function spreadOfRanks(material: Material): string {
  rank(material);
  const { steps } = material;
  const middle = '((SELECT count(*) FROM ranked) + 1) / 2';
  steps.push('groups', ['"group"', as('count(*)', 'rows'), as('avg("rank")', 'mean rank')], ['GROUP BY 1']);
  return steps.statement([
    as('count(*)', 'groups'),
    as('sum("rows")', 'rows'),
    as(`sum("rows" * power("mean rank" - ${middle}, 2))`, 'spread'),
    as(TIES, 'ties'),
  ]);
}

function chiSquare({ steps, x, y }: Material): string {
  steps.push('pairs', [as(x, 'first'), as(y, 'second'), as('count(*)', 'rows')], ['GROUP BY 1, 2']);
  const sides = ['first', 'second'].map((side) => as(`sum("rows") OVER (PARTITION BY "${side}")`, `rows of ${side}`));
  steps.push('margins', ['*', ...sides]);
  return steps.statement([
    as('sum("rows")', 'rows'),
    as('count(DISTINCT "first")', 'values of the first'),
    as('count(DISTINCT "second")', 'values of the second'),
    as('sum(power("rows", 2) / ("rows of first"::DOUBLE * "rows of second"))', 'spread'),
  ]);
}
