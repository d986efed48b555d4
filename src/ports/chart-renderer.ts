import type { JsonObject } from '../shared/json.js';
import type { TimeBucket } from './analysis-plan.js';
import type { QueryResult } from './table.js';

export const CHART_KINDS = [
  'line',
  'area',
  'bar',
  'stacked_bar',
  'grouped_bar',
  'histogram',
  'scatter',
  'heatmap',
  'pie',
] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

/** What is drawn from a query's result; `x`, `y` and `series` name its columns. */
export interface ChartRequest {
  readonly kind: ChartKind;
  readonly x: string;
  /** Unused by a histogram, which counts; for a heatmap the figure that colours the cells (its rows are `series`). */
  readonly y: string | null;
  readonly series: string | null;
  /** At most 120 characters. */
  readonly title: string;
  readonly xTitle: string | null;
  readonly yTitle: string | null;
  /** Stands below the title: how what is drawn differs from the result. */
  readonly note?: string;
  /** The figures of all places add up to a whole. */
  readonly adds?: boolean;
  /** `y` counts rows in each step of time along `x`: where a step is missing there are none. */
  readonly countsBy?: TimeBucket;
}

/** Draws charts, away from the event loop. */
export abstract class ChartRenderer {
  /**
   * The Vega-Lite specification of a chart with its data inside; no text of the data is a field name, expression or address in it.
   *
   * @throws AppError `invalid_input` when the request does not fit the result; the message may go back to a model.
   */
  abstract specify(request: ChartRequest, result: QueryResult): JsonObject;
  /** A PNG of double resolution. @throws AppError `unavailable` */
  abstract draw(specification: JsonObject): Promise<Buffer>;
}
