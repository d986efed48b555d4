import type { StatisticPlan } from '../../../ports/analysis-plan.js';
import type { StatisticMethod } from '../../../ports/plan-statistics.js';
import type { PlanColumns } from '../../../plan/plan-columns.js';
import { methodOf, type MethodNeeds } from '../../../plan/plan-methods.js';
import type { Stage } from './mongo-table.js';
import {
  chiSquare,
  groupsOfNumbers,
  rankedGroups,
  spreadOfGroups,
  spreadOfRanks,
} from './pipeline-statistic-groups.js';
import {
  complete,
  correlationMatrix,
  crossMoments,
  described,
  differences,
  type Material,
  moments,
  onePair,
  ranksOfPair,
  type Raw,
  shapes,
  sortedValues,
} from './pipeline-statistic-moments.js';
import { documentOf } from './pipeline-results.js';
import { inputTerm, type PipelineContext } from './pipeline-scope.js';
import { selectionOf } from './pipeline-selection.js';
import type { PipelineWriter } from './pipeline-writers.js';

const RAWS: Readonly<Record<StatisticMethod, (material: Material) => Raw>> = {
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
  normality: shapes,
  jarque_bera: shapes,
  describe: described,
};

/** A pipeline for what a statistic is worked out from, and the fields of that in their order. */
export interface StatisticPipeline {
  readonly stages: readonly Stage[];
  readonly fields: readonly string[];
}

/** @throws AppError `invalid_input` when the method does not fit the columns. */
export function statisticPipeline(plan: StatisticPlan, table: PlanColumns, writer: PipelineWriter): StatisticPipeline {
  const method = methodOf(plan);
  const context = selectionOf(plan, table, writer);
  const { outputs, after = [] } = RAWS[plan.method](materialOf(plan, method, context));
  const named = outputs.map(([name, term], index) => {
    return [writer.looksUp ? `result_${index}` : name, { $ifNull: [term, null] }] as const;
  });
  return {
    stages: [...context.steps.statement(), { $replaceWith: documentOf(named) }, ...after],
    fields: named.map(([name]) => name),
  };
}

/** The two values of each row that a rank correlation is of, as `x` and `y`; null: the plan is something else. */
export function rankedPairs(plan: StatisticPlan, table: PlanColumns, writer: PipelineWriter): readonly Stage[] | null {
  if (plan.method !== 'spearman') return null;
  const context = selectionOf(plan, table, writer);
  const material = materialOf(plan, methodOf(plan), context);
  complete(material);
  const [x = null, y = null] = material.values;
  return [...context.steps.statement(), { $project: { _id: 0, x, y } }];
}

function materialOf(plan: StatisticPlan, method: MethodNeeds, context: PipelineContext): Material {
  const { columns, writer, steps } = context;
  const values = plan.columns.map((name) => {
    const column = columns.named(name);
    const isNumber = method.categories !== true;
    if (isNumber && column.type !== 'boolean') columns.typed(name, 'numeric', plan.method.replaceAll('_', ' '));
    return inputTerm({ column, asNumber: isNumber && column.type === 'boolean' }, writer);
  });
  const by = method.by && plan.by !== null ? writer.column(columns.named(plan.by)) : null;
  return { steps, values, by };
}
