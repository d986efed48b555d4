import type { TableProfile } from './table.js';

/** Thinks of questions that can be answered on a table. */
export abstract class QuestionSuggester {
  /** At most `wanted` questions, most telling first, each of which has been proven to be understood. None when the table has nothing to ask about. */
  abstract suggest(profile: TableProfile, wanted: number): readonly string[];
}
