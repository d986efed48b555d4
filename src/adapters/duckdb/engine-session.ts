import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { TableProfile } from '../../ports/table.js';
import { type AttachedTable, countOf } from './attached-table.js';
import { AttachedTables } from './attached-tables.js';
import { batchOf, insertRows } from './engine-append.js';
import type { EngineDatabase } from './engine-database.js';
import { metadataOf } from './engine-metadata.js';
import { plotOf } from './engine-plot.js';
import type { EngineHandlers, EngineTable, InputOf, SelectedRows } from './engine-protocol.js';
import { describeCsv } from './inspect-csv.js';
import { exportPath, fileExists, isExportOf } from './row-files.js';
import { cellFrom } from './sandbox-cells.js';
import { quotedText } from './sandbox-names.js';
import { profileOf } from './table-profile.js';

/** What the engine can be asked to do. */
export class EngineSession {
  readonly handlers: EngineHandlers = {
    ping: async () => Promise.resolve(true),
    describe: ({ path }) => describeCsv(path),
    columns: ({ table }) => this.tables.use(table, async ({ shape }) => Promise.resolve(shape.columns)),
    count: ({ table }, timeoutMs) => this.tables.use(table, (attached) => this.count(attached, table, timeoutMs)),
    append: ({ table, rows }, timeoutMs) =>
      this.tables.use(table, (attached) => this.append(attached, rows, timeoutMs)),
    plot: ({ table, query }, timeoutMs) =>
      this.tables.use(table, (attached) =>
        this.database.run(timeoutMs, (connection) => plotOf(connection, attached, query, table.visibleFrom)),
      ),
    metadata: ({ table, query }, timeoutMs) =>
      this.tables.use(table, (attached) =>
        this.database.run(timeoutMs, (connection) => metadataOf(connection, attached, query, table.visibleFrom)),
      ),
    profile: ({ table }, timeoutMs) => this.tables.use(table, (attached) => this.profile(attached, table, timeoutMs)),
    select: (input, timeoutMs) => this.tables.use(input.table, (attached) => this.select(attached, input, timeoutMs)),
    export: ({ table }, timeoutMs) => this.tables.use(table, (attached) => this.exported(attached, timeoutMs)),
    release: async ({ bases }) => {
      await Promise.all(bases.map((base) => this.tables.release(base)));
      return true;
    },
  };

  private readonly tables: AttachedTables;
  private readonly profiles = new LRUCache<string, TableProfile>({ max: 50 });

  constructor(private readonly database: EngineDatabase) {
    this.tables = new AttachedTables(database.keeper);
  }

  /** Writes what is in the logs into the files and closes them. */
  close(): Promise<void> {
    return this.tables.releaseAll();
  }

  private async count(attached: AttachedTable, { visibleFrom }: EngineTable, timeoutMs: number): Promise<number> {
    if (visibleFrom === null) return attached.shape.rows + attached.deltaRows;
    return this.database.run(timeoutMs, async (connection) => {
      const { sql, params } = attached.reading('SELECT count(*) FROM visible', visibleFrom, 0);
      return Number((await connection.runAndReadAll(sql, [...params])).value(0, 0));
    });
  }

  private async append(attached: AttachedTable, rows: InputOf<'append'>['rows'], timeoutMs: number): Promise<number> {
    const batch = batchOf(attached, rows);
    return this.asWriter(attached, async () => {
      const delta = await this.tables.ensureDelta(attached);
      await this.database.run(timeoutMs, (connection) => insertRows(connection, attached, delta, batch));
      attached.widen(batch.wider);
      attached.deltaRows += rows.length;
      return rows.length;
    });
  }

  private async select(
    attached: AttachedTable,
    { table, order }: InputOf<'select'>,
    timeoutMs: number,
  ): Promise<SelectedRows> {
    const { sql, params } = attached.reading(order.sql, table.visibleFrom, order.params.length);
    const rowsScanned = await this.count(attached, table, timeoutMs);
    return this.database.run(timeoutMs, async (connection) => {
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
  private async profile(
    attached: AttachedTable,
    { visibleFrom }: EngineTable,
    timeoutMs: number,
  ): Promise<TableProfile> {
    const { shape, deltaRows } = attached;
    const stored = JSON.parse(shape.profileJson) as TableProfile;
    if (deltaRows === 0 && isAllVisible(stored, visibleFrom)) return stored;

    const key = JSON.stringify([shape.id, deltaRows, visibleFrom]);
    const known = this.profiles.get(key);
    if (known) return known;
    const { time, meta, columns, values } = shape;
    const profile = await this.database.run(timeoutMs, async (connection) => {
      const relation = `(${visibleLiteral(attached, visibleFrom)})`;
      return profileOf(connection, { relation, isTable: false, columns, time, meta, values });
    });
    this.profiles.set(key, profile);
    return profile;
  }

  /** One file for each number of rows: rows are only ever added, so that the number is the version. */
  private async exported(attached: AttachedTable, timeoutMs: number): Promise<string | null> {
    if (attached.delta === null || attached.deltaRows === 0) return null;
    return this.asWriter(attached, () =>
      this.database.run(timeoutMs, async (connection) => {
        const source = `${attached.delta ?? ''}.data`;
        const path = exportPath(attached.deltaPath, await countOf(connection, source));
        if (await fileExists(path)) return path;
        await connection.run(`COPY (FROM ${source}) TO ${quotedText(`${path}.tmp`)} (FORMAT parquet)`);
        await rename(`${path}.tmp`, path);
        await removeOldExports(attached.deltaPath, path);
        return path;
      }),
    );
  }

  private async asWriter<T>(attached: AttachedTable, work: () => Promise<T>): Promise<T> {
    const end = await attached.writers.take();
    try {
      return await work();
    } finally {
      end();
    }
  }
}

function isAllVisible({ timeRange }: TableProfile, visibleFrom: string | null): boolean {
  return visibleFrom === null || (timeRange !== null && timeRange.from >= visibleFrom);
}

/** The visible rows as a query without parameters, for statements that can't have any. */
function visibleLiteral(attached: AttachedTable, visibleFrom: string | null): string {
  const { sql, params } = attached.reading('FROM visible', visibleFrom, 0);
  return params.reduce((text, param, index) => text.replaceAll(`$${index + 1}`, quotedText(param)), sql);
}

const KEPT_EXPORTS = 2;

/** The one before may be about to be opened by somebody. */
async function removeOldExports(deltaPath: string, newest: string): Promise<void> {
  const folder = dirname(deltaPath);
  const names = (await readdir(folder)).filter((name) => isExportOf(deltaPath, name) && name !== basename(newest));
  const oldest = names.sort((one, other) => rowsIn(other) - rowsIn(one)).slice(KEPT_EXPORTS - 1);
  for (const name of oldest) await rm(join(folder, name), { force: true });
}

function rowsIn(name: string): number {
  return Number(name.split('.')[2] ?? 0);
}
