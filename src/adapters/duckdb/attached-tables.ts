import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError, messageOf } from '../../shared/app-error.js';
import { AttachedTable, baseOfDelta, countOf, createDelta, numbersOfDelta, shapeOf } from './attached-table.js';
import type { EngineTable } from './engine-protocol.js';
import { fileExists, removeDatabase } from './row-files.js';
import { quotedText } from './sandbox-names.js';
import { Turns } from './turns.js';

/** Datasources whose files stay open between requests. */
const MOST_OPEN = 200;

/** A table that is open or on its way to be; it is not closed while somebody uses it. */
interface Entry {
  readonly opening: Promise<AttachedTable>;
  users: number;
  onIdle: (() => void) | null;
}

/**
 * Keeps the files of tables attached to the engine's one database: bases read-only, deltas read-write and nowhere else. The least
 * recently used are closed when there are many.
 */
export class AttachedTables {
  private readonly entries = new Map<string, Entry>();
  private readonly closing = new Map<string, Promise<void>>();
  /** The keeper's statements must not come between those of a transaction of its own. */
  private readonly keepersTurn = new Turns(1);
  private number = 0;

  constructor(private readonly keeper: DuckDBConnection) {}

  /** Runs work while the table's files are open. */
  async use<T>(table: EngineTable, work: (attached: AttachedTable) => Promise<T>): Promise<T> {
    while (this.closing.has(table.base)) await this.closing.get(table.base);
    const entry = this.entryOf(table);
    entry.users++;
    this.closeOldest();
    try {
      return await work(await entry.opening);
    } finally {
      entry.users--;
      if (entry.users === 0) entry.onIdle?.();
    }
  }

  /** Closes the files of a table when nobody uses them any more; who comes meanwhile waits and opens them anew. */
  async release(base: string): Promise<void> {
    const entry = this.entries.get(base);
    if (!entry) return this.closing.get(base);
    this.entries.delete(base);
    const closed = this.close(entry).finally(() => this.closing.delete(base));
    this.closing.set(base, closed);
    return closed;
  }

  async releaseAll(): Promise<void> {
    await Promise.all([...this.entries.keys()].map((base) => this.release(base)));
  }

  /** Makes the file of later inserts, if there is none yet. Only for the table's one writer. */
  async ensureDelta(attached: AttachedTable): Promise<string> {
    if (attached.delta !== null) return attached.delta;
    const name = `d${++this.number}`;
    await this.alone(async () => {
      await this.attachFile(attached.deltaPath, name);
      try {
        await createDelta(this.keeper, name, attached);
        await flushFolder(dirname(attached.deltaPath));
      } catch (error) {
        await this.keeper.run(`DETACH ${name}`);
        await removeDatabase(attached.deltaPath);
        throw error;
      }
    });
    attached.delta = name;
    return name;
  }

  private entryOf(table: EngineTable): Entry {
    const entry = this.entries.get(table.base) ?? this.newEntry(table);
    // Put last: the first of the map is the one that was not used for longest.
    this.entries.delete(table.base);
    this.entries.set(table.base, entry);
    return entry;
  }

  private newEntry(table: EngineTable): Entry {
    const entry: Entry = { opening: this.alone(() => this.attach(table)), users: 0, onIdle: null };
    entry.opening.catch(() => {
      // Whoever waits for it hears why; the next one tries again.
      if (this.entries.get(table.base) === entry) this.entries.delete(table.base);
    });
    return entry;
  }

  private closeOldest(): void {
    const [oldest] = this.entries.keys();
    if (this.entries.size <= MOST_OPEN || oldest === undefined) return;
    // Nobody waits for it: a file that can't be closed now stays open until the engine ends.
    void this.release(oldest).catch(() => undefined);
  }

  private async close(entry: Entry): Promise<void> {
    const attached = await entry.opening.catch(() => null);
    if (!attached) return;
    if (entry.users > 0) await new Promise<void>((resolve) => (entry.onIdle = resolve));
    await this.alone(async () => {
      if (attached.delta !== null) await this.keeper.run(`DETACH ${attached.delta}`);
      await this.keeper.run(`DETACH ${attached.base}`);
    });
  }

  private async attach({ base, delta }: EngineTable): Promise<AttachedTable> {
    if (!(await fileExists(base))) throw new AppError('not_found', 'the rows of this datasource are not there');
    const name = `b${++this.number}`;
    await this.attachFile(base, name, ' (READ_ONLY)');
    try {
      const attached = new AttachedTable(name, delta, await shapeOf(this.keeper, name));
      if (await fileExists(delta)) await this.attachDelta(attached);
      return attached;
    } catch (error) {
      await this.keeper.run(`DETACH ${name}`);
      throw error;
    }
  }

  /** What lies beside a base that was made anew belongs to the one before, and goes with it. */
  private async attachDelta(attached: AttachedTable): Promise<void> {
    const name = `d${++this.number}`;
    await this.attachFile(attached.deltaPath, name);
    if ((await baseOfDelta(this.keeper, name)) !== attached.shape.id) {
      await this.keeper.run(`DETACH ${name}`);
      await removeDatabase(attached.deltaPath);
      return;
    }
    attached.deltaRows = await countOf(this.keeper, `${name}.data`);
    attached.widen(await numbersOfDelta(this.keeper, name));
    attached.delta = name;
  }

  private async attachFile(path: string, name: string, options = ''): Promise<void> {
    try {
      await this.keeper.run(`ATTACH ${quotedText(path)} AS ${name}${options}`);
    } catch (error) {
      throw new AppError('unavailable', 'the rows of this datasource can not be opened', { cause: messageOf(error) });
    }
  }

  private async alone<T>(work: () => Promise<T>): Promise<T> {
    const end = await this.keepersTurn.take();
    try {
      return await work();
    } finally {
      end();
    }
  }
}

async function flushFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
