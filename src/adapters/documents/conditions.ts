import { AppError } from '../../shared/app-error.js';
import { refused } from './document-errors.js';
import { isPlainObject } from './plain-values.js';

export type FieldKind = 'text' | 'number' | 'boolean' | 'date' | 'list' | 'other';
export type FieldKinds = ReadonlyMap<string, FieldKind>;

type Scalar = string | number | boolean | Date | null;

const RANGE_OPERATORS = ['gt', 'gte', 'lt', 'lte'] as const;
type RangeOperator = (typeof RANGE_OPERATORS)[number];

/** A checked condition: nothing in it can be taken for an operator, and every value has its field's type. */
export type FieldTest =
  | { readonly kind: 'in' | 'notIn'; readonly values: readonly Scalar[] }
  | { readonly kind: 'range'; readonly bounds: Bounds }
  | { readonly kind: 'contains'; readonly text: string };

type Bounds = Readonly<Partial<Record<RangeOperator, Exclude<Scalar, boolean | null>>>>;

/** All of them must hold. */
export type Conditions = readonly { readonly field: string; readonly test: FieldTest }[];

export interface SortKey {
  readonly field: string;
  readonly descending: boolean;
}

/** Longer texts to look for are refused: MongoDB bounds its patterns as well. */
const MAX_CONTAINS = 1000;
const MAX_IN = 10_000;

/** @throws AppError `invalid_input` for an unknown field, and for a condition that is none of the port's forms. */
export function conditionsOf(kinds: FieldKinds, where: object): Conditions {
  return Object.entries(where).map(([field, condition]: [string, unknown]) => ({
    field,
    test: testOf(field, kindOf(kinds, field), condition),
  }));
}

export function sortKeysOf(
  kinds: FieldKinds,
  sort: readonly (readonly [string, 'asc' | 'desc'])[],
): readonly SortKey[] {
  return sort.map(([field, direction]) => {
    if (['list', 'other'].includes(kindOf(kinds, field))) throw refused(field, "can't be sorted by");
    return { field, descending: direction === 'desc' };
  });
}

/** @throws AppError `invalid_input` unless it is a whole number from 0. */
export function wholeCount(name: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (!Number.isSafeInteger(value) || value < 0) throw refused(name, 'must be a whole number from 0');
  return value;
}

/** A pattern that finds the text itself, whatever characters it has. Means the same to JavaScript (flags `iu`) and to MongoDB (`i`). */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll('\0', '\\x00');
}

function kindOf(kinds: FieldKinds, field: string): FieldKind {
  const kind = kinds.get(field);
  if (kind === undefined) throw refused(field, 'is not a field of this document');
  return kind;
}

function testOf(field: string, kind: FieldKind, condition: unknown): FieldTest {
  if (!isPlainObject(condition)) return { kind: 'in', values: [scalarFor(field, kind, condition)] };
  const names = Object.keys(condition);
  const [name] = names;
  if (name !== undefined && names.every((each) => RANGE_OPERATORS.some((operator) => operator === each))) {
    return { kind: 'range', bounds: boundsFor(field, kind, condition) };
  }
  if (names.length === 1) {
    const value = condition[String(name)];
    if (name === 'not') return { kind: 'notIn', values: [scalarFor(field, kind, value)] };
    if (name === 'in' || name === 'notIn') return { kind: name, values: listFor(field, kind, value) };
    if (name === 'contains') return { kind: 'contains', text: textFor(field, kind, value) };
  }
  throw refused(field, 'has a condition that is not known');
}

function scalarFor(field: string, kind: FieldKind, value: unknown): Scalar {
  if (kind === 'list') throw refused(field, "is a list and can't be a condition");
  if (isScalar(value) && (value === null || kindOfScalar(value) === kind)) return value;
  throw refused(field, 'is compared with a value of another type');
}

function isScalar(value: unknown): value is Scalar {
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}

function kindOfScalar(value: string | number | boolean | Date): FieldKind {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'date';
}

function listFor(field: string, kind: FieldKind, values: unknown): readonly Scalar[] {
  if (!Array.isArray(values) || values.length > MAX_IN) throw refused(field, `takes a list of up to ${MAX_IN} values`);
  return values.map((value: unknown) => scalarFor(field, kind, value));
}

function boundsFor(field: string, kind: FieldKind, condition: object): Bounds {
  const bounds = Object.entries(condition).map(([operator, given]: [string, unknown]) => {
    const value = scalarFor(field, kind, given);
    if (value === null || typeof value === 'boolean') throw refused(field, 'has a range without an order');
    return [operator, value] as const;
  });
  return Object.fromEntries(bounds);
}

function textFor(field: string, kind: FieldKind, value: unknown): string {
  if (kind !== 'text' || typeof value !== 'string') throw refused(field, 'has no text to look in');
  if (value.length > MAX_CONTAINS) {
    throw new AppError('invalid_input', `a text to look for has at most ${MAX_CONTAINS} characters`);
  }
  return value;
}
