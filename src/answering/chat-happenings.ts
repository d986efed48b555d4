import type { ChatHappening } from '../ports/stream-event.js';
import type { AnswerStep } from './answer-step.js';

/** What a listener hears of a step; a query is heard of through the answer. */
export function happeningOf(step: AnswerStep): ChatHappening | null {
  switch (step.kind) {
    case 'status':
      return { type: 'chat-loading', step: step.text };
    case 'text':
      return { type: 'chat-chunk', chunk: step.text };
    case 'query':
      return null;
    case 'visualization':
      return { type: 'chat-visualization', visualization: step.filename, chart: step.chart };
    case 'done':
      return { type: 'chat-complete', response: step.answer, plan: step.plan };
  }
}
