import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { AssistantAnswer } from '../ports/assistant-answer.js';
import { dataOf } from './answer-data.js';
import type { AnswerStep } from './answer-step.js';
import { failureSentence } from './failure-sentence.js';

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

/** Waits for the whole answer. Throws what the steps throw. */
export async function foldAnswer(steps: AsyncIterable<AnswerStep>): Promise<FoldedAnswer> {
  let folded: FoldedAnswer = { answer: EMPTY_ANSWER, plan: null };
  for await (const step of steps) {
    folded = { answer: withStep(folded.answer, step), plan: step.kind === 'done' ? step.plan : folded.plan };
  }
  return folded;
}
