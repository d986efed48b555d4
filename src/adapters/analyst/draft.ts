import type { Aggregate, Dimension, Filter, Having } from '../../ports/analysis-plan.js';
import type { Direction } from './column-facts.js';

/** A figure before it has a label. */
export interface MeasureDraft {
  readonly aggregate: Aggregate;
  readonly column: string | null;
}

type WithoutLabel<T> = T extends unknown ? Omit<T, 'label'> : never;
export type DimensionDraft = WithoutLabel<Dimension>;

/** `by` is the place of a measure. */
export interface RankDraft {
  readonly direction: Direction;
  readonly limit: number | null;
}

/** A plan before its parts have labels, and before it is known to be complete. */
export type Draft =
  | {
      readonly kind: 'aggregate';
      readonly measures: readonly MeasureDraft[];
      readonly dimensions: readonly DimensionDraft[];
      readonly filters: readonly Filter[];
      readonly having: readonly Having[];
      /** By the first measure; `null`: as is usual for such a table. */
      readonly rank: RankDraft | null;
    }
  | {
      readonly kind: 'rows';
      readonly columns: readonly string[];
      readonly filters: readonly Filter[];
      readonly order: { readonly by: string; readonly direction: Direction } | null;
      readonly limit: number | null;
    };
