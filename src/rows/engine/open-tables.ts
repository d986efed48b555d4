import type { DuckDBConnection } from '@duckdb/node-api';
import { isAppError } from '../../shared/app-error.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import { unpackedRows } from '../batch-rows.js';
import { damagedRows, foreseen } from '../process-error.js';
import { quotedText } from '../sql-text.js';
import { STORED_TYPES } from '../table-shape.js';
import { AttachedTable, type FilePart, type MemoryPart, shapeOf } from './attached-table.js';
import type { EngineDatabase } from './engine-database.js';
import { type EngineTable, LacksBatches, type WireBatch } from './engine-protocol.js';

/** Tables whose files stay open between requests. */
const MOST_OPEN = 200;

/** A table that is open or on its way to be; it is not closed while somebody uses it. */
interface Entry {
  readonly load: string;
  readonly paths: readonly string[];
  readonly opening: Promise<AttachedTable>;
  /** As it is now, once it is open. */
  now: AttachedTable | null;
  users: number;
  onIdle: (() => void) | null;
}

/** Keeps the files of tables open, with the later rows beside them in memory: the least recently used are closed when there are many. */
export class OpenTables {
  private readonly entries = new Map<string, Entry>();
  private readonly keepersTurn = new KeyedSemaphore();
  private readonly adding = new KeyedSemaphore();
  private files = 0;

  constructor(private readonly database: EngineDatabase) {}

  /**
   * Runs work on the table as it is at this moment, while its files are open.
   *
   * @throws LacksBatches when the batches that came with the request do not follow those that are here.
   */
  async use<T>(table: EngineTable, timeoutMs: number, work: (attached: AttachedTable) => Promise<T>): Promise<T> {
    const entry = this.enter(table);
    try {
      const opened = await entry.opening;
      await this.catchUp(entry, table, timeoutMs);
      return await work(entry.now ?? opened);
    } finally {
      leave(entry);
    }
  }

  /** Closes tables when nobody uses them any more; who comes meanwhile opens them anew. */
  async release({ loads, paths }: { loads: readonly string[]; paths: readonly string[] }): Promise<void> {
    const meant = [...this.entries].filter(
      ([, entry]) => loads.includes(entry.load) || entry.paths.some((path) => paths.includes(path)),
    );
    await Promise.all(meant.map(([key]) => this.close(key)));
  }

  async releaseAll(): Promise<void> {
    await Promise.all([...this.entries.keys()].map((key) => this.close(key)));
  }

  private enter(table: EngineTable): Entry {
    const entry = this.entries.get(table.key) ?? this.opened(table);
    // Put last: the first of the map is the one that was not used for longest.
    this.entries.delete(table.key);
    this.entries.set(table.key, entry);
    entry.users += 1;
    const [oldest] = this.entries.keys();
    // Nobody waits for it: a file that can't be closed now stays open until the engine ends.
    if (this.entries.size > MOST_OPEN && oldest !== undefined) void this.close(oldest).catch(() => undefined);
    return entry;
  }

  private opened(table: EngineTable): Entry {
    // Whoever asks from now on asks for these files.
    for (const [key, { load }] of this.entries) if (load === table.load) void this.close(key).catch(() => undefined);
    const opening = this.attach(table);
    const entry: Entry = { load: table.load, paths: table.files, opening, now: null, users: 0, onIdle: null };
    opening.then(
      (attached) => (entry.now = attached),
      () => {
        // Whoever waits for it hears why; the next one tries again.
        if (this.entries.get(table.key) === entry) this.entries.delete(table.key);
      },
    );
    return entry;
  }

  private async catchUp(entry: Entry, table: EngineTable, timeoutMs: number): Promise<void> {
    const { upTo, companyId, key } = table;
    if (entry.now === null || entry.now.upTo >= upTo) return;
    await this.adding.run(key, async () => {
      const now = entry.now;
      if (now === null || now.upTo >= upTo) return;
      const lacking = table.batches.filter(({ number }) => number > now.upTo);
      if (lacking.length < upTo - now.upTo) throw new LacksBatches(now.upTo);
      entry.now = await this.database.run('writes', companyId, timeoutMs, (connection) =>
        addBatches(connection, now, lacking),
      );
    });
  }

  private async close(key: string): Promise<void> {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    const attached = await entry.opening.catch(() => null);
    if (attached === null) return;
    if (entry.users > 0) await new Promise<void>((resolve) => (entry.onIdle = resolve));
    const { files, memory } = entry.now ?? attached;
    await this.alone(async (keeper) => {
      for (const { name } of files) await keeper.run(`DETACH ${name}`);
      for (const { name } of memory) await keeper.run(`DROP TABLE ${name}`);
    });
  }

  /** @throws AppError `unavailable` when a file can't be opened. */
  private attach({ files, through }: EngineTable): Promise<AttachedTable> {
    return this.alone(async (keeper) => {
      const fresh: string[] = [];
      try {
        const parts = [];
        for (const path of files) {
          const name = `f${(this.files += 1)}`;
          await attachFile(keeper, path, name);
          fresh.push(name);
          const shape = await shapeOf(keeper, name);
          const part: FilePart = { name, path, rows: shape.rows, hasAssetKey: shape.hasAssetKey };
          parts.push({ part, shape });
        }
        const [base, later] = parts;
        if (base === undefined) throw new Error('a table has at least one file');
        const table = new AttachedTable(base.part, later?.part ?? null, [], base.shape, through);
        const wide = later?.shape.columns.filter(({ type }) => type === 'number') ?? [];
        return table.widened(wide.map(({ physical }) => physical));
      } catch (error) {
        // The first failure is the one to be told.
        for (const name of fresh) await keeper.run(`DETACH DATABASE IF EXISTS ${name}`).catch(() => undefined);
        throw error;
      }
    });
  }

  /** The keeper's statements come one after the other. */
  private alone<T>(work: (keeper: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.keepersTurn.run('keeper', () => work(this.database.keeper));
  }
}

async function attachFile(keeper: DuckDBConnection, path: string, name: string): Promise<void> {
  try {
    await keeper.run(`ATTACH ${quotedText(path)} AS ${name} (READ_ONLY)`);
  } catch (error) {
    const known = foreseen(error);
    throw isAppError(known) ? known : damagedRows(error);
  }
}

function leave(entry: Entry): void {
  entry.users -= 1;
  if (entry.users === 0) entry.onIdle?.();
}

/** Batches are added together until their JSON has so many letters. */
const LETTERS_AT_ONCE = 4_000_000;

interface Unpacked {
  readonly batch: WireBatch;
  readonly json: string;
}

/** Adds batches to a table, in memory and in their order: all, or none when the connection is closed after a failure. */
async function addBatches(
  connection: DuckDBConnection,
  table: AttachedTable,
  batches: readonly WireBatch[],
): Promise<AttachedTable> {
  let now = table;
  await connection.run('BEGIN');
  for await (const group of grouped(batches)) {
    const wider = group.flatMap(({ batch }) => batch.wider);
    now = await inserted(connection, now.widened(wider), group, wider.length > 0);
  }
  await connection.run('COMMIT');
  return now;
}

/** Batches that can be added together: one that widens a column begins a group. */
async function* grouped(batches: readonly WireBatch[]): AsyncGenerator<readonly Unpacked[]> {
  let group: Unpacked[] = [];
  let letters = 0;
  for (const batch of batches) {
    if (group.length > 0 && (batch.wider.length > 0 || letters > LETTERS_AT_ONCE)) {
      yield group;
      group = [];
      letters = 0;
    }
    const json = await unpackedRows(batch.data).catch((error: unknown) => {
      throw damagedRows(error);
    });
    group.push({ batch, json });
    letters += json.length;
  }
  if (group.length > 0) yield group;
}

let tables = 0;

/** `anew`: columns have other types by now, and need a table of their own. */
async function inserted(
  connection: DuckDBConnection,
  table: AttachedTable,
  group: readonly Unpacked[],
  anew: boolean,
): Promise<AttachedTable> {
  const last = anew ? undefined : table.memory.at(-1);
  const part = last ?? (await create(connection, table));
  const values = table.shape.columns.map(({ type }, index) => `CAST(r[${index + 1}] AS ${STORED_TYPES[type]})`);
  // One bound parameter, whatever is in the rows.
  const rows = `[${group.flatMap(({ json }) => json.slice(1, -1) || []).join(',')}]`;
  await connection.run(
    `INSERT INTO ${part.name} SELECT ${values.join(', ')} FROM (SELECT unnest(from_json($1::VARCHAR, '[["VARCHAR"]]')) AS r)`,
    [rows],
  );
  const more = { ...part, rows: group.reduce((sum, { batch }) => sum + batch.rows, part.rows) };
  const others = table.memory.filter((one) => one !== last);
  return table.withMemory([...others, more], group.at(-1)?.batch.number ?? table.upTo);
}

async function create(connection: DuckDBConnection, { shape }: AttachedTable): Promise<MemoryPart> {
  const name = `memory.main.later${(tables += 1)}`;
  const fields = shape.columns.map(({ physical, type }) => `${physical} ${STORED_TYPES[type]}`).join(', ');
  await connection.run(`CREATE TABLE ${name} (${fields})`);
  return { name, rows: 0 };
}
