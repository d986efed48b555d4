import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { AnswerKind, AnswerSource } from '../../ports/assistant-answer.js';
import type { QueryResult } from '../../ports/table.js';
import type { TaskSubject } from './task-assignment.js';

/** A query of a run and what it gave. */
export interface AskedQuery {
  readonly subject: TaskSubject;
  /** What it was to find out, in plain words. */
  readonly purpose: string;
  /** Null: it was written, not planned. */
  readonly plan: AnalysisPlan | null;
  readonly result: QueryResult;
  /** The question of the prompt that it belongs to, for relative times in it; empty when it has none. */
  readonly question: string;
}

/** A chart that was drawn and is kept. */
export interface Picture {
  readonly filename: string;
  readonly title: string;
}

/** `failed`: it was not worked out, for a reason that has nothing to do with the question. */
export type FindingKind = AnswerKind | 'failed';

/** What was asked of one datasource and what came of it. */
export interface Finding {
  readonly subject: TaskSubject;
  /** A heading in plain words: a question of the prompt, or what the run looked at by itself. */
  readonly question: string;
  readonly origin: 'prompt' | 'overview' | 'follow-up';
  readonly kind: FindingKind;
  /** Markdown; the first paragraph says the most. */
  readonly text: string;
  readonly queries: readonly AskedQuery[];
  readonly picture: Picture | null;
  readonly sources: readonly AnswerSource[];
  /** What its figures rest on, as a line of Markdown; empty when on no query. */
  readonly basis: string;
}

export function isAnswered({ kind }: Finding): boolean {
  return kind === 'answer';
}

/** The sentence that says the most. */
export function headlineOf({ text }: Finding): string {
  return text.split('\n\n', 1)[0]?.trim() ?? '';
}

/** A figure by plan, with what people call it. */
export type Aggregation = Extract<AnalysisPlan, { kind: 'aggregate' }>;
