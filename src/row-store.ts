import { join } from 'node:path';
import type { StorageConfig } from './config/app-config.js';
import type { Clock } from './ports/clock.js';
import type { DocumentStore } from './ports/document-store.js';
import type { Metrics } from './ports/metrics.js';
import type { ObjectStore } from './ports/object-store.js';
import type { RowDownloads } from './ports/row-downloads.js';
import type { RowEngine } from './ports/row-engine.js';
import type { RowReader } from './ports/row-reader.js';
import { DuckDbRowDownloads } from './rows/duckdb-row-downloads.js';
import { DuckDbRowEngine } from './rows/duckdb-row-engine.js';
import { DuckDbRowReader } from './rows/duckdb-row-reader.js';
import { type EngineProcess, KEEP_MS } from './rows/engine/engine-client.js';
import { ExportRuns } from './rows/export/export-runs.js';
import { RowFiles } from './rows/row-files.js';
import { RowObjects } from './rows/row-objects.js';
import { RowSweeper, RowTables } from './rows/row-tables.js';
import type { SandboxPool } from './rows/sandbox/sandbox-pool.js';
import { TableRequests } from './rows/table-requests.js';

const EXPORT_LIMITS = { wholeMs: 30 * 60_000, stalledMs: 3 * 60_000 };

export interface RowStoreRules {
  readonly storage: StorageConfig;
  /** Fewer later rows than this are not made part of a base, however small it is. */
  readonly compactAfterRows: number;
  /** How long files stay that somebody was told of. */
  readonly keepMs?: number;
}

export interface RowStoreNeeds {
  readonly process: EngineProcess;
  readonly sandbox: SandboxPool;
  readonly documents: DocumentStore;
  readonly objects: ObjectStore;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** The three ports of rows, which are of one make. */
export class RowStore {
  private constructor(
    readonly engine: RowEngine,
    readonly reader: RowReader,
    readonly downloads: RowDownloads,
    private readonly objects: RowObjects,
    private readonly sweeper: RowSweeper,
  ) {}

  static async open(rules: RowStoreRules, needs: RowStoreNeeds): Promise<RowStore> {
    const { storage, compactAfterRows, keepMs = KEEP_MS } = rules;
    const { process, sandbox, documents, metrics } = needs;
    const files = new RowFiles(storage.dataDir);
    const cache = { folder: files.cache, mostBytes: storage.rowCacheBytes, keepMs, metrics };
    const objects = new RowObjects(needs.objects, cache);
    await files.assertNoOlderRows();
    await objects.open();
    objects.onEvict = (paths) => void process.request('release', { loads: [], paths }, 5000).catch(() => undefined);
    const tables = new RowTables(documents, needs.clock);
    watchBatches(metrics, tables, needs.clock);
    const limits = { memoryMb: storage.importMemoryMb, compactAfterRows };
    const requests = new TableRequests(process, tables, objects);
    const exports = new ExportRuns(join(storage.dataDir, 'exports'), EXPORT_LIMITS);
    await exports.open();
    const sweeper = new RowSweeper(tables, objects, needs.clock);
    sweeper.start();
    return new RowStore(
      new DuckDbRowEngine({ process, tables, requests, files, objects, store: needs.objects }, limits),
      new DuckDbRowReader(requests, sandbox),
      new DuckDbRowDownloads(requests, needs.objects, exports, sandbox),
      objects,
      sweeper,
    );
  }

  /** The processes that hold the files are stopped by whoever started them. */
  async close(): Promise<void> {
    await this.sweeper.stop();
    this.objects.stop();
  }
}

function watchBatches(metrics: Metrics, tables: RowTables, clock: Clock): void {
  metrics.watch('row_batches_waiting', () => [{ labels: {}, value: tables.waiting().batches }]);
  metrics.watch('row_batches_oldest_seconds', () => {
    const { oldest } = tables.waiting();
    return [{ labels: {}, value: oldest === null ? 0 : (clock.now().getTime() - oldest.getTime()) / 1000 }];
  });
}
