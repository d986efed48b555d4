import { type Aggregate, PAIR_AGGREGATES } from '../ports/analysis-plan.js';
import type { StatisticMethod } from '../ports/plan-statistics.js';

/** Whether a figure is of two columns. */
export function isPair(aggregate: Aggregate): boolean {
  return PAIR_AGGREGATES.some((one) => one === aggregate);
}

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
