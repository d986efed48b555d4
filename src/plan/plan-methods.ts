import { STATISTIC_METHODS, type StatisticMethod } from '../ports/plan-statistics.js';
import type { StatisticPlan } from '../ports/analysis-plan.js';
import { AppError } from '../shared/app-error.js';
import { assertKnown } from './plan-words.js';

/** What a statistic is of. */
export interface MethodNeeds {
  /** Fewest and most columns. */
  readonly columns: readonly [number, number];
  readonly by: boolean;
  /** The values are categories. */
  readonly categories?: boolean;
}

export const METHODS: Readonly<Record<StatisticMethod, MethodNeeds>> = {
  pearson: { columns: [2, 2], by: false },
  spearman: { columns: [2, 2], by: false },
  correlation_matrix: { columns: [2, 20], by: false },
  regression: { columns: [2, 11], by: false },
  welch_t_test: { columns: [1, 1], by: true },
  student_t_test: { columns: [1, 1], by: true },
  mann_whitney: { columns: [1, 1], by: true },
  paired_t_test: { columns: [2, 2], by: false },
  one_sample_t_test: { columns: [1, 1], by: false },
  anova: { columns: [1, 1], by: true },
  kruskal_wallis: { columns: [1, 1], by: true },
  chi_square: { columns: [2, 2], by: false, categories: true },
  shapiro_wilk: { columns: [1, 1], by: false },
  normality: { columns: [1, 1], by: false },
  jarque_bera: { columns: [1, 1], by: false },
  describe: { columns: [1, 50], by: false },
};

/** @throws AppError `invalid_input` when there is no such method, or the plan is not what it needs. */
export function methodOf(plan: StatisticPlan): MethodNeeds {
  assertKnown(plan.method, STATISTIC_METHODS);
  const method = METHODS[plan.method];
  assertFits(plan, method);
  return method;
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
