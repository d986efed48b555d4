import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError, isAppError } from '../shared/app-error.js';
import { AttachedTable, type BasePart, countOf, type DeltaPart, shapeOf } from './attached-table.js';
import { baseOfDelta, createDelta, numbersOfDelta, tablesIn } from './delta-file.js';
import type { EngineTable } from './engine-protocol.js';
import { assertCounted } from './counted-rows.js';
import { damagedRows, foreseen } from './process-error.js';
import { basePath, deltaPath, type GenerationFiles, generationFiles } from './row-file-names.js';
import { fileExists, flush, namesIn, removeDatabase } from './row-files.js';
import { quotedText } from './sandbox-names.js';
import { KeyedTurns } from '../shared/keyed-turns.js';

/** Attaches files to the engine's one database and detaches them: bases read-only, deltas read-write and nowhere else. */
export class TableOpener {
  /** The keeper's statements must not come between those of a transaction of its own. */
  private readonly keepersTurn = new KeyedTurns();
  private number = 0;
  /** What the work at hand has attached. */
  private fresh: string[] = [];

  constructor(private readonly keeper: DuckDBConnection) {}

  /**
   * Opens what is there of a generation. `isKept` names files that a newer one has taken the place of, but that somebody may still be about to open.
   *
   * @throws AppError `not_found` when there is no base, `unavailable` when a file can't be opened.
   */
  open(table: EngineTable, isKept: (path: string) => boolean): Promise<AttachedTable> {
    return this.alone(async () => {
      const found = generationFiles(await namesIn(table.folder), table.generation);
      const { merged, deltas } = found;
      if (merged === null) throw notThere();
      await removeReplaced(table.folder, found, isKept);
      const path = basePath(table.folder, table.generation, merged);
      return unlessGone(path, async () => this.withDeltas(await this.attachBase({ path, merged }), table, deltas));
    });
  }

  /** Opens a base that holds part of an open table's later inserts, beside those that it does not hold. */
  reopen(table: AttachedTable, base: Pick<BasePart, 'path' | 'merged'>): Promise<AttachedTable> {
    return this.alone(async () => {
      const { basePart, shape } = await this.attachBase(base);
      const later = table.deltas.filter(({ number }) => number > base.merged);
      const known = table.shape.columns.filter(({ type }) => type === 'number').map(({ physical }) => physical);
      return new AttachedTable(basePart, later, shape).widened(new Set(known));
    });
  }

  /** Makes a new file of later inserts. */
  async addDelta(table: AttachedTable, { folder, generation }: EngineTable, number: number): Promise<AttachedTable> {
    const path = deltaPath(folder, generation, number);
    try {
      return await this.alone(() =>
        unlessGone(table.basePart.path, async () => {
          const name = await this.attachFile(path, 'd');
          await createDelta(this.keeper, name, table);
          await flush(folder);
          return table.withDelta({ name, path, number, rows: 0 });
        }),
      );
    } catch (error) {
      await removeDatabase(path);
      throw error;
    }
  }

  /** Closes files; what is in their logs is written into them. */
  close(names: readonly string[]): Promise<void> {
    return this.alone(async () => {
      for (const name of names) await this.keeper.run(`DETACH ${name}`);
    });
  }

  private async attachBase({ path, merged }: Pick<BasePart, 'path' | 'merged'>): Promise<AttachedTable> {
    const name = await this.attachFile(path, 'b');
    const hasBatches = (await tablesIn(this.keeper, name)).has('batches');
    return new AttachedTable({ name, path, merged, hasBatches }, [], await shapeOf(this.keeper, name));
  }

  private async withDeltas(
    base: AttachedTable,
    table: EngineTable,
    numbers: readonly number[],
  ): Promise<AttachedTable> {
    let opened = base;
    for (const number of numbers) {
      const delta = await this.attachDelta(deltaPath(table.folder, table.generation, number), number, base.shape.id);
      if (delta === null) continue;
      opened = opened.withDelta(delta).widened(await numbersOfDelta(this.keeper, delta.name));
    }
    return opened;
  }

  /** What lies beside a base that was made anew belongs to the one before, and goes with it. */
  private async attachDelta(path: string, number: number, origin: string): Promise<DeltaPart | null> {
    const name = await this.attachFile(path, 'd');
    if ((await baseOfDelta(this.keeper, name)) === origin) {
      const rows = await countOf(this.keeper, `${name}.data`);
      await assertCounted(path, rows);
      return { name, path, number, rows };
    }
    await this.keeper.run(`DETACH ${name}`);
    await removeDatabase(path);
    return null;
  }

  private async attachFile(path: string, kind: 'b' | 'd'): Promise<string> {
    const name = `${kind}${++this.number}`;
    try {
      await this.keeper.run(`ATTACH ${quotedText(path)} AS ${name}${kind === 'b' ? ' (READ_ONLY)' : ''}`);
    } catch (error) {
      const known = foreseen(error);
      throw isAppError(known) ? known : damagedRows(error);
    }
    this.fresh.push(name);
    return name;
  }

  /** Work that fails leaves no file open that it opened. */
  private alone<T>(work: () => Promise<T>): Promise<T> {
    return this.keepersTurn.run('keeper', async () => {
      this.fresh = [];
      try {
        return await work();
      } catch (error) {
        // The first failure is the one to be told.
        for (const name of this.fresh)
          await this.keeper.run(`DETACH DATABASE IF EXISTS ${name}`).catch(() => undefined);
        throw error;
      }
    });
  }
}

function notThere(): AppError {
  return new AppError('not_found', 'the rows of this datasource are not there');
}

/** What fails while the rows are removed fails because of that. */
async function unlessGone<T>(base: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (await fileExists(base)) throw error;
    throw notThere();
  }
}

/** The process died before it could do it. */
async function removeReplaced(
  folder: string,
  { oldBases, oldDeltas }: GenerationFiles,
  isKept: (path: string) => boolean,
): Promise<void> {
  for (const name of [...oldBases, ...oldDeltas]) {
    const path = join(folder, name);
    if (!isKept(path)) await rm(path, { force: true });
  }
}
