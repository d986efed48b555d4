import type { AggregatePlan, Filter } from './analysis-plan.js';
import type { ColumnRole } from './table.js';

/** How the numbers of a column are meant: `percent` 25 and `fraction` 0.25 are both 25 %. */
export const COLUMN_FORMATS = ['', 'currency', 'percent', 'fraction', 'whole', 'decimal'] as const;
export type ColumnFormat = (typeof COLUMN_FORMATS)[number];

/** What a column means. Whatever is not said is empty. */
export interface ColumnSemantics {
  readonly name: string;
  readonly description: string;
  /** Other names of it. */
  readonly synonyms: readonly string[];
  readonly unit: string;
  readonly format: ColumnFormat;
  readonly role: ColumnRole;
  /** The values that it may have; empty: any. */
  readonly allowedValues: readonly string[];
}

/** A figure that has a name. */
export interface Metric {
  readonly name: string;
  readonly synonyms: readonly string[];
  readonly description: string;
  readonly unit: string;
  /** Without groups: one measure, or one figure that is computed from measures. */
  readonly plan: AggregatePlan;
}

/** What a table means to its company. It is data of unknown origin. */
export interface TableSemantics {
  readonly description: string;
  /** Those of which something is said. */
  readonly columns: readonly ColumnSemantics[];
  readonly metrics: readonly Metric[];
  /** The rows that count unless a question says otherwise. */
  readonly filters: readonly Filter[];
  /** The month, 1 to 12, in which a fiscal year begins. */
  readonly fiscalYearStart: number;
  readonly questions: readonly string[];
}

export const NO_SEMANTICS: TableSemantics = {
  description: '',
  columns: [],
  metrics: [],
  filters: [],
  fiscalYearStart: 1,
  questions: [],
};
