import { Injectable } from '@nestjs/common';
import type { StorageConfig } from '../config/app-config.js';
import {
  type Appended,
  type Batch,
  type LoadReport,
  type LoadSource,
  type LoadWatch,
  RowEngine,
  type TypedRow,
} from '../ports/row-engine.js';
import type { Cell, TableRef } from '../ports/table.js';
import { AppError, isAppError } from '../shared/app-error.js';
import type { CompanyId, DatasourceId } from '../shared/ids.js';
import type { EngineProcess } from './engine-client.js';
import type { EngineTable, WireRows } from './engine-protocol.js';
import { runCompaction } from './compact-run.js';
import { roomFor } from './import-room.js';
import { runImport } from './import-run.js';
import { KeyedTurns } from '../shared/keyed-turns.js';
import { type DraftFolder, type RowFiles, sizeOf } from './row-files.js';

const APPEND_MS = 30_000;
const COUNT_MS = 10_000;
const GAIN_MS = 30_000;
/** Writing the later inserts to a file; nobody waits for it. */
const SEAL_MS = 300_000;
const ADOPT_MS = 60_000;
/** A query that runs may hold the files this long. */
const RELEASE_MS = 60_000;
/** What the service asks for itself takes a turn of its own. */
const NO_COMPANY = '';
const CHECK_MS = 2000;
/** The new base, what its sort puts aside, and the later inserts once more, as a part of what the files take. */
const ROOM_COMPACTED = 2.5;

/** Rows in DuckDB files, one for each datasource and generation. Each import has a process of its own, everything else the engine's. */
@Injectable()
export class DuckDbRowEngine extends RowEngine {
  private readonly compacting = new KeyedTurns();
  /** Files take the place of others one after the other. */
  private readonly replacing = new KeyedTurns();
  private checks = 0;

  constructor(
    private readonly engine: EngineProcess,
    private readonly files: RowFiles,
    private readonly storage: StorageConfig,
  ) {
    super();
  }

  override async load(table: TableRef, source: LoadSource, watch: LoadWatch): Promise<LoadReport> {
    watch.signal.throwIfAborted();
    await this.files.assertRoom(await roomFor(source));
    const draft = await this.files.draft(table);
    try {
      const report = await runImport(draft.path, source, this.storage.importMemoryMb, watch);
      await this.replacing.run(table.datasourceId, async () => {
        await this.files.publish(draft);
        // Queries that run end on the file they began with; those that come now find this one.
        await this.release([wireTable(this.files, table)]);
      });
      return report;
    } finally {
      await this.files.discard(draft);
    }
  }

  override async append(table: TableRef, rows: readonly TypedRow[], batch?: Batch): Promise<Appended> {
    if (rows.length === 0 && batch === undefined) return { earlierNote: null, wantsCompaction: false };
    const sent = batch === undefined ? null : { ...batch, at: batch.at.toISOString() };
    return this.engine.request(
      'append',
      { table: wireTable(this.files, table), rows: wireRows(rows), batch: sent },
      APPEND_MS,
    );
  }

  /** One after the other for a datasource: the second finds that there is nothing left to gain. */
  override compact(table: TableRef, signal: AbortSignal): Promise<boolean> {
    return this.compacting.run(table.datasourceId, async () => {
      signal.throwIfAborted();
      const wire = wireTable(this.files, table);
      const gain = await this.engine.request('gain', { table: wire }, GAIN_MS);
      if (gain === null) return false;
      await this.files.assertRoom(gain.bytes * ROOM_COMPACTED, 'compaction');
      const draft = await this.files.draft(table);
      try {
        await this.compactInto(draft, table, signal);
      } finally {
        await this.files.discard(draft);
        // Nor does the folder stay when its rows were removed meanwhile.
        await this.files.removeIfEmpty(table);
      }
      return true;
    });
  }

  override count(table: TableRef): Promise<number> {
    return this.engine.request('count', { table: wireTable(this.files, table) }, COUNT_MS);
  }

  override async remove(companyId: CompanyId, datasourceId: DatasourceId, keepFrom?: number): Promise<void> {
    await this.replacing.run(datasourceId, async () => {
      const folder = this.files.folder(companyId, datasourceId);
      const generations = await this.files.generations(companyId, datasourceId, keepFrom);
      const tables = generations.map((generation) => ({ folder, generation }));
      // Somebody may open the files before they are removed; once they are, nobody can.
      for (let pass = 0; pass < 2; pass += 1) {
        if (tables.length > 0) await this.release(tables);
        await this.files.remove(companyId, datasourceId, keepFrom);
      }
    });
  }

  override async check(): Promise<void> {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => {
        reject(new AppError('unavailable', 'the row engine does not answer'));
      }, CHECK_MS).unref();
    });
    await Promise.race([this.readOne(), late]);
  }

  /** Opens a table, another one each time: an engine whose files can't be read is not there. */
  private async readOne(): Promise<void> {
    await this.engine.request('ping', {}, CHECK_MS);
    const table = await this.files.anyBase(this.checks++);
    if (table === null) return;
    const asked = { ...table, companyId: NO_COMPANY, visibleFrom: null };
    const counting = this.engine.request('count', { table: asked }, COUNT_MS);
    await counting.catch((error: unknown) => {
      // It is being removed.
      if (!isAppError(error, 'not_found')) throw error;
    });
  }

  private async compactInto(draft: DraftFolder, table: TableRef, signal: AbortSignal): Promise<void> {
    const wire = wireTable(this.files, table);
    const sealed = await this.engine.request('seal', { table: wire, folder: draft.path }, SEAL_MS);
    const { seal } = sealed;
    try {
      const order = { sealed, visibleFrom: wire.visibleFrom, memoryMb: this.storage.importMemoryMb };
      await runCompaction(draft.path, order, signal);
      const file = await this.files.settle(draft);
      signal.throwIfAborted();
      await this.replacing.run(table.datasourceId, () =>
        this.engine.request('adopt', { table: wire, seal, file }, ADOPT_MS),
      );
    } catch (error) {
      // An engine that is away knows of no seal.
      await this.engine.request('unseal', { table: wire, seal }, GAIN_MS).catch(() => undefined);
      if ((await sizeOf(sealed.base)) !== null) throw error;
      throw new AppError('not_found', 'the rows were removed while they were compacted', { cause: error });
    }
  }

  private async release(tables: readonly Pick<EngineTable, 'folder' | 'generation'>[]): Promise<void> {
    try {
      await this.engine.request('release', { tables }, RELEASE_MS);
    } catch (error) {
      // An engine that is away holds no file, and the next one opens what is there then.
      if (!isAppError(error, 'unavailable')) throw error;
    }
  }
}

/** A table as the engine is told of it. */
export function wireTable(files: RowFiles, table: TableRef): EngineTable {
  const { companyId } = table;
  const folder = files.folder(companyId, table.datasourceId);
  return { companyId, folder, generation: table.generation, visibleFrom: table.visibleFrom?.toISOString() ?? null };
}

function wireRows(rows: readonly TypedRow[]): WireRows {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  // A name of a column may be one that every object has.
  const cells = rows.map((row) => names.map((name) => wireCell(Object.hasOwn(row, name) ? row[name] : null)));
  return { names, cells };
}

function wireCell(cell: Cell | Date | undefined): Cell {
  return cell instanceof Date ? cell.toISOString() : (cell ?? null);
}
