import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableColumn } from '../../plan/plan-columns.js';
import type { LoadColumn, LoadReport } from '../../ports/row-engine.js';
import { AppError } from '../../shared/app-error.js';
import { createSorted, describeTable, IMPORT_THREADS, makeBase } from '../base-file.js';
import { countOf } from '../cells.js';
import type { ImportOrder } from '../jobs.js';
import { isOutOfMemory } from '../process-error.js';
import { KEPT_BASE } from '../row-files.js';
import { physicalName } from '../table-shape.js';
import { timeReading } from './casts.js';
import { ImportSql, type TargetColumn, type TargetTable } from './import-sql.js';
import { Merge } from './merge.js';
import { faultsOnly, type FileRejects, keepRejects, nothingFits, rejectsOf, reportOf, sum } from './rejects.js';
import { type PrescannedFile, prescanFile } from './prescan.js';

/** The walk through the files takes about this part of the time, in percent; reading and sorting them the next part. */
const SURVEY_SHARE = 10;
const LOAD_SHARE = 80;

/**
 * Builds a table's file in the current folder from CSV files: walks through them, reads and sorts them, counts what was left out and why,
 * and describes what came in.
 */
export class Importer {
  private connection: DuckDBConnection | null = null;
  private phase: 'prescan' | 'load' | 'rest' = 'prescan';
  private prescanned = 0;
  private records = 0;
  private fixed: ReadonlySet<string> = new Set();

  constructor(
    private readonly order: ImportOrder,
    private readonly totalBytes: number,
  ) {}

  progress(): { readonly percent: number | null; readonly rows: number } {
    if (this.phase === 'prescan')
      return { percent: Math.min(this.prescanned / Math.max(this.totalBytes, 1), 1) * SURVEY_SHARE, rows: 0 };
    const { percentage, rows_processed } = this.connection?.progress ?? { percentage: -1, rows_processed: 0n };
    // Sorting begins to count again, and describing is not counted.
    if (this.phase === 'rest' || percentage < 0) return { percent: null, rows: this.records };
    const rows = Math.min(Number(rows_processed), this.records);
    return { percent: SURVEY_SHARE + (Math.min(percentage, 100) / 100) * LOAD_SHARE, rows };
  }

  async run(): Promise<LoadReport> {
    const files: PrescannedFile[] = [];
    for (const [index, file] of this.order.source.files.entries())
      files.push(
        await prescanFile(file, index, (bytes) => {
          this.prescanned += bytes;
        }),
      );
    this.records = sum(files.map(({ records }) => records));

    return makeBase(this.order.memoryMb, async (connection) => {
      this.connection = connection;
      return this.load(connection, files).finally(() => {
        this.connection = null;
      });
    });
  }

  private async load(connection: DuckDBConnection, files: readonly PrescannedFile[]): Promise<LoadReport> {
    const { columns } = this.order.source;
    const forWidth = settingsForWidth(columns.length, this.order.memoryMb);
    for (const setting of [...SETTINGS, ...forWidth.before]) await connection.run(setting);
    this.phase = 'load';
    const merge = await this.openMerge(connection);
    const { target, rejects, rows } = await this.fill(connection, files, columns, merge).catch((error: unknown) => {
      throw sayingHowWide(error, columns.length);
    });
    for (const setting of forWidth.after) await connection.run(setting);
    const sample = await keepRejects(connection, rejects);
    if (rows === 0) throw nothingFits(rejects, sample);

    this.phase = 'rest';
    const counts = merge === null ? { rows, added: rows, replaced: 0 } : await merge.write(target);
    const described = await describeTable(connection, target, this.order.source.values);
    return { ...counts, ...reportOf(rejects, sample), ...described };
  }

  private async openMerge(connection: DuckDBConnection): Promise<Merge | null> {
    const { kept, source } = this.order;
    if (kept === null) return null;
    const target = this.targetOf(source.columns);
    await connection.run(`ATTACH '${KEPT_BASE}' AS kept (READ_ONLY)`);
    const merge = new Merge(connection, kept, target);
    this.fixed = await merge.fixed(target);
    return merge;
  }

  /** Reads the files into the table; once more with wider types when a column turns out to hold more than its type can. */
  private async fill(
    connection: DuckDBConnection,
    files: readonly PrescannedFile[],
    columns: readonly LoadColumn[],
    merge: Merge | null,
  ): Promise<{ readonly target: TargetTable; readonly rejects: readonly FileRejects[]; readonly rows: number }> {
    const target = this.targetOf(columns);
    const sql = new ImportSql(target);
    if (merge === null) await connection.run(createSorted(sql.rows(files), target));
    const rows = await (merge === null ? countOf(connection, 'data') : merge.read(files, sql));
    const rejects: FileRejects[] = [];
    for (const [index, file] of files.entries()) {
      const into = { misfits: `misfits${index}`, more: merge?.repeatedIn(index) };
      rejects.push(rows === this.records ? faultsOnly(file) : await rejectsOf(connection, file, sql, into));
    }

    const narrow = new Set(rejects.flatMap(({ tooNarrow }) => tooNarrow));
    if (narrow.size > 0) {
      await connection.run('DROP TABLE IF EXISTS data');
      return this.fill(
        connection,
        files,
        columns.map((column, index) =>
          narrow.has(index) ? { ...column, type: column.type === 'integer' ? 'number' : 'text' } : column,
        ),
        merge,
      );
    }
    assertAllCounted(rows, this.records, rejects);
    return { target, rejects, rows };
  }

  private targetOf(named: readonly LoadColumn[]): TargetTable {
    const { timeField, metaField, timeFormat, importedAt } = this.order.source;
    const columns = named.map((one, index): TargetColumn => {
      const { name, othersAreMissing } = one;
      const physical = physicalName(index);
      const isKey = this.order.kept?.keys.includes(name);
      const [type, layout] = name === timeField ? ['time' as const, timeFormat] : [one.type, one.timeFormat];
      const isFixed = name === timeField || this.fixed.has(physical);
      return {
        physical,
        name,
        type,
        timeReading: layout == null ? undefined : timeReading(layout),
        othersAreMissing,
        isFixed,
        isKey,
      };
    });
    return {
      columns,
      time: columnNamed(columns, timeField),
      meta: columnNamed(columns, metaField),
      importedAt: timeFormat === null ? new Date(importedAt) : null,
    };
  }
}

const SETTINGS: readonly string[] = [
  'SET enable_progress_bar = true',
  'SET enable_progress_bar_print = false',
  // Pushed below the casts, the conditions would compute them a second time; a list of markers would become a join.
  "SET disabled_optimizers = 'filter_pushdown,in_clause'",
];

function columnNamed(columns: readonly TableColumn[], name: string): TableColumn {
  const column = columns.find((one) => one.name === name);
  if (!column) throw new AppError('invalid_input', `there is no column "${name}"`);
  return column;
}

/** The two counts were made by different programs; where they differ, something was read wrongly, and nothing is kept. */
function assertAllCounted(rows: number, records: number, rejects: readonly FileRejects[]): void {
  const faults = sum(rejects.flatMap(({ file }) => [...file.faults.values()]));
  const rejected = sum(rejects.map((one) => one.rejected)) - faults;
  if (rows + rejected === records) return;
  throw new AppError(
    'invalid_input',
    `the file can't be read reliably: it has ${records} records, of which ${rows} were read and ${rejected} refused`,
  );
}

/** From here on, to improve a statement takes longer than what it saves: at 2,000 columns 80 seconds instead of 3. */
const MOST_IMPROVED = 100;
/** For the intermediate values of one column in one thread, at most. */
const MEGABYTES_PER_COLUMN = 0.35;
/** Of an import's memory; the rest is for the rows. */
const SHARE_FOR_VALUES = 0.6;

/**
 * What is set before the texts of so many columns are read as values, and what puts it back: wide tables are read by statements of megabytes, and
 * need memory for each column in each thread.
 */
export function settingsForWidth(
  columns: number,
  memoryMb: number,
): Readonly<Record<'before' | 'after', readonly string[]>> {
  if (columns <= MOST_IMPROVED) return { before: [], after: [] };
  const forValues = columns * MEGABYTES_PER_COLUMN * IMPORT_THREADS;
  const threads = forValues > memoryMb * SHARE_FOR_VALUES ? 1 : IMPORT_THREADS;
  return {
    before: ['PRAGMA disable_optimizer', `SET threads = ${threads}`],
    after: ['PRAGMA enable_optimizer', `SET threads = ${IMPORT_THREADS}`],
  };
}

/** When the columns were too many for the memory, the error says so, and who can do something about it. */
export function sayingHowWide(error: unknown, columns: number): unknown {
  if (columns <= MOST_IMPROVED || !isOutOfMemory(error)) return error;
  return new AppError(
    'unavailable',
    `not enough memory to import ${columns} columns; an operator can allow imports more (IMPORT_MEMORY_MB)`,
    { cause: error },
  );
}
