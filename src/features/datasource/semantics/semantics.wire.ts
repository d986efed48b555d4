import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsObject, IsOptional, Min, ValidateIf } from 'class-validator';
import { answerOf, Envelope, onWire } from '../../../http/envelope.wire.js';
import {
  IsIdentifier,
  OptionalOneOf,
  OptionalParts,
  OptionalText,
  OptionalTexts,
  OptionalWholeNumber,
  Part,
  Text,
} from '../../../http/fields.js';
import { validationPipe } from '../../../http/validation.pipe.js';
import { COLUMN_FORMATS, type ColumnFormat } from '../../../ports/table-semantics.js';
import { COLUMN_ROLES, type ColumnRole } from '../../../ports/table.js';
import { AppError, invalidField, isAppError, messageOf } from '../../../shared/app-error.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { CurrentSemantics, WrittenSemantics } from './semantics.service.js';
import { CORE_SCHEMA, dump, load } from 'js-yaml';
import { isDeeperThan } from '../../../http/json-depth.js';
import { isRecord } from '../../../shared/json.js';

const MAX_YAML = 256 * 1024;
const MAX_NAME = 80;
const LISTED = { each: true } as const;

export class ColumnSemanticsBody {
  /** The header's own name. */
  @Text(1, 1000) readonly name!: string;
  @OptionalText(0, 500) readonly description?: string;
  /** Other names of the column. */
  @OptionalTexts(20, [1, MAX_NAME]) readonly synonyms?: string[];
  @OptionalText(0, 30) readonly unit?: string;
  /** `percent` 25 and `fraction` 0.25 are both 25 %. */
  @OptionalOneOf(COLUMN_FORMATS) readonly format?: ColumnFormat;
  /** What is done with the numbers of several rows where nobody says it. */
  @OptionalOneOf(COLUMN_ROLES) readonly role?: ColumnRole;
  /** The values that it may have; empty: any. */
  @OptionalTexts(100, [0, 200]) readonly allowed_values?: string[];
}

export class MetricBody {
  @Text(1, MAX_NAME) readonly name!: string;
  @OptionalTexts(20, [1, MAX_NAME]) readonly synonyms?: string[];
  @OptionalText(0, 500) readonly description?: string;
  @OptionalText(0, 30) readonly unit?: string;

  /** `measures`, `filters`, `derived` and `computed` of an aggregate plan: one figure, without groups. It is run before it is kept. */
  @IsObject()
  // The language of plans is richer than a schema can show.
  @ApiProperty({ type: 'object', additionalProperties: true })
  readonly plan!: Record<string, unknown>;
}

export class SemanticsBody {
  @OptionalText(0, 4000) readonly description?: string;
  @OptionalParts(2000, () => ColumnSemanticsBody) @IsObject(LISTED) readonly columns?: ColumnSemanticsBody[];
  @OptionalParts(30, () => MetricBody) @IsObject(LISTED) readonly metrics?: MetricBody[];

  /** Conditions on the rows that count unless a question says otherwise, as plans have them. */
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @IsObject(LISTED)
  @ApiPropertyOptional({ type: 'array', items: { type: 'object', additionalProperties: true } })
  readonly filters?: Record<string, unknown>[];

  /** The month, 1 to 12, in which a fiscal year begins. */
  @OptionalWholeNumber(1, 12) readonly fiscal_year_start?: number;
  /** Examples, which are offered to users. */
  @OptionalTexts(20, [1, 300]) readonly questions?: string[];
}

export class PutSemanticsBody {
  @IsIdentifier() readonly id!: DatasourceId;
  /** The version that was read before; 0 where there was none. */
  @IsInt() @Min(0) readonly version!: number;

  /** All of it; what is left out is empty from then on. */
  @ValidateIf(({ yaml }: PutSemanticsBody) => yaml == null)
  @Part(() => SemanticsBody)
  readonly semantics?: SemanticsBody;

  /** The same as YAML, instead of `semantics`. */
  @OptionalText(0, MAX_YAML) readonly yaml?: string;
}

export class SemanticsParameters {
  @IsIdentifier() readonly id!: DatasourceId;

  /** One of the last 20; left out: the last. */
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  readonly version?: number;
}

export class ColumnSemanticsView {
  readonly name!: string;
  readonly description!: string;
  readonly synonyms!: string[];
  readonly unit!: string;
  readonly format!: ColumnFormat;
  readonly role!: ColumnRole;
  readonly allowed_values!: string[];
}

export class MetricView {
  readonly name!: string;
  readonly synonyms!: string[];
  readonly description!: string;
  readonly unit!: string;
  @ApiProperty({ type: 'object', additionalProperties: true }) readonly plan!: Record<string, unknown>;
}

export class SemanticsView {
  readonly description!: string;
  /** Those of which something is said. */
  readonly columns!: ColumnSemanticsView[];
  readonly metrics!: MetricView[];
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  readonly filters!: Record<string, unknown>[];
  readonly fiscal_year_start!: number;
  readonly questions!: string[];
}

export class SemanticsDraftResponse extends answerOf({ semantics: SemanticsView }) {}

export class SemanticsResponse extends SemanticsDraftResponse {
  /** 0 as long as nothing was written. */
  readonly version!: number;
  readonly updated_at!: string | null;
  /** Whether the caller may write it. */
  readonly editable!: boolean;
}

/** @throws AppError `invalid_input`, which names the fields. */
export async function semanticsFrom({ yaml, semantics }: PutSemanticsBody): Promise<WrittenSemantics> {
  return writtenFrom((yaml == null ? semantics : await bodyFromYaml(yaml)) ?? {});
}

/** What stands in a file is checked as what is sent. */
async function bodyFromYaml(text: string): Promise<SemanticsBody> {
  const given = objectFromYaml(text);
  try {
    return (await validationPipe().transform(given, { type: 'body', metatype: SemanticsBody })) as SemanticsBody;
  } catch (error) {
    if (!isAppError(error)) throw error;
    const details = error.details.map(({ field, problem }) => ({ field: `semantics.${field}`, problem }));
    throw new AppError(error.kind, error.message, { details, cause: error });
  }
}

export function writtenFrom(body: SemanticsBody): WrittenSemantics {
  return {
    description: body.description?.trim() ?? '',
    columns: (body.columns ?? []).map((column) => ({
      name: column.name,
      description: column.description?.trim() ?? '',
      synonyms: column.synonyms ?? [],
      unit: column.unit?.trim() ?? '',
      format: column.format ?? '',
      role: column.role ?? '',
      allowedValues: column.allowed_values ?? [],
    })),
    metrics: (body.metrics ?? []).map((metric) => ({
      name: metric.name.trim(),
      synonyms: metric.synonyms ?? [],
      description: metric.description?.trim() ?? '',
      unit: metric.unit?.trim() ?? '',
      plan: metric.plan,
    })),
    filters: body.filters ?? [],
    fiscalYearStart: body.fiscal_year_start ?? 1,
    questions: body.questions ?? [],
  };
}

export function semanticsFields(current: CurrentSemantics): Omit<SemanticsResponse, keyof Envelope> {
  return { ...onWire(current, 'version', 'updatedAt', 'editable'), semantics: semanticsView(current.semantics) };
}

export function semanticsView(semantics: CurrentSemantics['semantics']): SemanticsView {
  return {
    description: semantics.description,
    columns: semantics.columns.map((column) =>
      onWire(column, 'name', 'description', 'synonyms', 'unit', 'format', 'role', 'allowedValues'),
    ),
    metrics: semantics.metrics.map((metric) => {
      const { derived = [], measures, computed = [], filters } = metric.plan;
      const parts = { derived, measures, computed, filters };
      const said = Object.entries(parts).filter(([, list]) => list.length > 0);
      return { ...onWire(metric, 'name', 'synonyms', 'description', 'unit'), plan: Object.fromEntries(said) };
    }),
    filters: semantics.filters.map((filter) => ({ ...filter })),
    fiscal_year_start: semantics.fiscalYearStart,
    questions: [...semantics.questions],
  };
}

const MAX_DEPTH = 32;

/**
 * An object written as YAML: plain values, lists and objects alone. Aliases are refused, since a few of them stand for any number of values.
 *
 * @throws AppError `invalid_input`
 */
function objectFromYaml(text: string): Readonly<Record<string, unknown>> {
  const value = loaded(text);
  if (!isRecord(value)) throw refusal('must be an object in YAML');
  if (hasAliases(value)) throw refusal('must not have aliases');
  if (isDeeperThan(JSON.stringify(value), MAX_DEPTH)) {
    throw refusal(`has lists or objects more than ${MAX_DEPTH} deep in one another`);
  }
  return value;
}

function loaded(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    // The first line says what is wrong and where; a picture of the place follows.
    throw refusal(`is not YAML: ${messageOf(error).split('\n')[0] ?? ''}`.slice(0, 300));
  }
}

/** Whether a list or an object is in it more than once. */
function hasAliases(value: unknown, seen = new Set<unknown>()): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (seen.has(value)) return true;
  seen.add(value);
  return Object.values(value).some((inner) => hasAliases(inner, seen));
}

function refusal(problem: string): AppError {
  return invalidField('yaml', `yaml ${problem}`);
}

/** What `yaml` of a PUT takes, without what is empty. */
export function semanticsYaml({ semantics }: CurrentSemantics): string {
  return dump(filled(semanticsView(semantics)), { noRefs: true, lineWidth: 100 });
}

function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (!isRecord(value)) return value;
  const said = Object.entries(value).filter(([, one]) => one !== '' && !(Array.isArray(one) && one.length === 0));
  return Object.fromEntries(said.map(([name, one]) => [name, filled(one)]));
}
