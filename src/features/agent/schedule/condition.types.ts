import { SINGLE_AGGREGATES } from '../../../ports/analysis-plan.js';
import type { DatasourceId } from '../../../shared/ids.js';

export const CONDITION_TYPES = ['always', 'new_data', 'threshold'] as const;

export const OPERATORS = ['<', '<=', '>', '>=', '=', '!='] as const;
export type Operator = (typeof OPERATORS)[number];

export type ConditionAggregate = Exclude<(typeof SINGLE_AGGREGATES)[number], 'percentile' | 'mode'>;

/** Figures that one column says all about; a most frequent value need not be a number. */
export const CONDITION_AGGREGATES = SINGLE_AGGREGATES.filter(
  (aggregate): aggregate is ConditionAggregate => aggregate !== 'percentile' && aggregate !== 'mode',
);

/** A figure of one of the task's datasources, compared with a value. */
export interface Threshold {
  readonly type: 'threshold';
  readonly datasourceId: DatasourceId;
  readonly aggregate: ConditionAggregate;
  /** Null with `count`: rows are counted. */
  readonly column: string | null;
  readonly operator: Operator;
  readonly value: number;
  /** Only the rows of so many minutes up to the newest row; null: all rows. */
  readonly windowMinutes: number | null;
}

/** When a scheduled run is worth its while. `new_data`: rows have changed since the last run that ended well. */
export type RunCondition = { readonly type: 'always' } | { readonly type: 'new_data' } | Threshold;

export const ALWAYS: RunCondition = { type: 'always' };

/** `reason` is in words, figure included; null when there is nothing to say. */
export interface Verdict {
  readonly met: boolean;
  readonly reason: string | null;
}
