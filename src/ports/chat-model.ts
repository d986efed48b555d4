import type { CompanyId } from '../shared/ids.js';
import type { JsonObject } from '../shared/json.js';
import type { AnalysisPlan } from './analysis-plan.js';
import type { AnswerKind, AnswerSource } from './assistant-answer.js';
import type { ChartKind } from './chart-renderer.js';
import type { TableSemantics } from './table-semantics.js';
import type { ColumnPair, QueryResult, TableProfile } from './table.js';

/** An earlier question of the conversation and its answer. */
export interface HistoryTurn {
  readonly question: string;
  readonly answer: string;
  readonly dbquery: string;
  /** The plan that the answer rests on, if it came from one. */
  readonly plan: AnalysisPlan | null;
}

/** A table that the rows of another may be joined with, along a relation that a person has confirmed. Its names are of unknown origin, too. */
export interface JoinedBriefing {
  /** Id of the relation. */
  readonly relation: string;
  /** What statements and plans call it. */
  readonly table: string;
  /** Of the datasource. */
  readonly name: string;
  /** Columns that are equal where rows belong together: of the table, and of this one. */
  readonly on: readonly ColumnPair[];
  readonly profile: TableProfile;
  readonly semantics: TableSemantics | null;
  /** Each row has at most one row there, as it was measured. */
  readonly isSingle: boolean;
}

/** The datasource a question is about. Names, values and context are data of unknown origin. */
export interface TableBriefing {
  readonly name: string;
  /** Free text of its owner. */
  readonly context: string;
  /** What its columns and figures mean; of unknown origin, too. */
  readonly semantics?: TableSemantics | null;
  readonly profile: TableProfile;
  /** What its rows may be joined with. */
  readonly joined?: readonly JoinedBriefing[] | undefined;
}

/** A plan that is asked instead of words. */
export interface GivenPlan {
  readonly plan: AnalysisPlan;
  /** What its picture is to be; `null`: what suits it. */
  readonly chart: ChartKind | null;
}

/** A question about the same table that a person has verified, and what answers it: a plan or SQL. */
export interface ExampleQuestion {
  readonly question: string;
  readonly plan: AnalysisPlan | null;
  readonly sql: string | null;
}

/** All a model is told before it begins. */
export interface Briefing {
  readonly question: string;
  /** Oldest first, at most 10. */
  readonly history: readonly HistoryTurn[];
  /** `null`: context files alone may answer. */
  readonly table: TableBriefing | null;
  /** Further ones that may be asked beside it; each call says which. */
  readonly others?: readonly TableBriefing[];
  readonly passages: readonly AnswerSource[];
  /** Verified questions like this one, the nearest first, at most 3. The built-in analyst has no use for them. */
  readonly examples?: readonly ExampleQuestion[];
  readonly now: Date;
  /**
   * Findings, in Markdown, that are to be put together into one text; the question says what for. There is no table then, and no
   * passage. They quote data, so they are data of unknown origin themselves.
   */
  readonly findings?: readonly string[];
  /** Of the answer; `null` or not said: that of the question. */
  readonly language?: string | null;
  /** Wishes of the asker's company for its answers. They bend no rule. */
  readonly instructions?: string;
  /** What is asked; the question is this in words. The built-in analyst alone is told of it. */
  readonly given?: GivenPlan | null;
  /** Nobody is there to choose among readings: the likeliest is answered, and the others are told. For the built-in analyst. */
  readonly isUnattended?: boolean;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject;
}

/** A call as the model wrote it; `arguments` is JSON text that nobody has checked yet. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface ToolOutcome {
  readonly callId: string;
  readonly ok: boolean;
  /** What the model reads: JSON, cut to a length. */
  readonly content: string;
  /** The rows behind it, for a model that lives in this process. */
  readonly result: QueryResult | null;
}

/** One round of an answer in the making: what the model wrote, what it called, what came of it. */
export interface Exchange {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly outcomes: readonly ToolOutcome[];
  /** What whoever wrote the text is told of it. */
  readonly remark?: string;
}

export interface ModelRequest {
  /** Whose it is. No model is told; who works for several takes them in turns. */
  readonly companyId?: CompanyId;
  readonly briefing: Briefing;
  readonly exchanges: readonly Exchange[];
  /** Empty in the last round: the model must answer in words now. */
  readonly tools: readonly ToolDefinition[];
}

/** The tokens of one round as its endpoint counted them. */
export interface TokenUsage {
  /** Everything that was read, what was read from a cache included. */
  readonly input: number;
  /** Everything that was written, thoughts included. */
  readonly output: number;
  /** Of the input, what the endpoint had read before. */
  readonly cached: number;
}

/**
 * A piece of what a model writes. Pieces of one call share a `key`, and `arguments` is the next part of its JSON text.
 * `end` comes exactly once and last; a stream without it was cut.
 */
export type ModelDelta =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly key: string;
      readonly id: string | null;
      readonly name: string | null;
      readonly arguments: string;
    }
  | {
      readonly kind: 'end';
      readonly reason: 'stop' | 'tool_calls' | 'length' | 'other';
      /** What the model itself says its answer is; `null` when it can't say. */
      readonly verdict: AnswerKind | null;
      readonly tokens: number | null;
      /** What the tokens were; left out where the endpoint does not count. */
      readonly usage?: TokenUsage;
    };

/** Writes answers and asks for tools: a language model behind an endpoint, or the built-in analyst. */
export abstract class ChatModel {
  /** As shown in answers: `gpt-…`, `built-in analyst`. */
  abstract readonly name: string;
  /** It can follow instructions and write a text of its own, and each of its rounds has a price; the built-in analyst can't and has none. */
  abstract readonly writesFreely: boolean;
  /**
   * One round. Aborting the signal ends the stream, with the signal's reason thrown.
   *
   * @throws AppError `unavailable` when the model is away, refuses or breaks off (after its own few retries), `invalid_input` when the conversation is too long for it.
   */
  abstract stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
}
