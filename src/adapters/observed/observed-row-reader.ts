import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import {
  RowReader,
  type MetadataQuery,
  type MetadataValues,
  type PlotQuery,
  type PlotSeries,
} from '../../ports/row-reader.js';
import type { QueryLimits, QueryResult, TableProfile, TableRef } from '../../ports/table.js';
import { observed, type Observers } from './observers.js';

/** A row reader whose questions are counted and traced. */
export class ObservedRowReader extends RowReader {
  constructor(
    private readonly reader: RowReader,
    private readonly observers: Observers,
  ) {
    super();
  }

  override plot(table: TableRef, query: PlotQuery): Promise<PlotSeries> {
    return this.told('plot', () => this.reader.plot(table, query));
  }

  override profile(table: TableRef): Promise<TableProfile> {
    return this.told('profile', () => this.reader.profile(table));
  }

  override distinctMetadata(table: TableRef, query: MetadataQuery): Promise<MetadataValues> {
    return this.told('metadata', () => this.reader.distinctMetadata(table, query));
  }

  override analyze(table: TableRef, plan: AnalysisPlan, limits: QueryLimits): Promise<QueryResult> {
    return this.told('analyze', () => this.reader.analyze(table, plan, limits));
  }

  override query(table: TableRef, statement: string, limits: QueryLimits): Promise<QueryResult> {
    return this.told('query', () => this.reader.query(table, statement, limits));
  }

  private told<R>(operation: string, work: () => Promise<R>): Promise<R> {
    return observed(this.observers, { name: `rows ${operation}`, kind: 'client' }, work, {
      ended: ({ seconds, outcome }) => {
        this.observers.metrics.observe('row_query_duration_seconds', { operation, outcome }, seconds);
      },
    });
  }
}
