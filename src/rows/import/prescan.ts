import { createReadStream, createWriteStream } from 'node:fs';
import { open, stat, symlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { CsvDialect } from '../../ports/csv-inspector.js';
import type { LoadFile } from '../../ports/row-engine.js';
import { AppError } from '../../shared/app-error.js';
import { CellReader, type Row } from '../inspect/records.js';
import { assertRoomIn } from '../row-files.js';
import type { ReadableFile, ReadSyntax } from './import-sql.js';
import { type Fault, RecordScanner, type RecordSink, type ScannerOptions } from './record-scanner.js';

/** A file made ready to be read, and what a walk through all of its bytes told. */
export interface PrescannedFile extends ReadableFile {
  readonly source: LoadFile;
  readonly size: number;
  /** Well-formed records, the header aside: an independent count that the import must come to. */
  readonly records: number;
  /** Lines that are no records. */
  readonly faults: ReadonlyMap<Fault, number>;
  /** The whole text in UTF-8, with the lines that are no records. */
  readonly text: { readonly path: string; readonly options: ScannerOptions };
}

/** Told how many bytes were walked through. */
type PrescanWatch = (bytes: number) => void;

const CHUNK = 1024 ** 2;
/** The copy, the rows, and what their sort puts aside, as a part of the file. */
const ROOM_WITH_COPY = 2.5;

/**
 * Walks through a file and counts its records by its own rules. Only when it has lines that are no records, or is written in ways that the
 * database can't read or that readers disagree about, a clean copy is made for the database to read.
 */
export async function prescanFile(source: LoadFile, index: number, watch: PrescanWatch): Promise<PrescannedFile> {
  const { size } = await stat(source.path);
  const path = await inUtf8(source, `source${index}.csv`);
  const options = { ...source.dialect, converted: !isUtf8Name(source.dialect.encoding) };
  const tally = new Tally();
  const scanner = await walk(path, options, tally, watch);
  const way = readingOf(source.dialect, scanner, tally);
  const known = {
    ...{ source, size, columns: source.columns, dialect: source.dialect, hasOddSigns: tally.hasOddSigns },
    ...{ records: tally.records, faults: tally.faults },
    text: { path, options },
    parallel: !scanner.hasQuotedLineBreaks,
  };
  if (way.kind === 'asItIs') return { ...known, path, syntax: way.syntax };

  const copy = `clean${index}.csv`;
  // What was seen at the start of the import did not tell that a copy would be needed.
  await assertRoomIn('.', (await stat(path)).size * ROOM_WITH_COPY);
  await writeClean(path, copy, options, way.kind === 'rewritten');
  return { ...known, path: copy, syntax: way.syntax };
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
  // Where Latin-1 has control characters, Windows has letters: a euro sign may come only further down than the samples.
  const letters = /^iso-?8859-1$/i.test(encoding) ? 'windows-1252' : encoding;
  await pipeline(createReadStream(source.path), iconv.decodeStream(letters), createWriteStream(name));
  return name;
}

function isUtf8Name(encoding: string): boolean {
  return /^(utf-?8|(us-)?ascii)$/i.test(encoding);
}

async function walk(path: string, options: ScannerOptions, tally: Tally, watch: PrescanWatch): Promise<RecordScanner> {
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
export async function* chunksOf(path: string, size = CHUNK): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const room = Buffer.allocUnsafeSlow(size);
    for (;;) {
      const { bytesRead } = await file.read(room, 0, size);
      if (bytesRead === 0) return;
      yield room.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

const PLUS = 43;

/** Counts records, and lines that are none. */
class Tally implements RecordSink {
  records = 0;
  readonly faults = new Map<Fault, number>();
  /** Anything stands in the data that the database takes for part of a number and we do not. */
  hasOddSigns = false;
  /** Where the first record begins. */
  first: { readonly line: number; readonly offset: number } | null = null;
  private looked = 0;

  record(_bytes: Buffer, _start: number, _end: number, line: number, offset: number): void {
    this.first ??= { line, offset };
    this.records++;
  }

  fault(_bytes: Buffer, _start: number, _end: number, _line: number, fault: Fault): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1);
  }

  /** Looks at a part of the file, in turn, after its records were told. */
  look(bytes: Buffer): void {
    const from = Math.max(0, (this.first?.offset ?? 0) - this.looked);
    this.looked += bytes.length;
    // A pair may be cut in two.
    const endsOddly = bytes[bytes.length - 1] === PLUS;
    this.hasOddSigns ||= endsOddly || bytes.includes('_', from) || bytes.includes('+-', from);
  }
}

/** Copies the records that are sound, each with one line feed behind it, as every reader reads them alike. */
async function writeClean(from: string, to: string, options: ScannerOptions, rewrites: boolean): Promise<void> {
  // Bytes, one a character. Without its own mark, one that the first field begins with would be taken for the file's.
  let text = BYTE_ORDER_MARK;
  const reader = new CellReader(options);
  const taken = (): Buffer => {
    const bytes = Buffer.from(text, 'latin1');
    text = '';
    return bytes;
  };
  const scanner = new RecordScanner(options, {
    record: (bytes, start, end) => {
      const kept = rewrites
        ? rewritten(reader.read(bytes.toString('utf8', start, end)).cells)
        : bytes.toString('latin1', start, end);
      text += `${kept}\n`;
    },
    fault: () => undefined,
  });
  const copied = async function* (): AsyncGenerator<Buffer> {
    for await (const bytes of chunksOf(from)) {
      scanner.push(bytes);
      yield taken();
    }
    scanner.end();
    yield taken();
  };
  await pipeline(copied, createWriteStream(to));
}

/** A file that is read as it stands, or as a copy with its faults left out, or as one whose fields were written again. */
interface Reading {
  readonly kind: 'asItIs' | 'clean' | 'rewritten';
  readonly syntax: ReadSyntax;
}

/** Delimiters that the database is known to read as we do. */
const READ_DELIMITERS: ReadonlySet<string> = new Set([',', ';', '\t', '|', ':', '~', '^', '\u0001', '\u001f']);
const READ_QUOTES: ReadonlySet<string> = new Set(['"', "'", '']);

const LONGEST_LINE = 2 * 1024 ** 2;
/** Quotation marks that are ordinary characters are doubled, and wrapped in two more. */
const LONGEST_REWRITTEN_LINE = 6 * 1024 ** 2;

const COPIED: ReadSyntax = { delimiter: ',', quote: '"', skip: 0, longest: LONGEST_LINE };

/** Decides how a file is read, from how it is written and what a walk through it has shown. */
function readingOf(dialect: CsvDialect, seen: RecordScanner, { first }: Tally): Reading {
  const quote = readQuote(dialect, seen);
  if (quote === null || dialect.trims || !READ_DELIMITERS.has(dialect.delimiter)) {
    return { kind: 'rewritten', syntax: { ...COPIED, longest: LONGEST_REWRITTEN_LINE } };
  }
  const syntax = { ...COPIED, delimiter: dialect.delimiter, quote };
  // The database can pass over lines, but keeps quotes in mind while it does.
  const canSkip = first !== null && !seen.hasHeaderBreaks && !seen.hasQuotesInPreamble;
  // With lines that end in several ways, or with carriage returns alone, it is misled by other line breaks inside quotes.
  const hasOddBreaks = seen.hasReturns || (seen.hasLineFeeds && seen.hasPairs);
  if (seen.hasFaults || hasOddBreaks || !canSkip) return { kind: 'clean', syntax };
  return { kind: 'asItIs', syntax: { ...syntax, skip: first.line - 1 } };
}

/** The quote that the database can be given; null when it would read other fields than we do. */
function readQuote(
  { quote, escape }: CsvDialect,
  { hasQuotes, hasEscapes, hasLiteralQuotes }: RecordScanner,
): string | null {
  // Behind a row with doubled quotes in surplus fields it would leave them out.
  if (hasLiteralQuotes) return null;
  if (!hasQuotes) return READ_QUOTES.has(quote) ? quote : '';
  return READ_QUOTES.has(quote) && (escape === quote || !hasEscapes) ? quote : null;
}

const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

/** A record with commas and quotation marks, as bytes, one a character. */
function rewritten(cells: Row): string {
  const written = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`);
  return Buffer.from(written.join(',')).toString('latin1');
}
