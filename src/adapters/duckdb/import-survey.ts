import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat, symlink } from 'node:fs/promises';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import type { LoadFile, RejectedLine } from '../../ports/row-engine.js';
import { AppError } from '../../shared/app-error.js';
import { REASONS } from './import-reasons.js';
import type { ReadableFile } from './import-sql.js';
import { type Fault, RecordScanner, type RecordSink, type ScannerOptions } from './record-scanner.js';

/** A file made ready to be read, and what a walk through all of its bytes told. */
export interface SurveyedFile extends ReadableFile {
  readonly source: LoadFile;
  readonly size: number;
  /** Well-formed records, the header aside: an independent count that the import must come to. */
  readonly records: number;
  /** Lines that are no records. */
  readonly faults: ReadonlyMap<Fault, number>;
  readonly faultSample: readonly RejectedLine[];
  /** The whole text in UTF-8, with the lines that are no records. */
  readonly text: { readonly path: string; readonly options: ScannerOptions; readonly marks: readonly Mark[] };
}

/** Where a record begins. Some are kept, so that any record is found again without walking through all that is before it. */
interface Mark {
  /** From 1. */
  readonly record: number;
  readonly line: number;
  readonly offset: number;
}

/** Told how many bytes were walked through; throws when the import is cancelled. */
export type SurveyWatch = (bytes: number) => void;

export const MAX_SAMPLE = 100;
const MAX_TEXT = 500;
const CHUNK = 1024 ** 2;
/** For a look at a few records. */
const SMALL_CHUNK = 64 * 1024;
const RECORDS_BETWEEN_MARKS = 2000;

/**
 * Walks through a file once and counts its records by its own rules. Only when it has lines that are no records, or is written in mixed
 * ways that readers disagree about, a clean copy is made for the database to read.
 */
export async function surveyFile(source: LoadFile, index: number, watch: SurveyWatch): Promise<SurveyedFile> {
  const { size } = await stat(source.path);
  const path = await inUtf8(source, `source${index}.csv`);
  const { delimiter, quote, hasHeader } = source.dialect;
  const options = { delimiter, quote, converted: !isUtf8Name(source.dialect.encoding) };
  const tally = new Tally(source.name, hasHeader);
  const scanner = await walk(path, options, tally, watch);
  const known = { source, size, records: tally.records, faults: tally.faults, faultSample: tally.sample };
  const readable = {
    ...known,
    text: { path, options, marks: tally.marks },
    dialect: source.dialect,
    columns: source.columns,
  };
  const parallel = !scanner.hasQuotedLineBreaks;
  if (!needsCopy(scanner, tally)) return { ...readable, path, hasHeader, parallel };

  const copy = `clean${index}.csv`;
  await writeClean(path, copy, options, hasHeader);
  return { ...readable, path: copy, hasHeader: false, parallel };
}

function needsCopy(scanner: RecordScanner, tally: Tally): boolean {
  const kinds = [scanner.hasLineFeeds, scanner.hasReturns, scanner.hasPairs].filter(Boolean).length;
  return kinds > 1 || scanner.beginsBlank || tally.hasFaults;
}

/** A name in the import's own folder that leads to the file's text in UTF-8. */
async function inUtf8(source: LoadFile, name: string): Promise<string> {
  const { encoding } = source.dialect;
  if (isUtf8Name(encoding)) {
    await symlink(source.path, name);
    return name;
  }
  // Only needed by few files, and dear to load.
  const { default: iconv } = await import('iconv-lite');
  if (!iconv.encodingExists(encoding))
    throw new AppError('invalid_input', `the encoding ${source.dialect.encoding} is not known`);
  await pipeline(
    createReadStream(source.path, { highWaterMark: CHUNK }),
    iconv.decodeStream(encoding),
    iconv.encodeStream('utf-8'),
    createWriteStream(name),
  );
  return name;
}

function isUtf8Name(encoding: string): boolean {
  return /^(utf-?8|(us-)?ascii)$/i.test(encoding);
}

async function walk(
  path: string,
  options: ScannerOptions,
  sink: RecordSink,
  watch: SurveyWatch,
): Promise<RecordScanner> {
  const scanner = new RecordScanner(options, sink);
  for await (const bytes of chunksOf(path)) {
    scanner.push(bytes);
    watch(bytes.length);
  }
  scanner.end();
  return scanner;
}

/** Reads a file into the same memory again and again: each chunk is only good until the next. */
async function* chunksOf(path: string, start = 0, size = CHUNK): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const room = Buffer.allocUnsafeSlow(size);
    for (let position = start; ;) {
      const { bytesRead } = await file.read(room, 0, size, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield room.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Counts records and keeps the first lines that are none. */
class Tally implements RecordSink {
  records = 0;
  hasFaults = false;
  readonly faults = new Map<Fault, number>();
  readonly sample: RejectedLine[] = [];
  readonly marks: Mark[] = [];

  constructor(
    private readonly file: string,
    private headerIsNext: boolean,
  ) {}

  record(_bytes: Buffer, _start: number, _end: number, line: number, offset: number): void {
    if (this.headerIsNext) {
      this.headerIsNext = false;
      return;
    }
    if (this.records % RECORDS_BETWEEN_MARKS === 0) this.marks.push({ record: this.records + 1, line, offset });
    this.records++;
  }

  get countsOnly(): boolean {
    return !this.headerIsNext;
  }

  many(records: number, line: number, offset: number): void {
    this.marks.push({ record: this.records + 1, line, offset });
    this.records += records;
  }

  fault(bytes: Buffer, start: number, end: number, line: number, fault: Fault): void {
    this.hasFaults = true;
    if (this.headerIsNext) {
      // Its names are already known, whatever is wrong with it.
      this.headerIsNext = false;
      return;
    }
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
    if (this.sample.length >= MAX_SAMPLE) return;
    this.sample.push({ file: this.file, line, reason: REASONS[fault], text: excerpt(bytes, start, end) });
  }
}

/** The text of a line for a report. */
function excerpt(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, Math.min(end, start + MAX_TEXT * 4)).slice(0, MAX_TEXT);
}

/** For sinks that have to see each record. */
const ONE_BY_ONE: Pick<RecordSink, 'countsOnly' | 'many'> = { countsOnly: false, many: () => undefined };

async function writeClean(from: string, to: string, options: ScannerOptions, hasHeader: boolean): Promise<void> {
  let headerIsNext = hasHeader;
  let kept: Buffer[] = [];
  const scanner = new RecordScanner(options, {
    record: (bytes, start, end) => {
      if (!headerIsNext) kept.push(bytes.subarray(start, end), LINE_FEED);
      headerIsNext = false;
    },
    fault: () => {
      headerIsNext = false;
    },
    ...ONE_BY_ONE,
  });
  const out = createWriteStream(to);
  const flush = async (): Promise<void> => {
    if (kept.length > 0 && !out.write(Buffer.concat(kept))) await once(out, 'drain');
    kept = [];
  };
  for await (const bytes of chunksOf(from)) {
    scanner.push(bytes);
    await flush();
  }
  scanner.end();
  await flush();
  out.end();
  await once(out, 'finish');
}

const LINE_FEED = Buffer.from('\n');

export interface FoundRecord {
  readonly line: number;
  readonly text: string;
}

/** Finds line and text of some records by their numbers, which rise. */
export async function findRecords(file: SurveyedFile, numbers: readonly number[]): Promise<readonly FoundRecord[]> {
  const found: FoundRecord[] = [];
  for (const [index, mark] of file.text.marks.entries()) {
    const end = file.text.marks[index + 1]?.record ?? Number.POSITIVE_INFINITY;
    const near = numbers.filter((number) => number >= mark.record && number < end);
    if (near.length > 0) found.push(...(await findBehind(mark, file, near)));
  }
  return found;
}

async function findBehind(mark: Mark, { text }: SurveyedFile, numbers: readonly number[]): Promise<FoundRecord[]> {
  const found: FoundRecord[] = [];
  let record = mark.record - 1;
  const sink: RecordSink = {
    record: (bytes, start, end, line) => {
      record++;
      if (record === numbers[found.length]) found.push({ line, text: excerpt(bytes, start, end) });
    },
    // Lines that are no records have no number.
    fault: () => undefined,
    ...ONE_BY_ONE,
  };
  const scanner = new RecordScanner(text.options, sink, mark);
  for await (const bytes of chunksOf(text.path, mark.offset, SMALL_CHUNK)) {
    scanner.push(bytes);
    if (found.length === numbers.length) return found;
  }
  scanner.end();
  return found;
}
