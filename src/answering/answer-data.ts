import type { AnswerData } from '../ports/assistant-answer.js';
import type { QueryResult } from '../ports/table.js';

const MAX_DATA_ROWS = 100;

/** The rows of a result as answers carry them: the first 100. */
export function dataOf({ columns, rows }: QueryResult): AnswerData {
  return { columns: columns.map(({ name }) => name), rows: rows.slice(0, MAX_DATA_ROWS) };
}
