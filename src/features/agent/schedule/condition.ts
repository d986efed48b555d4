import { type Aggregate, type Comparison, SINGLE_AGGREGATES } from '../../../ports/analysis-plan.js';
import { isNumeric, type TableProfile } from '../../../ports/table.js';
import { AppError, invalidField } from '../../../shared/app-error.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { ReadableDatasource } from '../../datasource/datasource.facade.js';

export const CONDITION_TYPES = ['always', 'new_data', 'threshold'] as const;

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
  readonly operator: Comparison;
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

/** These count values of whatever type; all others reckon with numbers. */
const COUNTING: readonly Aggregate[] = ['count', 'count_distinct', 'missing'];

/**
 * Checks a condition against the datasources of its task.
 *
 * @throws AppError `invalid_input` when it does not fit, `conflict` when the datasource has no rows to check it against yet.
 */
export function assertCondition(condition: RunCondition, datasources: readonly ReadableDatasource[]): void {
  if (condition.type !== 'threshold') return;
  const datasource = datasources.find(({ id }) => id === condition.datasourceId);
  if (datasource === undefined) {
    throw invalidField('condition.datasource_id', "condition.datasource_id must be one of the task's datasources");
  }
  if (datasource.profile === null) {
    throw new AppError('conflict', 'the datasource of the condition has no rows yet: try again when it is imported');
  }
  assertFigure(condition, datasource.profile);
}

function assertFigure({ aggregate, column, windowMinutes }: Threshold, profile: TableProfile): void {
  if (windowMinutes !== null && profile.timeField === '') {
    throw invalidField('condition.window_minutes', 'condition.window_minutes needs a datasource with times');
  }
  if (column === null) {
    if (aggregate === 'count') return;
    throw invalidField('condition.column', `condition.column is required for ${aggregate}`);
  }
  const found = profile.columns.find(({ name }) => name === column);
  if (found === undefined) {
    throw invalidField('condition.column', `condition.column: the datasource has no column "${column}"`);
  }
  if (!COUNTING.includes(aggregate) && !isNumeric(found.type)) {
    throw invalidField('condition.column', `condition.column: "${column}" is not numeric, which ${aggregate} needs`);
  }
}

/** Minutes. */
export const LONGEST_INTERVAL = 1440;
/** A run that thinks takes minutes, so that not every interval makes sense. */
export const THINKING_INTERVALS: readonly number[] = [15, 30, 60, 120, LONGEST_INTERVAL];

export const DEFAULT_INTERVAL = 15;

/** @throws AppError `invalid_input` unless the interval, in minutes, fits the task. */
export function assertInterval(minutes: number, thinking: boolean): void {
  const field = 'automation_interval';
  if (thinking && !THINKING_INTERVALS.includes(minutes)) {
    throw invalidField(field, `${field} must be one of ${THINKING_INTERVALS.join(', ')} when thinking is true`);
  }
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > LONGEST_INTERVAL) {
    throw invalidField(field, `${field} must be a whole number from 1 to ${LONGEST_INTERVAL}`);
  }
}
