import type { Briefing, ChatModel } from '../ports/chat-model.js';
import type { TableRef } from '../ports/table.js';
import type { CompanyId } from '../shared/ids.js';

/** How much one answer may cost. */
export interface AnswerLimits {
  /** Rounds of the model, the last of which has no tools. */
  readonly steps: number;
  /** Tool calls in all, refused ones included. */
  readonly toolCalls: number;
  readonly queryTimeoutMs: number;
  /** Asked before each round: nothing more is to be looked at. */
  readonly enough?: () => boolean;
}

export const DEFAULT_STEPS = 8;
export const DEFAULT_TOOL_CALLS = 12;

export interface FailedQuery {
  /** As a model wrote it; empty for a plan. */
  readonly statement: string;
  readonly error: unknown;
}

/** What is asked, with all that may be used to answer it. */
export interface Question {
  readonly companyId: CompanyId;
  /** Who is asked; when nobody is named it is the service's own model. */
  readonly model?: ChatModel;
  /** Null exactly when `briefing.table` is: then no query can run. */
  readonly table: TableRef | null;
  /** Those of `briefing.others`, in the same order. */
  readonly others?: readonly TableRef[];
  /** The model plans what it looks at, and tells. */
  readonly plans?: boolean;
  readonly briefing: Briefing;
  readonly limits: AnswerLimits;
  /** The answer is only tried: its chart counts as drawn, and nothing is kept. */
  readonly isTrial?: boolean;
  /** Told of queries that fail, which a model mends in silence. */
  readonly onFailedQuery?: (failed: FailedQuery) => void;
}
