import { type Layout, RecordScanner } from '../import/record-scanner.js';
import { escapePattern } from '../../shared/time-format/lexical-pattern.js';

export type Row = readonly string[];

export interface FoundRow {
  readonly cells: Row;
  /** The physical lines, from 1, on which the record begins and ends. */
  readonly line: number;
  readonly lastLine: number;
}

export interface SplitText {
  readonly rows: readonly FoundRow[];
  /** Lines that are no records, because their quotes make no sense. */
  readonly faults: readonly number[];
  /** Cells that were quoted. */
  readonly quoted: number;
}

export interface SplitLimits {
  readonly mostRows: number;
  /** The text goes on behind its end: its last line is no record if there are others, and a quote that is open there may be closed. */
  readonly isCut: boolean;
}

const ALL: SplitLimits = { mostRows: Number.POSITIVE_INFINITY, isCut: false };
/** LF, CRLF and CR end a line. */
export const LINE_BREAK = /\r\n?|\n/g;
const SCANNED_AT_ONCE = 64 * 1024;
/** Bytes that may be read in vain, behind quotes that are never closed, before such are given up at their line's end. */
const MOST_IN_VAIN = 4 * 1024 ** 2;
/** A quote that is open at the end of cut text and was opened longer before is never closed. */
const LONGEST_OPEN = 64 * 1024;

/** Parts text into records as the import does, and each into its cells. */
export function splitText(text: string, layout: Layout, limits: Partial<SplitLimits> = {}): SplitText {
  const { mostRows, isCut } = { ...ALL, ...limits };
  const bytes = Buffer.from(text);
  const reader = new CellReader(layout);
  const rows: FoundRow[] = [];
  const faults: number[] = [];
  let quoted = 0;
  const scanner = new RecordScanner(
    { ...layout, preambleLines: 0, headerRows: 0, converted: false, mostInVain: MOST_IN_VAIN },
    {
      record: (window, start, end, line, offset) => {
        const isPart = isCut && offset + end - start === bytes.length;
        if (rows.length >= mostRows || (isPart && rows.length > 1)) return;
        const found = reader.read(window.toString('utf8', start, end));
        quoted += found.quoted;
        rows.push({ cells: found.cells, line, lastLine: line + found.lineBreaks });
      },
      fault: (_window, _start, _end, line) => {
        if (rows.length < mostRows) faults.push(line);
      },
    },
  );
  for (let at = 0; at < bytes.length && rows.length < mostRows; at += SCANNED_AT_ONCE)
    scanner.push(bytes.subarray(at, at + SCANNED_AT_ONCE));
  scanner.end(isCut ? LONGEST_OPEN : 0);
  return { rows, faults, quoted };
}

interface FoundCells {
  readonly cells: Row;
  readonly quoted: number;
  readonly lineBreaks: number;
}

/** Reads the cells of records that the scanner has found sound. */
export class CellReader {
  /** A quoted cell, the blanks around it, and what ends it. */
  private readonly wrapped: RegExp;
  /** Signs of a quoted cell that are meant literally, with what stands before them. */
  private readonly literals: RegExp;

  constructor(private readonly layout: Layout) {
    const { trims } = layout;
    const quote = escapePattern(layout.quote);
    const escape = escapePattern(layout.escape || layout.quote);
    const delimiter = escapePattern(layout.delimiter);
    const blank = `(?:(?!${delimiter})[ ${trims ? '\\t' : ''}])`;
    const pair = escape === quote ? quote + quote : `(?:${escape}[^]|${quote}${quote})`;
    const inner = `[^${quote}${escape}]*(?:${pair}[^${quote}${escape}]*)*`;
    // One blank before a quote is passed over, and all where blanks are trimmed.
    this.wrapped = new RegExp(`${blank}${trims ? '*' : '?'}${quote}(${inner})${quote}${blank}*(${delimiter}|$)`, 'y');
    this.literals = new RegExp(`${escape}([${escape}${quote}])|${quote}(${quote})`, 'g');
  }

  read(record: string): FoundCells {
    const { delimiter, quote } = this.layout;
    if (quote === '' || !record.includes(quote))
      return { cells: record.split(delimiter).map((cell) => this.trimmed(cell)), quoted: 0, lineBreaks: 0 };
    const cells: string[] = [];
    let quoted = 0;
    for (let at = 0; at !== -1;) {
      this.wrapped.lastIndex = at;
      const [, inner, ending] = this.wrapped.exec(record) ?? [];
      if (inner === undefined) {
        const end = record.indexOf(delimiter, at);
        cells.push(this.trimmed(record.slice(at, end === -1 ? undefined : end)));
        at = end === -1 ? -1 : end + delimiter.length;
      } else {
        cells.push(inner.replace(this.literals, '$1$2'));
        quoted++;
        at = ending === '' ? -1 : this.wrapped.lastIndex;
      }
    }
    return { cells, quoted, lineBreaks: record.match(LINE_BREAK)?.length ?? 0 };
  }

  private trimmed(cell: string): string {
    if (!this.layout.trims) return cell;
    let [start, end] = [0, cell.length];
    while (start < end && isBlank(cell[start])) start++;
    while (end > start && isBlank(cell[end - 1])) end--;
    return cell.slice(start, end);
  }
}

function isBlank(sign: string | undefined): boolean {
  return sign === ' ' || sign === '\t';
}

export function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [best] = [...counts].sort(([, one], [, other]) => other - one);
  return best?.[0] ?? 0;
}
