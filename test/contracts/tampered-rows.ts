import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import { RowReader } from '../../src/ports/row-reader.js';
import type { QueryLimits, QueryResult, TableRef } from '../../src/ports/table.js';

/** Rows that do with each plan what the test says before they answer it. */
export class TamperedRows extends RowReader {
  readonly results: QueryResult[] = [];

  constructor(
    private readonly rows: RowReader,
    private readonly tamper: (plan: AnalysisPlan, result: QueryResult) => QueryResult | Promise<QueryResult>,
  ) {
    super();
  }

  override async analyze(table: TableRef, plan: AnalysisPlan, limits: QueryLimits): Promise<QueryResult> {
    const result = await this.tamper(plan, await this.rows.analyze(table, plan, limits));
    this.results.push(result);
    return result;
  }

  override query = (): Promise<never> => Promise.reject(new Error('not asked for'));
  override plot = (): Promise<never> => Promise.reject(new Error('not asked for'));
  override profile = (): Promise<never> => Promise.reject(new Error('not asked for'));
  override measureJoin = (): Promise<never> => Promise.reject(new Error('not asked for'));
  override distinctMetadata = (): Promise<never> => Promise.reject(new Error('not asked for'));
}
