import { Envelope } from '../../../http/envelope.wire.js';

export class SuggestionsResponse extends Envelope {
  /** A JSON-encoded array of 4 to 6 texts; of fewer where the table has no more to ask about, of none where there are no rows to ask. */
  readonly suggested_questions!: string;
}

export function suggestionsView(questions: readonly string[]): Omit<SuggestionsResponse, keyof Envelope> {
  return { suggested_questions: JSON.stringify(questions) };
}
