import type {
  Computed,
  DerivedColumn,
  Dimension,
  Filter,
  Having,
  Measure,
  RowsPlan,
  StatisticPlan,
  Summary,
} from '../../ports/analysis-plan.js';
export type Direction = 'asc' | 'desc';

/** Distributes over unions. */
export type WithoutLabel<T> = T extends unknown ? Omit<T, 'label'> : never;
/** A figure before it has a label. */
export type MeasureDraft = WithoutLabel<Measure>;
export type DimensionDraft = WithoutLabel<Dimension>;
export type ComputedDraft = WithoutLabel<Computed>;
export type SummaryDraft = WithoutLabel<Summary>;

/** `figure` is the place of a measure, by default the first, counted on through computed figures. */
export interface RankDraft {
  readonly direction: Direction;
  readonly limit: number | null;
  /** So many of the first are passed over. */
  readonly skip?: number | undefined;
  readonly figure?: number | undefined;
}

/** An order before there are labels. Places of figures count through measures and then computed ones. */
export type OrderDraft =
  | { readonly figure: number; readonly direction: Direction }
  | { readonly dimension: number; readonly direction: Direction };

export interface AggregateDraft {
  readonly kind: 'aggregate';
  readonly derived?: readonly DerivedColumn[] | undefined;
  readonly measures: readonly MeasureDraft[];
  readonly dimensions: readonly DimensionDraft[];
  readonly computed?: readonly ComputedDraft[] | undefined;
  readonly filters: readonly Filter[];
  readonly having: readonly Having[];
  /** By one figure; `null`: as is usual for such a table. */
  readonly rank: RankDraft | null;
  /** An order that was asked for in words; it goes before a rank's, whose limit still holds. */
  readonly order?: readonly OrderDraft[] | undefined;
  /** Places of dimensions within which a limit counts. */
  readonly each?: readonly number[] | undefined;
  readonly summary?: SummaryDraft | undefined;
}

/** A plan before its parts have labels, and before it is known to be complete. */
export type Draft = AggregateDraft | RowsPlan;

/** What a plan is before it has labels. */
export type Sketch = Draft | StatisticPlan;
