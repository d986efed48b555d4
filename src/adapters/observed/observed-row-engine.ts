import {
  RowEngine,
  type Appended,
  type Batch,
  type LoadReport,
  type LoadSource,
  type LoadWatch,
  type TypedRow,
} from '../../ports/row-engine.js';
import type { TableRef } from '../../ports/table.js';
import type { CompanyId, DatasourceId } from '../../shared/ids.js';
import { observed, type Ended, type Observers } from './observers.js';

/** A row engine whose imports and insertions are counted and traced. */
export class ObservedRowEngine extends RowEngine {
  constructor(
    private readonly engine: RowEngine,
    private readonly observers: Observers,
  ) {
    super();
  }

  override async load(table: TableRef, source: LoadSource, watch: LoadWatch): Promise<LoadReport> {
    const { metrics } = this.observers;
    const facts = { files: source.files.length, columns: source.columns.length };
    const start = { name: 'rows import', kind: 'client', facts } as const;
    const report = await observed(this.observers, start, () => this.engine.load(table, source, watch), {
      ended: ({ seconds, outcome }) => {
        metrics.observe('import_duration_seconds', { outcome }, seconds);
      },
      facts: ({ rows, rejected }) => ({ rows, rejected }),
    });
    metrics.count('import_rows_total', { result: 'kept' }, report.rows);
    metrics.count('import_rows_total', { result: 'rejected' }, report.rejected);
    metrics.count(
      'import_bytes_total',
      {},
      report.files.reduce((bytes, { size }) => bytes + size, 0),
    );
    return report;
  }

  override async append(table: TableRef, rows: readonly TypedRow[], batch?: Batch): Promise<Appended> {
    const start = { name: 'rows append', kind: 'client', facts: { rows: rows.length } } as const;
    const appended = await observed(this.observers, start, () => this.engine.append(table, rows, batch), {
      ended: this.telling('append'),
    });
    if (appended.earlierNote === null) this.observers.metrics.count('inserted_rows_total', {}, rows.length);
    return appended;
  }

  override compact(table: TableRef, signal: AbortSignal): Promise<boolean> {
    return observed(
      this.observers,
      { name: 'rows compact', kind: 'client' },
      () => this.engine.compact(table, signal),
      { ended: this.telling('compact') },
    );
  }

  override count(table: TableRef): Promise<number> {
    return this.engine.count(table);
  }

  override remove(companyId: CompanyId, datasourceId: DatasourceId, keepFrom?: number): Promise<void> {
    return this.engine.remove(companyId, datasourceId, keepFrom);
  }

  override check(): Promise<void> {
    return this.engine.check();
  }

  private telling(operation: string): (ended: Ended) => void {
    return ({ seconds, outcome }) => {
      this.observers.metrics.observe('row_query_duration_seconds', { operation, outcome }, seconds);
    };
  }
}
