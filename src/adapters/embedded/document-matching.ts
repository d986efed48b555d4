import { literalPattern, type Conditions, type FieldTest, type SortKey } from '../documents/conditions.js';
import type { PlainDocument } from '../documents/schema-rules.js';

export type Matcher = (document: PlainDocument) => boolean;
export type Comparator = (left: PlainDocument, right: PlainDocument) => number;

type ValueTest = (value: unknown) => boolean;

/** Whether a document fits all conditions, in MongoDB's sense: null also fits what is missing, a range only its own kind. */
export function matcherOf(conditions: Conditions): Matcher {
  const tests = conditions.map(({ field, test }) => [field, valueTest(test)] as const);
  return (document) => tests.every(([field, fits]) => fits(document[field] ?? null));
}

export function comparatorOf(sort: readonly SortKey[]): Comparator {
  return (left, right) => {
    for (const { field, descending } of sort) {
      const order = compareValues(left[field] ?? null, right[field] ?? null);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
}

/** Null first, numbers and dates by value, texts by code point. */
export function compareValues(left: unknown, right: unknown): number {
  const order = rankOf(left) - rankOf(right);
  if (order !== 0) return order;
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  const difference = Number(left) - Number(right);
  return Number.isNaN(difference) ? 0 : difference;
}

function valueTest(test: FieldTest): ValueTest {
  switch (test.kind) {
    case 'in':
    case 'notIn': {
      const known = new Set(test.values.map(identityOf));
      return (value) => known.has(identityOf(value)) === (test.kind === 'in');
    }
    case 'range':
      return rangeTest(test.bounds);
    case 'contains': {
      const pattern = new RegExp(literalPattern(test.text), 'iu');
      return (value) => typeof value === 'string' && pattern.test(value);
    }
  }
}

function rangeTest(bounds: object): ValueTest {
  const tests = Object.entries(bounds).map(([operator, bound]: [string, unknown]): ValueTest => {
    const inclusive = operator.endsWith('e');
    const sign = operator.startsWith('g') ? 1 : -1;
    return (value) => {
      if (rankOf(value) !== rankOf(bound)) return false;
      const order = compareValues(value, bound) * sign;
      return order > 0 || (inclusive && order === 0);
    };
  });
  return (value) => tests.every((fits) => fits(value));
}

/** Dates are equal by their time; a text that looks like one is not. */
function identityOf(value: unknown): unknown {
  return value instanceof Date ? `\0date ${value.getTime()}` : value;
}

const RANKS: Readonly<Record<string, number>> = { undefined: 0, number: 1, string: 2, boolean: 4 };

function rankOf(value: unknown): number {
  if (value === null) return 0;
  if (value instanceof Date) return 5;
  return RANKS[typeof value] ?? 3;
}

const ASTRAL = /[\ud800-\udfff]/;

/** JavaScript compares UTF-16 units, which puts astral characters before U+E000; bytes of UTF-8 (and MongoDB) do not. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  if (ASTRAL.test(left) || ASTRAL.test(right)) return Buffer.from(left).compare(Buffer.from(right));
  return left < right ? -1 : 1;
}
