import { open, stat, statfs, symlink } from 'node:fs/promises';
import type { LoadFile, RejectedLine } from '../ports/row-engine.js';
import { AppError } from '../shared/app-error.js';
import { RewrittenText, VerbatimText } from './import-clean.js';
import { readingOf, type Records } from './import-reading.js';
import { REASONS } from './import-reasons.js';
import type { ReadableFile } from './import-sql.js';
import { CR, LF } from './record-machine.js';
import { assertRoomFor } from './row-files.js';
import { type Fault, RecordScanner, type RecordSink, type ScannerOptions } from './record-scanner.js';
import { excerptOf } from './excerpt.js';

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
/** The copy, the rows, and what their sort puts aside, as a part of the file. */
const ROOM_WITH_COPY = 2.5;
const RECORDS_BETWEEN_MARKS = 2000;

/**
 * Walks through a file and counts its records by its own rules. Only when it has lines that are no records, or is written in ways that the
 * database can't read or that readers disagree about, a clean copy is made for the database to read.
 */
export async function surveyFile(source: LoadFile, index: number, watch: SurveyWatch): Promise<SurveyedFile> {
  const { size } = await stat(source.path);
  const path = await inUtf8(source, `source${index}.csv`, watch);
  const options = { ...source.dialect, converted: !isUtf8Name(source.dialect.encoding) };
  const tally = new Tally(source.name, source.dialect.headerRows);
  const scanner = await walk(path, options, tally, watch);
  const way = readingOf(source.dialect, scanner, tally);
  const known = {
    ...{ source, size, columns: source.columns, dialect: source.dialect, hasOddSigns: tally.oddSigns.found },
    ...{ records: tally.records, faults: tally.faults, faultSample: tally.sample },
    text: { path, options, marks: tally.marks },
    parallel: !scanner.hasQuotedLineBreaks,
  };
  if (way.kind === 'asItIs') return { ...known, path, syntax: way.syntax };

  const copy = `clean${index}.csv`;
  await assertRoomForCopy(path);
  await writeClean(path, copy, options, {
    headerRows: source.dialect.headerRows,
    rewrites: way.kind === 'rewritten',
    watch,
  });
  return { ...known, path: copy, syntax: way.syntax };
}

/** A name in the import's own folder that leads to the file's text in UTF-8. */
async function inUtf8(source: LoadFile, name: string, watch: SurveyWatch): Promise<string> {
  const { encoding } = source.dialect;
  if (isUtf8Name(encoding)) {
    await symlink(source.path, name);
    return name;
  }
  // Only needed by few files, and dear to load.
  const { default: iconv } = await import('iconv-lite');
  if (!iconv.encodingExists(encoding))
    throw new AppError('invalid_input', `the encoding ${source.dialect.encoding} is not known`);
  const decoder = iconv.getDecoder(encoding);
  await written(name, async (write) => {
    for await (const bytes of chunksOf(source.path)) {
      await write(Buffer.from(decoder.write(bytes)));
      watch(0);
    }
    await write(Buffer.from(decoder.end() ?? ''));
  });
  return name;
}

/** What was seen at the start of the import did not tell that a copy would be needed. @throws AppError `no_space` */
async function assertRoomForCopy(path: string): Promise<void> {
  const [{ size }, { bavail, bsize }] = await Promise.all([stat(path), statfs('.')]);
  assertRoomFor(size * ROOM_WITH_COPY, bavail * bsize);
}

function isUtf8Name(encoding: string): boolean {
  return /^(utf-?8|(us-)?ascii)$/i.test(encoding);
}

async function walk(path: string, options: ScannerOptions, tally: Tally, watch: SurveyWatch): Promise<RecordScanner> {
  const scanner = new RecordScanner(options, tally);
  for await (const bytes of chunksOf(path)) {
    scanner.push(bytes);
    tally.look(bytes);
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
class Tally implements RecordSink, Records {
  records = 0;
  hasFaults = false;
  readonly faults = new Map<Fault, number>();
  readonly sample: RejectedLine[] = [];
  readonly marks: Mark[] = [];
  readonly oddSigns = new OddSigns();
  private firstLine = 1;
  private isPlainStart = true;

  constructor(
    private readonly file: string,
    private headersLeft: number,
  ) {}

  record(bytes: Buffer, start: number, end: number, line: number, offset: number): void {
    if (this.headersLeft > 0) {
      this.headersLeft--;
      this.isPlainStart &&= isOneLine(bytes, start, end);
      return;
    }
    if (this.records % RECORDS_BETWEEN_MARKS === 0) this.mark(line, offset);
    this.records++;
  }

  get countsOnly(): boolean {
    return this.headersLeft === 0;
  }

  many(records: number, line: number, offset: number): void {
    if (records === 0) return;
    this.mark(line, offset);
    this.records += records;
  }

  fault(bytes: Buffer, start: number, end: number, line: number, fault: Fault): void {
    this.hasFaults = true;
    if (this.headersLeft > 0) {
      // Its names are already known, whatever is wrong with it.
      this.headersLeft--;
      return;
    }
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
    if (this.sample.length >= MAX_SAMPLE) return;
    this.sample.push({
      file: this.file,
      line,
      reason: REASONS[fault],
      text: excerptOf(bytes.subarray(start, end), MAX_TEXT),
    });
  }

  /** Looks at a part of the file, in turn, after its records were told. */
  look(bytes: Buffer): void {
    this.oddSigns.look(bytes, this.marks[0]?.offset ?? null);
  }

  get linesBefore(): number | null {
    return this.records > 0 && this.isPlainStart ? this.firstLine - 1 : null;
  }

  private mark(line: number, offset: number): void {
    if (this.records === 0) this.firstLine = line;
    this.marks.push({ record: this.records + 1, line, offset });
  }
}

function isOneLine(bytes: Buffer, start: number, end: number): boolean {
  const record = bytes.subarray(start, end);
  return !record.includes(LF) && !record.includes(CR);
}

/** Whether anything stands in the data that the database takes for part of a number and we do not. */
class OddSigns {
  found = false;
  private before = 0;

  look(bytes: Buffer, dataOffset: number | null): void {
    const from = dataOffset === null ? 0 : Math.max(0, dataOffset - this.before);
    this.before += bytes.length;
    // A pair may be cut in two.
    const endsOddly = bytes[bytes.length - 1] === PLUS;
    this.found ||= endsOddly || bytes.includes('_', from) || bytes.includes('+-', from);
  }
}

const PLUS = 43;

/** For sinks that have to see each record. */
const ONE_BY_ONE: Pick<RecordSink, 'countsOnly' | 'many'> = { countsOnly: false, many: () => undefined };

async function writeClean(
  from: string,
  to: string,
  options: ScannerOptions,
  { headerRows, rewrites, watch }: { headerRows: number; rewrites: boolean; watch: SurveyWatch },
): Promise<void> {
  const text = rewrites ? new RewrittenText(options) : new VerbatimText();
  let headersLeft = headerRows;
  const scanner = new RecordScanner(options, {
    record: (bytes, start, end) => {
      if (headersLeft > 0) headersLeft--;
      else text.add(bytes, start, end);
    },
    fault: () => {
      if (headersLeft > 0) headersLeft--;
    },
    ...ONE_BY_ONE,
  });
  await written(to, async (write) => {
    for await (const bytes of chunksOf(from)) {
      scanner.push(bytes);
      await write(text.take());
      watch(0);
    }
    scanner.end();
    await write(text.take());
  });
}

/** Writes a file bit by bit; each bit is on its way to the disk when the next is asked for. */
async function written(path: string, work: (write: (bytes: Buffer) => Promise<void>) => Promise<void>): Promise<void> {
  const file = await open(path, 'w');
  try {
    await work(async (bytes) => {
      for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
    });
  } finally {
    await file.close();
  }
}

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
      if (record === numbers[found.length]) found.push({ line, text: excerptOf(bytes.subarray(start, end), MAX_TEXT) });
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
