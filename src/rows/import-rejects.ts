import type { DuckDBConnection } from '@duckdb/node-api';
import type { LoadReport, RejectedLine } from '../ports/row-engine.js';
import { AppError } from '../shared/app-error.js';
import { kindOf, type MisfitKind, notANumber, REASONS } from './import-reasons.js';
import type { ImportSql, TargetTable } from './import-sql.js';
import type { SurveyedFile } from './import-survey.js';
import { MOST_KEPT, RejectsWriter } from './rejects-file.js';
import { MAX_SAMPLE, type Misfits, writeRejects } from './rejects-walk.js';
import { DRAFT_REJECTS } from './row-files.js';

/** What was left out of one file. */
export interface FileRejects {
  readonly file: SurveyedFile;
  readonly rejected: number;
  readonly byReason: ReadonlyMap<string, number>;
  /** Columns whose type is too narrow for some of their values. */
  readonly tooNarrow: readonly number[];
  /** The temporary table of its records that are no rows; null: all are. */
  readonly misfits: string | null;
}

/** What a file has when all of its records became rows: the lines that are no records. */
export function faultsOnly(file: SurveyedFile): FileRejects {
  const byReason = new Map([...file.faults].map(([fault, count]) => [REASONS[fault] as string, count]));
  return { file, rejected: sum(file.faults.values()), byReason, tooNarrow: [], misfits: null };
}

/**
 * Finds out which records of a file are no rows, and why, and puts their numbers and codes into a temporary table. A second look at the file, only
 * taken when some are missing.
 */
export async function rejectsOf(
  connection: DuckDBConnection,
  file: SurveyedFile,
  sql: ImportSql,
  target: TargetTable,
  misfits: string,
): Promise<FileRejects> {
  // Numbering records keeps one thread busy and would let a second one spin.
  const threads = (await connection.runAndReadAll("SELECT current_setting('threads')")).value(0, 0);
  await connection.run('SET threads = 1');
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${misfits} AS ${sql.misfits(file)}`);
  await connection.run(`SET threads = ${Number(threads)}`);

  const counts = await connection.runAndReadAll(`SELECT code, count(*) FROM ${misfits} GROUP BY code`);
  const byReason = new Map(faultsOnly(file).byReason);
  const tooNarrow: number[] = [];
  for (const [code, count] of counts.getRows()) {
    const kind = kindOf(Number(code));
    const reason = reasonOf(kind, target);
    byReason.set(reason, (byReason.get(reason) ?? 0) + Number(count));
    if (typeof kind !== 'string' && kind.wider) tooNarrow.push(kind.column);
  }
  return { file, rejected: sum(byReason.values()), byReason, tooNarrow, misfits };
}

/** Writes all that was left out into the draft, file by file in the order of lines, as far as there is room for it, and gives the first lines of each. */
export async function keepRejects(
  connection: DuckDBConnection,
  rejects: readonly FileRejects[],
  target: TargetTable,
): Promise<readonly RejectedLine[]> {
  const writer = new RejectsWriter(DRAFT_REJECTS);
  const sample: RejectedLine[] = [];
  try {
    for (const { file, rejected, misfits } of rejects) {
      if (rejected > 0 && !writer.isFull)
        sample.push(...(await writeRejects(file, await misfitsIn(connection, misfits, target), writer)));
      if (misfits !== null) await connection.run(`DROP TABLE temp.${misfits}`);
    }
    await writer.end();
  } finally {
    await writer.close();
  }
  return sample;
}

/** No more than are kept. */
async function misfitsIn(connection: DuckDBConnection, table: string | null, target: TargetTable): Promise<Misfits> {
  if (table === null) return { records: [], reasons: [] };
  const reader = await connection.runAndReadAll(
    `SELECT CAST(record AS DOUBLE), CAST(code AS INTEGER) FROM ${table} ORDER BY record LIMIT ${MOST_KEPT.lines}`,
  );
  const [records = [], codes = []] = reader.getColumns();
  return {
    records: records.map(Number),
    reasons: codes.map((code) => reasonOf(kindOf(Number(code)), target)),
  };
}

function reasonOf(kind: MisfitKind, { columns }: TargetTable): string {
  return typeof kind === 'string' ? REASONS[kind] : notANumber(columns[kind.column]?.name ?? '');
}

/** Not one row: says what is wrong with most of the records, with one of them. */
export function nothingFits(rejects: readonly FileRejects[], sample: readonly RejectedLine[]): AppError {
  const counts = new Map<string, number>();
  for (const { byReason } of rejects)
    for (const [reason, count] of byReason) counts.set(reason, (counts.get(reason) ?? 0) + count);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  if (!most) return new AppError('invalid_input', 'the file has no rows');

  const [reason, count] = most;
  const all = sum(counts.values());
  const example = sample.find((line) => line.reason === reason);
  const shown = example ? `, for example line ${example.line ?? '?'}: ${example.text.slice(0, 200)}` : '';
  return new AppError('invalid_input', `no row fits: ${reason} in ${count} of ${all} rows${shown}`);
}

export function reportOf(
  rejects: readonly FileRejects[],
  sample: readonly RejectedLine[],
): Pick<LoadReport, 'rejected' | 'rejectedSample' | 'files'> {
  return {
    rejected: sum(rejects.map(({ rejected }) => rejected)),
    rejectedSample: sample.slice(0, MAX_SAMPLE),
    files: rejects.map(({ file, rejected }) => ({
      name: file.source.name,
      size: file.size,
      rows: file.records + sum(file.faults.values()) - rejected,
      rejected,
    })),
  };
}

export function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
