import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../shared/app-error.js';
import type { AttachedTable } from './attached-table.js';
import { type AttachedTables, type HeldTable, keyOf, type WritableTable } from './attached-tables.js';
import { isWorthIt, wantsCompaction } from './compaction-rules.js';
import { LATER_BATCHES, LATER_ROWS } from './compact-protocol.js';
import type { EngineDatabase, Errand } from './engine-database.js';
import type { CompactionGain, CompactionRules, EngineTable, InputOf, SealedTable } from './engine-protocol.js';
import { basePath } from './row-file-names.js';
import { fileExists, flush } from './row-files.js';
import { bytesOf, writeParquet } from './table-exports.js';

/** Up to which file of later inserts nothing is added any more, because somebody makes them part of a base. */
interface Seal {
  readonly id: string;
  readonly through: number;
  readonly base: string;
}

/** The engine's part of a compaction: what is compacted, and the moment at which it takes the place of what was there. */
export class EngineCompaction {
  private readonly seals = new Map<string, Seal>();

  constructor(
    private readonly database: EngineDatabase,
    private readonly tables: AttachedTables,
    private readonly rules: CompactionRules,
  ) {}

  /** Sees to it that the newest file of later inserts may be written. Only for the table's one writer. */
  async ensureDelta(table: EngineTable, writable: WritableTable): Promise<void> {
    const { deltas, basePart } = writable.now;
    const sealed = this.seals.get(keyOf(table))?.through ?? 0;
    const newest = deltas.at(-1)?.number ?? basePart.merged;
    if (deltas.length > 0 && newest > sealed) return;
    await this.tables.addDelta(table, writable, Math.max(newest, sealed) + 1);
  }

  /** Nobody is told twice: while one is made, no other is wanted. */
  isWanted(table: EngineTable, { shape, deltaRows }: AttachedTable): boolean {
    return (
      !this.seals.has(keyOf(table)) && wantsCompaction({ base: shape.rows, later: deltaRows }, this.rules.afterRows)
    );
  }

  /** Whether it is worth it, and what the files take. */
  async gain(
    { companyId, visibleFrom }: EngineTable,
    attached: AttachedTable,
    timeoutMs: number,
  ): Promise<CompactionGain | null> {
    const { shape, deltaRows, basePart, deltas } = attached;
    const expired = visibleFrom === null ? 0 : await this.expired(attached, visibleFrom, { companyId, timeoutMs });
    if (!isWorthIt({ base: shape.rows, later: deltaRows, expired }, this.rules.afterRows)) return null;
    const logs = deltas.map(({ path }) => `${path}.wal`);
    return { bytes: await bytesOf([basePart.path, ...deltas.map(({ path }) => path), ...logs]) };
  }

  async seal({ table, folder }: InputOf<'seal'>, timeoutMs: number): Promise<SealedTable> {
    const { held, seal } = await this.tables.write(table, (writable) => Promise.resolve(this.begin(table, writable)));
    try {
      const { table: attached } = held;
      const relation = attached.laterRows();
      // Nothing is added to these any more, so that nobody has to wait while they are written.
      if (relation !== null)
        await this.database.run('reads', { companyId: table.companyId, timeoutMs }, async (connection) => {
          await writeParquet(connection, relation, join(folder, LATER_ROWS));
          const batches = attached.deltas.map(({ name }) => `SELECT key, note, sent FROM ${name}.batches`);
          await writeParquet(connection, batches.join(' UNION ALL '), join(folder, LATER_BATCHES));
        });
      const { shape, basePart } = attached;
      const { hasBatches, path } = basePart;
      return { seal: seal.id, base: path, hasBatches, through: seal.through, hasLater: relation !== null, shape };
    } catch (error) {
      this.unseal({ table, seal: seal.id });
      throw error;
    } finally {
      held.letGo();
    }
  }

  unseal({ table, seal }: InputOf<'unseal'>): void {
    const key = keyOf(table);
    if (this.seals.get(key)?.id === seal) this.seals.delete(key);
  }

  /** Whatever takes the place of the rows breaks the seal. */
  forget(table: Pick<EngineTable, 'folder' | 'generation'>): void {
    this.seals.delete(keyOf(table));
  }

  /**
   * The rename is the moment: before it the old files are what is read after a crash, from it on the new one, and nothing comes in between
   * because this is the table's one writer.
   */
  adopt({ table, seal, file }: InputOf<'adopt'>): Promise<void> {
    return this.tables.write(table, async (writable) => {
      const sealed = this.seals.get(keyOf(table));
      if (sealed?.id !== seal || writable.now.basePart.path !== sealed.base) throw replaced();
      if (!(await fileExists(sealed.base)))
        throw new AppError('not_found', 'the rows of this datasource are not there');
      const path = basePath(table.folder, table.generation, sealed.through);
      await rename(file, path);
      this.forget(table);
      try {
        await flush(table.folder);
        await this.tables.replaceBase(table, writable, { path, merged: sealed.through });
      } catch (error) {
        // The next one to come opens what lies there now.
        void this.tables.release(table).catch(() => undefined);
        throw error;
      }
    });
  }

  private begin(table: EngineTable, writable: WritableTable): { held: HeldTable; seal: Seal } {
    const held = writable.hold();
    const { now } = writable;
    // Always another number than that of the base there is, so that the new file has a name of its own.
    const through = now.deltas.at(-1)?.number ?? now.basePart.merged + 1;
    const seal = { id: randomUUID(), through, base: now.basePart.path };
    this.seals.set(keyOf(table), seal);
    return { held, seal };
  }

  private expired(attached: AttachedTable, visibleFrom: string, errand: Errand): Promise<number> {
    return this.database.run('reads', errand, async (connection) => {
      const { sql, params } = attached.reading('SELECT count(*) FROM visible', visibleFrom, 0);
      const visible = Number((await connection.runAndReadAll(sql, [...params])).value(0, 0));
      return attached.shape.rows + attached.deltaRows - visible;
    });
  }
}

function replaced(): AppError {
  return new AppError('unavailable', 'the rows were replaced while they were compacted');
}
