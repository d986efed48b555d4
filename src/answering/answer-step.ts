import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { AssistantAnswer } from '../ports/assistant-answer.js';
import type { QueryResult } from '../ports/table.js';
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
    }
  | { readonly kind: 'visualization'; readonly filename: string; readonly chart: JsonObject }
  | { readonly kind: 'done'; readonly answer: AssistantAnswer; readonly plan: AnalysisPlan | null };
