import { isDeepStrictEqual } from 'node:util';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import { noRelationTo } from '../plan/joined-profile.js';
import { MAIN_TABLE, type TableRef } from '../ports/table.js';
import { AppError, isAppError } from '../shared/app-error.js';
import type { CompanyId } from '../shared/ids.js';
import type { EngineProcess } from './engine/engine-client.js';
import {
  type EngineOperation,
  type EngineTable,
  type InputOf,
  LacksBatches,
  type OutputOf,
  type WireBatch,
} from './engine/engine-protocol.js';
import { damagedRows, isDamagedRows } from './process-error.js';
import type { RowFile, RowObjects } from './row-objects.js';
import type { JoinedTable } from './plans/plan-compiler.js';
import type { RowTables, TableNow } from './row-tables.js';
import type { SandboxedRows } from './sandbox/sandbox-pool.js';

/** A compaction may take the files away just when they are told of; twice in a row is rare. */
const MOST_ATTEMPTS = 5;
const ADD_MS = 60_000;
const SNAPSHOT_MS = 60_000;

/** What is asked of the engine beside the table. */
type TableInput<O extends EngineOperation> = Omit<InputOf<O>, 'table'>;
type TableOperation = {
  [O in EngineOperation]: InputOf<O> extends { table: EngineTable } ? O : never;
}[EngineOperation];

/** Asks the engine about tables, with the files and the batches that it needs. */
export class TableRequests {
  constructor(
    private readonly engine: EngineProcess,
    readonly tables: RowTables,
    private readonly objects: RowObjects,
  ) {}

  /**
   * `known` is the table as it was just looked up.
   *
   * @throws AppError as the operation says, `not_found` when the table is gone, `unavailable` when its files can't be had.
   */
  async ask<O extends TableOperation>(
    operation: O,
    ref: TableRef,
    input: TableInput<O>,
    timeoutMs: number,
    known?: TableNow,
  ): Promise<OutputOf<O>> {
    for (let attempt = 1; ; attempt += 1) {
      const now = attempt === 1 && known !== undefined ? known : await this.tables.now(ref);
      try {
        const table = await this.wire(ref, now);
        // The input without its table, and the table, are the input.
        const output = await this.engine.request(operation, { ...input, table }, timeoutMs);
        now.tell(table.upTo);
        now.isRead = true;
        return output;
      } catch (error) {
        const isLacking = error instanceof LacksBatches;
        if (attempt === MOST_ATTEMPTS) throw isLacking ? new AppError('unavailable', error.message) : error;
        if (isLacking) now.told = error.above;
        else if (!isAppError(error, 'unavailable')) throw error;
        else if (await this.tables.isReplaced(ref, now)) continue;
        else if (isDamagedRows(error)) await this.forgetCopies(now, error);
        else throw error;
      }
    }
  }

  /**
   * Has a sandbox read the table, and those that it may be joined with, as they are now: anew when their files were replaced before it had
   * opened them.
   *
   * @throws AppError as `read`, `not_found` when a table is gone.
   */
  async sandboxed<T>(table: TableRef, read: (rows: SandboxedRows) => Promise<T>): Promise<T> {
    let rows = await this.filesNow(table);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read(rows);
      } catch (error) {
        if (attempt === MOST_ATTEMPTS || !isAppError(error, 'unavailable')) throw error;
        const now = await this.filesNow(table);
        if (isDeepStrictEqual(now.tables, rows.tables)) throw error;
        rows = now;
      }
    }
  }

  private async filesNow(table: TableRef): Promise<SandboxedRows> {
    const all = [{ name: MAIN_TABLE, table }, ...(table.joinable?.tables ?? [])];
    const tables = await Promise.all(
      all.map(async ({ name, table: one }) => {
        const { base, later } = await this.ask('snapshot', one, {}, SNAPSHOT_MS);
        return { name, basePath: base, deltaPath: later, visibleFrom: one.visibleFrom?.toISOString() ?? null };
      }),
    );
    return { table, tables };
  }

  /** The table that a plan joins; null when it joins none. @throws AppError `invalid_input` when its relation is not confirmed, or leads elsewhere. */
  async joinedWith({ joinable }: TableRef, { join }: AnalysisPlan): Promise<JoinedTable | null> {
    if (join === undefined) return null;
    const relation = joinable?.relations.find(({ id, left }) => id === join.relation && left === MAIN_TABLE);
    const right = joinable?.tables.find(({ name }) => name === relation?.right);
    if (relation === undefined || right === undefined) throw new AppError('invalid_input', noRelationTo(join.table));
    return { relation, columns: (await this.tables.now(right.table)).columns, name: join.table };
  }

  /** Lets the engine have new batches of a table that is read before anybody waits for them: all that have come meanwhile at once. */
  tellAhead(ref: TableRef, now: TableNow): void {
    if (!now.isRead || now.isTelling) return;
    now.isTelling = true;
    const { told } = now;
    void this.ask('add', ref, {}, ADD_MS)
      .then(
        // Files that were replaced meanwhile are told of by whoever is asked about the new ones.
        () => now.told > told && now.told < now.upTo,
        // Whoever asks next tells it, or hears why not.
        () => false,
      )
      .then((isBehind) => {
        now.isTelling = false;
        if (isBehind) this.tellAhead(ref, now);
      });
  }

  /** A damaged copy of a distant file is made again; where there is none, the file itself is damaged. */
  private async forgetCopies({ table }: TableNow, error: unknown): Promise<void> {
    const { companyId, base, part } = table;
    const names = [base.name, ...(part === null ? [] : [part.name])];
    const forgotten = await Promise.all(names.map((name) => this.objects.forget(companyId, name)));
    if (!forgotten.includes(true)) throw error;
  }

  private async wire({ companyId, visibleFrom }: TableRef, now: TableNow): Promise<EngineTable> {
    const { table, key } = now;
    const named = table.part === null ? [table.base] : [table.base, table.part];
    const files = await Promise.all(named.map((file) => this.path(companyId, file)));
    const { load, through } = table;
    const known = { companyId, load, key, files, through, visibleFrom: visibleFrom?.toISOString() ?? null };
    for (;;) {
      const { told, upTo } = now;
      if (told >= upTo) return { ...known, upTo, batches: [] };
      const batches = now.batchesAbove(told) ?? (await this.stored(now, told));
      const last = batches.at(-1)?.number ?? upTo;
      if (last >= upTo) return { ...known, upTo: last, batches };
      // Page by page, so that no message is too long.
      await this.engine.request('add', { table: { ...known, upTo: last, batches } }, ADD_MS);
      now.tell(last);
    }
  }

  private async path(companyId: CompanyId, file: RowFile): Promise<string> {
    try {
      return await this.objects.path(companyId, file);
    } catch (error) {
      // A file that the record names is gone only when somebody has removed it behind the service's back.
      throw isAppError(error, 'not_found') ? damagedRows(error) : error;
    }
  }

  private async stored(now: TableNow, above: number): Promise<readonly WireBatch[]> {
    const stored = await this.tables.batchesAbove(now.table, above);
    return stored.map(({ number, rows, wider, data }) => {
      // A compaction has just taken them: whoever asks begins anew.
      if (data === null) throw new AppError('unavailable', 'the rows were replaced meanwhile');
      return { number, rows, wider, data };
    });
  }
}
