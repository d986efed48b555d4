import type { DuckDBConnection } from '@duckdb/node-api';
import type { LoadReport, RejectedLine } from '../ports/row-engine.js';
import { AppError } from '../shared/app-error.js';
import { findMisfits, type MisfitTable } from './import-misfits.js';
import { kindOf, type MisfitKind, notANumber, REASONS } from './import-reasons.js';
import type { ImportSql, TargetTable } from './import-sql.js';
import { findRecords, MAX_SAMPLE, type SurveyedFile } from './import-survey.js';
import { RejectsWriter } from './rejects-file.js';
import { writeRejects } from './rejects-walk.js';
import { DRAFT_REJECTS } from './row-files.js';

/** What was left out of one file. */
export interface FileRejects {
  readonly file: SurveyedFile;
  readonly rejected: number;
  readonly byReason: ReadonlyMap<string, number>;
  readonly sample: readonly RejectedLine[];
  /** Columns whose type is too narrow for some of their values. */
  readonly tooNarrow: readonly number[];
  /** The temporary table of its records that are no rows; null: all are. */
  readonly misfits: string | null;
}

/** What a file has when all of its records became rows: the lines that are no records. */
export function faultsOnly(file: SurveyedFile): FileRejects {
  const byReason = new Map([...file.faults].map(([fault, count]) => [REASONS[fault] as string, count]));
  return {
    file,
    rejected: sum(file.faults.values()),
    byReason,
    sample: file.faultSample,
    tooNarrow: [],
    misfits: null,
  };
}

/** Finds out which records of a file are no rows, and why. A second look at the file, only taken when some are missing. */
export async function rejectsOf(
  connection: DuckDBConnection,
  file: SurveyedFile,
  sql: ImportSql,
  target: TargetTable,
  into: MisfitTable,
): Promise<FileRejects> {
  const misfits = into.table;
  await findMisfits({ connection, file, sql, target }, into);
  const counts = await pairs(connection, `SELECT code, count(*) FROM ${misfits} GROUP BY code`);
  const first = await pairs(connection, `SELECT record, code FROM ${misfits} ORDER BY record LIMIT ${MAX_SAMPLE}`);

  const known = faultsOnly(file);
  const byReason = new Map(known.byReason);
  for (const [code, count] of counts) {
    const reason = reasonOf(kindOf(code), target);
    byReason.set(reason, (byReason.get(reason) ?? 0) + count);
  }
  const sample = await sampleOf(file, first, target);
  return {
    file,
    rejected: sum(byReason.values()),
    byReason,
    sample: [...known.sample, ...sample].sort((one, other) => (one.line ?? 0) - (other.line ?? 0)).slice(0, MAX_SAMPLE),
    tooNarrow: counts.flatMap(([code]) => widerColumn(kindOf(code))),
    misfits,
  };
}

/** Writes all that was left out into the draft, file by file in the order of lines, as far as there is room for it. */
export async function keepRejects(
  connection: DuckDBConnection,
  rejects: readonly FileRejects[],
  target: TargetTable,
): Promise<void> {
  const writer = new RejectsWriter(DRAFT_REJECTS);
  try {
    for (const { file, rejected, misfits: table } of rejects) {
      const misfits = { connection, table, reasonOf: (code: number) => reasonOf(kindOf(code), target) };
      if (rejected > 0 && !writer.isFull) await writeRejects(file, misfits, writer);
      if (table !== null) await connection.run(`DROP TABLE temp.${table}`);
    }
    await writer.end();
  } finally {
    await writer.close();
  }
}

function widerColumn(kind: MisfitKind): readonly number[] {
  return typeof kind !== 'string' && kind.wider ? [kind.column] : [];
}

function reasonOf(kind: MisfitKind, { columns }: TargetTable): string {
  return typeof kind === 'string' ? REASONS[kind] : notANumber(columns[kind.column]?.name ?? '');
}

async function sampleOf(
  file: SurveyedFile,
  misfits: readonly (readonly [number, number])[],
  target: TargetTable,
): Promise<readonly RejectedLine[]> {
  const found = await findRecords(
    file,
    misfits.map(([record]) => record),
  );
  return misfits.map(([, code], index) => ({
    file: file.source.name,
    line: found[index]?.line ?? null,
    reason: reasonOf(kindOf(code), target),
    text: found[index]?.text ?? '',
  }));
}

/** Not one row: says what is wrong with most of the records, with one of them. */
export function nothingFits(rejects: readonly FileRejects[]): AppError {
  const counts = new Map<string, number>();
  for (const { byReason } of rejects)
    for (const [reason, count] of byReason) counts.set(reason, (counts.get(reason) ?? 0) + count);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  if (!most) return new AppError('invalid_input', 'the file has no rows');

  const [reason, count] = most;
  const all = sum(counts.values());
  const example = rejects.flatMap(({ sample }) => sample).find((line) => line.reason === reason);
  const shown = example ? `, for example line ${example.line ?? '?'}: ${example.text.slice(0, 200)}` : '';
  return new AppError('invalid_input', `no row fits: ${reason} in ${count} of ${all} rows${shown}`);
}

export function reportOf(rejects: readonly FileRejects[]): Pick<LoadReport, 'rejected' | 'rejectedSample' | 'files'> {
  return {
    rejected: sum(rejects.map(({ rejected }) => rejected)),
    rejectedSample: rejects.flatMap(({ sample }) => sample).slice(0, MAX_SAMPLE),
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

async function pairs(connection: DuckDBConnection, sql: string): Promise<readonly (readonly [number, number])[]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRows().map(([one, other]) => [Number(one), Number(other)] as const);
}
