import type { CsvDialect } from '../ports/csv-inspector.js';
import type { RecordScanner } from './record-scanner.js';

/** How the database is told to read a file. */
export interface ReadSyntax {
  readonly delimiter: string;
  /** Doubled inside quotes; empty: none. */
  readonly quote: string;
  /** Lines before the first record. */
  readonly skip: number;
  /** The longest line, in bytes. */
  readonly longest: number;
}

/** A file that is read as it stands, or as a copy with its faults left out, or as one whose fields were written again. */
export interface Reading {
  readonly kind: 'asItIs' | 'clean' | 'rewritten';
  readonly syntax: ReadSyntax;
}

/** What was seen of a file's records. */
export interface Records {
  /** Lines before the first one; null when there is none, or a header spans lines. */
  readonly linesBefore: number | null;
  /** There are lines that are no records. */
  readonly hasFaults: boolean;
}

/** Delimiters that the database is known to read as we do. */
const READ_DELIMITERS: ReadonlySet<string> = new Set([',', ';', '\t', '|', ':', '~', '^', '\u0001', '\u001f']);
const READ_QUOTES: ReadonlySet<string> = new Set(['"', "'", '']);

const LONGEST_LINE = 2 * 1024 ** 2;
/** Quotation marks that are ordinary characters are doubled, and wrapped in two more. */
const LONGEST_REWRITTEN_LINE = 6 * 1024 ** 2;

const COPIED: ReadSyntax = { delimiter: ',', quote: '"', skip: 0, longest: LONGEST_LINE };

type Seen = Pick<
  RecordScanner,
  'hasLineFeeds' | 'hasReturns' | 'hasPairs' | 'hasQuotes' | 'hasLiteralQuotes' | 'hasEscapes' | 'hasQuotesInPreamble'
>;

/** Decides how a file is read, from how it is written and what a walk through it has shown. */
export function readingOf(dialect: CsvDialect, seen: Seen, { linesBefore, hasFaults }: Records): Reading {
  const quote = readQuote(dialect, seen);
  if (quote === null || dialect.trims || !READ_DELIMITERS.has(dialect.delimiter)) {
    return { kind: 'rewritten', syntax: { ...COPIED, longest: LONGEST_REWRITTEN_LINE } };
  }
  const syntax = { ...COPIED, delimiter: dialect.delimiter, quote };
  // The database can pass over lines, but keeps quotes in mind while it does.
  const canSkip = linesBefore !== null && !seen.hasQuotesInPreamble;
  if (hasFaults || hasOddBreaks(seen) || !canSkip) return { kind: 'clean', syntax };
  return { kind: 'asItIs', syntax: { ...syntax, skip: linesBefore } };
}

/** The quote that the database can be given; null when it would read other fields than we do. */
function readQuote({ quote, escape }: CsvDialect, { hasQuotes, hasEscapes, hasLiteralQuotes }: Seen): string | null {
  // Behind a row with doubled quotes in surplus fields it would leave them out.
  if (hasLiteralQuotes) return null;
  if (!hasQuotes) return READ_QUOTES.has(quote) ? quote : '';
  return READ_QUOTES.has(quote) && (escape === quote || !hasEscapes) ? quote : null;
}

/** Whether lines end in several ways, or with carriage returns alone: with those it is misled by other line breaks inside quotes. */
function hasOddBreaks({ hasLineFeeds, hasReturns, hasPairs }: Seen): boolean {
  return hasReturns || (hasLineFeeds && hasPairs);
}
