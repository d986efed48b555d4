import { Injectable } from '@nestjs/common';
import type { StorageConfig } from '../../config/app-config.js';
import { type LoadReport, type LoadSource, type LoadWatch, RowEngine, type TypedRow } from '../../ports/row-engine.js';
import type { Cell, TableRef } from '../../ports/table.js';
import { AppError, isAppError } from '../../shared/app-error.js';
import type { CompanyId, DatasourceId } from '../../shared/ids.js';
import type { EngineProcess } from './engine-client.js';
import type { EngineTable } from './engine-protocol.js';
import { runImport } from './import-run.js';
import { type RowFiles, sizeOf } from './row-files.js';

const APPEND_MS = 30_000;
const COUNT_MS = 10_000;
/** A query that runs may hold the files this long. */
const RELEASE_MS = 60_000;
const CHECK_MS = 2000;
/** The file itself, what the sort puts aside, and something to spare, as a part of the CSV files. */
const ROOM = 1.5;
/** A file in another encoding is first written again. */
const ROOM_CONVERTED = 3;

/** Rows in DuckDB files, one for each datasource and generation. Each import has a process of its own, everything else the engine's. */
@Injectable()
export class DuckDbRowEngine extends RowEngine {
  constructor(
    private readonly engine: EngineProcess,
    private readonly files: RowFiles,
    private readonly storage: StorageConfig,
  ) {
    super();
  }

  override async load(table: TableRef, source: LoadSource, watch: LoadWatch): Promise<LoadReport> {
    watch.signal.throwIfAborted();
    await this.assertRoom(source);
    const draft = await this.files.draft(table);
    try {
      const report = await runImport(draft.path, source, this.storage.importMemoryMb, watch);
      await this.files.publish(draft);
      // Queries that run end on the file they began with; those that come now find this one.
      await this.release([this.files.base(table)]);
      return report;
    } finally {
      await this.files.discard(draft);
    }
  }

  override async append(table: TableRef, rows: readonly TypedRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.engine.request('append', { table: wireTable(this.files, table), rows: rows.map(wireRow) }, APPEND_MS);
  }

  override count(table: TableRef): Promise<number> {
    return this.engine.request('count', { table: wireTable(this.files, table) }, COUNT_MS);
  }

  override async remove(companyId: CompanyId, datasourceId: DatasourceId, keepFrom?: number): Promise<void> {
    const generations = await this.files.generations(companyId, datasourceId, keepFrom);
    const bases = generations.map((generation) => this.files.base({ companyId, datasourceId, generation }));
    if (bases.length > 0) await this.release(bases);
    await this.files.remove(companyId, datasourceId, keepFrom);
  }

  override async check(): Promise<void> {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => {
        reject(new AppError('unavailable', 'the row engine does not answer'));
      }, CHECK_MS).unref();
    });
    await Promise.race([this.engine.request('ping', {}, CHECK_MS), late]);
  }

  private async release(bases: readonly string[]): Promise<void> {
    try {
      await this.engine.request('release', { bases }, RELEASE_MS);
    } catch (error) {
      // An engine that is away holds no file, and the next one opens what is there then.
      if (!isAppError(error, 'unavailable')) throw error;
    }
  }

  private async assertRoom({ files }: LoadSource): Promise<void> {
    if (files.length === 0) throw new AppError('invalid_input', 'there is no file to import');
    let needed = 0;
    for (const { path, name, dialect } of files) {
      const size = await sizeOf(path);
      if (size === null) throw new AppError('invalid_input', `the file ${name} is not there any more`);
      needed += size * (/^utf-?8$/i.test(dialect.encoding) ? ROOM : ROOM_CONVERTED);
    }
    await this.files.assertRoom(needed);
  }
}

/** A table as the engine is told of it. */
export function wireTable(files: RowFiles, table: TableRef): EngineTable {
  return { base: files.base(table), delta: files.delta(table), visibleFrom: table.visibleFrom?.toISOString() ?? null };
}

function wireRow(row: TypedRow): Readonly<Record<string, Cell>> {
  return Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name, cell instanceof Date ? cell.toISOString() : cell]),
  );
}
