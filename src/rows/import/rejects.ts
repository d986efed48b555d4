import type { DuckDBConnection } from '@duckdb/node-api';
import type { LoadReport, RejectedLine } from '../../ports/row-engine.js';
import { AppError } from '../../shared/app-error.js';
import { valuesOf } from '../cells.js';
import { DRAFT_REJECTS } from '../row-files.js';
import { type ImportSql, REASONS } from './import-sql.js';
import { type Fault, RecordScanner, type RecordSink } from './record-scanner.js';
import { MOST_KEPT, RejectsWriter } from './rejects-file.js';
import { chunksOf, type PrescannedFile } from './prescan.js';

/** What was left out of one file. */
export interface FileRejects {
  readonly file: PrescannedFile;
  readonly rejected: number;
  readonly byReason: ReadonlyMap<string, number>;
  /** Columns whose type is too narrow for some of their values. */
  readonly tooNarrow: readonly number[];
  /** Its records that are no rows; null: all are. */
  readonly misfits: MisfitTable | null;
}

/** A temporary table with numbers of records, and codes. */
interface MisfitTable {
  readonly name: string;
  readonly reasonOf: (code: number) => string;
}

/** What a file has when all of its records became rows: the lines that are no records. */
export function faultsOnly(file: PrescannedFile): FileRejects {
  const byReason = new Map([...file.faults].map(([fault, count]) => [REASONS[fault] as string, count]));
  return { file, rejected: sum(file.faults.values()), byReason, tooNarrow: [], misfits: null };
}

/**
 * Finds out which records of a file are no rows, and why, and puts their numbers and codes into a temporary table, together with `more` of them. A
 * second look at the file, only taken when some are missing.
 */
export async function rejectsOf(
  connection: DuckDBConnection,
  file: PrescannedFile,
  sql: ImportSql,
  { misfits, more }: { readonly misfits: string; readonly more: string | undefined },
): Promise<FileRejects> {
  const found = [sql.misfits(file), ...(more === undefined ? [] : [more])].join(' UNION ALL ');
  await inOneThread(connection, () => connection.run(`CREATE OR REPLACE TEMP TABLE ${misfits} AS ${found}`));

  const checks = sql.checks(file);
  const reasonOf = (code: number): string => checks[code]?.reason ?? REASONS.repeated;
  const counts = await valuesOf(connection, `SELECT code, count(*) FROM ${misfits} GROUP BY code`);
  const byReason = new Map(faultsOnly(file).byReason);
  for (const [code, count] of counts) {
    const reason = reasonOf(Number(code));
    byReason.set(reason, (byReason.get(reason) ?? 0) + Number(count));
  }
  const tooNarrow = counts.flatMap(([code]) => checks[Number(code)]?.tooNarrow ?? []);
  return { file, rejected: sum(byReason.values()), byReason, tooNarrow, misfits: { name: misfits, reasonOf } };
}

/** Numbering records keeps one thread busy and would let a second one spin. */
export async function inOneThread(connection: DuckDBConnection, work: () => Promise<unknown>): Promise<void> {
  const [[threads] = []] = await valuesOf(connection, "SELECT current_setting('threads')");
  await connection.run('SET threads = 1');
  await work();
  await connection.run(`SET threads = ${Number(threads)}`);
}

/** Writes all that was left out into the draft, file by file in the order of lines, as far as there is room for it, and gives the first lines of each. */
export async function keepRejects(
  connection: DuckDBConnection,
  rejects: readonly FileRejects[],
): Promise<readonly RejectedLine[]> {
  const writer = new RejectsWriter(DRAFT_REJECTS);
  const sample: RejectedLine[] = [];
  try {
    for (const { file, rejected, misfits } of rejects) {
      if (rejected > 0 && !writer.isFull)
        sample.push(...(await writeRejects(file, await misfitsIn(connection, misfits), writer)));
      if (misfits !== null) await connection.run(`DROP TABLE temp.${misfits.name}`);
    }
    await writer.end();
  } finally {
    await writer.close();
  }
  return sample;
}

/** No more than are kept. */
async function misfitsIn(connection: DuckDBConnection, table: MisfitTable | null): Promise<Misfits> {
  if (table === null) return { records: [], reasons: [] };
  const reader = await connection.runAndReadAll(
    `SELECT CAST(record AS DOUBLE), CAST(code AS INTEGER) FROM ${table.name} ORDER BY record LIMIT ${MOST_KEPT.lines}`,
  );
  const [records = [], codes = []] = reader.getColumns();
  return { records: records.map(Number), reasons: codes.map((code) => table.reasonOf(Number(code))) };
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

/** Lines of a file that a report shows, and characters of each. */
const MAX_SAMPLE = 100;
const MAX_SAMPLE_TEXT = 500;
/** Characters of a line that are kept. */
const MAX_TEXT = 2000;
const CHUNK = 64 * 1024;

/** Records of a file that are no rows: their numbers, from 1 and rising, and why they are none. */
interface Misfits {
  readonly records: readonly number[];
  readonly reasons: readonly string[];
}

/**
 * Walks through a file's text once more and writes what was left out of it, in the order of its lines: lines that are no records and records that
 * are no rows. Gives the first of them.
 */
async function writeRejects(
  file: PrescannedFile,
  misfits: Misfits,
  to: RejectsWriter,
): Promise<readonly RejectedLine[]> {
  const rejects = new RejectsInText(file, misfits, to);
  const scanner = new RecordScanner(file.text.options, rejects);
  for await (const bytes of chunksOf(file.text.path, CHUNK)) {
    scanner.push(bytes);
    await to.flush();
    if (to.isFull || rejects.areAllFound) return rejects.sample;
  }
  scanner.end();
  await to.flush();
  return rejects.sample;
}

class RejectsInText implements RecordSink {
  readonly sample: RejectedLine[] = [];
  private number = 0;
  private found = 0;

  constructor(
    private readonly file: PrescannedFile,
    private readonly misfits: Misfits,
    private readonly to: RejectsWriter,
  ) {}

  get areAllFound(): boolean {
    return this.file.faults.size === 0 && this.next === undefined;
  }

  record(bytes: Buffer, start: number, end: number, line: number): void {
    this.number++;
    if (this.number !== this.next) return;
    this.add(line, this.misfits.reasons[this.found++] ?? '', bytes.subarray(start, end));
  }

  fault(bytes: Buffer, start: number, end: number, line: number, fault: Fault): void {
    this.add(line, REASONS[fault], bytes.subarray(start, end));
  }

  private get next(): number | undefined {
    return this.misfits.records[this.found];
  }

  private add(line: number, reason: string, bytes: Buffer): void {
    const file = this.file.source.name;
    this.to.add({ file, line, reason, text: excerptOf(bytes, MAX_TEXT) });
    if (this.sample.length < MAX_SAMPLE)
      this.sample.push({ file, line, reason, text: excerptOf(bytes, MAX_SAMPLE_TEXT) });
  }
}

const MOST_BYTES_A_UNIT = 3;

/** The beginning of a text in UTF-8, as a report shows it: so many UTF-16 units at most, and no half of a character at the end. */
function excerptOf(bytes: Buffer, mostUnits: number): string {
  const text = bytes
    .toString('utf8', 0, Math.min(bytes.length, (mostUnits + 1) * MOST_BYTES_A_UNIT))
    .slice(0, mostUnits);
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
