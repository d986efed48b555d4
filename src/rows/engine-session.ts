import type { DuckDBConnection } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import type { Appended } from '../ports/row-engine.js';
import type { TableProfile } from '../ports/table.js';
import type { AttachedTable } from './attached-table.js';
import { AttachedTables } from './attached-tables.js';
import { noteCount } from './counted-rows.js';
import { batchOf, earlierNote, insertRows } from './engine-append.js';
import { EngineCompaction } from './engine-compaction.js';
import type { EngineDatabase, Errand } from './engine-database.js';
import { metadataOf } from './engine-metadata.js';
import { plotOf } from './engine-plot.js';
import type { CompactionRules, EngineHandlers, EngineTable, InputOf, SelectedRows } from './engine-protocol.js';
import { describeCsv } from './inspect-csv.js';
import { RetiredFiles } from './retired-files.js';
import { cellFrom } from './sandbox-cells.js';
import { quotedText } from './sandbox-names.js';
import { TableExports } from './table-exports.js';
import { profileOf } from './table-profile.js';

/** What the engine can be asked to do. */
export class EngineSession {
  readonly handlers: EngineHandlers = {
    ping: async () => Promise.resolve(true),
    describe: ({ path }) => describeCsv(path),
    columns: ({ table }) => this.tables.use(table, async ({ shape }) => Promise.resolve(shape.columns)),
    count: ({ table }, timeoutMs) =>
      this.tables.use(table, (attached) =>
        this.database.run('reads', errandOf(table, timeoutMs), (connection) => countOf(connection, attached, table)),
      ),
    append: (input, timeoutMs) => this.append(input, timeoutMs),
    plot: ({ table, query }, timeoutMs) =>
      this.tables.use(table, (attached) =>
        this.database.run('reads', errandOf(table, timeoutMs), (connection) =>
          plotOf(connection, attached, query, table.visibleFrom),
        ),
      ),
    metadata: ({ table, query }, timeoutMs) =>
      this.tables.use(table, (attached) =>
        this.database.run('reads', errandOf(table, timeoutMs), (connection) =>
          metadataOf(connection, attached, query, table.visibleFrom),
        ),
      ),
    profile: ({ table }, timeoutMs) => this.tables.use(table, (attached) => this.profile(attached, table, timeoutMs)),
    select: (input, timeoutMs) => this.tables.use(input.table, (attached) => this.select(attached, input, timeoutMs)),
    snapshot: ({ table }, timeoutMs) =>
      this.tables.use(table, async (attached) => {
        return { base: attached.basePart.path, later: await this.exports.later(table, attached, timeoutMs) };
      }),
    gain: ({ table }, timeoutMs) =>
      this.tables.use(table, (attached) => this.compaction.gain(table, attached, timeoutMs)),
    seal: (input, timeoutMs) => this.compaction.seal(input, timeoutMs),
    unseal: async (input) => {
      this.compaction.unseal(input);
      return Promise.resolve(true);
    },
    adopt: async (input) => {
      await this.compaction.adopt(input);
      return true;
    },
    release: async ({ tables }) => {
      await Promise.all(tables.map((table) => this.release(table)));
      return true;
    },
  };

  private readonly tables: AttachedTables;
  private readonly profiles = new LRUCache<string, TableProfile>({ max: 50 });

  private readonly compaction: EngineCompaction;
  private readonly exports: TableExports;

  constructor(
    private readonly database: EngineDatabase,
    rules: CompactionRules,
  ) {
    const retired = new RetiredFiles(rules.keepMs);
    this.tables = new AttachedTables(database.keeper, retired);
    this.compaction = new EngineCompaction(database, this.tables, rules);
    this.exports = new TableExports(database, retired);
  }

  /** Writes what is in the logs into the files and closes them. */
  close(): Promise<void> {
    return this.tables.releaseAll();
  }

  private release(table: Pick<EngineTable, 'folder' | 'generation'>): Promise<void> {
    this.compaction.forget(table);
    return this.tables.release(table);
  }

  private async append({ table, rows, batch }: InputOf<'append'>, timeoutMs: number): Promise<Appended> {
    const prepared = await this.tables.use(table, (attached) => Promise.resolve(batchOf(attached, rows)));
    return this.tables.write(table, (writable) =>
      this.database.run('writes', errandOf(table, timeoutMs), async (connection) => {
        const note = batch === null ? null : await earlierNote(connection, writable.now, batch);
        if (note !== null || rows.cells.length === 0) return { earlierNote: note, wantsCompaction: false };
        await this.compaction.ensureDelta(table, writable);
        await insertRows(connection, writable.now, prepared, batch);
        writable.change(writable.now.widened(prepared.wider).withRows(rows.cells.length));
        const newest = writable.now.deltas.at(-1);
        if (newest) noteCount(newest.path, newest.rows);
        return { earlierNote: null, wantsCompaction: this.compaction.isWanted(table, writable.now) };
      }),
    );
  }

  private async select(
    attached: AttachedTable,
    { table, order }: InputOf<'select'>,
    timeoutMs: number,
  ): Promise<SelectedRows> {
    const { sql, params } = attached.reading(order.sql, table.visibleFrom, order.params.length);
    return this.database.run('plans', errandOf(table, timeoutMs), async (connection) => {
      const rowsScanned = await countOf(connection, attached, table);
      const reader = await connection.streamAndReadUntil(sql, order.maxRows + 1, [...order.params, ...params]);
      const rows = reader.getRows();
      return {
        rows: rows.slice(0, order.maxRows).map((row) => row.map(cellFrom)),
        truncated: rows.length > order.maxRows,
        rowsScanned,
      };
    });
  }

  /** The import has written what the base holds; only with later inserts, or when rows have outlived the lifespan, it is made again. */
  private async profile(attached: AttachedTable, table: EngineTable, timeoutMs: number): Promise<TableProfile> {
    const { visibleFrom } = table;
    const { shape, deltaRows } = attached;
    const stored = JSON.parse(shape.profileJson) as TableProfile;
    if (deltaRows === 0 && isAllVisible(stored, visibleFrom)) return stored;

    const key = JSON.stringify([shape.id, attached.basePart.merged, deltaRows, visibleFrom]);
    const known = this.profiles.get(key);
    if (known) return known;
    const { time, meta, columns, values } = shape;
    const profile = await this.database.run('reads', errandOf(table, timeoutMs), async (connection) => {
      const relation = `(${visibleLiteral(attached, visibleFrom)})`;
      return profileOf(connection, { relation, isTable: false, columns, time, meta, values });
    });
    this.profiles.set(key, profile);
    return profile;
  }
}

function errandOf({ companyId }: EngineTable, timeoutMs: number): Errand {
  return { companyId, timeoutMs };
}

async function countOf(
  connection: DuckDBConnection,
  attached: AttachedTable,
  { visibleFrom }: EngineTable,
): Promise<number> {
  if (visibleFrom === null) return attached.shape.rows + attached.deltaRows;
  const { sql, params } = attached.reading('SELECT count(*) FROM visible', visibleFrom, 0);
  return Number((await connection.runAndReadAll(sql, [...params])).value(0, 0));
}

function isAllVisible({ timeRange }: TableProfile, visibleFrom: string | null): boolean {
  return visibleFrom === null || (timeRange !== null && timeRange.from >= visibleFrom);
}

/** The visible rows as a query without parameters, for statements that can't have any. */
function visibleLiteral(attached: AttachedTable, visibleFrom: string | null): string {
  const { sql, params } = attached.reading('FROM visible', visibleFrom, 0);
  return params.reduce((text, param, index) => text.replaceAll(`$${index + 1}`, quotedText(param)), sql);
}
