import { Type } from 'class-transformer';
import { IsBoolean, IsNumber, IsObject, IsOptional, ValidateNested } from 'class-validator';
import { IsIdentifier } from '../../../http/is-identifier.js';
import { asId } from '../../../shared/ids.js';
import { ConditionBody, conditionFrom } from './condition.wire.js';
import type { ScheduleDraft } from './schedule.service.js';

export class ScheduleBody {
  @IsIdentifier()
  readonly task_id!: string;

  /** Minutes: 1 to 1440, or one of 15, 30, 60, 120, 1440 when the task is `thinking`. */
  @IsNumber()
  readonly automation_interval!: number;

  /** False pauses the schedule and keeps the interval. */
  @IsOptional()
  @IsBoolean()
  readonly automation_enabled?: boolean;

  /** Left out: stays as it is. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => ConditionBody)
  readonly condition?: ConditionBody;
}

export function scheduleFrom(body: ScheduleBody): ScheduleDraft {
  return {
    taskId: asId(body.task_id.toLowerCase()),
    interval: body.automation_interval,
    enabled: body.automation_enabled ?? true,
    condition: body.condition == null ? null : conditionFrom(body.condition),
  };
}
