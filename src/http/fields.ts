import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';

/** A body's field that holds an identifier of 24 hexadecimal digits, or with `each` a list of them. They are read in lower case. */
export function IsIdentifier(options: ValidationOptions = {}): PropertyDecorator {
  return applyDecorators(
    // The document does not know the types of identifiers.
    ApiProperty({ type: options.each === true ? [String] : String }),
    Transform(({ value }: { value: unknown }) => inLowerCase(value)),
    Matches(/^[0-9a-f]{24}$/, { message: '$property must be a valid identifier', ...options }),
  );
}

function inLowerCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inLowerCase);
  return typeof value === 'string' ? value.toLowerCase() : value;
}

// What fields of bodies and queries have in common, for validation and for the API document alike. Numbers are the least and the most. What stands
// first is checked first: the type before the length.

type ClassOf = () => new () => object;

const EACH = { each: true } as const;

export function Text(least: number, most: number, options: ValidationOptions = {}): PropertyDecorator {
  return applyDecorators(ApiProperty(lengthsTold(least, most)), IsString(), HasLength(least, most, options));
}

/** Blanks around it do not count. */
export function TrimmedText(least: number, most: number): PropertyDecorator {
  const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);
  const message = `$property must have ${least} to ${most} characters`;
  return applyDecorators(Transform(trimmed), Text(least, most, { message }));
}

/** What something is called, on one line. */
export function Name(most: number): PropertyDecorator {
  return applyDecorators(
    TrimmedText(1, most),
    Matches(/^\P{Cc}*$/u, { message: '$property must have no control characters' }),
  );
}

export function OptionalText(least: number, most: number): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional(lengthsTold(least, most)),
    IsOptional(),
    IsString(),
    HasLength(least, most),
  );
}

/** A list of up to so many texts; `each` says how long one of them is. */
export function OptionalTexts(most: number, each?: readonly [number, number]): PropertyDecorator {
  const told = ApiPropertyOptional({ maxItems: most, ...(each === undefined ? {} : lengthsTold(...each)) });
  const lengths = each === undefined ? [] : [HasLength(...each, EACH)];
  return applyDecorators(told, IsOptional(), IsArray(), ArrayMaxSize(most), IsString(EACH), ...lengths);
}

export function WholeNumber(least: number, most: number): PropertyDecorator {
  return applyDecorators(ApiProperty({ minimum: least, maximum: most }), IsInt(), Min(least), Max(most));
}

export function OptionalWholeNumber(least: number, most: number): PropertyDecorator {
  const told = ApiPropertyOptional({ minimum: least, maximum: most });
  return applyDecorators(told, IsOptional(), IsInt(), Min(least), Max(most));
}

/** An object of a class of its own. */
export function Part(classOf: ClassOf): PropertyDecorator {
  return applyDecorators(IsObject(), ValidateNested(), Type(classOf));
}

export function OptionalPart(classOf: ClassOf): PropertyDecorator {
  return applyDecorators(IsOptional(), Part(classOf));
}

/** A list of up to so many objects of a class of their own. */
export function OptionalParts(most: number, classOf: ClassOf, options: ValidationOptions = {}): PropertyDecorator {
  const told = ApiPropertyOptional({ maxItems: most });
  const nested = ValidateNested({ ...EACH, ...options });
  return applyDecorators(told, IsOptional(), IsArray(), ArrayMaxSize(most), nested, Type(classOf));
}

export function OptionalOneOf(values: readonly string[]): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ enum: values }), IsOptional(), IsIn(values));
}

export function OptionalFlag(): PropertyDecorator {
  return applyDecorators(IsOptional(), IsBoolean());
}

export function OptionalIdentifier(): PropertyDecorator {
  return applyDecorators(IsOptional(), IsIdentifier());
}

export function OptionalIdentifiers(most: number): PropertyDecorator {
  const each = IsIdentifier({ ...EACH, message: '$property must be valid identifiers' });
  const given = Transform(({ value }: { value: unknown }) => value ?? undefined);
  return applyDecorators(IsOptional(), IsArray(), ArrayMaxSize(most), each, given);
}

const MOST_RECIPIENTS = 20;

/** Addresses that are to be written to again and again. */
export function Recipients(): PropertyDecorator {
  const longest = 254;
  const tooMany = { message: `$property must name at most ${MOST_RECIPIENTS} addresses` };
  const each = [IsString(EACH), MaxLength(longest, EACH)];
  return applyDecorators(
    ...[ApiPropertyOptional({ maxLength: longest }), IsOptional(), IsArray(), ArrayMaxSize(MOST_RECIPIENTS, tooMany)],
    ...each,
  );
}

/** A plan as it was written: the language of plans is richer than a schema can show. */
export function OptionalPlan(): PropertyDecorator {
  return applyDecorators(IsOptional(), IsObject(), ApiPropertyOptional({ type: 'object', additionalProperties: true }));
}

function HasLength(least: number, most: number, options: ValidationOptions = {}): PropertyDecorator {
  return least === 0 ? MaxLength(most, options) : Length(least, most, options);
}

function lengthsTold(least: number, most: number): { readonly minLength?: number; readonly maxLength: number } {
  return least === 0 ? { maxLength: most } : { minLength: least, maxLength: most };
}
