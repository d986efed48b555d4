import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBListValue } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import type { MetadataQuery, MetadataValues } from '../../ports/row-reader.js';
import type { TableProfile } from '../../ports/table.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import { cellFrom, valuesOf } from '../cells.js';
import { describeCsv } from '../inspect/inspect-csv.js';
import { fileExists } from '../row-files.js';
import { quotedText, whereClause } from '../sql-text.js';
import { profileOf } from '../table-profile.js';
import { metaText, visibleSince } from '../table-shape.js';
import type { AttachedTable } from './attached-table.js';
import type { EngineDatabase } from './engine-database.js';
import { plotOf } from './engine-plot.js';
import type { EngineHandlers, EngineStart, EngineTable, InputOf, SelectedRows } from './engine-protocol.js';
import { OpenTables } from './open-tables.js';

/** What the engine can be asked to do. */
export class EngineSession {
  readonly handlers: EngineHandlers = {
    ping: async () => Promise.resolve(true),
    describe: ({ path, written, usualDecimal }) => describeCsv(path, written, usualDecimal),
    add: ({ table }, timeoutMs) => this.tables.use(table, timeoutMs, () => Promise.resolve(true)),
    count: ({ table }, timeoutMs) =>
      this.read(table, timeoutMs, (connection, attached) => countOf(connection, attached, table)),
    plot: ({ table, query }, timeoutMs) =>
      this.read(table, timeoutMs, (connection, attached) => plotOf(connection, attached, query, table.visibleFrom)),
    metadata: ({ table, query }, timeoutMs) =>
      this.read(table, timeoutMs, (connection, attached) => metadataOf(connection, attached, query, table.visibleFrom)),
    profile: ({ table }, timeoutMs) =>
      this.tables.use(table, timeoutMs, (attached) => this.profile(attached, table, timeoutMs)),
    select: (input, timeoutMs) =>
      this.tables.use(input.table, timeoutMs, (attached) => this.select(attached, input, timeoutMs)),
    snapshot: ({ table }, timeoutMs) =>
      this.tables.use(table, timeoutMs, async (attached) => {
        const later = await this.later.of(table, attached, timeoutMs);
        const { base, laterRows, upTo } = attached;
        return { key: table.key, base: base.path, later, laterRows, upTo };
      }),
    release: async (input) => {
      // Who reads goes on, and nobody waits for that.
      void this.tables.release(input).catch(() => undefined);
      for (const load of input.loads) this.later.forget(load);
      return Promise.resolve(true);
    },
  };

  private readonly tables: OpenTables;
  private readonly profiles = new LRUCache<string, TableProfile>({ max: 50 });
  private readonly later: LaterFiles;

  constructor(
    private readonly database: EngineDatabase,
    { laterFolder, keepMs }: Pick<EngineStart, 'laterFolder' | 'keepMs'>,
  ) {
    this.tables = new OpenTables(database);
    this.later = new LaterFiles(database, laterFolder, keepMs);
  }

  close(): Promise<void> {
    return this.tables.releaseAll();
  }

  private read<T>(
    table: EngineTable,
    timeoutMs: number,
    work: (connection: DuckDBConnection, attached: AttachedTable) => Promise<T>,
  ): Promise<T> {
    return this.tables.use(table, timeoutMs, (attached) =>
      this.database.run('reads', table.companyId, timeoutMs, (connection) => work(connection, attached)),
    );
  }

  private async select(
    attached: AttachedTable,
    { table, order }: InputOf<'select'>,
    timeoutMs: number,
  ): Promise<SelectedRows> {
    const sql = attached.reading(order.sql, table.visibleFrom);
    return this.database.run('plans', table.companyId, timeoutMs, async (connection) => {
      const rowsScanned = await countOf(connection, attached, table);
      const reader = await connection.streamAndReadUntil(sql, order.maxRows + 1, [...order.params]);
      const rows = reader.getRows();
      return {
        rows: rows.slice(0, order.maxRows).map((row) => row.map(cellFrom)),
        truncated: rows.length > order.maxRows,
        rowsScanned,
      };
    });
  }

  /** The import has written what the base holds; only with later rows, or when rows have outlived the lifespan, it is made again. */
  private async profile(attached: AttachedTable, table: EngineTable, timeoutMs: number): Promise<TableProfile> {
    const { visibleFrom } = table;
    const { shape, laterRows, upTo } = attached;
    const stored = JSON.parse(shape.profileJson) as TableProfile;
    const { timeRange } = stored;
    const isAllVisible = visibleFrom === null || (timeRange !== null && timeRange.from >= visibleFrom);
    if (laterRows === 0 && isAllVisible) return stored;

    const key = JSON.stringify([table.key, upTo, visibleFrom]);
    const known = this.profiles.get(key);
    if (known) return known;
    const { time, meta, columns, values } = shape;
    const profile = await this.database.run('reads', table.companyId, timeoutMs, async (connection) => {
      const relation = `(${attached.reading('FROM visible', visibleFrom)})`;
      return profileOf(connection, { relation, isTable: false, columns, time, meta, values });
    });
    this.profiles.set(key, profile);
    return profile;
  }
}

async function countOf(
  connection: DuckDBConnection,
  attached: AttachedTable,
  { visibleFrom }: EngineTable,
): Promise<number> {
  if (visibleFrom === null) return attached.rows;
  const [row] = await valuesOf(connection, attached.reading('SELECT count(*) FROM visible', visibleFrom));
  return Number(row?.[0]);
}

/** The files' own lists of values, which are far shorter than the files, and the values of later rows. */
async function metadataOf(
  connection: DuckDBConnection,
  table: AttachedTable,
  { search, skip, limit }: MetadataQuery,
  visibleFrom: string | null,
): Promise<MetadataValues> {
  // One statement, so that the number and the values are of the same moment.
  const [row = []] = await valuesOf(
    connection,
    `WITH matching AS MATERIALIZED (
       SELECT value FROM (${knownValues(table, visibleFrom)}) WHERE contains(${alike('value')}, ${alike('$1::VARCHAR')}))
     SELECT (SELECT count(*) FROM matching),
       (SELECT list(value ORDER BY value) FROM (SELECT value FROM matching ORDER BY value LIMIT $2::BIGINT OFFSET $3::BIGINT))`,
    [search, limit, skip],
  );
  const [total, values] = row;
  return { total: Number(total ?? 0), values: values instanceof DuckDBListValue ? values.items.map(String) : [] };
}

function knownValues({ files, memory, shape }: AttachedTable, visibleFrom: string | null): string {
  const lastOne = visibleSince({ physical: 'max_ts' }, visibleFrom);
  const stored = files.map(({ name }) => `SELECT value FROM ${name}.assets${whereClause([lastOne])}`);
  const still = whereClause([visibleSince(shape.time, visibleFrom)]);
  const later = memory.map(({ name }) => `SELECT ${metaText(shape.meta)} FROM ${name}${still}`);
  return [...stored, ...later].join(' UNION ');
}

/** The same letters alike, whatever their case and however their accents are put together. */
function alike(text: string): string {
  return `nfc_normalize(lower(${text}))`;
}

/** Writes later rows to files that other processes can read. */
class LaterFiles {
  private readonly turns = new KeyedSemaphore();
  private readonly newest = new Map<string, string>();

  constructor(
    private readonly database: EngineDatabase,
    private readonly folder: string,
    private readonly keepMs: number,
  ) {}

  /** All later rows as one Parquet file; null when there are none. The one before stays for a while: somebody may be about to open it. */
  async of({ load, key, companyId }: EngineTable, attached: AttachedTable, timeoutMs: number): Promise<string | null> {
    const relation = attached.later();
    if (relation === null) return null;
    const path = join(this.folder, `${key}.${attached.upTo}.parquet`);
    await this.turns.run(load, async () => {
      if (await fileExists(path)) return;
      await this.database.run('reads', companyId, timeoutMs, (connection) => write(connection, relation, path));
      this.removeLater(this.newest.get(load));
      this.newest.set(load, path);
    });
    return path;
  }

  /** Nobody will ask for them any more. */
  forget(load: string): void {
    this.removeLater(this.newest.get(load));
    this.newest.delete(load);
  }

  private removeLater(path: string | undefined): void {
    if (path === undefined) return;
    // What can't be removed now goes at the next start.
    setTimeout(() => void rm(path, { force: true }).catch(() => undefined), this.keepMs).unref();
  }
}

/** What has the name is complete. */
async function write(connection: DuckDBConnection, relation: string, path: string): Promise<void> {
  await connection.run(`COPY (${relation}) TO ${quotedText(`${path}.tmp`)} (FORMAT parquet)`);
  await rename(`${path}.tmp`, path);
}
