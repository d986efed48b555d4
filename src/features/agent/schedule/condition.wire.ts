import { IsIn, IsInt, IsNumber, IsOptional, IsString, Length, Max, Min, ValidateIf } from 'class-validator';
import { IsIdentifier } from '../../../http/is-identifier.js';
import { asId } from '../../../shared/ids.js';
import {
  ALWAYS,
  CONDITION_AGGREGATES,
  CONDITION_TYPES,
  OPERATORS,
  type ConditionAggregate,
  type Operator,
  type RunCondition,
  type Threshold,
} from './condition.types.js';

const LONGEST_WINDOW = 525_600;

const ifThreshold = ValidateIf(({ type }: ConditionBody) => type === 'threshold');

/** When a scheduled run is worth its while; the fields beside `type` belong to a threshold. */
export class ConditionBody {
  /** `new_data`: rows have changed since the last run that ended well. `threshold`: a figure compares so with a value. */
  @IsIn(CONDITION_TYPES, { message: `type must be one of ${CONDITION_TYPES.join(', ')}` })
  readonly type!: (typeof CONDITION_TYPES)[number];

  /** One of the task's datasources. */
  @ifThreshold
  @IsIdentifier()
  readonly datasource_id?: string;

  /** Left out or null with `count`: rows are counted. */
  @ifThreshold
  @IsOptional()
  @IsString()
  @Length(1, 1000)
  readonly column?: string | null;

  @ifThreshold
  @IsIn(CONDITION_AGGREGATES, { message: `aggregate must be one of ${CONDITION_AGGREGATES.join(', ')}` })
  readonly aggregate?: ConditionAggregate;

  @ifThreshold
  @IsIn(OPERATORS, { message: `operator must be one of ${OPERATORS.join(' ')}` })
  readonly operator?: Operator;

  @ifThreshold
  @IsNumber({ allowNaN: false, allowInfinity: false })
  readonly value?: number;

  /** Only the rows of so many minutes up to the newest row. */
  @ifThreshold
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(LONGEST_WINDOW)
  readonly window_minutes?: number | null;
}

export class ConditionView {
  readonly type!: (typeof CONDITION_TYPES)[number];
  readonly datasource_id?: string;
  readonly column?: string | null;
  readonly aggregate?: ConditionAggregate;
  readonly operator?: Operator;
  readonly value?: number;
  readonly window_minutes?: number | null;
}

export function conditionFrom(body: ConditionBody): RunCondition {
  switch (body.type) {
    case 'always':
      return ALWAYS;
    case 'new_data':
      return { type: 'new_data' };
    case 'threshold':
      return thresholdFrom(body);
  }
}

function thresholdFrom(body: ConditionBody): Threshold {
  const { datasource_id: datasourceId, aggregate, operator, value } = body;
  if (datasourceId === undefined || aggregate === undefined || operator === undefined || value === undefined) {
    throw new Error('a threshold that was checked has all of its fields');
  }
  return {
    type: 'threshold',
    datasourceId: asId(datasourceId.toLowerCase()),
    aggregate,
    column: body.column ?? null,
    operator,
    value,
    windowMinutes: body.window_minutes ?? null,
  };
}

export function conditionView(condition: RunCondition): ConditionView {
  if (condition.type !== 'threshold') return { type: condition.type };
  return {
    type: condition.type,
    datasource_id: condition.datasourceId,
    column: condition.column,
    aggregate: condition.aggregate,
    operator: condition.operator,
    value: condition.value,
    window_minutes: condition.windowMinutes,
  };
}
