import { open } from 'node:fs/promises';
import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api';
import { REASONS } from './import-reasons.js';
import type { SurveyedFile } from './import-survey.js';
import { type Fault, MAX_RECORD_BYTES, RecordScanner, type RecordSink } from './record-scanner.js';
import type { RejectsWriter } from './rejects-file.js';
import { excerptOf } from './excerpt.js';

/** Characters of a line that are kept. */
const MAX_TEXT = 2000;
const CHUNK = 64 * 1024;
/** Walking on is cheaper than opening the file at another place when that is near. */
const WORTH_A_LEAP = 512 * 1024;
/** As many records as one chunk can bring to light at most, with what waited before it: a byte and a line break each. */
const MOST_AT_ONCE = (MAX_RECORD_BYTES + 2 * CHUNK) / 2;

/** Records of one file that are no rows. */
export interface Misfits {
  readonly connection: DuckDBConnection;
  /** A table of `record`, its number from 1, and `code`; null: there are none. */
  readonly table: string | null;
  readonly reasonOf: (code: number) => string;
}

/**
 * Writes what was left out of a file, in the order of its lines: lines that are no records and records that are no rows. Walks through the
 * text once more; where only records are missing, it leaps from one to the next.
 */
export async function writeRejects(file: SurveyedFile, misfits: Misfits, to: RejectsWriter): Promise<void> {
  const queue = new MisfitQueue(misfits);
  await queue.fill();
  const hasFaults = file.faults.size > 0;
  let begin = hasFaults ? START : placeBefore(file, queue.next);
  while (begin !== null && !to.isFull) begin = await new Walk(file, queue, to, misfits.reasonOf).from(begin, hasFaults);
}

interface Place {
  /** Of the record that begins here. */
  readonly record: number;
  readonly line: number;
  readonly offset: number;
}

const START: Place = { record: 1, line: 1, offset: 0 };

/** Where to begin to look for a record; null: there is nothing to look for. */
function placeBefore({ text }: SurveyedFile, record: number | null): Place | null {
  return record === null ? null : (text.marks.findLast((mark) => mark.record <= record) ?? START);
}

class Walk implements RecordSink {
  /** Every record is looked at. */
  readonly countsOnly = false;
  readonly many = (): void => undefined;
  private number = 0;
  private headers = 0;

  constructor(
    private readonly file: SurveyedFile,
    private readonly queue: MisfitQueue,
    private readonly to: RejectsWriter,
    private readonly reasonOf: (code: number) => string,
  ) {}

  /** Walks until there is nothing left to find, or it is worth to go on elsewhere: there. */
  async from(place: Place, toTheEnd: boolean): Promise<Place | null> {
    this.number = place.record - 1;
    this.headers = place.offset === 0 ? this.file.source.dialect.headerRows : 0;
    const scanner = new RecordScanner(this.file.text.options, this, place);
    const handle = await open(this.file.text.path);
    try {
      const room = Buffer.allocUnsafeSlow(CHUNK);
      for (let position = place.offset; ;) {
        const { bytesRead } = await handle.read(room, 0, CHUNK, position);
        if (bytesRead === 0) break;
        position += bytesRead;
        scanner.push(room.subarray(0, bytesRead));
        await this.to.flush();
        await this.queue.fill();
        if (this.to.isFull) return null;
        const next = toTheEnd ? undefined : this.leap(position);
        if (next !== undefined) return next;
      }
      scanner.end();
      await this.to.flush();
      return null;
    } finally {
      await handle.close();
    }
  }

  record(bytes: Buffer, start: number, end: number, line: number): void {
    if (this.isHeader()) return;
    this.number++;
    if (this.number !== this.queue.next) return;
    this.add(line, this.reasonOf(this.queue.take()), excerptOf(bytes.subarray(start, end), MAX_TEXT));
  }

  fault(bytes: Buffer, start: number, end: number, line: number, fault: Fault): void {
    if (!this.isHeader()) this.add(line, REASONS[fault], excerptOf(bytes.subarray(start, end), MAX_TEXT));
  }

  private add(line: number, reason: string, text: string): void {
    this.to.add({ file: this.file.source.name, line, reason, text });
  }

  private isHeader(): boolean {
    this.headers--;
    return this.headers >= 0;
  }

  /** Null: nothing is left; undefined: walk on. */
  private leap(position: number): Place | null | undefined {
    const place = placeBefore(this.file, this.queue.next);
    return place === null || place.offset > position + WORTH_A_LEAP ? place : undefined;
  }
}

/** Numbers and codes of records, in order, of which only those that may be met next are in memory. */
class MisfitQueue {
  private result: Promise<DuckDBResult> | null = null;
  private ended = false;
  private records: number[] = [];
  private codes: number[] = [];
  private at = 0;

  constructor(private readonly misfits: Misfits) {
    this.ended = misfits.table === null;
  }

  get next(): number | null {
    return this.records[this.at] ?? null;
  }

  take(): number {
    return this.codes[this.at++] ?? 0;
  }

  /** Sees to it that there are more than a chunk can need. */
  async fill(): Promise<void> {
    if (this.ended || this.records.length - this.at >= MOST_AT_ONCE) return;
    this.records = this.records.slice(this.at);
    this.codes = this.codes.slice(this.at);
    this.at = 0;
    for (let more = true; more && this.records.length < 2 * MOST_AT_ONCE;) more = await this.fetch();
  }

  /** False: there are no more. */
  private async fetch(): Promise<boolean> {
    const { connection, table } = this.misfits;
    this.result ??= connection.stream(
      `SELECT CAST(record AS DOUBLE), CAST(code AS INTEGER) FROM ${table ?? ''} ORDER BY record`,
    );
    const chunk = await (await this.result).fetchChunk();
    if (chunk === null || chunk.rowCount === 0) {
      this.ended = true;
      return false;
    }
    const [records, codes] = [chunk.getColumnValues(0), chunk.getColumnValues(1)];
    for (const [index, record] of records.entries()) {
      this.records.push(Number(record));
      this.codes.push(Number(codes[index]));
    }
    return true;
  }
}
