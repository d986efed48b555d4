import { ApiProperty } from '@nestjs/swagger';
import type {
  AnswerData,
  AnswerKind,
  AssistantAnswer,
  Evidence,
  PartKind,
  Understood,
} from '../ports/assistant-answer.js';
import type { ChartKind } from '../ports/chart-renderer.js';
import type { JsonObject, JsonPrimitive } from '../shared/json.js';
import { Envelope, onWire } from './envelope.wire.js';

/** Written by hand, since the generator takes a cell for an object. */
export function Cells(): PropertyDecorator {
  const oneOf = ['string', 'number', 'boolean', 'null'].map((type) => ({ type }));
  return ApiProperty({ type: 'array', items: { type: 'array', items: { oneOf } } });
}

/** The figures behind an answer. */
export class AnswerDataView {
  readonly columns!: string[];
  /** At most 100; times are ISO 8601. */
  @Cells()
  readonly rows!: JsonPrimitive[][];
}

export class ChartResponse extends Envelope {
  /** Vega-Lite specification with its data. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  readonly chart!: JsonObject;
}

/** A passage of a context file that an answer rests on. */
export class AnswerSourceView {
  readonly file_id!: string;
  readonly filename!: string;
  readonly page!: number | null;
  readonly quote!: string;
}

/** First and last timestamp, ISO 8601. */
export class TimeRangeView {
  readonly from!: string;
  readonly to!: string;
}

/** What a join makes of rows. */
export class AnswerJoinView {
  /** The datasource of the rows. */
  readonly left!: string;
  /** The datasource that they are joined with. */
  readonly right!: string;
  /** Rows of the left one. */
  readonly of!: number;
  /** Rows that the join makes of them; more than `of` where a row belongs to several, so that figures count some more than once. */
  readonly rows!: number;
  /** Rows of the left one to which none belongs. */
  readonly alone!: number;
}

/** What the figures rest on. */
export class EvidenceView {
  /** Rows that the datasource had when it was asked. */
  readonly rows_scanned!: number;
  readonly rows_returned!: number;
  readonly time_range!: TimeRangeView | null;
  /** Each filter in words. */
  readonly filters!: string[];
  /** How many queries ran. */
  readonly queries!: number;
  /** Each join of the last query. */
  readonly joins!: AnswerJoinView[];
  /** Figures of the answer that stand in no row and no passage and follow from none, as it writes them. */
  readonly unverified!: string[];
}

/** One thing that was understood. */
export class UnderstoodPartView {
  readonly kind!: PartKind;
  /** `total revenue`, `by region`, `channel is online`. */
  readonly words!: string;
  /** Where it stands in the plan: `filters.0`. For the chart `chart`, which stands beside the plan. */
  readonly at!: string;
}

/** How a question was read, in parts that can be changed one by one and asked again. */
export class UnderstoodView {
  /** What was asked of the rows, as data. `plan` of a question takes it back. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  readonly plan!: Record<string, unknown>;
  /** What was drawn; null when nothing was. */
  readonly chart!: ChartKind | null;
  /** Figures, then groups, conditions and periods, the order, the chart. */
  readonly parts!: UnderstoodPartView[];
}

/** The manager who has verified an answer. */
export class VerifierView {
  readonly id!: string;
  readonly name!: string;
}

/** An answer of the assistant, as routes and frames carry it. */
export class AnswerView {
  /** The answer, in Markdown. */
  readonly response!: string;
  /** The question as it was understood, in words. */
  readonly query!: string;
  /** The query that ran; empty if none. */
  readonly dbquery!: string;
  /** File name of the chart's image; empty if none. */
  readonly visualization!: string;
  /** Vega-Lite specification with its data, for an interactive client. */
  readonly chart!: JsonObject | null;
  readonly data!: AnswerDataView | null;
  /** The datasource whose rows the figures are of, or begin with; null where there are none. */
  readonly datasource_id!: string | null;
  /** Passages of context files that the answer rests on. */
  readonly sources!: AnswerSourceView[];
  /** Whether this is an answer, a question back, or an honest no. */
  readonly kind!: AnswerKind;
  readonly evidence!: EvidenceView;
  /** How the question behind the answer's query was read; null when no plan is behind it. */
  readonly understood!: UnderstoodView | null;
  /** Which model answered. */
  readonly model!: string;
  /** What to know beside the answer: the company's budget for models comes to its end. Only there when there is something. */
  readonly notice?: string;
  /** A manager has marked question and answer as right; only there when it is so. The figures come from the rows as they are now. */
  readonly verified?: boolean;
  /** Who has; only there when `verified` is true. */
  readonly verified_by?: VerifierView;
  /** When; only there when `verified` is true. */
  readonly verified_at?: string;
  /** Why there is no (whole) answer; only there when there is none. */
  readonly error?: string;
}

export function answerView(answer: AssistantAnswer, understood: Understood | null): AnswerView {
  const { notice, verified, error } = answer;
  return {
    ...onWire(answer, 'response', 'query', 'dbquery', 'visualization', 'chart', 'kind', 'model'),
    data: answer.data === null ? null : answerDataView(answer.data),
    datasource_id: answer.datasourceId ?? null,
    sources: answer.sources.map((source) => onWire(source, 'fileId', 'filename', 'page', 'quote')),
    evidence: evidenceView(answer.evidence),
    understood: understood === null ? null : understoodView(understood),
    ...(notice === undefined ? {} : { notice }),
    ...(verified == null
      ? {}
      : { verified: true, verified_by: { id: verified.userId, name: verified.name }, verified_at: verified.at }),
    ...(error === null ? {} : { error }),
  };
}

export function answerDataView({ columns, rows }: AnswerData): AnswerDataView {
  return { columns: [...columns], rows: rows.map((row) => [...row]) };
}

function understoodView({ plan, chart, parts }: Understood): UnderstoodView {
  return { plan: { ...plan }, chart, parts: parts.map(({ kind, words, at }) => ({ kind, words, at })) };
}

function evidenceView(evidence: Evidence): EvidenceView {
  const { timeRange, joins = [], unverified = [] } = evidence;
  return {
    ...onWire(evidence, 'rowsScanned', 'rowsReturned', 'filters', 'queries'),
    time_range: timeRange && onWire(timeRange, 'from', 'to'),
    joins: joins.map((join) => onWire(join, 'left', 'right', 'of', 'rows', 'alone')),
    unverified: [...unverified],
  };
}
