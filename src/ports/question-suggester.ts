import type { CompanyId } from '../shared/ids.js';
import type { TableProfile } from './table.js';

/** Thinks of questions that can be answered on a table. */
export abstract class QuestionSuggester {
  /** At most `wanted` questions, most telling first, each of which has been proven to be understood. None when the table has nothing to ask about. */
  abstract suggest(companyId: CompanyId, profile: TableProfile, wanted: number): Promise<readonly string[]>;
}
