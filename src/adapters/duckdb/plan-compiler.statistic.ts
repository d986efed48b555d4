import { STATISTIC_METHODS, type StatisticMethod } from '../../ports/plan-statistics.js';
import type { StatisticPlan } from '../../ports/analysis-plan.js';
import type { Cell, ResultColumn } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { finishStatistic } from '../../shared/statistics/finish.js';
import { MOST_SHAPIRO } from '../../shared/statistics/raw.js';
import type { PlanColumns } from './plan-compiler.columns.js';
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
import { assertKnown } from './plan-compiler.words.js';
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

interface Method {
  /** Fewest and most columns. */
  readonly columns: readonly [number, number];
  readonly by: boolean;
  /** The values are categories. */
  readonly categories?: boolean;
  readonly query: (material: Material) => string;
}

const METHODS: Readonly<Record<StatisticMethod, Method>> = {
  pearson: { columns: [2, 2], by: false, query: onePair },
  spearman: { columns: [2, 2], by: false, query: ranksOfPair },
  correlation_matrix: { columns: [2, 20], by: false, query: correlationMatrix },
  regression: { columns: [2, 11], by: false, query: crossMoments },
  welch_t_test: { columns: [1, 1], by: true, query: groupsOfNumbers },
  student_t_test: { columns: [1, 1], by: true, query: groupsOfNumbers },
  mann_whitney: { columns: [1, 1], by: true, query: rankedGroups },
  paired_t_test: { columns: [2, 2], by: false, query: differences },
  one_sample_t_test: { columns: [1, 1], by: false, query: moments },
  anova: { columns: [1, 1], by: true, query: spreadOfGroups },
  kruskal_wallis: { columns: [1, 1], by: true, query: spreadOfRanks },
  chi_square: { columns: [2, 2], by: false, categories: true, query: chiSquare },
  shapiro_wilk: { columns: [1, 1], by: false, query: sortedValues },
  normality: { columns: [1, 1], by: false, query: shape },
  describe: { columns: [1, 50], by: false, query: described },
};

/** @throws AppError `invalid_input` when the method does not fit the columns. */
export function statisticQuery(plan: StatisticPlan, table: PlanColumns, writer: PlanWriter): StatisticQuery {
  assertKnown(plan.method, STATISTIC_METHODS);
  const method = METHODS[plan.method];
  assertFits(plan, method);
  const selection = selectionOf(plan, table, writer);
  const statement = method.query(materialOf(plan, method, selection));
  return { statement, most: MOST_SHAPIRO, finish: (rows) => finishStatistic(plan, rows) };
}

function materialOf(plan: StatisticPlan, method: Method, selection: ReturnType<typeof selectionOf>): Material {
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

function assertFits(plan: StatisticPlan, method: Method): void {
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

function assertColumns(columns: readonly string[], [few, many]: Method['columns'], said: string): void {
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
