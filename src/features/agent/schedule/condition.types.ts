import type { Aggregate } from '../../../ports/analysis-plan.js';
import type { DatasourceId } from '../../../shared/ids.js';

export const CONDITION_TYPES = ['always', 'new_data', 'threshold'] as const;

export const OPERATORS = ['<', '<=', '>', '>=', '=', '!='] as const;
export type Operator = (typeof OPERATORS)[number];

/** A figure of one of the task's datasources, compared with a value. */
export interface Threshold {
  readonly type: 'threshold';
  readonly datasourceId: DatasourceId;
  readonly aggregate: Aggregate;
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
