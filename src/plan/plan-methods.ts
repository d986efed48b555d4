import { type Aggregate, PAIR_AGGREGATES } from '../ports/analysis-plan.js';
import type { StatisticMethod } from '../ports/plan-statistics.js';

/** Whether a figure is of two columns. */
export function isPair(aggregate: Aggregate): boolean {
  return PAIR_AGGREGATES.some((one) => one === aggregate);
}

/** What a statistic is of, and what it is called. */
export interface MethodNeeds {
  /** Fewest and most columns. */
  readonly columns: readonly [number, number];
  readonly by: boolean;
  /** The values are categories. */
  readonly categories?: boolean;
  /** Before what it is of. */
  readonly words: string;
}

export const METHODS: Readonly<Record<StatisticMethod, MethodNeeds>> = {
  pearson: { columns: [2, 2], by: false, words: 'correlation of' },
  spearman: { columns: [2, 2], by: false, words: 'rank correlation of' },
  correlation_matrix: { columns: [2, 20], by: false, words: 'correlations among' },
  regression: { columns: [2, 11], by: false, words: 'linear regression of' },
  welch_t_test: { columns: [1, 1], by: true, words: 'Welch’s t-test of' },
  student_t_test: { columns: [1, 1], by: true, words: 'Student’s t-test of' },
  mann_whitney: { columns: [1, 1], by: true, words: 'Mann-Whitney test of' },
  paired_t_test: { columns: [2, 2], by: false, words: 'paired t-test of' },
  one_sample_t_test: { columns: [1, 1], by: false, words: 't-test of' },
  anova: { columns: [1, 1], by: true, words: 'analysis of variance of' },
  kruskal_wallis: { columns: [1, 1], by: true, words: 'Kruskal-Wallis test of' },
  chi_square: { columns: [2, 2], by: false, categories: true, words: 'chi-square test of' },
  shapiro_wilk: { columns: [1, 1], by: false, words: 'Shapiro-Wilk test of' },
  normality: { columns: [1, 1], by: false, words: 'test for normality of' },
  jarque_bera: { columns: [1, 1], by: false, words: 'Jarque-Bera test of' },
  describe: { columns: [1, 50], by: false, words: 'description of' },
};
