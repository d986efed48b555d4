import type { DoubleCall } from './openai-double.js';
import { ROWS_ELSEWHERE, way } from './way.js';

export interface ModelQuery {
  readonly sql: string;
  /** The same question to MongoDB. */
  readonly pipeline: readonly object[];
  readonly purpose?: string;
}

/** A model's call of `run_query`, in the language of the rows in the way that the tests are run in. */
export function queryCall({ sql, pipeline, purpose = 'x' }: ModelQuery): DoubleCall & { readonly arguments: string } {
  const statement = ROWS_ELSEWHERE.includes(way) ? { pipeline } : { sql };
  return { name: 'run_query', arguments: JSON.stringify({ ...statement, purpose }) };
}
