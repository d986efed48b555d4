import type { RejectedLine } from '../ports/row-engine.js';
import { REASONS } from './import-reasons.js';
import { chunksOf, type SurveyedFile } from './import-survey.js';
import { type Fault, MAX_RECORD_BYTES, RecordScanner, type RecordSink } from './record-scanner.js';
import type { RejectsWriter } from './rejects-file.js';
import { excerptOf } from './excerpt.js';

/** Lines of a file that a report shows, and characters of each. */
export const MAX_SAMPLE = 100;
const MAX_SAMPLE_TEXT = 500;
/** Characters of a line that are kept. */
const MAX_TEXT = 2000;
const CHUNK = 64 * 1024;
/** As many records as one chunk can bring to light at most, with what waited before it: a byte and a line break each. */
const MOST_AT_ONCE = (MAX_RECORD_BYTES + 2 * CHUNK) / 2;

/** Records of a file that are no rows: their numbers, from 1 and rising, and why they are none. */
export interface Misfits {
  readonly records: readonly number[];
  readonly reasons: readonly string[];
}

/**
 * Walks through a file's text once more and writes what was left out of it, in the order of its lines: lines that are no records and records that
 * are no rows. Gives the first of them.
 */
export async function writeRejects(
  file: SurveyedFile,
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
  private headers: number;

  constructor(
    private readonly file: SurveyedFile,
    private readonly misfits: Misfits,
    private readonly to: RejectsWriter,
  ) {
    this.headers = file.source.dialect.headerRows;
  }

  get areAllFound(): boolean {
    return this.file.faults.size === 0 && this.next === undefined;
  }

  /** Where the next one is far away. */
  get countsOnly(): boolean {
    return this.headers <= 0 && (this.next ?? Number.POSITIVE_INFINITY) - this.number > MOST_AT_ONCE;
  }

  many(records: number): void {
    this.number += records;
  }

  record(bytes: Buffer, start: number, end: number, line: number): void {
    if (this.isHeader()) return;
    this.number++;
    if (this.number !== this.next) return;
    this.add(line, this.misfits.reasons[this.found++] ?? '', bytes.subarray(start, end));
  }

  fault(bytes: Buffer, start: number, end: number, line: number, fault: Fault): void {
    if (!this.isHeader()) this.add(line, REASONS[fault], bytes.subarray(start, end));
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

  private isHeader(): boolean {
    this.headers--;
    return this.headers >= 0;
  }
}
