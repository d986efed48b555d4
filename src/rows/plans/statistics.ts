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
  one_sample_t_test: moments,
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
  const selection = selectionOf(plan, table, writer);
  const statement = QUERIES[plan.method](materialOf(plan, method, selection));
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
  const by = method.by && plan.by !== null ? writer.column(columns.named(plan.by)) : null;
  return { steps, columns, values, by };
}

/** What a statistic is made of: the rows, and the expressions of its columns. */
interface Material {
  readonly steps: Steps;
  readonly columns: PlanColumns;
  readonly values: readonly string[];
  readonly by: string | null;
}

/** A figure of the rows that wait. */
function figure(aggregate: FormulaAggregate, [x = '', y]: readonly string[], { steps }: Material): string {
  const centre = figureOver(`avg(${x})`, { relation: steps.relation, where: [] });
  return aggregateSql(aggregate, { x, y, centre }, steps.writer);
}

/** Leaves out the rows that lack a value in one of the columns. */
function complete({ steps, values, by }: Material): void {
  const needed = by === null ? values : [...values, by];
  steps.where(needed.map((value) => `${value} IS NOT NULL`));
}

function as(expression: string, name: string): string {
  return `${expression} AS "${name}"`;
}

function onePair(material: Material): string {
  complete(material);
  const found = figure('correlation', material.values, material);
  return material.steps.statement([as(found, 'correlation'), as('count(*)', 'pairs')], []);
}

function ranksOfPair(material: Material): string {
  complete(material);
  const { steps, values } = material;
  const [x = '', y = ''] = values;
  const ranks = [as(meanRank(x), 'rank_1'), as(meanRank(y), 'rank_2')];
  steps.push('ranked', ranks, []);
  const found = figure('correlation', ['"rank_1"', '"rank_2"'], material);
  return steps.statement([as(found, 'correlation'), as('count(*)', 'pairs')], []);
}

/** Each two columns over the rows that have both. */
function correlationMatrix(material: Material): string {
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

function crossMoments(material: Material): string {
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

function differences(material: Material): string {
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

function moments(material: Material): string {
  complete(material);
  const [x = ''] = material.values;
  const variance = figure('variance', [x], material);
  return material.steps.statement([as('count(*)', 'rows'), as(`avg(${x})`, 'mean'), as(variance, 'variance')], []);
}

function shape(material: Material): string {
  complete(material);
  const { steps, values } = material;
  const skewness = figure('skewness_pop', values, material);
  const kurtosis = figure('kurtosis_pop', values, material);
  return steps.statement([as('count(*)', 'rows'), as(skewness, 'skewness'), as(kurtosis, 'kurtosis')], []);
}

/** All values, or as many as the method takes, evenly from the lowest to the highest. */
function sortedValues(material: Material): string {
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
function described(material: Material): string {
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

/** One more than a comparison can take, so that it sees when there are too many. */
const GROUPS = 3;

function groupsOfNumbers(material: Material): string {
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

function rankedGroups(material: Material): string {
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

function spreadOfGroups(material: Material): string {
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

function spreadOfRanks(material: Material): string {
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

function chiSquare(material: Material): string {
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
