import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { TableColumn } from '../plan/plan-columns.js';
import type { ObjectStore } from '../ports/object-store.js';
import {
  type Appended,
  type Batch,
  type KeptRows,
  type LoadReport,
  type LoadSource,
  type LoadWatch,
  RowEngine,
  type TypedRow,
} from '../ports/row-engine.js';
import type { TableRef } from '../ports/table.js';
import { AppError, isAppError } from '../shared/app-error.js';
import type { CompanyId, DatasourceId } from '../shared/ids.js';
import { KeyedSemaphore } from '../shared/keyed-semaphore.js';
import { within } from '../shared/within.js';
import { batchRows } from './batch-rows.js';
import type { EngineProcess } from './engine/engine-client.js';
import { type KeptOrder, runCompaction, runImport } from './jobs.js';
import {
  DRAFT_FILE,
  DRAFT_REJECTS,
  fileExists,
  inDraft,
  KEPT_BASE,
  LATER_ROWS,
  linkOrCopy,
  type RowFiles,
  sizeOf,
} from './row-files.js';
import type { RowObjects } from './row-objects.js';
import type { RowTable } from './row-table.schema.js';
import { namesOf, type RowTables, type TableNow } from './row-tables.js';
import type { TableRequests } from './table-requests.js';
import { physicalName } from './table-shape.js';

const COUNT_MS = 10_000;
/** Writing the later rows to a file; nobody waits for it. */
const SNAPSHOT_MS = 300_000;
const RELEASE_MS = 5000;
const CHECK_MS = 2000;
/** The new base, what its sort puts aside, and the later rows once more, as a part of what the files take. */
const ROOM_COMPACTED = 2.5;

interface RowEngineParts {
  readonly process: EngineProcess;
  readonly tables: RowTables;
  readonly requests: TableRequests;
  readonly files: RowFiles;
  readonly objects: RowObjects;
  readonly store: ObjectStore;
}

interface RowEngineRules {
  /** Of an import or a compaction. */
  readonly memoryMb: number;
  /** Fewer later rows than this are not made part of the base, however small it is. */
  readonly compactAfterRows: number;
}

/** Rows in immutable DuckDB files of the object store, later rows as batches in the document store. Each import has a process of its own. */
@Injectable()
export class DuckDbRowEngine extends RowEngine {
  private readonly compacting = new KeyedSemaphore();
  private readonly running = new Set<string>();

  constructor(
    private readonly parts: RowEngineParts,
    private readonly rules: RowEngineRules,
  ) {
    super();
  }

  override async load(table: TableRef, source: LoadSource, watch: LoadWatch): Promise<LoadReport> {
    const { files, objects, tables } = this.parts;
    const { kept: keeps, ...fresh } = source;
    watch.signal.throwIfAborted();
    await files.assertRoom((await roomFor(source)) + (keeps === undefined ? 0 : await this.roomToKeep(keeps)));
    return inDraft(files, async (draft) => {
      const { kept, columns: known } = keeps === undefined ? NOTHING_KEPT : await this.keptIn(draft, keeps);
      const order = {
        source: {
          ...fresh,
          // The columns of a table, with what is said of them by name.
          columns:
            known?.map(({ name, type }) => ({ ...source.columns.find((one) => one.name === name), name, type })) ??
            source.columns,
          importedAt: source.importedAt.toISOString(),
        },
        kept,
        memoryMb: this.rules.memoryMb,
      };
      const report = await runImport(draft, order, watch);
      const rejects = await this.keepRejects(table, join(draft, DRAFT_REJECTS));
      const base = await objects.put(table.companyId, prefixOf(table), join(draft, DRAFT_FILE), report.rows);
      const columns = report.profile.columns.map(({ name, type }, index) => ({
        physical: physicalName(index),
        name,
        type,
      }));
      const { timeField, metaField } = source;
      const made = { base, part: null, rejects, columns, timeField, metaField };
      const earlier = await tables.publish(table, made, keeps?.table);
      if (earlier !== null) await this.discard(earlier);
      return report;
    });
  }

  override async append(table: TableRef, rows: readonly TypedRow[], batch?: Batch): Promise<Appended> {
    if (rows.length === 0 && batch === undefined) return { earlierNote: null, wantsCompaction: false };
    const { now, earlierNote } = await this.parts.tables.append(table, batch, ({ columns, table: stored }) =>
      batchRows(columns, stored, rows),
    );
    if (earlierNote !== null || rows.length === 0) return { earlierNote, wantsCompaction: false };
    this.parts.requests.tellAhead(table, now);
    // Nobody is told twice: while one is made, no other is wanted.
    const wantsCompaction = !this.running.has(table.datasourceId) && this.compactionOf(now, 0) !== null;
    return { earlierNote: null, wantsCompaction };
  }

  override reopen(table: TableRef): Promise<void> {
    return this.parts.tables.seal(table, false);
  }

  /** One after the other for a datasource: the second finds that there is nothing left to gain. */
  override compact(table: TableRef, signal: AbortSignal): Promise<boolean> {
    return this.compacting.run(table.datasourceId, async () => {
      signal.throwIfAborted();
      const now = await this.parts.tables.now(table);
      const expired = table.visibleFrom === null ? 0 : now.rows - (await this.count(table));
      const kind = this.compactionOf(now, expired);
      if (kind === null) return false;
      const { base, part } = now.table;
      const bytes = (kind === 'base' ? base.size : 0) + (part?.size ?? 0) + now.letters;
      await this.parts.files.assertRoom(bytes * ROOM_COMPACTED, 'compaction');
      this.running.add(table.datasourceId);
      try {
        await this.compactInto(table, kind, now, signal);
      } finally {
        this.running.delete(table.datasourceId);
      }
      return true;
    });
  }

  override async count(table: TableRef): Promise<number> {
    if (table.visibleFrom !== null) return this.parts.requests.ask('count', table, {}, COUNT_MS);
    return (await this.parts.tables.now(table)).rows;
  }

  override async remove(companyId: CompanyId, datasourceId: DatasourceId, keepFrom?: number): Promise<void> {
    const { tables } = this.parts;
    for (const table of await tables.ofDatasource(companyId, datasourceId)) {
      if (keepFrom !== undefined && table.generation >= keepFrom) continue;
      await this.discard(table);
      // Last, so that what an interruption leaves is found again.
      await tables.remove(table);
    }
  }

  override async check(): Promise<void> {
    await within(this.parts.process.request('ping', {}, CHECK_MS), CHECK_MS, () => {
      throw new AppError('unavailable', 'the row engine does not answer');
    });
  }

  /** Links the earlier rows into a draft, when no others can come in any more. */
  private async keptIn(draft: string, { table, keys }: KeptRows): Promise<Kept> {
    const { tables, requests } = this.parts;
    await tables.seal(table, true);
    const { base, later, laterRows } = await requests.ask('snapshot', table, {}, SNAPSHOT_MS);
    await linkOrCopy(base, join(draft, KEPT_BASE));
    if (later !== null) await linkOrCopy(later, join(draft, LATER_ROWS));
    const visibleFrom = table.visibleFrom?.toISOString() ?? null;
    return { kept: { keys, laterRows, visibleFrom }, columns: (await tables.now(table)).columns };
  }

  private async roomToKeep({ table }: KeptRows): Promise<number> {
    const { table: record, letters } = await this.parts.tables.now(table);
    return (record.base.size + (record.part?.size ?? 0) + letters) * ROOM_COMPACTED;
  }

  private compactionOf(now: TableNow, expired: number): Compaction | null {
    const { batches, laterRows, letters, later } = now;
    const base = now.table.base.rows;
    return compactionFor({ base, later, expired, batches, unfiled: laterRows, letters }, this.rules.compactAfterRows);
  }

  private async compactInto(ref: TableRef, kind: Compaction, now: TableNow, signal: AbortSignal): Promise<void> {
    const { files, objects, requests, tables } = this.parts;
    const { companyId } = ref;
    try {
      const later = await requests.ask('snapshot', ref, {}, SNAPSHOT_MS);
      // Batches may have come meanwhile, and have made columns wider.
      const { key, columns, isSealed } = await tables.now(ref);
      if (later.key !== now.key || key !== now.key || isSealed) throw replaced();
      const made = await inDraft(files, async (draft) => {
        if (later.later !== null) await linkOrCopy(later.later, join(draft, LATER_ROWS));
        const { base, laterRows } = later;
        const visibleFrom = ref.visibleFrom?.toISOString() ?? null;
        const { memoryMb } = this.rules;
        const order = { base, laterRows, isPart: kind === 'part', columns, visibleFrom, memoryMb };
        const rows = await runCompaction(draft, order, signal);
        signal.throwIfAborted();
        return objects.put(companyId, prefixOf(ref), join(draft, DRAFT_FILE), rows);
      });
      const change = kind === 'base' ? { base: made, part: null } : { part: made };
      const changed = await tables.change(now.table, { ...change, columns, through: later.upTo });
      if (changed === null) {
        await objects.remove(companyId, made.name);
        throw replaced();
      }
      const gone = namesOf(now.table).filter((name) => !namesOf(changed).includes(name));
      for (const name of gone) objects.removeLater(companyId, name);
      await tables.empty(changed);
    } catch (error) {
      if (await this.isGone(ref))
        throw new AppError('not_found', 'the rows were removed while they were compacted', { cause: error });
      throw error;
    }
  }

  private async isGone(ref: TableRef): Promise<boolean> {
    return this.parts.tables.now(ref).then(
      () => false,
      (error: unknown) => isAppError(error, 'not_found'),
    );
  }

  private async keepRejects(table: TableRef, path: string): Promise<string | null> {
    if (!(await fileExists(path))) return null;
    const name = `${prefixOf(table)}${randomUUID()}.rejects`;
    const key = { companyId: table.companyId, area: 'rows' as const, name };
    await this.parts.store.write(key, createReadStream(path), Number.MAX_SAFE_INTEGER);
    return name;
  }

  /** Removes what a table is made of. */
  private async discard(table: RowTable): Promise<void> {
    const { tables, objects, process } = this.parts;
    await tables.forget(table);
    for (const name of namesOf(table)) await objects.remove(table.companyId, name);
    // An engine that is away holds no file.
    await process.request('release', { loads: [table.load], paths: [] }, RELEASE_MS).catch(() => undefined);
  }
}

interface Kept {
  readonly kept: KeptOrder | null;
  /** Those of the table; null: the files' own. */
  readonly columns: readonly TableColumn[] | null;
}

const NOTHING_KEPT: Kept = { kept: null, columns: null };

function prefixOf({ datasourceId, generation }: TableRef): string {
  return `${datasourceId}.${generation}.`;
}

function replaced(): AppError {
  return new AppError('unavailable', 'the rows were replaced while they were compacted');
}

/** Rows of a table by where they are. */
export interface RowCounts {
  readonly base: number;
  /** All that are not in the base. */
  readonly later: number;
  /** Those of both that have outlived the lifespan. */
  readonly expired: number;
  /** Batches that are in no file, their rows, and the letters that they are kept in. */
  readonly batches: number;
  readonly unfiled: number;
  readonly letters: number;
}

/** What is made: a new base of everything, or a part of the later rows. */
type Compaction = 'base' | 'part';

/** A table with fewer later rows than this part of its base is read nearly as fast as without them. */
const SHARE_LATER = 0.05;
/** From here on the later rows alone slow every plot. */
const MOST_LATER = 1_000_000;
/** Fewer expired rows cost less to skip than to write all others anew. */
const SHARE_EXPIRED = 0.1;
const MOST_EXPIRED = 1_000_000;
/** What an instance reads before its first answer stays below so many batches, rows and letters. */
const MOST_BATCHES = 200;
const MOST_UNFILED = 50_000;
const MOST_LETTERS = 8_000_000;
/** Such a base is made anew as quickly as a part. */
const SMALL_BASE = 200_000;

/** Which compaction gains enough; null: none. `afterRows` are few enough for any base. */
export function compactionFor(counts: RowCounts, afterRows: number): Compaction | null {
  const { base, later, expired, batches, unfiled, letters } = counts;
  if (later >= Math.min(Math.max(afterRows, base * SHARE_LATER), Math.max(afterRows, MOST_LATER))) return 'base';
  if (expired > 0 && (expired >= MOST_EXPIRED || expired > (base + later) * SHARE_EXPIRED)) return 'base';
  if (batches < MOST_BATCHES && unfiled < MOST_UNFILED && letters < MOST_LETTERS) return null;
  return base <= SMALL_BASE ? 'base' : 'part';
}

/** The file itself, what the sort puts aside, and something to spare, as a part of the CSV files. */
const ROOM = 1.5;
/** A file in another encoding is first written again. */
const ROOM_CONVERTED = 3;

/**
 * The bytes that an import of the files needs beside them.
 *
 * @throws AppError `invalid_input` when there is no file, or one is gone.
 */
async function roomFor({ files }: Pick<LoadSource, 'files'>): Promise<number> {
  if (files.length === 0) throw new AppError('invalid_input', 'there is no file to import');
  let needed = 0;
  for (const { path, name, dialect } of files) {
    const size = await sizeOf(path);
    if (size === null) throw new AppError('invalid_input', `the file ${name} is not there any more`);
    needed += size * (/^utf-?8$/i.test(dialect.encoding) ? ROOM : ROOM_CONVERTED);
  }
  return needed;
}
