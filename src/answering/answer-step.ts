import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { AnswerData, AssistantAnswer } from '../ports/assistant-answer.js';
import type { ChatHappening } from '../ports/stream-event.js';
import type { QueryResult } from '../ports/table.js';
import type { DatasourceId } from '../shared/ids.js';
import { isAppError } from '../shared/app-error.js';
import type { JsonObject } from '../shared/json.js';

/**
 * What happens while a question is answered. The `text` steps in order make up `answer.response` exactly; exactly one `done`
 * comes, and comes last. A failure is thrown instead.
 */
export type AnswerStep =
  /** What is being done, in words for the person who waits. */
  | { readonly kind: 'status'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'query';
      readonly purpose: string;
      readonly dbquery: string;
      readonly result: QueryResult;
      /** `null`: the query was written, not planned. */
      readonly plan: AnalysisPlan | null;
      /** Whose rows they are. */
      readonly datasourceId?: DatasourceId;
    }
  /** What the model means to look at. */
  | { readonly kind: 'plan'; readonly steps: readonly string[] }
  | { readonly kind: 'visualization'; readonly title: string; readonly filename: string; readonly chart: JsonObject }
  | { readonly kind: 'done'; readonly answer: AssistantAnswer; readonly plan: AnalysisPlan | null };

/** An answer of which nothing is known yet. */
export const EMPTY_ANSWER: AssistantAnswer = {
  response: '',
  query: '',
  dbquery: '',
  visualization: '',
  chart: null,
  data: null,
  sources: [],
  kind: 'answer',
  evidence: { rowsScanned: 0, rowsReturned: 0, timeRange: null, filters: [], queries: 0 },
  model: '',
  error: null,
};

/** The answer after one more step. After `done` it is the whole one; before, what a broken answer leaves behind. */
export function withStep(answer: AssistantAnswer, step: AnswerStep): AssistantAnswer {
  switch (step.kind) {
    case 'status':
    case 'plan':
      return answer;
    case 'text':
      return { ...answer, response: answer.response + step.text };
    case 'query':
      return { ...answer, query: step.purpose, dbquery: step.dbquery, data: dataOf(step.result) };
    case 'visualization':
      return { ...answer, visualization: step.filename, chart: step.chart };
    case 'done':
      return step.answer;
  }
}

/** What there was of an answer when it failed, and why it did. */
export function withFailure(answer: AssistantAnswer, error: unknown): AssistantAnswer {
  return { ...answer, error: failureSentence(error) };
}

export interface FoldedAnswer {
  readonly answer: AssistantAnswer;
  /** The plan that the answer rests on, if it came from one. */
  readonly plan: AnalysisPlan | null;
}

const MAX_DATA_ROWS = 100;

/** The rows of a result as answers carry them: the first 100. */
export function dataOf({ columns, rows }: QueryResult): AnswerData {
  return { columns: columns.map(({ name }) => name), rows: rows.slice(0, MAX_DATA_ROWS) };
}

/** What a user is told of a failure: a foreseen one in its own words, of any other only that there was one. */
export function failureSentence(error: unknown): string {
  return isAppError(error) ? error.message : 'the answer could not be finished';
}

/** What a listener hears of a step; a query is heard of through the answer, whose end is told when it is stored. */
export function toChatEvent(step: AnswerStep): ChatHappening | null {
  switch (step.kind) {
    case 'status':
      return { type: 'chat-loading', step: step.text };
    case 'text':
      return { type: 'chat-chunk', chunk: step.text };
    case 'visualization':
      return { type: 'chat-visualization', visualization: step.filename, chart: step.chart };
    case 'query':
    case 'plan':
    case 'done':
      return null;
  }
}
