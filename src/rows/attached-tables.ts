import type { DuckDBConnection } from '@duckdb/node-api';
import type { AttachedTable } from './attached-table.js';
import type { EngineTable } from './engine-protocol.js';
import { KeyedTurns } from '../shared/keyed-turns.js';
import { type RetiredFiles } from './retired-files.js';
import { TableOpener } from './table-opener.js';

/** Datasources whose files stay open between requests. */
const MOST_OPEN = 200;

/** A table that is open or on its way to be; it is not closed while somebody uses it. */
interface Entry {
  readonly opening: Promise<AttachedTable>;
  /** As it is now, once it is open. */
  now: AttachedTable | null;
  users: number;
  onIdle: (() => void) | null;
  /** Resolves when those who read the files before are done. */
  readonly before: Promise<void>;
}

/** An open table that only its one writer changes. */
export interface WritableTable {
  readonly entry: Entry;
  readonly now: AttachedTable;
  change(next: AttachedTable): void;
  /** Keeps it open beyond the writer's turn, as it is now. */
  hold(): HeldTable;
}

/** A table that stays open until it is let go. */
export interface HeldTable {
  readonly table: AttachedTable;
  readonly letGo: () => void;
}

/** Keeps the files of tables open, the least recently used until there are many. */
export class AttachedTables {
  private readonly entries = new Map<string, Entry>();
  private readonly closing = new Map<string, Promise<void>>();
  private readonly writers = new KeyedTurns();
  private readonly opener: TableOpener;

  constructor(
    keeper: DuckDBConnection,
    private readonly retired: RetiredFiles,
  ) {
    this.opener = new TableOpener(keeper);
  }

  /** Runs work on the table as it is at this moment, while its files are open. Work must not ask for the table again: it may wait for itself. */
  async use<T>(table: EngineTable, work: (attached: AttachedTable) => Promise<T>): Promise<T> {
    const entry = await this.enter(table);
    try {
      const opened = await entry.opening;
      return await work(entry.now ?? opened);
    } finally {
      leave(entry);
    }
  }

  /** Runs work as the table's one writer. */
  write<T>(table: EngineTable, work: (writable: WritableTable) => Promise<T>): Promise<T> {
    return this.writers.run(keyOf(table), async () => {
      const entry = await this.enter(table);
      try {
        return await work(writableOf(entry, await entry.opening));
      } finally {
        leave(entry);
      }
    });
  }

  /** Makes another file of later inserts. Only for the table's one writer. */
  async addDelta(table: EngineTable, writable: WritableTable, number: number): Promise<void> {
    writable.change(await this.opener.addDelta(writable.now, table, number));
  }

  /**
   * Puts a base that holds part of the later inserts in the place of the one that is read, for those who come now; who reads the old files
   * goes on, then they are closed and removed. Only for the table's one writer.
   */
  async replaceBase(
    table: EngineTable,
    writable: WritableTable,
    base: { path: string; merged: number },
  ): Promise<void> {
    const { entry, now } = writable;
    const removeRetired = await this.retired.retire(table, now.basePart);
    const next = await this.opener.reopen(now, base);
    if (this.entries.get(keyOf(table)) !== entry) {
      // The files are on their way to be closed: who comes next finds the new base by itself.
      await this.opener.close([next.base]);
      return;
    }
    const gone = now.deltas.filter(({ number }) => number <= base.merged);
    const done = this.emptied(entry).then(async () => {
      await this.opener.close([now.base, ...gone.map(({ name }) => name)]);
      await removeRetired(gone);
    });
    // What can't be closed or removed now goes at the next start.
    const settled = done.catch(() => undefined);
    this.entries.set(keyOf(table), { ...newEntry(Promise.resolve(next), settled), now: next });
  }

  /** Closes the files of a table when nobody uses them any more; who comes meanwhile waits and opens them anew. */
  async release(table: Pick<EngineTable, 'folder' | 'generation'>): Promise<void> {
    return this.releaseKey(keyOf(table));
  }

  async releaseAll(): Promise<void> {
    await Promise.all([...this.entries.keys()].map((key) => this.releaseKey(key)));
  }

  private async releaseKey(key: string): Promise<void> {
    const entry = this.entries.get(key);
    if (!entry) return this.closing.get(key);
    this.entries.delete(key);
    const closed = this.close(entry).finally(() => this.closing.delete(key));
    this.closing.set(key, closed);
    return closed;
  }

  private async enter(table: EngineTable): Promise<Entry> {
    const key = keyOf(table);
    while (this.closing.has(key)) await this.closing.get(key);
    const entry = this.entries.get(key) ?? this.opened(key, table);
    // Put last: the first of the map is the one that was not used for longest.
    this.entries.delete(key);
    this.entries.set(key, entry);
    entry.users++;
    this.closeOldest();
    return entry;
  }

  private opened(key: string, table: EngineTable): Entry {
    const opening = this.opener.open(table, (path) => this.retired.isKept(path));
    const entry = newEntry(opening, Promise.resolve());
    opening.then(
      (attached) => (entry.now = attached),
      () => {
        // Whoever waits for it hears why; the next one tries again.
        if (this.entries.get(key) === entry) this.entries.delete(key);
      },
    );
    return entry;
  }

  private closeOldest(): void {
    const [oldest] = this.entries.keys();
    if (this.entries.size <= MOST_OPEN || oldest === undefined) return;
    // Nobody waits for it: a file that can't be closed now stays open until the engine ends.
    void this.releaseKey(oldest).catch(() => undefined);
  }

  private async close(entry: Entry): Promise<void> {
    const attached = await entry.opening.catch(() => null);
    if (!attached) return;
    await this.emptied(entry);
    const { base, deltas } = entry.now ?? attached;
    await this.opener.close([...deltas.map(({ name }) => name), base]);
  }

  /** Nobody uses the files of the entry, nor those of the ones before it. */
  private async emptied(entry: Entry | undefined): Promise<void> {
    await entry?.before;
    if (entry && entry.users > 0) await new Promise<void>((resolve) => (entry.onIdle = resolve));
  }
}

export function keyOf({ folder, generation }: Pick<EngineTable, 'folder' | 'generation'>): string {
  return `${folder}:${generation}`;
}

function newEntry(opening: Promise<AttachedTable>, before: Promise<void>): Entry {
  return { opening, now: null, users: 0, onIdle: null, before };
}

function writableOf(entry: Entry, opened: AttachedTable): WritableTable {
  return {
    entry,
    get now() {
      return entry.now ?? opened;
    },
    change(next) {
      entry.now = next;
    },
    hold() {
      entry.users++;
      return { table: entry.now ?? opened, letGo: onceOnly(entry) };
    },
  };
}

function leave(entry: Entry): void {
  entry.users--;
  if (entry.users === 0) entry.onIdle?.();
}

/** Who lets go twice does not do it for somebody else. */
function onceOnly(entry: Entry): () => void {
  let done = false;
  return () => {
    if (!done) leave(entry);
    done = true;
  };
}
