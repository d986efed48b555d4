import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { QueryResult } from '../ports/table.js';

/** How often a model may try to mend a query that fails. */
const MAX_REPAIRS = 3;

export interface LoggedQuery {
  /** What the model calls its result. */
  readonly id: string;
  readonly purpose: string;
  readonly plan: AnalysisPlan | null;
  readonly result: QueryResult;
}

/** The queries of one answer: those that gave a result, and how often in a row the last ones failed. */
export class QueryLog {
  private readonly done: LoggedQuery[] = [];
  private failures = 0;

  get queries(): readonly LoggedQuery[] {
    return this.done;
  }

  get last(): LoggedQuery | null {
    return this.done.at(-1) ?? null;
  }

  /** No further repair is worth its while. */
  get exhausted(): boolean {
    return this.failures > MAX_REPAIRS;
  }

  /** The result of that id; without one the last. */
  find(id: string | null): LoggedQuery | null {
    return id === null ? this.last : (this.done.find((query) => query.id === id) ?? null);
  }

  add(query: Omit<LoggedQuery, 'id'>): LoggedQuery {
    const logged = { ...query, id: `r${this.done.length + 1}` };
    this.done.push(logged);
    this.failures = 0;
    return logged;
  }

  failed(): void {
    this.failures += 1;
  }
}
