import { columnsOfFilter, type Filter } from './plan-filters.js';

/** Of one number; `log` is natural and gives null where there is none. */
export const NUMBER_FUNCTIONS = [
  'abs',
  'log',
  'log2',
  'log10',
  'log1p',
  'exp',
  'sqrt',
  'square',
  'round',
  'floor',
  'ceil',
] as const;
export type NumberFunction = (typeof NUMBER_FUNCTIONS)[number];

export const MOMENT_PARTS = ['year', 'quarter', 'month', 'week', 'day', 'weekday', 'hour', 'minute'] as const;
/** `month` 1 to 12, `week` of ISO 8601, `day` of the month, `weekday` 1 (Monday) to 7, `hour` 0 to 23. */
export type MomentPart = (typeof MOMENT_PARTS)[number];

export const DURATION_UNITS = ['seconds', 'minutes', 'hours', 'days'] as const;
export type DurationUnit = (typeof DURATION_UNITS)[number];

/** What a derived column holds for a row. Where an operand is missing, so is the result; dividing by zero gives none either. */
export type Expression =
  /** A column of the table, or one that was derived before this. */
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'number'; readonly value: number }
  | {
      readonly kind: 'arithmetic';
      readonly operator: '+' | '-' | '*' | '/';
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'function'; readonly function: NumberFunction; readonly of: Expression }
  /** How many characters, or words between white space, a text has. */
  | { readonly kind: 'length'; readonly column: string; readonly unit: 'characters' | 'words' }
  /** A part of a time column. */
  | { readonly kind: 'part'; readonly column: string; readonly part: MomentPart }
  /** How long it is from one time to another, with fractions. */
  | { readonly kind: 'duration'; readonly from: string; readonly to: string; readonly unit: DurationUnit }
  /**
   * Scaled over all rows that fit the plan's conditions on other than derived columns. `zscore`: distance from the mean in standard
   * deviations (of a sample unless `population`); `minmax`: 0 for the lowest, 1 for the highest.
   */
  | {
      readonly kind: 'scaled';
      readonly method: 'zscore' | 'minmax';
      readonly of: Expression;
      readonly population: boolean;
    }
  /**
   * The interval a number falls in, as text such as `18 to 30`, or the labels given (one more than edges, or one fewer when values
   * outside of the edges fall in none). `closed`: which end belongs to an interval.
   */
  | {
      readonly kind: 'bins';
      readonly of: Expression;
      /** Ascending, at least one. */
      readonly edges: readonly number[];
      readonly labels: readonly string[] | null;
      readonly closed: 'left' | 'right';
    }
  /** As many intervals of equal width, or of an equal number of rows, over the rows as for `scaled`; 1 is the lowest. */
  | {
      readonly kind: 'equal_bins';
      readonly of: Expression;
      readonly count: number;
      readonly equal: 'width' | 'rows';
    }
  /** The value of the first case whose conditions all hold. */
  | {
      readonly kind: 'case';
      readonly cases: readonly { readonly filters: readonly Filter[]; readonly value: string | number | boolean }[];
      readonly otherwise: string | number | boolean | null;
    }
  /** The value, or where there is none a figure over the rows as for `scaled`, or a number. */
  | { readonly kind: 'filled'; readonly column: string; readonly with: 'mean' | 'median' | 'mode' | number };

/** A column that is computed for each row before anything else. Its name is none of the table's. */
export interface DerivedColumn {
  readonly name: string;
  readonly expression: Expression;
}

/** The columns that an expression speaks of. */
export function columnsOfExpression(expression: Expression): readonly string[] {
  switch (expression.kind) {
    case 'number':
      return [];
    case 'arithmetic':
      return [...columnsOfExpression(expression.left), ...columnsOfExpression(expression.right)];
    case 'function':
    case 'scaled':
    case 'bins':
    case 'equal_bins':
      return columnsOfExpression(expression.of);
    case 'duration':
      return [expression.from, expression.to];
    case 'case':
      return expression.cases.flatMap(({ filters }) => filters.flatMap(columnsOfFilter));
    case 'column':
    case 'length':
    case 'part':
    case 'filled':
      return [expression.column];
  }
}
