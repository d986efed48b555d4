import type { StatisticMethod } from '../ports/plan-statistics.js';
import type { StatisticPlan } from '../ports/analysis-plan.js';
import type { Cell, ResultColumn } from '../ports/table.js';
import { finishStatistic } from '../shared/statistics/finish.js';
import { MOST_SHAPIRO } from '../shared/statistics/raw.js';
import type { PlanColumns } from '../plan/plan-columns.js';
import { methodOf, type MethodNeeds } from '../plan/plan-methods.js';
import { selectionOf } from './plan-compiler.selection.js';
import { chiSquare, groupsOfNumbers, rankedGroups, spreadOfGroups, spreadOfRanks } from './plan-compiler.groups.js';
import {
  correlationMatrix,
  crossMoments,
  described,
  differences,
  moments,
  type Material,
  onePair,
  ranksOfPair,
  shape,
  sortedValues,
} from './plan-compiler.moments.js';
import type { PlanWriter } from './plan-compiler.writers.js';

/** A query for what a statistic is worked out from, and the rest of the way. */
export interface StatisticQuery {
  readonly statement: string;
  /** Most rows it gives. */
  readonly most: number;
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
export function statisticQuery(plan: StatisticPlan, table: PlanColumns, writer: PlanWriter): StatisticQuery {
  const method = methodOf(plan);
  const selection = selectionOf(plan, table, writer);
  const statement = QUERIES[plan.method](materialOf(plan, method, selection));
  return { statement, most: MOST_SHAPIRO, finish: (rows) => finishStatistic(plan, rows) };
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
