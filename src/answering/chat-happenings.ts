import type { ChatHappening } from '../ports/stream-event.js';
import type { AnswerStep } from './answer-step.js';
import { failureSentence } from './failure-sentence.js';

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
      return { type: 'chat-complete', response: step.answer };
  }
}

/**
 * Turns steps into what is told to a listener, as they happen. Never throws: a failure is the last happening, and `failed` hears its
 * cause before the listener does.
 */
export async function* chatHappenings(
  steps: AsyncIterable<AnswerStep>,
  failed: (error: unknown) => void,
): AsyncGenerator<ChatHappening> {
  try {
    for await (const step of steps) {
      const happening = happeningOf(step);
      if (happening !== null) yield happening;
    }
  } catch (error) {
    failed(error);
    yield { type: 'chat-error', error: failureSentence(error) };
  }
}
