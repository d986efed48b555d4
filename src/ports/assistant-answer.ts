import type { AnalysisPlan } from './analysis-plan.js';
import type { ChartKind, ChartRequest } from './chart-renderer.js';
import type { DatasourceId, UserId } from '../shared/ids.js';
import type { JoinCount } from './table.js';
import type { JsonObject, JsonPrimitive } from '../shared/json.js';

/** `answer`: what was asked for. `clarify`: a question back. `cannot`: an honest no. */
export type AnswerKind = 'answer' | 'clarify' | 'cannot';

export interface AnswerData {
  readonly columns: readonly string[];
  /** At most 100; times are ISO 8601. */
  readonly rows: readonly (readonly JsonPrimitive[])[];
}

/** A passage of a context file that an answer rests on. */
export interface AnswerSource {
  readonly fileId: string;
  readonly filename: string;
  readonly page: number | null;
  readonly quote: string;
}

/** What the figures rest on. */
export interface Evidence {
  /** Rows that the datasource had when it was asked. */
  readonly rowsScanned: number;
  readonly rowsReturned: number;
  readonly timeRange: { readonly from: string; readonly to: string } | null;
  /** Each filter in words: `location is Seattle`. */
  readonly filters: readonly string[];
  readonly queries: number;
  /** Where the last query joins tables, by the names of the datasources. Answers of earlier versions do not say. */
  readonly joins?: readonly JoinCount[];
  /** Figures of the answer that could not be found in what it rests on, as it writes them. */
  readonly unverified?: readonly string[];
}

/** Who has marked an answer as right, and when. */
export interface Verification {
  readonly userId: UserId;
  readonly name: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface AssistantAnswer {
  /** Markdown. */
  readonly response: string;
  /** The question as it was understood, in words. */
  readonly query: string;
  /** The query that ran; empty if none. */
  readonly dbquery: string;
  /** File name of the chart's image; empty if none. */
  readonly visualization: string;
  /** Vega-Lite specification with its data. */
  readonly chart: JsonObject | null;
  /** What was drawn. Answers of earlier versions do not say. */
  readonly chartKind?: ChartKind | null;
  /** How the chart was asked for, so that it can be drawn again of other rows. Answers of earlier versions do not say. */
  readonly chartRequest?: ChartRequest | null;
  readonly data: AnswerData | null;
  /** Whose rows the figures are of, or begin with; left out where there are none, and by earlier versions. */
  readonly datasourceId?: DatasourceId;
  readonly sources: readonly AnswerSource[];
  readonly kind: AnswerKind;
  readonly evidence: Evidence;
  /** Which model answered. */
  readonly model: string;
  /** What the asker should know beside the answer: a budget that comes to its end. */
  readonly notice?: string;
  /** A person has verified it; only then. */
  readonly verified?: Verification | null;
  /** Why there is no (whole) answer; null when there is one. */
  readonly error: string | null;
}

export const PART_KINDS = ['figure', 'join', 'group', 'condition', 'period', 'order', 'chart'] as const;
export type PartKind = (typeof PART_KINDS)[number];

/** One thing that was understood. */
export interface UnderstoodPart {
  readonly kind: PartKind;
  /** `total revenue`, `by region`, `channel is online`. */
  readonly words: string;
  /** Where it stands in the plan: `filters.0`. The chart stands beside the plan. */
  readonly at: string;
}

/** How a question was read, in parts that can be changed one by one. */
export interface Understood {
  readonly plan: AnalysisPlan;
  /** `null`: there is no picture, or an earlier version drew it. */
  readonly chart: ChartKind | null;
  /** Figures, then groups, conditions and periods, the order, the chart. */
  readonly parts: readonly UnderstoodPart[];
}
