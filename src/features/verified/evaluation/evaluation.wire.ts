import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { IsIdentifier } from '../../../http/is-identifier.js';
import { asId } from '../../../shared/ids.js';
import { SemanticsBody, writtenFrom } from '../../datasource/datasource-reading.facade.js';
import type { EvaluationRequest, ScheduleRequest } from './evaluation.service.js';

const MAX_MODEL = 200;
const SHORTEST = 15;
/** A week, in minutes. */
const LONGEST = 10_080;

export class RunEvaluationBody {
  /** The datasource. */
  @IsIdentifier()
  readonly id!: string;

  /** A model that is tried. Left out: the company's own. */
  @IsOptional()
  @IsString()
  @MaxLength(MAX_MODEL)
  readonly model?: string;

  /** Instead of `model`: two models side by side. An empty name stands for the company's own. */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(2)
  @IsString({ each: true })
  @MaxLength(MAX_MODEL, { each: true })
  readonly models?: string[];

  /** A description of the table that is tried before it is written, as a PUT of it takes it. Left out: the one that counts. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => SemanticsBody)
  @ApiPropertyOptional({ type: () => SemanticsBody })
  readonly semantics?: SemanticsBody;
}

export class EvaluationScheduleBody {
  /** The datasource. */
  @IsIdentifier()
  readonly id!: string;

  /** Minutes, 15 to 10080. */
  @IsInt()
  @Min(SHORTEST)
  @Max(LONGEST)
  readonly interval!: number;

  /** False pauses it. Left out: true. */
  @IsOptional()
  @IsBoolean()
  readonly enabled?: boolean;
}

export class EvaluationIdBody {
  /** The evaluation. */
  @IsIdentifier()
  readonly id!: string;
}

export function evaluationRequestFrom({ id, model, models, semantics }: RunEvaluationBody): EvaluationRequest {
  const named = models ?? [model ?? ''];
  return {
    datasourceId: asId(id.toLowerCase()),
    models: named.map((name) => (name.trim() === '' ? null : name.trim())),
    semantics: semantics == null ? null : writtenFrom(semantics),
  };
}

export function scheduleRequestFrom({ id, interval, enabled }: EvaluationScheduleBody): ScheduleRequest {
  return { datasourceId: asId(id.toLowerCase()), interval, enabled: enabled ?? true };
}
